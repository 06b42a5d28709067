// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain view's tables: devices, the map, methods, advice; and its notes.
import { escape } from "../html.js";
import { moodOf, rowName, signs, timesDevice, verdictWord } from "./answer.js";

// Roles are said outright, for narrow screens lay rows out anew and browsers would drop them.
export function table(caption, columns, rows, { foot = [], narrow = "" } = {}) {
  const cell = (content, i, scope) => {
    const column = columns[i];
    const name = `class="${column.class ?? ""}"`;
    return i === 0 || scope
      ? `<th scope="row" role="rowheader" ${name}>${content}</th>`
      : `<td role="cell" ${name}>${content}</td>`;
  };
  const line = (row) => `<tr role="row"${row.attributes ?? ""}>${row.cells.map((content, i) => cell(content, i)).join("")}</tr>`;
  const head = columns.map((column) => `<th scope="col" role="columnheader" class="${column.class ?? ""}">${escape(column.title)}</th>`);
  return `<div class="scroll" role="region" aria-label="${escape(caption)}"><table role="table" class="${narrow}"><caption class="unseen">${escape(caption)}</caption><thead role="rowgroup"><tr role="row">${head.join("")}</tr></thead><tbody role="rowgroup">${rows.map(line).join("")}</tbody>${foot.length ? `<tfoot role="rowgroup">${foot.map(line).join("")}</tfoot>` : ""}</table></div>`;
}

// Where a row is a card, a second amount says what it is.
const inCard = (title) => `<span class="in-card" aria-hidden="true">${escape(title)} </span>`;

/** The rows of the table of devices: those that hold it first, the smallest first. */
export function deviceRows(state) {
  const wanted = (state.deviceSearch ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const own = state.query.device;
  const rank = (row) => (row.device === own ? 0 : row.devicesNeeded ?? Infinity);
  return (state.rows ?? [])
    .filter((row) => wanted.every((word) => `${row.device} ${row.name}`.toLowerCase().includes(word)))
    .filter((row) => !state.onlyFitting || moodOf(row.verdict) !== "no")
    .sort((a, b) => rank(a) - rank(b) || a.usable - b.usable);
}
const fewDevices = 12;

export function devicesHtml(state) {
  const { t, amounts } = state;
  if (!state.rows) return "";
  const all = deviceRows(state);
  const shown = state.allDevices ? all : all.slice(0, fewDevices);
  const columns = [
    { title: t.say("columnDevice") },
    { title: t.say("columnNeed"), class: "num need" },
    { title: t.say("columnUsable"), class: "num usable" },
    { title: t.say("columnHeadroom"), class: "num" },
    { title: t.say("verdict"), class: "verdict-cell" },
    { title: t.say("devicesNeeded"), class: "num" },
  ];
  const rows = shown.map((row) => {
    const mood = moodOf(row.verdict);
    const share = Math.min(1, row.need.high / (row.usable || 1));
    const meter = `<svg class="meter ${mood}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="6" rx="3"/><rect class="filled" width="${(share * 100).toFixed(1)}" height="6" rx="3"/></svg>`;
    const name = row.count > 1 ? timesDevice(state, row.count, rowName(row, state)) : rowName(row, state);
    return {
      attributes: row.device === state.query.device ? ' aria-current="true"' : "",
      cells: [
        escape(name),
        escape(amounts.bytes(row.need.high).text),
        escape(amounts.bytes(row.usable).text),
        `<span class="${mood}">${escape(amounts.signed(row.headroom))}</span>`,
        `${meter}<span class="${mood}"><span aria-hidden="true">${signs[mood]}</span> ${escape(verdictWord(t, mood))}</span>`,
        escape(row.devicesNeeded ? t.say("needsCount", t.number(row.devicesNeeded)) : t.say("needsNone")),
      ],
    };
  });
  if (rows.length === 0) return `<p class="fact">${escape(t.say("noDeviceFound"))}</p>`;
  const more =
    all.length > fewDevices
      ? `<button type="button" class="quiet" data-do="all-devices">${escape(state.allDevices ? t.say("showFewer") : t.say("showAll", t.number(all.length)))}</button>`
      : "";
  return table(t.say("tabDevices"), columns, rows) + more;
}

export function mapHtml(state) {
  const { t, amounts, map } = state;
  if (!map) return "";
  const columns = [
    { title: t.label("seq") },
    ...map.columns.map((value) => ({ title: t.number(value), class: "num" })),
  ];
  const usable = state.report?.fit?.usable;
  const rows = map.rows.map((seq, j) => ({
    cells: [
      escape(t.number(seq)),
      ...map.columns.map((_, i) => {
        const bytes = map.totals[j * map.columns.length + i];
        const text = Number.isFinite(bytes) ? amounts.gigabytes(bytes) : "\u221e";
        if (!usable) return escape(text);
        const mood = bytes > usable ? "no" : bytes > usable * 0.95 ? "tight" : "fits";
        return `<span class="${mood}">${escape(text)} <span aria-hidden="true">${signs[mood]}</span><span class="unseen">${escape(verdictWord(t, mood))}</span></span>`;
      }),
    ],
  }));
  const caption = t.say("mapCaption", amounts.unit, t.label("seq"), t.label(map.key));
  return `<p class="fact">${escape(caption)}</p>${table(caption, columns, rows)}`;
}

export function methodsHtml(state) {
  const { t, amounts, comparison } = state;
  if (!comparison) return "";
  const columns = [
    { title: t.say("columnMethod") },
    { title: t.say("perDevice", amounts.unit), class: "num" },
    { title: t.say("allDevices"), class: "num" },
    { title: t.say("why"), class: "why" },
  ];
  const first = comparison.methods.find((method) => method.covers)?.method;
  const rows = comparison.methods.map((method) => {
    const title = t.word("method", method.method);
    const known = t.sentence(method.title);
    const name = escape(title) + (known !== title ? ` <span class="host">${escape(known)}</span>` : "");
    const chosen = method.method === state.report?.method ? ` <span class="chosen">${escape(t.say("methodChosen"))}</span>` : "";
    if (!method.covers) return { cells: [name, "\u2013", "\u2013", escape(t.say("methodNotCovered"))] };
    const difference = comparison.differences.find((one) => one.method === method.method);
    const why = difference
      ? `${t.say("difference", title, t.component(difference.component), amounts.bytes(difference.here).text, amounts.bytes(difference.there).text, t.word("method", first))}${t.sentence(difference.reason)}`
      : "";
    return {
      cells: [name + chosen, escape(amounts.bytes(method.perDevice.expected).text), `${inCard(t.say("allDevices"))}${escape(amounts.bytes(method.total.expected).text)}`, escape(why)],
    };
  });
  return table(t.say("tabMethods"), columns, rows, { narrow: "cards" });
}

const mostAdvice = 10;

export function adviceHtml(state) {
  const { t, amounts, advice } = state;
  if (!advice?.length) return "";
  const columns = [
    { title: t.say("change") },
    { title: t.say("columnNeed"), class: "num" },
    { title: t.say("saves"), class: "num" },
    { title: t.say("verdict"), class: "verdict-cell" },
    { title: t.say("price"), class: "why" },
    { title: t.say("apply"), class: "apply" },
  ];
  const rows = advice.slice(0, mostAdvice).map((one, i) => {
    const word = (key, value) => t.value(state.fields.find(({ name }) => name === key), value);
    const changes = one.changes.map(({ key, from, to }) => `${t.label(key)} ${from === "" ? "" : `${word(key, from)} \u2192 `}${word(key, to)}`);
    const text = changes.join(t.say("listComma"));
    const mood = one.fit && moodOf(one.fit.verdict);
    return {
      cells: [
        escape(text),
        escape(amounts.bytes(one.perDevice.high).text),
        `${inCard(t.say("saves"))}${escape(amounts.bytes(one.saved).text)}`,
        mood ? `<span class="${mood}"><span aria-hidden="true">${signs[mood]}</span> ${escape(verdictWord(t, mood))}</span>` : "",
        escape(t.sentence(one.price)),
        `<button type="button" class="quiet" data-do="apply" data-advice="${i}">${escape(t.say("apply"))}<span class="unseen">: ${escape(text)}</span></button>`,
      ],
    };
  });
  return table(t.say("tabAdvice"), columns, rows, { narrow: "cards" });
}

export function notesHtml(state) {
  const { t } = state;
  // Those of a field that was just refused stand at the field.
  const notices = state.notices.filter((notice) => !state.errors[notice.field]);
  if (notices.length === 0) return "";
  const items = [...new Set(notices.map((notice) => t.notice(notice, state.fields)))];
  return `<h2>${escape(t.say("notes"))}</h2><ul class="notes">${items.map((item) => `<li>${escape(item)}</li>`).join("")}</ul>`;
}
