// memfit - SPDX-License-Identifier: Apache-2.0
//
// Holds what memfit-accuracy prints of each truth file against its targets, and writes the README's table:
//   node targets.mjs DIRECTORY [README.md]
// DIRECTORY has one RESULT.json for each tests/data/truth/RESULT.jsonl. Exits with 1 when a figure misses its target, or
// when fewer rows are asked than before.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

// What a figure may be off by, in percent: the median and the 90th percentile of the absolute error; `covered`: the
// share of rows, in percent, that the band's high end must not be below; `n`: at least so many rows, so that none
// vanishes unseen. `tool`: only the rows of one. Without a label a target is held and not in the table.
const targets = [
  { file: "configs", figure: "parameters", label: "parameters", n: 249, median: 0, p90: 0 },
  {
    file: "configs",
    figure: "activeParameters",
    label: "parameters that a token uses",
    n: 51,
    median: 0,
    p90: 0,
  },
  { file: "configs", figure: "weights", label: "checkpoint bytes", n: 15, median: 0, p90: 0.001 },

  {
    file: "llamacpp",
    figure: "weights@host",
    label: "llama.cpp file size",
    n: 51,
    median: 0.05,
    p90: 0.5,
  },
  {
    file: "llamacpp",
    figure: "weights",
    label: "llama.cpp weights on the device",
    n: 9,
    median: 0.05,
    p90: 1,
  },
  {
    file: "llamacpp",
    figure: "kv_cache",
    label: "llama.cpp KV cache on one device",
    n: 16,
    median: 0.01,
    p90: 0.1,
  },
  {
    file: "llamacpp",
    figure: "kv_cache@host",
    label: "llama.cpp KV cache of a whole model",
    n: 38,
    median: 0.01,
    p90: 0.1,
  },
  {
    file: "llamacpp",
    figure: "recurrent_state",
    label: "llama.cpp recurrent state",
    n: 4,
    median: 0.1,
    p90: 0.5,
  },
  {
    file: "llamacpp",
    figure: "compute_buffer",
    label: "llama.cpp compute buffer",
    n: 26,
    median: 5,
    p90: 25,
    covered: 100,
  },
  {
    file: "llamacpp",
    figure: "compute_buffer@host",
    label: "llama.cpp compute buffer on the host",
    n: 9,
    median: 50,
    p90: 90,
  },

  {
    file: "serving",
    figure: "weights",
    label: "vLLM, SGLang weights",
    n: 71,
    median: 0.1,
    p90: 2,
    covered: 92,
  },
  {
    file: "serving",
    figure: "kv.bytesPerToken",
    label: "vLLM, SGLang cache bytes a token",
    n: 50,
    median: 0.05,
    p90: 0.1,
    covered: 92,
  },
  {
    file: "serving",
    figure: "capacity.tokens",
    label: "vLLM, SGLang tokens that fit",
    n: 55,
    median: 0.2,
    p90: 4,
  },
  {
    file: "serving",
    figure: "capacity.pool",
    label: "vLLM pool for the cache",
    n: 60,
    median: 0.2,
    p90: 4,
  },
  {
    file: "serving",
    figure: "activations",
    label: "vLLM activation peak",
    n: 58,
    median: 1,
    p90: 8,
    covered: 98,
  },
  {
    file: "serving",
    figure: "communication",
    label: "vLLM outside torch",
    n: 58,
    median: 2,
    p90: 10,
    covered: 98,
  },
  {
    file: "serving",
    figure: "compute_buffer",
    label: "vLLM CUDA graphs",
    n: 47,
    median: 8,
    p90: 35,
    covered: 98,
  },
  {
    file: "serving",
    figure: "framework",
    label: "vLLM before loading",
    n: 37,
    median: 0.1,
    p90: 0.1,
  },

  {
    file: "training",
    figure: "training.allocated",
    label: "training peak, allocated",
    n: 275,
    median: 0.5,
    p90: 7,
    covered: 94,
  },
  {
    file: "training",
    figure: "training.allocated",
    tool: "trl",
    label: "of these HF Trainer and TRL",
    n: 208,
    median: 0.1,
    p90: 2,
    covered: 97,
  },
  {
    file: "training",
    figure: "training.allocated",
    tool: "litgpt",
    label: "of these LitGPT",
    n: 41,
    median: 6,
    p90: 12,
  },
  {
    file: "training",
    figure: "training.allocated",
    tool: "megatron",
    label: "of these Megatron",
    n: 17,
    median: 1.5,
    p90: 4,
    covered: 100,
  },
  { file: "training", figure: "training.allocated", tool: "torchtune", n: 8, median: 4, p90: 14 },
  {
    file: "training",
    figure: "training.steady",
    label: "training between steps",
    n: 208,
    median: 0.2,
    p90: 3,
  },
  {
    file: "training",
    figure: "training.driver",
    label: "training, nvidia-smi",
    n: 208,
    median: 6,
    p90: 18,
    covered: 100,
  },
  {
    file: "training",
    figure: "training.reserved",
    label: "training, reserved",
    n: 67,
    median: 8,
    p90: 30,
    covered: 80,
  },
  {
    file: "training",
    figure: "training.reserved",
    tool: "megatron",
    n: 17,
    median: 4,
    p90: 6,
    covered: 100,
  },
  { file: "training", figure: "training.reserved", tool: "ms-swift", n: 23, median: 10, p90: 22 },
  { file: "training", figure: "training.reserved", tool: "torchtitan", n: 8, median: 18, p90: 22 },
  { file: "training", figure: "training.reserved", tool: "axolotl", n: 17, median: 20, p90: 70 },

  // Rows that nothing here was fitted to, kept as they were handed over.
  {
    file: "truth_fresh_inference",
    figure: "kv_cache",
    label: "unseen llama.cpp KV caches",
    n: 4,
    median: 0.01,
    p90: 0.1,
  },
  {
    file: "truth_fresh_inference",
    figure: "weights",
    label: "unseen weights on the device",
    n: 4,
    median: 0.5,
    p90: 8,
  },
  {
    file: "truth_fresh_inference",
    figure: "compute_buffer",
    label: "unseen compute buffers and graphs",
    n: 4,
    median: 80,
    p90: 210,
  },
  {
    file: "truth_fresh_inference",
    figure: "capacity.tokens",
    label: "unseen vLLM tokens that fit",
    n: 7,
    median: 10,
    p90: 15,
  },
  {
    file: "truth_fresh_training",
    figure: "training.driver",
    label: "unseen training runs, nvidia-smi",
    n: 19,
    median: 35,
    p90: 130,
  },
];
// Rows of a file that are asked, at least: a row that was asked before must not fall silent.
const asked = {
  configs: 264,
  llamacpp: 119,
  serving: 77,
  training: 325,
  truth_examples: 22,
  truth_fresh_inference: 15,
  truth_fresh_training: 40,
};

const [directory, readmeFile] = process.argv.slice(2);
const results = Object.fromEntries(
  readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [
      basename(name, ".json"),
      JSON.parse(readFileSync(join(directory, name), "utf8")),
    ]),
);

let passed = 0;
let failed = 0;
function check(name, misses) {
  console.log(
    `${misses.length ? "not ok" : "ok"} ${name}${misses.length ? `: ${misses.join(", ")}` : ""}`,
  );
  if (misses.length) failed++;
  else passed++;
}

for (const name of Object.keys(results)) {
  const misses = [];
  if (!(name in asked)) misses.push("no floor is set for its rows: targets.mjs");
  else if (results[name].asked < asked[name])
    misses.push(`${results[name].asked} rows are asked, under ${asked[name]}`);
  check(name, misses);
}
for (const name of Object.keys(asked).filter((each) => !(each in results)))
  check(name, ["the file was not asked"]);

const table = [];
for (const target of targets) {
  const result = results[target.file];
  const found = (target.tool ? result?.by[target.tool] : result?.figures)?.[target.figure];
  const misses = [];
  if (!found) misses.push("no rows");
  else {
    if (found.n < target.n) misses.push(`${found.n} rows, under ${target.n}`);
    if (found.median_abs_pct > target.median)
      misses.push(`median ${found.median_abs_pct} % over ${target.median} %`);
    if (found.p90_abs_pct > target.p90)
      misses.push(`p90 ${found.p90_abs_pct} % over ${target.p90} %`);
    if (found.covered_by_high_pct < target.covered) {
      misses.push(`${found.covered_by_high_pct} % covered, under ${target.covered} %`);
    }
    const percent = (value) => `${Number(value.toFixed(2))} %`;
    if (target.label) {
      table.push(
        `| ${target.label} | \`${target.figure}\` | ${found.n} | ${percent(found.median_abs_pct)} | ${percent(found.p90_abs_pct)} | ${percent(found.covered_by_high_pct)} |`,
      );
    }
  }
  check([target.file, target.tool, target.figure].filter(Boolean).join(" "), misses);
}
console.log(`accuracy: ${passed} passed, ${failed} failed`);

if (readmeFile) {
  const all = Object.values(results);
  const sum = (count) => all.reduce((total, result) => total + count(result), 0);
  const files = Object.entries(results).map(
    ([name, result]) => `${name} ${result.asked} of ${result.rows}`,
  );
  const prose =
    "Predicted against what public configs, logs and published runs print, row by row. Every row of `tests/data/truth/` is " +
    "a query that anybody can ask and what was measured of it; `memfit-accuracy` asks `estimate` and nothing else. " +
    `Of ${sum((r) => r.rows)} rows ${sum((r) => r.asked)} can be asked (${files.join(", ")}). ` +
    `${sum((r) => r.cannot.length)} cannot, and ${sum((r) => r.missing.length)} figures of asked rows have no place in an answer: ` +
    "settings that are not stated or that no key says yet, operators and stages, files of a mix of their own, several devices " +
    "in one log. The tool lists each with its reason. Some training constants (allocator slack) come from these very rows; the " +
    `"unseen" ones are logs and runs that nothing here was fitted to. Asked on ${new Date().toISOString().slice(0, 10)}.`;
  const lines = [""];
  for (const word of prose.split(" ")) {
    if (lines.at(-1).length + word.length >= 104) lines.push(word);
    else lines[lines.length - 1] += (lines.at(-1) && " ") + word;
  }
  const text = [
    ...lines,
    "",
    "| what | figure | rows | median error | 90th percentile | within the band's high end |",
    "|---|---|--:|--:|--:|--:|",
    ...table,
  ].join("\n");
  const readme = readFileSync(readmeFile, "utf8");
  const [start, end] = ["<!-- accuracy -->", "<!-- /accuracy -->"];
  const from = readme.indexOf(start) + start.length;
  writeFileSync(
    readmeFile,
    `${readme.slice(0, from)}\n${text}\n${readme.slice(readme.indexOf(end))}`,
  );
}
process.exit(failed ? 1 : 0);
