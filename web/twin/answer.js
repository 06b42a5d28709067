// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain view's answer: how much is needed, of what, and whether it fits.
//
// The content security policy allows no style attributes, so bars are SVG.
import { html } from "../html.js";

// ---- The verdict, wherever it is said.

export const signs = { fits: "\u2713", tight: "\u26a0\ufe0e", no: "\u2715" };
/** "fits", "tight" or "no", whatever the number that would be needed. */
export const moodOf = (verdict) => (verdict === "fits" || verdict === "tight" ? verdict : "no");

export const timesDevice = (state, count, name) =>
  state.t.say("times", state.t.number(count), name);
export const rowName = (row, state) =>
  row.device === "custom" ? state.amounts.bytes(row.total).text : state.t.sentence(row.name);

export const verdictWord = (t, mood) =>
  t.say({ fits: "fits", tight: "tight", no: "tooLarge" }[mood]);

export function verdictText(state) {
  const { t, amounts, report } = state;
  const row = report?.fit;
  if (!row) return "";
  const amount = amounts.bytes(Math.abs(row.headroom)).text;
  const device = timesDevice(state, row.count, rowName(row, state));
  const mood = moodOf(row.verdict);
  if (mood === "fits") return t.say("verdictFits", amount, device);
  if (mood === "tight") return t.say("verdictTight", amount, device);
  return t.say(row.headroom >= 0 ? "verdictNone" : "verdictShort", amount, device);
}

// Of one device: a published rule's total is split over the devices that were asked about.
const needOf = (report) => report.fit?.need ?? report.perDevice;

/** What a screen reader hears after a change. */
export function announcement(state) {
  const { t, report } = state;
  if (!report) return state.failure ? errorText(state) : "";
  const total = t.say("perDevice", state.amounts.bytes(needOf(report).expected).text);
  const verdict = verdictText(state);
  return verdict ? `${total}. ${verdict}.` : `${total}.`;
}

const errorText = ({ t, failure }) => t.sentence(failure.message);

function partsOfBar(report) {
  const need = needOf(report).expected;
  const whole = report.perDevice.expected;
  const parts = new Map();
  for (const entry of report.ledger) {
    if (entry.where !== "device" || !entry.expected) continue;
    parts.set(entry.component, (parts.get(entry.component) ?? 0) + entry.expected);
  }
  return [...parts].map(([component, bytes]) => ({
    component,
    bytes: need === whole ? bytes : (bytes * need) / whole,
  }));
}

/** A component's colour beside its name. */
export const dot = (component) =>
  html`<svg class="dot" viewBox="0 0 9 9" aria-hidden="true">
    <rect class="c-${component}" width="9" height="9" rx="2"/>
  </svg>`;

function barHtml(state, parts) {
  const { t, amounts, report } = state;
  const need = needOf(report);
  const usable = report.fit?.usable ?? 0;
  const scale = Math.max(need.high, usable) * 1.06 || 1;
  const at = (bytes) => ((bytes / scale) * 1000).toFixed(2);
  let from = 0;
  const rects = parts.map(({ component, bytes }) => {
    const rect = html`<rect class="c-${component}" x="${at(from)}" width="${at(bytes)}" height="34"/>`;
    from += bytes;
    return rect;
  });
  const band =
    need.high > need.low &&
    html`<rect class="band" fill="url(#hatch)" x="${at(need.low)}" width="${at(need.high - need.low)}" height="34"/>`;
  const mark = usable > 0 && html`<rect class="mark" x="${at(usable)}" width="2" height="34"/>`;
  const share = usable / scale;
  const anchor = share > 0.7 ? "end" : share < 0.3 ? "start" : "middle";
  // The words stand in an SVG of their own, which does not stretch.
  const words =
    usable > 0 && t.say("usableMark", rowName(report.fit, state), amounts.bytes(usable).text);
  const label =
    words &&
    html`<svg class="bar-mark">
      <text x="${(share * 100).toFixed(2)}%" y="14" text-anchor="${anchor}">${words}</text>
    </svg>`;
  const hatch = html`id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"`;
  return html`<div class="bar" aria-hidden="true">
      ${label}
      <svg class="bar-parts" viewBox="0 0 1000 34" preserveAspectRatio="none">
        <defs><pattern ${hatch}><rect class="hatch" width="2" height="7"/></pattern></defs>
        <rect class="track" width="1000" height="34"/>
        ${rects}${band}${mark}
      </svg>
    </div>`;
}

// The sentence below the bar: the smallest devices that hold it, then whatever needs fewest.
const knownDevices = [
  "rtx-4090",
  "rtx-5090-32",
  "rtx-pro-6000-ws",
  "l4",
  "l40s",
  "a100-40-sxm",
  "a100-80-sxm",
  "h100-80-sxm",
  "h200-141",
  "rx-7900-xtx",
];
export function fitsOn(state) {
  const { t, report } = state;
  if (!state.rows) return "";
  const known = state.rows.filter((row) => knownDevices.includes(row.device) && row.devicesNeeded);
  const single = known.filter((row) => row.devicesNeeded === 1).sort((a, b) => a.usable - b.usable);
  const several = known
    .filter((row) => row.devicesNeeded > 1)
    .sort((a, b) => a.devicesNeeded - b.devicesNeeded);
  const own =
    report.fit && moodOf(report.fit.verdict) === "no" && report.fit.devicesNeeded > 1
      ? [report.fit]
      : [];
  const others = [...single, ...several].filter((row) => row.device !== report.fit?.device);
  const items = [...others.slice(0, 3 - own.length), ...own].map((row) =>
    timesDevice(state, row.devicesNeeded, rowName(row, state)),
  );
  return items.length ? t.say("fitsOn", t.listed(items)) : t.say("fitsNothing");
}

export function answerHtml(state) {
  const { t, amounts, report } = state;
  if (!report) {
    if (!state.failure) return "";
    return html`<p class="error big">${t.say("errorTitle")}</p><p class="error">${errorText(state)}</p>`;
  }
  const need = needOf(report);
  const { value, unit } = amounts.bytes(need.expected);
  const verdict = verdictText(state);
  const mood = report.fit && moodOf(report.fit.verdict);
  // Gigabytes go without saying; another unit is said, once where both have it.
  const [from, to] = [amounts.bytes(need.low), amounts.bytes(need.high)];
  const low = from.unit === amounts.unit || from.unit === to.unit ? from.value : from.text;
  const high = to.unit === amounts.unit ? to.value : to.text;
  const count = report.fit?.count ?? report.devices;
  const more = [];
  if (count > 1)
    more.push(t.say("onAll", amounts.bytes(need.expected * count).text, t.number(count)));
  if (report.host.expected > 0)
    more.push(t.say("onHost", amounts.bytes(report.host.expected).text));
  const parts = partsOfBar(report);
  const legend = parts.map(({ component, bytes }) => {
    const amount = amounts.bytes(bytes);
    return html`<li>
        ${dot(component)}${t.component(component)} <b>${amount.unit === unit ? amount.value : amount.text}</b>
      </li>`;
  });
  const [before, after] = t.say("perDevice", "\u0001").split("\u0001");
  const says =
    verdict &&
    html`<span class="verdict ${mood}"><span aria-hidden="true">${signs[mood]}</span> ${verdict}</span>`;
  const likely =
    from.text !== to.text && html`<span class="likely">${t.say("likely", low, high)}</span>`;
  return html`<p class="total">
      ${before}
      <span class="amount"><b class="value">${value}</b> <span class="per">${unit + after}</span></span>
${says}
${likely}</p>
${more.length > 0 && html`<p class="more">${more.join(t.say("listComma"))}</p>`}
${barHtml(state, parts)}
    <ul class="legend">${legend}</ul>
    ${capacityHtml(state)}${metersHtml(state)}`;
}

// What an engine that takes a fraction of the device has left for its cache.
function capacityHtml({ t, amounts, report: { capacity } }) {
  if (!capacity) return "";
  const { pool, tokens, sequences, fraction } = capacity;
  const percent = t.number(Math.round(fraction * 100));
  const room = [amounts.bytes(pool).text, t.number(tokens), t.number(sequences)];
  return html`<p class="fact">${t.say("capacity", ...room, percent)}</p>`;
}

// The same training run on three meters.
function metersHtml({ t, amounts, report: { training } }) {
  if (!training) return "";
  const meters = {
    Allocated: training.allocated.expected,
    Reserved: training.reserved.expected,
    Driver: training.driver.expected,
    Steady: training.steady,
  };
  const items = Object.entries(meters).map(
    ([name, bytes]) =>
      html`<div>
        <dt>${t.say(`meter${name}`)}</dt>
        <dd>${amounts.bytes(bytes).text} <span class="host">${t.say(`meter${name}Help`)}</span></dd>
      </div>`,
  );
  return html`<dl class="meters">${items}</dl>`;
}
