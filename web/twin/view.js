// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain view as HTML text, put together. Knows no document, so the site's builder runs it too
// (prerender.mjs), and what it wrote is what controller.js takes over.
import { escape } from "../html.js";
import { answerHtml, fitsOn } from "./answer.js";
import { breakdownHtml } from "./breakdown.js";
import { fieldHtml, givenIn, settingsHtml, toolsHtml } from "./form.js";
import { isOfPage, matters } from "./state.js";
import { adviceHtml, devicesHtml, mapHtml, methodsHtml, notesHtml } from "./tables.js";

// ---- Everything, in parts that are replaced one by one.

/** { name: html } of every part. */
export function parts(state) {
  const { t } = state;
  const out = {
    tagline: escape(t.say("tagline")),
    tools: toolsHtml(state),
    answer: answerHtml(state),
    "fits-on": escape(state.report ? fitsOn(state) : ""),
    notes: notesHtml(state),
    settings: settingsHtml(state),
    breakdown: breakdownHtml(state),
    devices: devicesHtml(state),
    map: mapHtml(state),
    methods: methodsHtml(state),
    advice: adviceHtml(state),
  };
  for (const [name, text] of Object.entries({
    "title-answer": "answer",
    "title-settings": "settings",
    "title-breakdown": "tabBreakdown",
    "title-devices": "tabDevices",
    "title-map": "tabMap",
    "title-methods": "tabMethods",
    "title-advice": "tabAdvice",
    "label-search": "searchDevices",
    "label-only": "onlyFitting",
    "no-script": "noScript",
    "title-expand": "expand",
  })) {
    out[name] = escape(t.say(text));
  }
  for (const group of state.groups) {
    out[`title-${group.id}`] = escape(t.say(group.id));
    if (group.folded) out[`given-${group.id}`] = givenIn(state, group);
  }
  for (const field of state.fields) {
    if (!isOfPage(field)) out[`field-${field.name}`] = fieldHtml(state, field);
  }
  return out;
}

/** Whether a part is shown at all, for those that come and go. */
export function isShown(state, name) {
  if (name.startsWith("field-")) return matters(state, state.fields.find((field) => `field-${field.name}` === name));
  const group = state.groups.find(({ id }) => `group-${id}` === name);
  if (group) return group.names.some((one) => isShown(state, `field-${one}`));
  if (name.startsWith("section-")) {
    return Boolean({ breakdown: state.report, devices: state.rows, map: state.map, methods: state.comparison, advice: state.advice?.length }[name.slice(8)]);
  }
  return true;
}

/**
 * The state as it is written into the page: without the list of devices, a seventh of the page's compressed
 * bytes, which the script that could use them brings.
 */
export const firstPaint = (state) => ({ ...state, devices: [] });

/** The twin's whole content. */
export function viewHtml(state) {
  const made = parts(state);
  const part = (name, tag = "div", extra = "") => `<${tag} data-part="${name}"${extra}>${made[name]}</${tag}>`;
  const shown = (name) => `data-shown="${name}"${isShown(state, name) ? "" : " hidden"}`;
  const isMain = (name) => state.fields.some((field) => field.name === name && field.shown === "compact");
  const fields = (names) => `<div class="fields">${names.map((name) => `<div class="field${isMain(name) ? " main" : ""}" ${shown(`field-${name}`)} data-part="field-${name}">${made[`field-${name}`]}</div>`).join("")}</div>`;
  const groups = state.groups.map((group) =>
    group.folded
      ? `<details ${shown(`group-${group.id}`)} class="group"><summary>${part(`title-${group.id}`, "span")} ${part(`given-${group.id}`, "span", ' class="given"')}</summary><fieldset><legend class="unseen">${part(`title-${group.id}`, "span")}</legend>${fields(group.names)}</fieldset></details>`
      : `<fieldset class="group" ${shown(`group-${group.id}`)}><legend class="unseen">${part(`title-${group.id}`, "span")}</legend>${fields(group.names)}</fieldset>`,
  );
  // Only the compact form has something to open.
  const expand = `<button type="button" class="quiet expand" data-do="expand" aria-expanded="false">${part("title-expand", "span")}</button>`;
  const unfolded = groups.slice(0, state.groups.filter((group) => !group.folded).length);
  const section = (name, before = "") =>
    `<section class="block" aria-labelledby="t-${name}" ${shown(`section-${name}`)}>${part(`title-${name}`, "h2", ` id="t-${name}"`)}${before}${part(name)}</section>`;
  const search = `<p class="filter"><label class="unseen" for="device-search" data-part="label-search">${made["label-search"]}</label><input id="device-search" type="search" autocomplete="off" spellcheck="false" data-placeholder placeholder="${made["label-search"]}"><label class="check"><input type="checkbox" id="only-fitting"> ${part("label-only", "span")}</label></p>`;
  return `<header class="head"><h1 tabindex="-1">memfit</h1>${part("tagline", "p", ' class="tagline"')}${part("tools", "div", ' class="tools"')}</header>
<div class="columns"><section class="top" aria-labelledby="t-answer">${part("title-answer", "h2", ' id="t-answer" class="unseen" tabindex="-1"')}${part("no-script", "p", ' class="fact no-script"')}${part("answer")}${part("fits-on", "p", ' class="fits-on"')}${part("settings", "div", ' class="settings"')}</section>
<form class="controls" aria-labelledby="t-settings" novalidate autocomplete="off">${part("title-settings", "h2", ' id="t-settings" class="unseen"')}${unfolded.join("")}${expand}${groups.slice(unfolded.length).join("")}</form>
<div class="tables">${part("notes")}${section("devices", search)}${section("advice")}${section("breakdown")}${section("map")}${section("methods")}</div></div>`;
}
