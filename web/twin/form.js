// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain view's form: one control a field, made from memfit.fields(), with what was given in it. Group,
// order and control of a field stand in its row of the table.
import { html } from "../html.js";
import { isOfPage, matters } from "./state.js";
import { tagOf } from "./words.js";

const option = (value, text, chosen, lang) =>
  html`<option value="${value}"${lang && html` lang="${lang}"`}${chosen && html` selected`}>${text}</option>`;

// Whether a device is of the catalogue, or a size such as "24GB".
const isListed = (state, id) => state.devices.some((device) => device.id === id);

// Names and codes, which no browser should improve.
const unaided = html`autocomplete="off" spellcheck="false"`;
const coded = html`${unaided} autocapitalize="off"`;
const textual = html`type="text" ${coded}`;

function deviceControl(state, attributes) {
  const { t, query } = state;
  const given = query.device;
  const custom = state.customDevice || (given !== undefined && !isListed(state, given));
  const vendors = [...new Set(state.devices.map((device) => device.vendor))];
  const groups = vendors.map((vendor) => {
    const options = state.devices
      .filter((device) => device.vendor === vendor)
      .map((device) => option(device.id, t.sentence(device.name), !custom && device.id === given));
    return html`<optgroup label="${vendor}">${options}</optgroup>`;
  });
  const hidden = !custom && html` hidden`;
  const size = html`id="f-device-size" name="device" data-size ${unaided} value="${custom && given}"`;
  return html`<select ${attributes}>
      ${option("", t.say("noDevice"), !custom && given === undefined)}
      ${groups}
      ${option("custom", t.say("customSize"), custom)}
    </select>
    <label class="second" for="f-device-size"${hidden}>${t.say("deviceSize")}</label>
<input ${size}${hidden}>`;
}

function modelControl(state, attributes) {
  const options = state.models.map(
    (model) => html`<option value="${model.id}">${model.name}</option>`,
  );
  const bySize = state.query.params !== undefined && state.query.model === undefined;
  const shown = !bySize && state.query.config === undefined && state.report?.model.id;
  const values = html`value="${state.query.model}" placeholder="${shown}"`;
  return html`<input ${attributes} list="models" ${coded} ${values}>
<datalist id="models">${options}</datalist>
<p class="fact" id="x-model">${modelFact(state)}</p>`;
}

function modelFact(state) {
  const { t, report } = state;
  if (!report) return "";
  const { name, parameters, activeParameters, typical } = report.model;
  const facts = [typical ? "" : name, t.say("parametersOf", t.parameters(parameters))];
  if (activeParameters < parameters) facts.push(t.say("activeOf", t.parameters(activeParameters)));
  if (typical) facts.push(t.say("typicalShape"));
  return [...new Set(facts.filter(Boolean))].join(" \u00b7 ");
}

// What stands where nothing is given and the field has no default of its own.
const absentText = (t, { group }) => t.say(group === "shape" ? "ofModel" : "automatic");

function numberControl(field, attributes, mode, step, value, placeholder) {
  const range = html`type="number" inputmode="${mode}" min="${field.min}" max="${field.max}" step="${step}"`;
  const values = html`autocomplete="off" value="${value}" placeholder="${placeholder}"`;
  return html`<input ${attributes} ${range} ${values}>`;
}

const controls = {
  choice({ t, query, defaults }, field, attributes) {
    const current = query[field.name] ?? defaults[field.name] ?? field.default;
    const options = field.values.map((value) =>
      option(value, t.word(field.name, value), value === current),
    );
    return html`<select ${attributes}>${options}</select>`;
  },
  integer({ t, query, defaults }, field, attributes) {
    const given = query[field.name] ?? defaults[field.name] ?? field.default ?? "";
    const isWord = given === "" || Number.isNaN(Number(given));
    const placeholder = isWord && given !== "" ? t.say("all") : absentText(t, field);
    return numberControl(field, attributes, "numeric", "1", isWord ? "" : given, placeholder);
  },
  real({ t, query, report }, field, attributes) {
    const { parameters, activeParameters } = report?.model ?? {};
    const shown = { params: parameters / 1e9, active: activeParameters / 1e9 }[field.name];
    const placeholder = shown ? t.number(Number(shown.toPrecision(4))) : t.say("automatic");
    return numberControl(field, attributes, "decimal", "any", query[field.name], placeholder);
  },
  flag({ t, query, defaults }, field, attributes) {
    const current = query[field.name] ?? defaults[field.name];
    return html`<select ${attributes}>
      ${defaults[field.name] === undefined && option("", absentText(t, field), current === undefined)}
      ${option("true", t.say("yes"), String(current) === "true")}
      ${option("false", t.say("no"), String(current) === "false")}
    </select>`;
  },
  amount: ({ query }, field, attributes) =>
    html`<input ${attributes} ${textual} value="${query[field.name]}" placeholder="${field.default ?? "0"}">`,
  text: ({ t, query }, field, attributes) =>
    html`<input ${attributes} ${textual} value="${query[field.name]}" placeholder="${t.say("automatic")}">`,
  document({ t, query }, field, attributes) {
    const given = query[field.name] ?? "";
    const more = html`rows="5" spellcheck="false" autocomplete="off" placeholder="${t.say("pasteConfig")}"`;
    const content = typeof given === "string" ? given : JSON.stringify(given);
    return html`<textarea ${attributes} ${more}>${content}</textarea>
<button type="button" class="quiet" data-do="open-file">${t.say("openFile")}</button>`;
  },
};
const ownControls = { device: deviceControl, model: modelControl };

/** One field: label, control, help, error. */
export function fieldHtml(state, field) {
  const { t } = state;
  const { name } = field;
  const error = state.errors[name];
  const described = [`h-${name}`, name === "model" ? "x-model" : "", error ? `e-${name}` : ""];
  const problem = error && html`<p class="error" id="e-${name}">${error}</p>`;
  const help = html`<p class="help" id="h-${name}">${t.help(name)}</p>`;
  if (name === "task") {
    const current = state.query.task ?? field.default;
    const choices = field.values.map((value) => {
      const checked = value === current && html` checked`;
      return html`<input type="radio" name="task" id="f-task-${value}" value="${value}"${checked}>
        <label for="f-task-${value}">${t.word("task", value)}</label>`;
    });
    return html`<fieldset class="segments" aria-describedby="h-task">
        <legend>${t.label("task")}</legend>
        ${choices}
      </fieldset>
      ${help}${problem}`;
  }
  const attributes = html`id="f-${name}" name="${name}" aria-describedby="${described.filter(Boolean).join(" ")}"
    ${error && html` aria-invalid="true"`}`;
  const control =
    ownControls[name]?.(state, attributes) ?? controls[field.kind](state, field, attributes);
  // "Batch size, sequences", but "Concurrent requests".
  const words = t.unit(name);
  const unit = !t.label(name).toLowerCase().includes(words.toLowerCase()) && words;
  return html`<label for="f-${name}">${t.label(name)}${unit && html` <span class="unit">${unit}</span>`}</label>
    ${control}${help}${problem}`;
}

/** What of a folded group was given: shown beside its name. */
export function givenIn(state, group) {
  const items = group.names
    .filter((name) => state.query[name] !== undefined)
    .map((name) => {
      if (name === "config") return state.t.label(name);
      const field = state.fields.find((one) => one.name === name);
      return `${state.t.label(name)} ${state.t.value(field, state.query[name])}`;
    });
  return items.join(" \u00b7 ");
}

// ---- Around the form.

/** For paper: what was asked. */
export function settingsHtml(state) {
  const { t, query } = state;
  const isAsked = ({ name, group }) =>
    query[name] !== undefined || ["model", "workload"].includes(group);
  const shown = state.fields.filter(
    (field) =>
      !isOfPage(field) && field.name !== "config" && isAsked(field) && matters(state, field),
  );
  const items = shown.map((field) => {
    let value = query[field.name] ?? state.defaults[field.name] ?? field.default;
    if (field.name === "model") value = modelFact(state);
    if (field.name === "device") {
      value = t.sentence(state.devices.find((device) => device.id === value)?.name ?? value ?? "");
    }
    if (value === null || value === undefined || value === "") return "";
    const unit =
      field.min !== undefined && !Number.isNaN(Number(value)) ? ` ${t.unit(field.name)}` : "";
    return html`<div><dt>${t.label(field.name)}</dt><dd>${t.value(field, value) + unit}</dd></div>`;
  });
  return html`<dl>${items}</dl>`;
}

/** The settings of the page, and what can be done with it. */
export function toolsHtml(state) {
  const { t } = state;
  const select = (name) => {
    const field = state.fields.find((one) => one.name === name);
    const current = state.query[name] ?? field.default;
    const own = { lang: state.languageNames, units: t.numbers }[name];
    const tag = (value) => name === "lang" && value !== "auto" && tagOf(value);
    const options = field.values.map((value) =>
      option(value, own?.[value] ?? t.word(name, value), value === current, tag(value)),
    );
    return html`<span class="tool">
      <label class="unseen" for="f-${name}">${t.label(name)}</label>
      <select id="f-${name}" name="${name}" title="${t.label(name)}">${options}</select>
    </span>`;
  };
  const hidden = !state.graphics && html` hidden`;
  return html`${["units", "lang", "theme"].map(select)}
    <button type="button" class="quiet" data-do="graphical"${hidden}>${t.say("graphicalView")}</button>
    <button type="button" class="primary" data-do="copy">${t.say("copyLink")}</button>`;
}
