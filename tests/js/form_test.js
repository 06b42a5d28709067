// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain view's form, without a browser: what stands where, and what is hidden, comes from the
// estimator's table of fields.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  createState,
  edit,
  estimate,
  estimateTables,
  groupsOf,
  read,
} from "../../web/twin/state.js";
import { isShown, viewHtml } from "../../web/twin/view.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const site = process.env.MEMFIT_SITE ?? join(root, "build/web/");
const { load } = await import(pathToFileURL(join(site, "memfit.js")).href);
const memfit = await load();
const english = JSON.parse(readFileSync(join(site, "texts-en.json"), "utf8"));

const asked = (text) => {
  const state = createState(memfit, english);
  read(memfit, state, text);
  estimate(memfit, state);
  return state;
};
const shown = (state, ...names) =>
  names.filter((name) => isShown(state, `field-${name}`)).join(" ");

test("the form: every field in one group, groups in the order of the page", () => {
  const fields = memfit.fields();
  const groups = groupsOf(fields);
  assert.deepEqual(
    groups.map(({ id, folded }) => (folded ? `(${id})` : id)),
    [
      "groupModel",
      "groupWorkload",
      "groupDevice",
      "(groupShape)",
      "(groupCache)",
      "(groupParallel)",
      "(groupEngine)",
      "(groupTraining)",
      "(groupDeviceMore)",
    ],
  );
  const namesOf = (id) => groups.find((group) => group.id === id).names.join(" ");
  assert.equal(namesOf("groupModel"), "task model params active weights");
  assert.equal(namesOf("groupWorkload"), "seq batch concurrency engine trainer method");
  assert.equal(namesOf("groupCache"), "kv kv_k kv_v draft vision");
  const placed = groups.flatMap(({ names }) => names);
  assert.equal(new Set(placed).size, placed.length);
  assert.deepEqual(
    fields.map(({ name }) => name).filter((name) => !placed.includes(name)),
    ["lang", "theme", "units", "view"],
  );
});

test("the form: a setting that nobody reads is hidden unless it is given", () => {
  const keys = ["utilization", "gpu_layers", "ubatch", "rank", "upcast", "zero"];
  assert.equal(shown(asked("engine=vllm"), ...keys), "utilization");
  assert.equal(shown(asked("engine=llama.cpp"), ...keys), "gpu_layers ubatch");
  assert.equal(shown(asked("task=full"), ...keys), "zero");
  assert.equal(shown(asked("task=lora"), ...keys), "rank zero");
  assert.equal(shown(asked("task=qlora"), ...keys), "rank upcast zero");
  assert.equal(shown(asked("method=pai"), ...keys), "");
  assert.equal(shown(asked("engine=vllm&gpu_layers=5"), ...keys), "utilization gpu_layers");
});

test("the form: what names the model stays, each takes the other's place", () => {
  const state = asked("model=qwen3-8b");
  assert.equal(shown(state, "model", "params", "active", "config"), "model params active config");
  edit(memfit, state, "params", "7");
  assert.equal(state.text, "params=7");
  assert.equal(shown(state, "model", "params", "active", "layers"), "model params active");
});

test("the form: the compact one has five fields", () => {
  const main = [
    ...viewHtml(asked("")).matchAll(/class="field main"[^>]*data-part="field-(\w+)"/g),
  ].map(([, name]) => name);
  assert.deepEqual(main, ["task", "model", "seq", "device", "count"]);
});

test("the whole view: the method that answered is marked", () => {
  const state = asked("method=karakuri&params=7");
  estimateTables(memfit, state);
  const marked = /<span class="chosen">/g;
  assert.equal(viewHtml(state).match(marked).length, 1);
  assert.match(viewHtml(state), /KARAKURI[^<]*<\/span> <span class="chosen">/);
});

test("the form: a note on an idle field says why", () => {
  const state = asked("engine=vllm&gpu_layers=5");
  assert.deepEqual(
    state.notices.map((notice) => state.t.notice(notice, state.fields)),
    ["Layers on device = 5 changes nothing: vllm does not read it."],
  );
});
