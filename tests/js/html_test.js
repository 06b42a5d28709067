// memfit - SPDX-License-Identifier: Apache-2.0
//
// The tag that makes HTML of texts: nothing that is put in becomes markup, wherever it is put.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { html } from "../../web/html.js";

const web = new URL("../../web/", import.meta.url);

test("html: what is put in is escaped, in texts and in attributes", () => {
  assert.equal(html`<p>${"1 < 2 & 3 > 2"}</p>`.text, "<p>1 &lt; 2 &amp; 3 &gt; 2</p>");
  assert.equal(
    html`<p title="${'say "a & b"'}">it's</p>`.text,
    '<p title="say &quot;a &amp; b&quot;">it\'s</p>',
  );
  assert.equal(html`${"&amp;"}`.text, "&amp;amp;");
});

test("html: what the tag made goes in as it is", () => {
  const name = html`<b>${"<i>"}</b>`;
  assert.equal(html`<p>${name}</p>`.text, "<p><b>&lt;i&gt;</b></p>");
  assert.equal(html`<a ${html`href="${'"'}"`}>x</a>`.text, '<a href="&quot;">x</a>');
});

test("html: a list item by item, also a list of lists", () => {
  assert.equal(
    html`<ul>${["a", "<b>"].map((item) => html`<li>${item}</li>`)}</ul>`.text,
    "<ul><li>a</li><li>&lt;b&gt;</li></ul>",
  );
  assert.equal(html`${["<", [html`<br>`, ["&"]]]}`.text, "&lt;<br>&amp;");
  assert.equal(html`[${[]}]`.text, "[]");
});

test("html: nothing for undefined, null and false; other values as they are written", () => {
  assert.equal(html`[${undefined}${null}${false}${[undefined, false]}]`.text, "[]");
  assert.equal(html`${0} ${""} ${true} ${NaN}`.text, "0  true NaN");
  assert.equal(
    html`<input${true && html` checked`}${false && html` hidden`}>`.text,
    "<input checked>",
  );
});

test("html: an indented line goes on where the one before it ended", () => {
  const made = html`<p>
      ${"a\n  b"} <b>c</b>
    </p>
<p>d</p>`;
  assert.equal(made.text, "<p>a\n  b <b>c</b></p>\n<p>d</p>");
});

test("html: an attack stays a text, in every kind of place", () => {
  const attack = `"><img src=x onerror=alert(1)><a href='`;
  const harmless = "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;a href='";
  assert.equal(html`${attack}`.text, harmless);
  assert.equal(html`<p>${attack}</p>`.text, `<p>${harmless}</p>`);
  assert.equal(html`<p title="${attack}">`.text, `<p title="${harmless}">`);
  assert.equal(html`<p>${[attack]}</p>`.text, `<p>${harmless}</p>`);
  assert.equal(html`<p>${html`<b>${attack}</b>`}</p>`.text, `<p><b>${harmless}</b></p>`);
  assert.equal(
    html`<textarea>${"</textarea><script>"}</textarea>`.text,
    "<textarea>&lt;/textarea&gt;&lt;script&gt;</textarea>",
  );
  // An object that looks like what the tag makes, from a file for instance, is none.
  assert.equal(html`${{ text: attack, toString: () => attack }}`.text, harmless);
});

// Escaping does not help an attribute without double quotes.
test("html: every attribute of the plain view that something is put into has double quotes", () => {
  const scripts = readdirSync(new URL("twin/", web)).map((name) => [
    name,
    readFileSync(new URL(`twin/${name}`, web), "utf8"),
  ]);
  assert.ok(scripts.length > 5);
  for (const [name, script] of scripts) {
    const templates = script.split("html`").slice(1);
    for (const template of templates)
      assert.doesNotMatch(template.split("`")[0], /[\w-]=(?:'[^'"]*)?\$\{/, name);
  }
});
