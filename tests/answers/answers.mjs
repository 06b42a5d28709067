// memfit - SPDX-License-Identifier: Apache-2.0
//
// Do answers change? Asks seeded random queries of memfit-json and holds every answer, whole, against
// a recording or against another build. For changes that must not move a number: moving code, cutting
// files, new rows beside old ones.
//
//   node tests/answers/answers.mjs --check     the committed recording (CI; a few seconds)
//   node tests/answers/answers.mjs --record    writes it anew, after a change that is meant: the commit
//                                              says which answers changed and why
//   node tests/answers/answers.mjs --against OTHER [--count 20000] [--seed 1] [--show 5]
//                                              the same questions to another build of memfit-json; prints
//                                              which members differ, how often, and the first queries
//   --binary FILE                              the build that is asked: build/native/memfit-json
//   --without A,B                              members of an answer that do not count (notices, query)
//
// What is asked does not depend on the build: models, devices, fields and their words stand in
// vocabulary.json, so a new engine or key leaves every old question as it was. `--vocabulary` writes
// that file anew from the build, which changes the questions: record after it.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const vocabularyFile = join(here, "vocabulary.json");
const recordingFile = join(here, "recording.json");

const options = {
  binary: join(here, "../../build/native/memfit-json"),
  seed: "1",
  show: "5",
  without: "",
};
const flags = new Set();
for (let i = 2; i < process.argv.length; ++i) {
  const name = process.argv[i].replace(/^--/, "");
  if (["check", "record", "vocabulary"].includes(name)) flags.add(name);
  else if (
    ["against", "binary", "count", "seed", "show", "without"].includes(name) &&
    i + 1 < process.argv.length
  ) {
    options[name] = process.argv[++i];
  } else {
    console.error(
      `answers.mjs: unknown argument ${process.argv[i]}; the head of the file lists them.`,
    );
    process.exit(2);
  }
}

// --- asking

// All requests at once, one answer a line. A crash leaves lines out, which is an error here.
async function ask(binary, requests) {
  const child = spawn(binary, [], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = [];
  const lines = createInterface({ input: child.stdout, crlfDelay: Infinity });
  const read = (async () => {
    for await (const line of lines) answers.push(line);
  })();
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  child.stdin.on("error", () => {}); // a child that died is told by what is missing below
  for (const request of requests) {
    if (!child.stdin.write(JSON.stringify(request) + "\n")) {
      await Promise.race([new Promise((resolve) => child.stdin.once("drain", resolve)), ended]);
      if (child.exitCode !== null || child.signalCode !== null) break;
    }
  }
  child.stdin.end();
  const status = await ended;
  await read;
  if (status !== 0 || answers.length !== requests.length) {
    const last = JSON.stringify(requests[answers.length] ?? null);
    throw new Error(
      `${binary} ended with ${status ?? child.signalCode} after ${answers.length} of ${requests.length} answers; next was ${last}`,
    );
  }
  return answers;
}

// --- what is asked

// A number in [0, 1) from a text: each decision of each query has its own, so that a field more or less
// moves no other.
function chanceOf(text) {
  return createHash("sha256").update(text).digest().readUInt32BE(0) / 4294967296;
}

const loads = {
  seq: [1, 17, 512, 2048, 4096, 8192, 32768, 40000, 131072],
  batch: [1, 2, 3, 8, 32],
  concurrency: [1, 2, 7, 16, 64, 256],
  rank: [1, 8, 64, 256],
  targets: ["all-linear", "attention", "q,v", "q,k,v,o", "embed", "experts"],
  reserve: ["0", "2GB", "10%", "512MiB"],
  params: [0.5, 7, 34, 671],
  active: [0.2, 3, 37],
  utilization: [0.5, 0.85, 0.95],
  batched_tokens: [512, 2048, 16384],
  max_seqs: [1, 128, 512],
  gpu_layers: [0, 1, 20, 60],
  cpu_moe: [1, 10, 60],
  ubatch: [64, 2048],
  lora_dropout: [0, 0.1],
  accumulation: [4, 16],
  count: [1, 2, 4, 8, 16],
  tp: [1, 2, 4, 8],
  pp: [1, 2, 4],
  ep: [1, 2, 4, 8],
  cp: [1, 2],
  dp: [1, 2, 4, 64],
  zero: [0, 1, 2, 3],
  layers: [1, 7, 60],
  hidden: [1024, 5120],
  heads: [16, 64],
  kv_heads: [1, 8],
  head_dim: [64, 128],
  intermediate: [4096, 11008],
  vocab: [1000, 151936],
  experts: [0, 8, 64],
  experts_per_token: [1, 4],
  moe_intermediate: [768],
  shared_experts: [0, 1],
  dense_layers: [0, 2],
  window: [0, 512, 4096],
  full_every: [1, 4],
  kv_lora_rank: [256, 512],
  q_lora_rank: [0, 1536],
  nope_head_dim: [64],
  rope_head_dim: [32],
  v_head_dim: [128],
};
const often = {
  task: 0.75,
  engine: 0.8,
  seq: 0.7,
  concurrency: 0.5,
  device: 0.5,
  weights: 0.4,
  kv: 0.3,
  trainer: 0.6,
  optimizer: 0.4,
  checkpointing: 0.5,
  loss: 0.3,
  recipe: 0.3,
  rank: 0.3,
  batch: 0.5,
};
// Page settings change nothing; the model is always chosen apart.
const skipped = new Set(["lang", "theme", "units", "view", "config", "model", "params", "active"]);

function queryOf(seed, i, vocabulary) {
  const draw = (what) => chanceOf(`${seed}/${i}/${what}`);
  const pick = (what, list) => list[Math.floor(draw(`${what} value`) * list.length)];
  const query = {};
  const kind = draw("kind");
  if (kind < 0.94) query.model = pick("model", vocabulary.models);
  else if (kind < 0.97)
    Object.assign(
      query,
      { params: pick("params", loads.params) },
      draw("active") < 0.3 ? { active: pick("active", loads.active) } : {},
    );
  else {
    Object.assign(query, { model: "custom" });
    for (const key of ["layers", "hidden", "heads", "kv_heads", "intermediate", "vocab"])
      query[key] = pick(key, loads[key]);
  }
  for (const field of vocabulary.fields) {
    if (skipped.has(field.name) || field.name in query) continue;
    const shape = field.name in loads && vocabulary.shapeKeys.includes(field.name);
    if (draw(field.name) >= (often[field.name] ?? (shape ? 0.015 : 0.07))) continue;
    const values =
      loads[field.name] ?? field.values ?? (field.kind === "flag" ? [true, false] : undefined);
    if (field.name === "device") query.device = pick("device", vocabulary.devices);
    else if (values) query[field.name] = pick(field.name, values);
  }
  return query;
}

// One in twelve asks another function than estimate.
function requestsOf(seed, count, vocabulary) {
  const requests = vocabulary.models.map((model) => ({ fn: "estimate", args: [{ model }] }));
  for (let i = 0; i < count; ++i) {
    const query = queryOf(seed, i, vocabulary);
    const which = Math.floor(chanceOf(`${seed}/${i}/fn`) * 60);
    const withDevice = { device: vocabulary.devices[i % vocabulary.devices.length], ...query };
    if (which === 0) requests.push({ fn: "compare", args: [query] });
    else if (which === 1)
      requests.push({
        fn: "fit",
        args: [
          query,
          { devices: vocabulary.devices.slice(i % 150, (i % 150) + 5), counts: [1, 2, 8] },
        ],
      });
    else if (which === 2)
      requests.push({
        fn: "solve",
        args: [withDevice, { vary: ["seq", "batch", "concurrency"][i % 3] }],
      });
    else if (which === 3) requests.push({ fn: "advise", args: [withDevice] });
    else if (which === 4)
      requests.push({
        fn: "sweep",
        args: [
          query,
          {
            x: { key: "seq", from: 1024, to: 65536 },
            y: { key: "batch", from: 1, to: 32 },
            nx: 5,
            ny: 4,
          },
        ],
      });
    else requests.push({ fn: "estimate", args: [query] });
  }
  return requests;
}

// --- what is compared

const without = new Set(options.without.split(",").filter(Boolean));
function counted(value) {
  if (Array.isArray(value)) return value.map(counted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !without.has(key))
      .map(([key, each]) => [key, counted(each)]),
  );
}
const digest = (text) => createHash("sha256").update(text).digest("base64url").slice(0, 10);

// Where two answers part: "ok.ledger[].high", each path once.
function parts(a, b, path = "", found = new Set()) {
  if (a === b) return found;
  if (
    a === null ||
    b === null ||
    typeof a !== "object" ||
    typeof b !== "object" ||
    Array.isArray(a) !== Array.isArray(b)
  ) {
    return found.add(path);
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const at = Array.isArray(a) ? `${path}[]` : path ? `${path}.${key}` : key;
    if (!(key in a) || !(key in b)) found.add(`${at} ${key in a ? "(gone)" : "(new)"}`);
    else parts(a[key], b[key], at, found);
  }
  return found;
}

// --- commands

if (flags.has("vocabulary")) {
  const [models, devices, fields] = (
    await ask(
      options.binary,
      ["models", "devices", "fields"].map((fn) => ({ fn, args: [] })),
    )
  ).map((line) => JSON.parse(line).ok);
  const words = fields.map(({ name, kind, values }) => ({
    name,
    kind,
    ...(values ? { values } : {}),
  }));
  const from = words.findIndex((field) => field.name === "layers");
  const to = words.findIndex((field) => field.name === "v_head_dim");
  const vocabulary = {
    models: models.map((model) => model.id),
    devices: devices.map((device) => device.id),
    shapeKeys: words.slice(from, to + 1).map((field) => field.name),
    fields: words,
  };
  writeFileSync(vocabularyFile, JSON.stringify(vocabulary, null, 1) + "\n");
}
const vocabulary = JSON.parse(readFileSync(vocabularyFile, "utf8"));

if (options.against) {
  const requests = requestsOf(options.seed, Number(options.count ?? 20000), vocabulary);
  const theirs = await ask(options.against, requests);
  const ours = await ask(options.binary, requests);
  const kinds = new Map();
  let differ = 0;
  for (let i = 0; i < requests.length; ++i) {
    if (ours[i] === theirs[i]) continue;
    const [a, b] = [counted(JSON.parse(theirs[i])), counted(JSON.parse(ours[i]))];
    const where = [...parts(a, b)].sort().join(", ");
    if (where === "") continue;
    ++differ;
    const kind = kinds.get(where) ?? { n: 0, queries: [] };
    ++kind.n;
    if (kind.queries.length < Number(options.show)) kind.queries.push(JSON.stringify(requests[i]));
    kinds.set(where, kind);
  }
  for (const [where, { n, queries }] of [...kinds].sort((x, y) => y[1].n - x[1].n)) {
    console.log(`${n} x ${where}`);
    for (const query of queries) console.log(`    ${query}`);
  }
  console.log(`${requests.length} answers, ${differ} differ`);
  process.exit(differ === 0 ? 0 : 1);
}

const recorded = flags.has("record") ? null : JSON.parse(readFileSync(recordingFile, "utf8"));
const seed = recorded?.seed ?? options.seed;
const count = recorded?.count ?? Number(options.count ?? 2000);
const requests = requestsOf(seed, count, vocabulary);
const answers = await ask(options.binary, requests);
if (flags.has("record")) {
  writeFileSync(
    recordingFile,
    JSON.stringify({ seed, count, answers: answers.map(digest) }, null, 0).replaceAll(
      '","',
      '",\n"',
    ) + "\n",
  );
  console.log(`${answers.length} answers recorded`);
} else {
  const changed = requests.filter((_, i) => digest(answers[i]) !== recorded.answers[i]);
  for (const request of changed.slice(0, 10)) console.log(`changed: ${JSON.stringify(request)}`);
  console.log(`${answers.length} answers, ${changed.length} changed`);
  if (answers.length !== recorded.answers.length)
    console.log(`the recording has ${recorded.answers.length}`);
  process.exit(changed.length === 0 && answers.length === recorded.answers.length ? 0 : 1);
}
