// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain view's tables: devices, the map, methods, advice; and its notes.
import { html } from "../html.js";
import { moodOf, rowName, signs, timesDevice, verdictWord } from "./answer.js";

// Roles are said outright, for narrow screens lay rows out anew and browsers would drop them.
export function table(caption, columns, rows, { foot = [], narrow = "" } = {}) {
  const cell = (content, i) => {
    const name = html`class="${columns[i].class}"`;
    return i === 0
      ? html`<th scope="row" role="rowheader" ${name}>${content}</th>`
      : html`<td role="cell" ${name}>${content}</td>`;
  };
  const line = ({ attributes, cells }) => html`<tr role="row"${attributes}>${cells.map(cell)}</tr>`;
  const head = columns.map(
    (column) =>
      html`<th scope="col" role="columnheader" class="${column.class}">${column.title}</th>`,
  );
  return html`<div class="scroll" role="region" aria-label="${caption}">
    <table role="table" class="${narrow}">
      <caption class="unseen">${caption}</caption>
      <thead role="rowgroup"><tr role="row">${head}</tr></thead>
      <tbody role="rowgroup">${rows.map(line)}</tbody>
      ${foot.length > 0 && html`<tfoot role="rowgroup">${foot.map(line)}</tfoot>`}
    </table>
  </div>`;
}

// Where a row is a card, a second amount says what it is.
const inCard = (title) => html`<span class="in-card" aria-hidden="true">${title} </span>`;

const verdictHtml = (t, mood) =>
  html`<span class="${mood}"><span aria-hidden="true">${signs[mood]}</span> ${verdictWord(t, mood)}</span>`;

/** The rows of the table of devices: those that hold it first, the smallest first. */
export function deviceRows(state) {
  const wanted = (state.deviceSearch ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const own = state.query.device;
  const rank = (row) => (row.device === own ? 0 : (row.devicesNeeded ?? Infinity));
  return (state.rows ?? [])
    .filter((row) =>
      wanted.every((word) => `${row.device} ${row.name}`.toLowerCase().includes(word)),
    )
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
    const meter = html`<svg class="meter ${mood}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="6" rx="3"/>
      <rect class="filled" width="${(share * 100).toFixed(1)}" height="6" rx="3"/>
    </svg>`;
    const name =
      row.count > 1 ? timesDevice(state, row.count, rowName(row, state)) : rowName(row, state);
    return {
      attributes: row.device === state.query.device && html` aria-current="true"`,
      cells: [
        name,
        amounts.bytes(row.need.high).text,
        amounts.bytes(row.usable).text,
        html`<span class="${mood}">${amounts.signed(row.headroom)}</span>`,
        html`${meter}${verdictHtml(t, mood)}`,
        row.devicesNeeded ? t.say("needsCount", t.number(row.devicesNeeded)) : t.say("needsNone"),
      ],
    };
  });
  if (rows.length === 0) return html`<p class="fact">${t.say("noDeviceFound")}</p>`;
  const other = state.allDevices ? t.say("showFewer") : t.say("showAll", t.number(all.length));
  const more =
    all.length > fewDevices &&
    html`<button type="button" class="quiet" data-do="all-devices">${other}</button>`;
  return html`${table(t.say("tabDevices"), columns, rows)}${more}`;
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
      t.number(seq),
      ...map.columns.map((_, i) => {
        const bytes = map.totals[j * map.columns.length + i];
        const text = Number.isFinite(bytes) ? amounts.gigabytes(bytes) : "\u221e";
        if (!usable) return text;
        const mood = bytes > usable ? "no" : bytes > usable * 0.95 ? "tight" : "fits";
        return html`<span class="${mood}">
          ${text} <span aria-hidden="true">${signs[mood]}</span>
          <span class="unseen">${verdictWord(t, mood)}</span>
        </span>`;
      }),
    ],
  }));
  const caption = t.say("mapCaption", amounts.unit, t.label("seq"), t.label(map.key));
  return html`<p class="fact">${caption}</p>${table(caption, columns, rows)}`;
}

// The largest difference between a method and the first that answers, and the reason for it.
function whyDifferent({ t, amounts, comparison }, { method }, first) {
  const found = comparison.differences.find((one) => one.method === method);
  if (!found) return "";
  const [here, there] = [amounts.bytes(found.here).text, amounts.bytes(found.there).text];
  const [own, other] = [t.word("method", method), t.word("method", first)];
  return (
    t.say("difference", own, t.component(found.component), here, there, other) +
    t.sentence(found.reason)
  );
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
    const name = html`${title}${known !== title && html` <span class="host">${known}</span>`}`;
    if (!method.covers) return { cells: [name, "\u2013", "\u2013", t.say("methodNotCovered")] };
    const isChosen = method.method === state.report?.method;
    const chosen = isChosen && html` <span class="chosen">${t.say("methodChosen")}</span>`;
    return {
      cells: [
        html`${name}${chosen}`,
        amounts.bytes(method.perDevice.expected).text,
        html`${inCard(t.say("allDevices"))}${amounts.bytes(method.total.expected).text}`,
        whyDifferent(state, method, first),
      ],
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
  const said = (key, value) =>
    t.value(
      state.fields.find(({ name }) => name === key),
      value,
    );
  const changeText = ({ key, from, to }) =>
    `${t.label(key)} ${from === "" ? "" : `${said(key, from)} \u2192 `}${said(key, to)}`;
  const rows = advice.slice(0, mostAdvice).map((one, i) => {
    const text = one.changes.map(changeText).join(t.say("listComma"));
    const apply = html`${t.say("apply")}<span class="unseen">: ${text}</span>`;
    return {
      cells: [
        text,
        amounts.bytes(one.perDevice.high).text,
        html`${inCard(t.say("saves"))}${amounts.bytes(one.saved).text}`,
        one.fit && verdictHtml(t, moodOf(one.fit.verdict)),
        t.sentence(one.price),
        html`<button type="button" class="quiet" data-do="apply" data-advice="${i}">${apply}</button>`,
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
  return html`<h2>${t.say("notes")}</h2><ul class="notes">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}
