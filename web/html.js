// memfit - SPDX-License-Identifier: Apache-2.0
//
// HTML as text:  html`<p class="${name}">${text}</p>`
//
// Whatever is put in is escaped, for a text and for an attribute in double quotes; only what this tag made
// goes in as it is. A list goes in item by item; undefined, null and false leave nothing. An indented line
// of the template goes on where the one before it ended.

class Html {
  constructor(text) {
    this.text = text;
  }
}

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function shown(value) {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(shown).join("");
  return String(value === false ? "" : (value ?? "")).replace(/[&<>"]/g, (sign) => escapes[sign]);
}

export const html = (parts, ...values) =>
  new Html(parts.map((part, i) => part.replace(/\n +/g, "") + shown(values[i])).join(""));
