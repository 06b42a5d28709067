// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain twin's words, without a browser: whatever is asked, nothing that it shows stays English for
// who reads another language. Names, options, addresses and the titles of what is cited are excepted.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { site } from "./browser.js";
import { announcement } from "../../web/twin/answer.js";
import {
  createState,
  edit,
  estimate,
  estimateTables,
  read,
  setLanguage,
} from "../../web/twin/state.js";
import { viewHtml } from "../../web/twin/view.js";

const { load } = await import(pathToFileURL(join(site, "memfit.js")).href);
const memfit = await load();
const texts = (code) => JSON.parse(readFileSync(join(site, `texts-${code}.json`), "utf8"));
const others = Object.keys(texts("en").languages).filter((code) => code !== "en");

const queries = [
  "",
  "device=rtx-4090&model=llama-3.1-70b",
  "params=7&active=2&device=24GB",
  "engine=vllm&device=h100-80-sxm&count=4&model=mixtral-8x7b&concurrency=40",
  "engine=sglang&weights=mlx8&tp=7",
  "engine=llama.cpp&weights=q4_k_m&kv=q8_0&gpu_layers=5&cpu_moe=2&model=qwen3-30b-a3b",
  "engine=mlx&kv=q4_0&device=m3-max-64&unified=plan",
  "engine=transformers&attention=eager&vision=include&model=gemma-3-12b",
  "pp=3&tp=5&colour=blue&device=toaster",
  "task=full&trainer=megatron&tp=2&pp=2&dp=2&zero=1&device=a100-80-sxm",
  "task=full&trainer=deepspeed&zero=3&dp=8&offload=all&recipe=bf16&optimizer=paged-adamw-8bit",
  "task=lora&trainer=torchtune&checkpointing=offloaded&loss=chunked&targets=q,v,nothing&dora=true",
  "task=lora&trainer=litgpt&checkpointing=none&loss=standard&packing=on&save_modules=embed",
  "task=qlora&trainer=unsloth&device=rtx-4090&upcast=on&double_quant=off&step=backward",
  "task=qlora&trainer=hf&checkpointing=selective&loss=cut&kernels=fused&optimizer=adafactor",
  "task=lora&trainer=mlx&optimizer=lion&loss=compiled",
  "method=pai&params=70&batch=4",
  "method=karakuri&task=full&params=7",
  "method=per-billion&task=qlora&params=7",
  "method=karakuri&task=qlora",
  "seq=100000000&batch=1000000&task=full",
  "model=custom&layers=2",
  "model=no-such-model&seq=0&batch=x&gpu_layers=-1&reserve=lots&tied=perhaps&rank=0",
];
const configs = [
  "{",
  "[]",
  "{}",
  '{"model_type":"llama","hidden_size":"wide"}',
  '{"model_type":"unheard-of","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,"vocab_size":100,"intermediate_size":128}',
];

// What a reader reads: the text between tags, and attributes with words.
function readingOf(page) {
  const entities = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };
  const plain = (text) => text.replace(/&(amp|lt|gt|quot);/g, (entity) => entities[entity]);
  const attributes = [...page.matchAll(/ (?:title|placeholder|aria-label|label)="([^"]*)"/g)].map(
    ([, text]) => text,
  );
  const between = page.replace(/<textarea[^>]*>[^<]*<\/textarea>/g, "").split(/<[^>]*>/);
  return [...between, ...attributes].map((text) => plain(text).trim()).filter(Boolean);
}

const englishWords =
  /(?<![\w.-])(the|of|and|is|are|with|to|from|read|in|its|has|runs|logs|layer|device|devices|bytes|that|not|step|short|fits|need|none|per|auto|yes|no|other|accepted|token|a typical)(?![\w.-])/i;
// Words that other languages have too, or that stand for themselves in them.
const alike = { fr: ["auto", "token", "per", "fits"], ja: [], zh: ["token"] };
const withoutNames = (text) =>
  text
    .replace(/"[^"]*"|“[^”]*”|「[^」]*」|«[^»]*»/g, "") // what is quoted
    .replace(/[\w.-]+(\/[\w.-]+)+/g, "") // repositories, files
    .replace(/[\w.-]+=[\w.-]+/g, ""); // options

for (const code of others) {
  test(`nothing stays English in ${code}`, () => {
    const state = createState(memfit, texts("en"));
    setLanguage(state, texts(code));
    const names = new Set([
      ...state.models.map(({ name }) => name),
      ...state.devices.map(({ name }) => name),
    ]);
    const found = new Set();
    const look = () => {
      estimate(memfit, state);
      estimateTables(memfit, state);
      for (const text of [...readingOf(viewHtml(state)), announcement(state)]) {
        if (names.has(text)) continue;
        const word = englishWords.exec(withoutNames(text))?.[0];
        if (word && !alike[code].includes(word.toLowerCase())) found.add(`${word}: ${text}`);
      }
    };
    for (const query of queries) {
      state.errors = {};
      read(memfit, state, query);
      look();
      // What is typed into a field and refused is said at the field.
      for (const [name, value] of new URLSearchParams(query)) {
        const refused = edit(memfit, state, name, value);
        if (refused) state.errors[name] = state.t.notice(refused, state.fields);
      }
      look();
    }
    for (const config of configs) {
      read(memfit, state, "");
      edit(memfit, state, "config", config);
      look();
    }
    assert.deepEqual([...found], []);
  });
}

test("numbers in sentences are written as the language writes them", () => {
  const state = createState(memfit, texts("fr"));
  assert.equal(
    state.t.sentence("The files hold 8,030,261,248 parameters, the config describes 1,000."),
    "Les fichiers contiennent 8\u202f030\u202f261\u202f248 paramètres, la configuration en décrit 1\u202f000.",
  );
  assert.equal(state.t.sentence("Nobody says this."), "Nobody says this.");
  assert.equal(state.t.formula("layers * (V - 2)"), "couches \u00d7 (V \u2212 2)");
});

test("what an engine has left for its cache, and the meters and moments of training, are told", () => {
  const state = createState(memfit, texts("en"));
  const page = (query) => {
    read(memfit, state, query);
    estimate(memfit, state);
    return readingOf(viewHtml(state)).join(" | ");
  };
  const { capacity } = memfit.estimate({ engine: "vllm", device: "h100-80-sxm" });
  assert.ok(
    page("engine=vllm&device=h100-80-sxm").includes(
      `room for ${capacity.tokens.toLocaleString("en")} tokens or ${capacity.sequences.toLocaleString("en")} sequences`,
    ),
  );
  assert.ok(!page("").includes("room for"));
  const training = page("task=qlora");
  for (const meter of ["Peak allocated", "Peak reserved", "nvidia-smi", "Between steps"])
    assert.ok(training.includes(` | ${meter} | `), meter);
  const { phases } = memfit.estimate({ task: "qlora" });
  const names = {
    loss: "loss",
    backward: "backward",
    dequantize: "dequantizing",
    "backward-end": "end of backward",
    step: "optimizer step",
  };
  assert.ok(
    training.includes(`Component | ${phases.map(({ name }) => names[name]).join(" | ")} | `),
  );
});
