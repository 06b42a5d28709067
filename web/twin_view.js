// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain twin as HTML text: a form and tables made from memfit.fields() and the Report. Knows no
// document, so the site's builder runs it too (prerender.mjs) and what it wrote is what twin.js takes
// over. Every word comes from the language tables of src/app (texts-LANGUAGE.json).
//
// The content security policy allows no style attributes, so bars are SVG.

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => escapes[sign]);

const noBreakSpace = "\u00a0";
const minus = "\u2212";

// ---- Texts and numbers, as src/app/words/texts.h and number_format.h give them.

// As HTML names a language; the Chinese is the simplified one.
const tagOf = (code) => (code === "zh" ? "zh-Hans" : code);

export function speak(tables) {
  const { numbers } = tables;
  const localized = (plain) => {
    const [, sign, whole, fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plain);
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, numbers.group);
    return (sign && minus) + grouped + (fraction ? numbers.decimal + fraction : "");
  };
  const short = (value) => {
    const size = Math.abs(value);
    return localized(value.toFixed(size >= 999.95 ? 0 : size >= 0.995 || size === 0 ? 1 : 2));
  };
  const number = (value) =>
    Number.isInteger(value) ? localized(value.toFixed(0)) : localized(value.toFixed(4).replace(/\.?0+$/, ""));
  const fillIn = (pattern, values) => pattern.replace(/\{(\d)\}/g, (_, i) => values[i] ?? "");
  const say = (id, ...values) => fillIn(tables.texts[id], values);

  // Patterns of the estimator's sentences, "{0} is {1}; ...", as regular expressions.
  const patterns = Object.entries(tables.sentences)
    .filter(([english]) => english.includes("{"))
    .map(([english, text]) => {
      const parts = english.split(/\{(\d)\}/);
      const source = parts.map((part, i) => (i % 2 ? `(?<v${part}>.+?)` : part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")));
      return { fits: new RegExp(`^${source.join("")}$`, "s"), text };
    });
  const said = new Map(Object.entries(tables.sentences));
  // As sentence() of src/app/words/texts.cpp: the whole text, or the first pattern that fits.
  function sentence(english) {
    if (said.has(english) || !english.includes(" ")) return said.get(english) ?? english;
    for (const { fits, text } of patterns) {
      const found = fits.exec(english);
      if (!found) continue;
      const values = [];
      for (const [name, value] of Object.entries(found.groups)) values[name.slice(1)] = saidValue(value);
      const made = fillIn(text, values);
      said.set(english, made);
      return made;
    }
    return english;
  }
  // "8,030,261,248" and "0.25" as the language writes them.
  function saidValue(value) {
    if (!/^[\d,]+(\.\d+)?$/.test(value)) return sentence(value);
    const plain = value.replaceAll(",", "");
    return value.length > 4 && !plain.includes(".") ? localized(plain) : plain.replace(".", numbers.decimal);
  }

  const t = {
    code: tables.code,
    tag: tagOf(tables.code),
    numbers,
    say,
    number,
    label: (name) => tables.labels[name] ?? name,
    help: (name) => tables.helps[name] ?? "",
    unit: (name) => tables.units[name] ?? "",
    word: (name, value) => tables.words[name]?.[value] ?? value,
    components: tables.components,
    phase: (name) => tables.texts[`phase-${name}`] ?? name,
    component: (name) => tables.components[name] ?? name,
    sentence,
    // A formula as readers write it: a true times and minus, its symbols in their words.
    formula: (text) => text.replaceAll("*", "\u00d7").replaceAll("-", minus).replace(/[A-Za-z_]\w*/g, sentence),
    // A value of a field: a choice by its name, numbers grouped, whatever type it came as.
    value(field, value) {
      if (field?.values?.includes(value)) return t.word(field.name, value);
      if (field?.kind === "flag") return say(String(value) === "true" ? "yes" : "no");
      if (field?.min !== undefined && value !== "" && !Number.isNaN(Number(value))) return number(Number(value));
      return sentence(String(value));
    },
    // "a, b or c" of a field's own words.
    words: (field, text) => (field?.values ? text.split(/(, | or )/).map((part, i) => (i % 2 ? say(part === ", " ? "listComma" : "or") : t.word(field.name, part))).join("") : sentence(text)),
    listed: (items) =>
      items.map((item, i) => (i === 0 ? "" : say(i === items.length - 1 ? "or" : "listComma")) + item).join(""),
    parameters(value) {
      const [size, letter] = [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "K"]].find(([size]) => value / size >= 0.9995) ?? [1, ""];
      const scaled = value / size;
      const text = scaled.toFixed(scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0);
      return localized(text.includes(".") ? text.replace(/\.?0+$/, "") : text) + (letter && noBreakSpace + letter);
    },
    // The amounts of a query in its unit.
    amounts(units) {
      const binary = units === "GiB";
      const step = binary ? 1024 : 1000;
      const giga = step ** 3;
      const named = (value, unit) => ({ value, unit: numbers[unit], text: value + noBreakSpace + numbers[unit] });
      return {
        unit: numbers[binary ? "GiB" : "GB"],
        gigabytes: (bytes) => short(bytes / giga),
        signed: (bytes) =>
          `${bytes < 0 ? minus : "+"}${short(Math.abs(bytes) / giga)}${noBreakSpace}${numbers[binary ? "GiB" : "GB"]}`,
        bytes(bytes) {
          const value = bytes / giga;
          if (value >= 9999.5) return named(short(value / step), binary ? "TiB" : "TB");
          if (value >= 0.095 || bytes === 0) return named(short(value), binary ? "GiB" : "GB");
          if (value * step >= 0.095) return named(short(value * step), binary ? "MiB" : "MB");
          if (value * step * step >= 0.95) return named(short(value * step * step), binary ? "KiB" : "KB");
          return named(number(bytes), "bytes");
        },
      };
    },
    // What a field accepts.
    accepted(field) {
      if (field.values) return t.listed(field.values.map((value) => t.word(field.name, value)));
      if (field.min !== undefined) return say("range", number(field.min), number(field.max));
      return field.kind === "amount" ? say("acceptedAmount") : "";
    },
    notice(notice, fields) {
      if (notice.code === "assumption") return t.sentence(notice.message);
      const id = {
        "unknown-key": "noticeUnknownKey",
        "unknown-value": "noticeUnknownValue",
        "out-of-range": "noticeOutOfRange",
        "no-effect": "noticeNoEffect",
        "not-applicable": "noticeNotApplicable",
      }[notice.code];
      if (!id) return notice.message;
      const field = fields.find((one) => one.name === notice.field);
      if (field && notice.reason) return say("noticeIdle", t.label(field.name), t.words(field, notice.given), t.sentence(notice.reason));
      // What names could have been meant is said only by the sentence.
      if (field?.kind === "text" && notice.code === "unknown-value") return sentence(notice.message);
      const known = field && notice.code !== "unknown-key";
      const accepted = known && /unknown-value|out-of-range/.test(notice.code) && t.accepted(field);
      return say(id, known ? t.label(field.name) : notice.field, t.words(field, notice.given), accepted || t.words(field, notice.accepted));
    },
  };
  return t;
}

// ---- The form. Group, order and control of a field stand in its row of the table.

// The groups that are not folded.
const open = ["model", "workload", "device"];
const isOfPage = (field) => field.group === "page";

/** The groups of the form: [{ id, names, folded }]. */
export function groupsOf(fields) {
  const groups = new Map();
  for (const { name, group } of fields.filter((field) => !isOfPage(field)).sort((a, b) => a.order - b.order)) {
    if (!groups.has(group)) groups.set(group, { id: `group${group[0].toUpperCase()}${group.slice(1)}`, names: [], folded: !open.includes(group) });
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

// ---- The answer.

const signs = { fits: "\u2713", tight: "\u26a0\ufe0e", no: "\u2715" };
/** "fits", "tight" or "no", whatever the number that would be needed. */
export const moodOf = (verdict) => (verdict === "fits" || verdict === "tight" ? verdict : "no");

const timesDevice = (state, count, name) => state.t.say("times", state.t.number(count), name);
const rowName = (row, state) => (row.device === "custom" ? state.amounts.bytes(row.total).text : state.t.sentence(row.name));

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
  return [...parts].map(([component, bytes]) => ({ component, bytes: need === whole ? bytes : (bytes * need) / whole }));
}

function barHtml(state, parts) {
  const { t, amounts, report } = state;
  const need = needOf(report);
  const usable = report.fit?.usable ?? 0;
  const scale = Math.max(need.high, usable) * 1.06 || 1;
  const at = (bytes) => ((bytes / scale) * 1000).toFixed(2);
  let from = 0;
  const rects = parts.map(({ component, bytes }) => {
    const rect = `<rect class="c-${component}" x="${at(from)}" width="${at(bytes)}" height="34"/>`;
    from += bytes;
    return rect;
  });
  const band =
    need.high > need.low
      ? `<rect class="band" fill="url(#hatch)" x="${at(need.low)}" width="${at(need.high - need.low)}" height="34"/>`
      : "";
  const mark = usable ? `<rect class="mark" x="${at(usable)}" width="2" height="34"/>` : "";
  const share = usable / scale;
  const anchor = share > 0.7 ? "end" : share < 0.3 ? "start" : "middle";
  // The words stand in an SVG of their own, which does not stretch.
  const label = usable
    ? `<svg class="bar-mark"><text x="${(share * 100).toFixed(2)}%" y="14" text-anchor="${anchor}">${escape(t.say("usableMark", rowName(report.fit, state), amounts.bytes(usable).text))}</text></svg>`
    : "";
  return `<div class="bar" aria-hidden="true">${label}<svg class="bar-parts" viewBox="0 0 1000 34" preserveAspectRatio="none"><defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch" width="2" height="7"/></pattern></defs><rect class="track" width="1000" height="34"/>${rects.join("")}${band}${mark}</svg></div>`;
}

// The sentence below the bar: the smallest devices that hold it, then whatever needs fewest.
const knownDevices = [
  "rtx-4090", "rtx-5090-32", "rtx-pro-6000-ws", "l4", "l40s",
  "a100-40-sxm", "a100-80-sxm", "h100-80-sxm", "h200-141", "rx-7900-xtx",
];
function fitsOn(state) {
  const { t, report } = state;
  if (!state.rows) return "";
  const known = state.rows.filter((row) => knownDevices.includes(row.device) && row.devicesNeeded);
  const single = known.filter((row) => row.devicesNeeded === 1).sort((a, b) => a.usable - b.usable);
  const several = known.filter((row) => row.devicesNeeded > 1).sort((a, b) => a.devicesNeeded - b.devicesNeeded);
  const own = report.fit && moodOf(report.fit.verdict) === "no" && report.fit.devicesNeeded > 1 ? [report.fit] : [];
  const others = [...single, ...several].filter((row) => row.device !== report.fit?.device);
  const items = [...others.slice(0, 3 - own.length), ...own].map((row) => timesDevice(state, row.devicesNeeded, rowName(row, state)));
  return items.length ? t.say("fitsOn", t.listed(items)) : t.say("fitsNothing");
}

function answerHtml(state) {
  const { t, amounts, report } = state;
  if (!report) {
    if (!state.failure) return "";
    return `<p class="error big">${escape(t.say("errorTitle"))}</p><p class="error">${escape(errorText(state))}</p>`;
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
  if (count > 1) more.push(t.say("onAll", amounts.bytes(need.expected * count).text, t.number(count)));
  if (report.host.expected > 0) more.push(t.say("onHost", amounts.bytes(report.host.expected).text));
  const parts = partsOfBar(report);
  const legend = parts.map(({ component, bytes }) => {
    const amount = amounts.bytes(bytes);
    return `<li><svg class="dot" viewBox="0 0 9 9" aria-hidden="true"><rect class="c-${component}" width="9" height="9" rx="2"/></svg>${escape(t.component(component))} <b>${escape(amount.unit === unit ? amount.value : amount.text)}</b></li>`;
  });
  const perDevice = t.say("perDevice", "\u0001").split("\u0001");
  return `<p class="total">${escape(perDevice[0])}<span class="amount"><b class="value">${escape(value)}</b> <span class="per">${escape(unit + perDevice[1])}</span></span>
${verdict ? `<span class="verdict ${mood}"><span aria-hidden="true">${signs[mood]}</span> ${escape(verdict)}</span>` : ""}
${from.text === to.text ? "" : `<span class="likely">${escape(t.say("likely", low, high))}</span>`}</p>
${more.length ? `<p class="more">${escape(more.join(t.say("listComma")))}</p>` : ""}
${barHtml(state, parts)}<ul class="legend">${legend.join("")}</ul>${capacityHtml(state)}${metersHtml(state)}`;
}

// What an engine that takes a fraction of the device has left for its cache.
function capacityHtml({ t, amounts, report: { capacity } }) {
  if (!capacity) return "";
  const percent = t.number(Math.round(capacity.fraction * 100));
  return `<p class="fact">${escape(t.say("capacity", amounts.bytes(capacity.pool).text, t.number(capacity.tokens), t.number(capacity.sequences), percent))}</p>`;
}

// The same training run on three meters.
function metersHtml({ t, amounts, report: { training } }) {
  if (!training) return "";
  const meters = { Allocated: training.allocated.expected, Reserved: training.reserved.expected, Driver: training.driver.expected, Steady: training.steady };
  const items = Object.entries(meters).map(
    ([name, bytes]) => `<div><dt>${escape(t.say(`meter${name}`))}</dt><dd>${escape(amounts.bytes(bytes).text)} <span class="host">${escape(t.say(`meter${name}Help`))}</span></dd></div>`,
  );
  return `<dl class="meters">${items.join("")}</dl>`;
}

// ---- Tables.

// Roles are said outright, for narrow screens lay rows out anew and browsers would drop them.
function table(caption, columns, rows, { foot = [], narrow = "" } = {}) {
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

const amountCell = (state, band) => {
  const { amounts, t } = state;
  const text = amounts.bytes(band.expected).text;
  if (band.low === band.high) return escape(text);
  return `${escape(text)}<span class="band-text">${escape(t.say("range", amounts.bytes(band.low).text, amounts.bytes(band.high).text))}</span>`;
};

function sourceHtml(text) {
  return escape(text).replace(/https?:\/\/[^\s;,)]+/g, (url) => `<a href="${url}" rel="noopener">${url.replace(/^https?:\/\//, "")}</a>`);
}

function breakdownHtml(state) {
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

const verdictWord = (t, mood) => t.say({ fits: "fits", tight: "tight", no: "tooLarge" }[mood]);

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

function devicesHtml(state) {
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

function mapHtml(state) {
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

function methodsHtml(state) {
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

function adviceHtml(state) {
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

function notesHtml(state) {
  const { t } = state;
  // Those of a field that was just refused stand at the field.
  const notices = state.notices.filter((notice) => !state.errors[notice.field]);
  if (notices.length === 0) return "";
  const items = [...new Set(notices.map((notice) => t.notice(notice, state.fields)))];
  return `<h2>${escape(t.say("notes"))}</h2><ul class="notes">${items.map((item) => `<li>${escape(item)}</li>`).join("")}</ul>`;
}

// For paper: what was asked.
function settingsHtml(state) {
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

function toolsHtml(state) {
  const { t } = state;
  const select = (name) => {
    const field = state.fields.find((one) => one.name === name);
    const current = state.query[name] ?? field.default;
    const own = (value) => ({ lang: state.languageNames, units: t.numbers })[name]?.[value] ?? t.word(name, value);
    return `<span class="tool"><label class="unseen" for="f-${name}">${escape(t.label(name))}</label><select id="f-${name}" name="${name}" title="${escape(t.label(name))}">${field.values.map((value) => option(value, own(value), value === current, name === "lang" && value !== "auto" ? tagOf(value) : "")).join("")}</select></span>`;
  };
  return `${["units", "lang", "theme"].map(select).join("")}<button type="button" class="quiet" data-do="graphical"${state.graphics ? "" : " hidden"}>${escape(t.say("graphicalView"))}</button><button type="button" class="primary" data-do="copy">${escape(t.say("copyLink"))}</button>`;
}

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
export function html(state) {
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
