// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the plain twin shows, asked from the estimator (an object as memfit.js gives it). Knows no
// document: the site's builder asks the same way for the first paint.
import { speak } from "./words.js";

// ---- The fields.

// The groups that are not folded.
const open = ["model", "workload", "device"];
export const isOfPage = (field) => field.group === "page";

/** The groups of the form: [{ id, names, folded }]. */
export function groupsOf(fields) {
  const groups = new Map();
  for (const { name, group } of fields
    .filter((field) => !isOfPage(field))
    .sort((a, b) => a.order - b.order)) {
    if (!groups.has(group))
      groups.set(group, {
        id: `group${group[0].toUpperCase()}${group.slice(1)}`,
        names: [],
        folded: !open.includes(group),
      });
    groups.get(group).names.push(name);
  }
  return [...groups.values()];
}

/** Whether a field changes the answer as things stand, or was given all the same. */
export function matters(state, field) {
  if (state.query[field.name] !== undefined || state.errors[field.name]) return true;
  // Where another field says which model is meant, setting this one puts that aside.
  const idle = state.idle[field.name];
  return idle === undefined || idle === "model";
}

const attempt = (ask) => {
  try {
    return ask();
  } catch {
    return undefined;
  }
};

export function createState(memfit, tables) {
  const fields = memfit.fields();
  const state = {
    fields,
    groups: groupsOf(fields),
    devices: memfit.devices(),
    models: attempt(() => memfit.models()) ?? [],
    text: "", // the query as URL text, what cannot be used left out
    query: {},
    defaults: {},
    idle: {}, // fields that change nothing as things stand, and the kind of reason
    config: undefined, // a config.json: part of the query, not of the URL
    readNotices: [],
    notices: [],
    errors: {}, // of what was typed, by field
    graphics: false, // whether the graphical view can be had
  };
  setLanguage(state, tables);
  return state;
}

export function setLanguage(state, tables) {
  state.t = speak(tables);
  state.languageNames = tables.languages ?? {};
}

/** Takes a query as URL text. */
export function read(memfit, state, text) {
  const { query, notices, defaults, idle } = memfit.decode(text);
  if (state.config !== undefined) query.config = state.config;
  Object.assign(state, { query, defaults, idle, readNotices: notices, text: memfit.encode(query) });
}

/** The answer. */
export function estimate(memfit, state) {
  state.report = state.failure = undefined;
  try {
    state.report = memfit.estimate(state.query);
  } catch (error) {
    state.failure = error;
  }
  state.notices = [...state.readNotices, ...(state.report?.notices ?? [])];
  state.amounts = state.t.amounts(state.query.units);
}

/** What takes longer: the tables. */
export function estimateTables(memfit, state) {
  const answered = state.report !== undefined;
  state.rows = answered ? attempt(() => memfit.fit(state.query)) : undefined;
  state.comparison = answered ? attempt(() => memfit.compare(state.query)) : undefined;
  state.advice = answered ? attempt(() => memfit.advise(state.query)) : undefined;
  state.map = answered ? attempt(() => mapOf(memfit, state)) : undefined;
}

const mapRows = { key: "seq", from: 1024, to: 131072, n: 8 };
const mapColumns = { from: 1, to: 64, n: 4 };
const valuesOf = ({ from, to, n }) =>
  Array.from({ length: n }, (_, i) => Math.round(from * (to / from) ** (i / (n - 1))));

function mapOf(memfit, state) {
  const field = (name) => state.fields.find((one) => one.name === name);
  if (!matters(state, field("seq"))) return undefined;
  const key = matters(state, field("concurrency")) ? "concurrency" : "batch";
  const totals = memfit.sweep(state.query, {
    x: { key, from: mapColumns.from, to: mapColumns.to },
    y: { key: mapRows.key, from: mapRows.from, to: mapRows.to },
    nx: mapColumns.n,
    ny: mapRows.n,
  });
  return { key, columns: valuesOf(mapColumns), rows: valuesOf(mapRows), totals };
}

/**
 * A change of one field as text, "" to leave it to its default. Gives the refusal's notice, if there is
 * one; the rest of the query then goes on with the default.
 */
export function edit(memfit, state, name, text) {
  const params = new URLSearchParams(state.text);
  if (name === "config") {
    state.config = text.trim() || undefined;
  } else if (text === "" || text === String(state.defaults[name])) {
    params.delete(name);
  } else {
    params.set(name, text);
  }
  // A model is named, given by its size, or read from a file: the last word counts.
  const others = {
    model: ["params", "active"],
    params: ["model"],
    config: ["model", "params", "active"],
  }[name];
  if (others && text !== "") {
    for (const other of others) params.delete(other);
    if (name !== "config") state.config = undefined;
  }
  read(memfit, state, params.toString());
  const refused = state.readNotices.find(
    (notice) =>
      notice.field === name && (notice.code === "unknown-value" || notice.code === "out-of-range"),
  );
  if (refused) state.readNotices = state.readNotices.filter((notice) => notice !== refused);
  return refused;
}
