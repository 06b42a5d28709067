// memfit - SPDX-License-Identifier: Apache-2.0
//
// Holds what memfit-accuracy prints against the targets, and writes the README's table:
//   node targets.mjs RESULT.json [README.md]
// Exits with 1 when a component misses its target or has no rows.
import { readFileSync, writeFileSync } from "node:fs";

// What each component may be off by, in percent: the median and the 90th percentile of the absolute
// error; `covered`: the share of rows, in percent, that the band's high end must not be below.
const targets = [
  { section: "configs", component: "params_total", label: "parameters", median: 0, p90: 0 },
  { section: "configs", component: "kv_elems_per_token", label: "cache elements a token", median: 0, p90: 0 },
  { section: "configs", component: "checkpoint_bytes", label: "checkpoint bytes", median: 0, p90: 0.001 },
  { section: "llamacpp", component: "weights", label: "llama.cpp weights", median: 0.2, p90: 1.5 },
  { section: "llamacpp", component: "kv_cache", label: "llama.cpp KV cache", median: 0.1, p90: 0.5 },
  { section: "llamacpp", component: "recurrent_state", label: "llama.cpp recurrent state", median: 0.1, p90: 0.5 },
  { section: "llamacpp", component: "compute_buffer", label: "llama.cpp compute buffer", median: 5, p90: 30 },
  { section: "serving", component: "weights", label: "vLLM, SGLang weights", median: 0.5, p90: 3 },
  { section: "serving", component: "kv_bytes_per_token", label: "vLLM, SGLang cache bytes a token", median: 0.1, p90: 1 },
  { section: "serving", component: "kv_tokens", label: "vLLM, SGLang tokens that fit", median: 3, p90: 12 },
  { section: "serving", component: "activations", label: "vLLM activation peak", median: 8, p90: 30 },
  { section: "serving", component: "total", label: "vLLM, SGLang total", covered: 95 },
  { section: "training", component: "a_single_peak_allocated", label: "training peak, one device", median: 4, p90: 12 },
  { section: "training", component: "a_several_peak_allocated", label: "training peak, several devices", median: 7, p90: 20 },
  { section: "training", component: "a_steady_allocated", label: "training between steps", median: 2, p90: 8 },
  { section: "training", component: "fms_nvidia_smi", label: "training, nvidia-smi", median: 10, p90: 25 },
  { section: "training", component: "b_as_printed", label: "training, loosely stated runs", median: 10, p90: 35 },
  { section: "training", component: "reserved_or_nvidia_smi", label: "training, reserved or nvidia-smi", covered: 95 },
];

const [resultFile, readmeFile] = process.argv.slice(2);
const result = JSON.parse(readFileSync(resultFile, "utf8"));

let passed = 0;
let failed = 0;
const rows = [];
for (const target of targets) {
  const found = result[target.section]?.components?.[target.component];
  const misses = [];
  if (!found?.n) misses.push("no rows");
  else {
    if (found.median_abs_pct > target.median) misses.push(`median ${found.median_abs_pct} % over ${target.median} %`);
    if (found.p90_abs_pct > target.p90) misses.push(`p90 ${found.p90_abs_pct} % over ${target.p90} %`);
    if (found.covered_by_high_pct < target.covered) {
      misses.push(`${found.covered_by_high_pct} % covered, under ${target.covered} %`);
    }
    const percent = (value) => `${Number(value.toFixed(2))} %`;
    rows.push(
      `| ${target.label} | ${found.n} | ${percent(found.median_abs_pct)} | ${percent(found.p90_abs_pct)} | ${percent(found.covered_by_high_pct)} |`,
    );
  }
  console.log(`${misses.length ? "not ok" : "ok"} ${target.label}${misses.length ? `: ${misses.join(", ")}` : ""}`);
  if (misses.length) failed++;
  else passed++;
}
console.log(`accuracy: ${passed} passed, ${failed} failed`);

if (readmeFile) {
  const counts = Object.entries(result).map(([name, section]) => `${name} ${section.mapped} of ${section.rows}`);
  const table = [
    "Predicted against what public configs, logs and published runs print, row by row. Measured with",
    `\`memfit-accuracy\` on ${new Date().toISOString().slice(0, 10)}; rows mapped: ${counts.join(", ")}.`,
    "The others do not state a model or settings, use what queries cannot say, or are files of another mix than",
    "their label; `memfit-accuracy` lists each with its reason. Some training constants (allocator slack) come from",
    "these very rows.",
    "",
    "| component | rows | median error | 90th percentile | within the band's high end |",
    "|---|--:|--:|--:|--:|",
    ...rows,
  ].join("\n");
  const readme = readFileSync(readmeFile, "utf8");
  const [start, end] = ["<!-- accuracy -->", "<!-- /accuracy -->"];
  const from = readme.indexOf(start) + start.length;
  writeFileSync(readmeFile, `${readme.slice(0, from)}\n${table}\n${readme.slice(readme.indexOf(end))}`);
}
process.exit(failed ? 1 : 0);
