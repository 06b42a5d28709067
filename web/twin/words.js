// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the plain view says: every word comes from the language tables of src/app (texts-LANGUAGE.json),
// as src/app/words/texts.h gives it.
import { minus, numbersOf } from "./numbers.js";

// As HTML names a language; the Chinese is the simplified one.
export const tagOf = (code) => (code === "zh" ? "zh-Hans" : code);

export function speak(tables) {
  const { numbers } = tables;
  const { localized, number, parameters, amounts } = numbersOf(numbers);
  const fillIn = (pattern, values) => pattern.replace(/\{(\d)\}/g, (_, i) => values[i] ?? "");
  const say = (id, ...values) => fillIn(tables.texts[id], values);

  // Patterns of the estimator's sentences, "{0} is {1}; ...", as regular expressions.
  const patterns = Object.entries(tables.sentences)
    .filter(([english]) => english.includes("{"))
    .map(([english, text]) => {
      const parts = english.split(/\{(\d)\}/);
      const source = parts.map((part, i) =>
        i % 2 ? `(?<v${part}>.+?)` : part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
      );
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
      for (const [name, value] of Object.entries(found.groups))
        values[name.slice(1)] = saidValue(value);
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
    return value.length > 4 && !plain.includes(".")
      ? localized(plain)
      : plain.replace(".", numbers.decimal);
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
    formula: (text) =>
      text
        .replaceAll("*", "\u00d7")
        .replaceAll("-", minus)
        .replace(/[A-Za-z_]\w*/g, sentence),
    // A value of a field: a choice by its name, numbers grouped, whatever type it came as.
    value(field, value) {
      if (field?.values?.includes(value)) return t.word(field.name, value);
      if (field?.kind === "flag") return say(String(value) === "true" ? "yes" : "no");
      if (field?.min !== undefined && value !== "" && !Number.isNaN(Number(value)))
        return number(Number(value));
      return sentence(String(value));
    },
    // "a, b or c" of a field's own words.
    words: (field, text) =>
      field?.values
        ? text
            .split(/(, | or )/)
            .map((part, i) =>
              i % 2 ? say(part === ", " ? "listComma" : "or") : t.word(field.name, part),
            )
            .join("")
        : sentence(text),
    listed: (items) =>
      items
        .map((item, i) => (i === 0 ? "" : say(i === items.length - 1 ? "or" : "listComma")) + item)
        .join(""),
    parameters,
    amounts,
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
      if (field && notice.reason)
        return say(
          "noticeIdle",
          t.label(field.name),
          t.words(field, notice.given),
          t.sentence(notice.reason),
        );
      // What names could have been meant is said only by the sentence.
      if (field?.kind === "text" && notice.code === "unknown-value")
        return sentence(notice.message);
      const known = field && notice.code !== "unknown-key";
      const accepted = known && /unknown-value|out-of-range/.test(notice.code) && t.accepted(field);
      return say(
        id,
        known ? t.label(field.name) : notice.field,
        t.words(field, notice.given),
        accepted || t.words(field, notice.accepted),
      );
    },
  };
  return t;
}
