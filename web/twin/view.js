// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain view as HTML text, put together. Knows no document, so the site's builder runs it too
// (prerender.mjs), and what it wrote is what controller.js takes over.
import { html } from "../html.js";
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
    tagline: t.say("tagline"),
    tools: toolsHtml(state),
    answer: answerHtml(state),
    "fits-on": state.report && fitsOn(state),
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
    out[name] = t.say(text);
  }
  for (const group of state.groups) {
    out[`title-${group.id}`] = t.say(group.id);
    if (group.folded) out[`given-${group.id}`] = givenIn(state, group);
  }
  for (const field of state.fields) {
    if (!isOfPage(field)) out[`field-${field.name}`] = fieldHtml(state, field);
  }
  for (const [name, content] of Object.entries(out)) out[name] = html`${content}`;
  return out;
}

/** Whether a part is shown at all, for those that come and go. */
export function isShown(state, name) {
  if (name.startsWith("field-"))
    return matters(
      state,
      state.fields.find((field) => `field-${field.name}` === name),
    );
  const group = state.groups.find(({ id }) => `group-${id}` === name);
  if (group) return group.names.some((one) => isShown(state, `field-${one}`));
  if (name.startsWith("section-")) {
    return Boolean(
      {
        breakdown: state.report,
        devices: state.rows,
        map: state.map,
        methods: state.comparison,
        advice: state.advice?.length,
      }[name.slice(8)],
    );
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
  const part = (name, tag = "div", more) =>
    html`<${tag} data-part="${name}"${more}>${made[name]}</${tag}>`;
  const shown = (name) => html`data-shown="${name}"${!isShown(state, name) && html` hidden`}`;
  const heading = (name, more) => part(`title-${name}`, "h2", html` id="t-${name}"${more}`);

  const isMain = (name) =>
    state.fields.some((field) => field.name === name && field.shown === "compact");
  const field = (name) =>
    html`<div class="field${isMain(name) && " main"}" ${shown(`field-${name}`)} data-part="field-${name}">
      ${made[`field-${name}`]}
    </div>`;
  const fieldset = (group, attributes) =>
    html`<fieldset${attributes}>
      <legend class="unseen">${part(`title-${group.id}`, "span")}</legend>
      <div class="fields">${group.names.map(field)}</div>
    </fieldset>`;
  const folded = (group) =>
    html`<details ${shown(`group-${group.id}`)} class="group">
      <summary>
        ${part(`title-${group.id}`, "span")} ${part(`given-${group.id}`, "span", html` class="given"`)}
      </summary>
      ${fieldset(group)}
    </details>`;
  const open = (group) => fieldset(group, html` class="group" ${shown(`group-${group.id}`)}`);
  const groups = (wanted) =>
    state.groups.filter((group) => group.folded === wanted).map(wanted ? folded : open);

  // Only the compact form has something to open.
  const expand = html`<button type="button" class="quiet expand" data-do="expand" aria-expanded="false">
    ${part("title-expand", "span")}
  </button>`;

  const section = (name, before) =>
    html`<section class="block" aria-labelledby="t-${name}" ${shown(`section-${name}`)}>
      ${heading(name)}${before}${part(name)}
    </section>`;
  const search = html`id="device-search" type="search" autocomplete="off" spellcheck="false"`;
  const filter = html`<p class="filter">
    <label class="unseen" for="device-search" data-part="label-search">${made["label-search"]}</label>
    <input ${search} data-placeholder placeholder="${made["label-search"]}">
    <label class="check"><input type="checkbox" id="only-fitting"> ${part("label-only", "span")}</label>
  </p>`;

  return html`<header class="head">
      <h1 tabindex="-1">memfit</h1>
      ${part("tagline", "p", html` class="tagline"`)}
      ${part("tools", "div", html` class="tools"`)}
    </header>
<div class="columns">
      <section class="top" aria-labelledby="t-answer">
        ${heading("answer", html` class="unseen" tabindex="-1"`)}
        ${part("no-script", "p", html` class="fact no-script"`)}
        ${part("answer")}
        ${part("fits-on", "p", html` class="fits-on"`)}
        ${part("settings", "div", html` class="settings"`)}
      </section>
<form class="controls" aria-labelledby="t-settings" novalidate autocomplete="off">
        ${heading("settings", html` class="unseen"`)}
        ${groups(false)}
        ${expand}
        ${groups(true)}
      </form>
<div class="tables">
        ${part("notes")}
        ${section("devices", filter)}
        ${section("advice")}
        ${section("breakdown")}
        ${section("map")}
        ${section("methods")}
      </div>
    </div>`.text;
}
