// memfit - SPDX-License-Identifier: Apache-2.0
//
// Where the bytes of the plain view's answer go: the ledger, and the moments of a training step.
import { escape } from "../html.js";
import { table } from "./tables.js";

const amountCell = (state, band) => {
  const { amounts, t } = state;
  const text = amounts.bytes(band.expected).text;
  if (band.low === band.high) return escape(text);
  return `${escape(text)}<span class="band-text">${escape(t.say("range", amounts.bytes(band.low).text, amounts.bytes(band.high).text))}</span>`;
};

function sourceHtml(text) {
  return escape(text).replace(/https?:\/\/[^\s;,)]+/g, (url) => `<a href="${url}" rel="noopener">${url.replace(/^https?:\/\//, "")}</a>`);
}

export function breakdownHtml(state) {
  const { t, amounts, report } = state;
  if (!report) return "";
  const numeric = "num";
  const columns = [
    { title: t.say("columnComponent") },
    { title: t.say("columnAmount"), class: numeric },
    { title: t.say("formula"), class: "formula" },
    { title: t.say("numbers"), class: "numbers" },
    { title: t.say("source"), class: "source" },
  ];
  const rows = report.ledger.map((entry) => {
    const inputs = Object.entries(entry.inputs).map(([symbol, value]) => `<li><var>${escape(t.sentence(symbol))}</var> = ${escape(t.number(value))}</li>`);
    const where = entry.where === "host" ? ` <span class="host">${escape(t.say("hostPart"))}</span>` : "";
    const note = entry.note ? `<span class="note">${escape(t.sentence(entry.note))}</span>` : "";
    return {
      cells: [
        `<svg class="dot" viewBox="0 0 9 9" aria-hidden="true"><rect class="c-${entry.component}" width="9" height="9" rx="2"/></svg>${escape(t.component(entry.component))}${where}`,
        amountCell(state, entry),
        `<code>${escape(t.formula(entry.formula))}</code>${note}`,
        inputs.length ? `<ul>${inputs.join("")}</ul>` : "",
        sourceHtml(t.sentence(entry.source)),
      ],
    };
  });
  const foot = [{ cells: [escape(`${t.say("total")}, ${t.say("perDevice", amounts.unit)}`), amountCell(state, report.perDevice), "", "", ""] }];
  if (report.host.expected > 0) {
    foot.push({ cells: [escape(`${t.say("total")}, ${t.say("hostPart")}`), amountCell(state, report.host), "", "", ""] });
  }
  const { bytesPerToken, bytesPerSequence } = report.kv;
  const cache = bytesPerToken
    ? `<p class="fact">${escape(t.say("cacheCost", amounts.bytes(bytesPerToken).text, amounts.bytes(bytesPerSequence).text))}</p>`
    : "";
  return table(t.say("tabBreakdown"), columns, rows, { foot, narrow: "cards" }) + cache + phasesHtml(state);
}

// The moments of a training step, each with what is alive in it.
function phasesHtml(state) {
  const { t, report } = state;
  if (!report.phases?.length) return "";
  const sums = report.phases.map(({ ledger }) => {
    const of = new Map();
    for (const { component, where, expected } of ledger) {
      if (where === "device" && expected) of.set(component, (of.get(component) ?? 0) + expected);
    }
    return of;
  });
  const components = Object.keys(t.components).filter((component) => sums.some((of) => of.has(component)));
  const amount = (bytes) => (bytes ? escape(state.amounts.bytes(bytes).text) : "\u2013");
  const columns = [{ title: t.say("columnComponent") }, ...report.phases.map(({ name }) => ({ title: t.phase(name), class: "num" }))];
  const rows = components.map((component) => ({ cells: [escape(t.component(component)), ...sums.map((of) => amount(of.get(component)))] }));
  const foot = [{ cells: [escape(t.say("total")), ...report.phases.map(({ perDevice }) => amount(perDevice.expected))] }];
  return `<h3>${escape(t.say("phasesTitle"))}</h3>${table(t.say("phasesTitle"), columns, rows, { foot })}`;
}
