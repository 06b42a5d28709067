// memfit - SPDX-License-Identifier: Apache-2.0
//
// Where the bytes of the plain view's answer go: the ledger, and the moments of a training step.
import { html } from "../html.js";
import { dot } from "./answer.js";
import { table } from "./tables.js";

function amountCell({ amounts, t }, { low, expected, high }) {
  const said = (bytes) => amounts.bytes(bytes).text;
  if (low === high) return said(expected);
  return html`${said(expected)}<span class="band-text">${t.say("range", said(low), said(high))}</span>`;
}

const sourceHtml = (text) =>
  text
    .split(/(https?:\/\/[^\s;,)]+)/)
    .map((part, i) =>
      i % 2 ? html`<a href="${part}" rel="noopener">${part.replace(/^https?:\/\//, "")}</a>` : part,
    );

export function breakdownHtml(state) {
  const { t, amounts, report } = state;
  if (!report) return "";
  const columns = [
    { title: t.say("columnComponent") },
    { title: t.say("columnAmount"), class: "num" },
    { title: t.say("formula"), class: "formula" },
    { title: t.say("numbers"), class: "numbers" },
    { title: t.say("source"), class: "source" },
  ];
  const rows = report.ledger.map((entry) => {
    const { component, where, formula, inputs, note, source } = entry;
    const numbers = Object.entries(inputs).map(
      ([symbol, value]) => html`<li><var>${t.sentence(symbol)}</var> = ${t.number(value)}</li>`,
    );
    const part = where === "host" && html` <span class="host">${t.say("hostPart")}</span>`;
    return {
      cells: [
        html`${dot(component)}${t.component(component)}${part}`,
        amountCell(state, entry),
        html`<code>${t.formula(formula)}</code>${note && html`<span class="note">${t.sentence(note)}</span>`}`,
        numbers.length > 0 && html`<ul>${numbers}</ul>`,
        sourceHtml(t.sentence(source)),
      ],
    };
  });
  const sum = (what, band) => ({
    cells: [`${t.say("total")}, ${what}`, amountCell(state, band), "", "", ""],
  });
  const foot = [sum(t.say("perDevice", amounts.unit), report.perDevice)];
  if (report.host.expected > 0) foot.push(sum(t.say("hostPart"), report.host));
  const { bytesPerToken, bytesPerSequence } = report.kv;
  const costs = [amounts.bytes(bytesPerToken).text, amounts.bytes(bytesPerSequence).text];
  const cache = bytesPerToken > 0 && html`<p class="fact">${t.say("cacheCost", ...costs)}</p>`;
  return html`${table(t.say("tabBreakdown"), columns, rows, { foot, narrow: "cards" })}${cache}${phasesHtml(state)}`;
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
  const components = Object.keys(t.components).filter((component) =>
    sums.some((of) => of.has(component)),
  );
  const amount = (bytes) => (bytes ? state.amounts.bytes(bytes).text : "\u2013");
  const moments = report.phases.map(({ name }) => ({ title: t.phase(name), class: "num" }));
  const columns = [{ title: t.say("columnComponent") }, ...moments];
  const rows = components.map((component) => ({
    cells: [t.component(component), ...sums.map((of) => amount(of.get(component)))],
  }));
  const totals = report.phases.map(({ perDevice }) => amount(perDevice.expected));
  const foot = [{ cells: [t.say("total"), ...totals] }];
  const title = t.say("phasesTitle");
  return html`<h3>${title}</h3>${table(title, columns, rows, { foot })}`;
}
