// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain view's form: one control a field, made from memfit.fields(), with what was given in it. Group,
// order and control of a field stand in its row of the table.
import { escape } from "../html.js";
import { isOfPage, matters } from "./state.js";
import { tagOf } from "./words.js";

const option = (value, text, chosen, lang) =>
  `<option value="${escape(value)}"${lang ? ` lang="${lang}"` : ""}${chosen ? " selected" : ""}>${escape(text)}</option>`;

// Whether a device is of the catalogue, or a size such as "24GB".
const isListed = (state, id) => state.devices.some((device) => device.id === id);

function deviceControl(state, attributes) {
  const { t, query } = state;
  const given = query.device;
  const custom = state.customDevice || (given !== undefined && !isListed(state, given));
  const vendors = [...new Set(state.devices.map((device) => device.vendor))];
  const groups = vendors.map((vendor) => {
    const options = state.devices
      .filter((device) => device.vendor === vendor)
      .map((device) => option(device.id, t.sentence(device.name), !custom && device.id === given));
    return `<optgroup label="${escape(vendor)}">${options.join("")}</optgroup>`;
  });
  const select = `<select ${attributes}>${option("", t.say("noDevice"), !custom && given === undefined)}${groups.join("")}${option("custom", t.say("customSize"), custom)}</select>`;
  const size = `<label class="second" for="f-device-size"${custom ? "" : " hidden"}>${escape(t.say("deviceSize"))}</label>
<input id="f-device-size" name="device" data-size autocomplete="off" spellcheck="false" value="${custom ? escape(given ?? "") : ""}"${custom ? "" : " hidden"}>`;
  return select + size;
}

function modelControl(state, attributes) {
  const options = state.models.map((model) => `<option value="${escape(model.id)}">${escape(model.name)}</option>`);
  const shown = state.report?.model;
  const bySize = state.query.params !== undefined && state.query.model === undefined;
  const placeholder = bySize || state.query.config !== undefined ? "" : shown?.id ?? "";
  return `<input ${attributes} list="models" autocomplete="off" spellcheck="false" autocapitalize="off" value="${escape(state.query.model ?? "")}" placeholder="${escape(placeholder)}">
<datalist id="models">${options.join("")}</datalist>
<p class="fact" id="x-model">${escape(modelFact(state))}</p>`;
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

const textual = 'type="text" autocomplete="off" spellcheck="false" autocapitalize="off"';

const controls = {
  choice({ t, query, defaults }, field, attributes) {
    const current = query[field.name] ?? defaults[field.name] ?? field.default;
    return `<select ${attributes}>${field.values.map((value) => option(value, t.word(field.name, value), value === current)).join("")}</select>`;
  },
  integer({ t, query, defaults }, field, attributes) {
    const given = query[field.name] ?? defaults[field.name] ?? field.default ?? "";
    const isWord = given === "" || Number.isNaN(Number(given));
    const placeholder = isWord && given !== "" ? t.say("all") : absentText(t, field);
    return `<input ${attributes} type="number" inputmode="numeric" min="${field.min}" max="${field.max}" step="1" autocomplete="off" value="${isWord ? "" : given}" placeholder="${escape(placeholder)}">`;
  },
  real({ t, query, report }, field, attributes) {
    const { parameters, activeParameters } = report?.model ?? {};
    const shown = { params: parameters / 1e9, active: activeParameters / 1e9 }[field.name];
    const placeholder = shown ? t.number(Number(shown.toPrecision(4))) : t.say("automatic");
    return `<input ${attributes} type="number" inputmode="decimal" min="${field.min}" max="${field.max}" step="any" autocomplete="off" value="${query[field.name] ?? ""}" placeholder="${escape(placeholder)}">`;
  },
  flag({ t, query, defaults }, field, attributes) {
    const current = query[field.name] ?? defaults[field.name];
    const absent = defaults[field.name] === undefined ? option("", absentText(t, field), current === undefined) : "";
    return `<select ${attributes}>${absent}${option("true", t.say("yes"), String(current) === "true")}${option("false", t.say("no"), String(current) === "false")}</select>`;
  },
  amount: ({ query }, field, attributes) =>
    `<input ${attributes} ${textual} value="${escape(query[field.name] ?? "")}" placeholder="${escape(field.default ?? "0")}">`,
  text: ({ t, query }, field, attributes) =>
    `<input ${attributes} ${textual} value="${escape(query[field.name] ?? "")}" placeholder="${escape(t.say("automatic"))}">`,
  document: ({ t, query }, field, attributes) => {
    const given = query[field.name] ?? "";
    return `<textarea ${attributes} rows="5" spellcheck="false" autocomplete="off" placeholder="${escape(t.say("pasteConfig"))}">${escape(typeof given === "string" ? given : JSON.stringify(given))}</textarea>
<button type="button" class="quiet" data-do="open-file">${escape(t.say("openFile"))}</button>`;
  },
};
const ownControls = { device: deviceControl, model: modelControl };

/** One field: label, control, help, error. */
export function fieldHtml(state, field) {
  const { t } = state;
  const { name } = field;
  const error = state.errors[name];
  const described = [`h-${name}`, name === "model" ? "x-model" : "", error ? `e-${name}` : ""].filter(Boolean).join(" ");
  const problem = error ? `<p class="error" id="e-${name}">${escape(error)}</p>` : "";
  const help = `<p class="help" id="h-${name}">${escape(t.help(name))}</p>`;
  if (name === "task") {
    const current = state.query.task ?? field.default;
    const choices = field.values.map(
      (value) =>
        `<input type="radio" name="task" id="f-task-${value}" value="${value}"${value === current ? " checked" : ""}><label for="f-task-${value}">${escape(t.word("task", value))}</label>`,
    );
    return `<fieldset class="segments" aria-describedby="h-task"><legend>${escape(t.label("task"))}</legend>${choices.join("")}</fieldset>${help}${problem}`;
  }
  const attributes = `id="f-${name}" name="${name}" aria-describedby="${described}"${error ? ' aria-invalid="true"' : ""}`;
  const control = ownControls[name]?.(state, attributes) ?? controls[field.kind](state, field, attributes);
  // "Batch size, sequences", but "Concurrent requests".
  const words = t.unit(name);
  const unit = t.label(name).toLowerCase().includes(words.toLowerCase()) ? "" : words;
  return `<label for="f-${name}">${escape(t.label(name))}${unit ? ` <span class="unit">${escape(unit)}</span>` : ""}</label>${control}${help}${problem}`;
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
  return escape(items.join(" \u00b7 "));
}

// ---- Around the form: what stands in it, for paper, and the settings of the page.

// For paper: what was asked.
export function settingsHtml(state) {
  const { t } = state;
  const shown = state.fields.filter(
    (field) => !isOfPage(field) && field.name !== "config" && (state.query[field.name] !== undefined || ["model", "workload"].includes(field.group)) && matters(state, field),
  );
  const items = shown.map((field) => {
    let value = state.query[field.name] ?? state.defaults[field.name] ?? field.default;
    if (field.name === "model") value = modelFact(state);
    if (field.name === "device") value = t.sentence(state.devices.find((device) => device.id === value)?.name ?? value ?? "");
    if (value === null || value === undefined || value === "") return "";
    const unit = field.min !== undefined && !Number.isNaN(Number(value)) ? ` ${t.unit(field.name)}` : "";
    return `<div><dt>${escape(t.label(field.name))}</dt><dd>${escape(t.value(field, value) + unit)}</dd></div>`;
  });
  return `<dl>${items.join("")}</dl>`;
}

export function toolsHtml(state) {
  const { t } = state;
  const select = (name) => {
    const field = state.fields.find((one) => one.name === name);
    const current = state.query[name] ?? field.default;
    const own = (value) => ({ lang: state.languageNames, units: t.numbers })[name]?.[value] ?? t.word(name, value);
    return `<span class="tool"><label class="unseen" for="f-${name}">${escape(t.label(name))}</label><select id="f-${name}" name="${name}" title="${escape(t.label(name))}">${field.values.map((value) => option(value, own(value), value === current, name === "lang" && value !== "auto" ? tagOf(value) : "")).join("")}</select></span>`;
  };
  return `${["units", "lang", "theme"].map(select).join("")}<button type="button" class="quiet" data-do="graphical"${state.graphics ? "" : " hidden"}>${escape(t.say("graphicalView"))}</button><button type="button" class="primary" data-do="copy">${escape(t.say("copyLink"))}</button>`;
}
