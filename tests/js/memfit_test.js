// memfit - SPDX-License-Identifier: Apache-2.0
//
// memfit.js in Node.js: the built module as a user imports it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const site = process.env.MEMFIT_SITE ?? join(root, "build/web/");
const { load, MemfitError } = await import(pathToFileURL(join(site, "memfit.js")).href);
const memfit = await load();

const GB = 1e9;

// Alibaba Cloud PAI's worked example: 7 billion parameters in 16 bits, one sequence of 2,048.
test("estimate: the published example in bytes", () => {
  const report = memfit.estimate({ task: "inference", method: "pai", params: 7, seq: 2048 });
  assert.equal(report.total.expected, 18.8 * GB);
  assert.deepEqual(
    report.ledger.map(({ component, expected }) => [component, expected]),
    [
      ["weights", 14 * GB],
      ["activations", 1.4 * GB],
      ["kv_cache", 1.4 * GB],
      ["framework", 2 * GB],
    ],
  );
  for (const entry of report.ledger) {
    assert.ok(entry.low <= entry.expected && entry.expected <= entry.high);
    assert.notEqual(entry.formula, "");
    assert.notEqual(entry.source, "");
  }
  assert.deepEqual(report.notices, []);
});

test("estimate: the same bytes as the native tool", () => {
  const requests = [
    { fn: "estimate", args: [{ task: "inference", method: "pai", params: 7, seq: 2048 }] },
    { fn: "estimate", args: [{ task: "full", method: "per-billion", params: 13 }] },
    { fn: "compare", args: [{ params: 70, task: "qlora" }] },
    { fn: "fit", args: [{ params: 8, method: "pai" }] },
    { fn: "decode", args: ["task=lora&params=8&nonsense=1"] },
    { fn: "fields", args: [] },
    { fn: "estimate", args: ["no query"] },
  ];
  const answers = execFileSync(join(root, "build/native/memfit-json"), {
    input: requests.map((request) => JSON.stringify(request)).join("\n") + "\n",
    encoding: "utf8",
  })
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const [i, { fn, args }] of requests.entries()) {
    let answer;
    try {
      answer = { ok: memfit[fn](...args) };
    } catch (error) {
      answer = { error: { code: error.code, field: error.field, message: error.message } };
    }
    assert.deepEqual(answer, answers[i], fn);
  }
});

test("sweep gives floats that are the estimates at the grid's points", () => {
  const query = { method: "pai", params: 7 };
  const axes = {
    x: { key: "seq", from: 2048, to: 8192 },
    y: { key: "batch", from: 1, to: 4 },
    nx: 3,
    ny: 2,
  };
  const totals = memfit.sweep(query, axes);
  assert.ok(totals instanceof Float32Array);
  assert.equal(totals.length, 6);
  const corner = memfit.estimate({ ...query, seq: 8192, batch: 4 }).total.expected;
  assert.equal(totals[5], Math.fround(corner));
  // It is a copy: a later call, or more memory, leaves it as it is.
  const before = [...totals];
  memfit.sweep({ ...query, params: 70 }, axes);
  assert.deepEqual([...totals], before);
});

test("invalid input throws a MemfitError with code, field and message", () => {
  const any = /** @type {any} */ (memfit); // what the types forbid, a script may ask
  for (const { call, code, field } of [
    { call: () => any.sweep({}, {}), code: "out-of-range", field: "x" },
    { call: () => any.solve({ params: 7, method: "pai" }), code: "missing", field: "device" },
    { call: () => any.fit({ params: 7 }, { devices: "h100" }), code: "bad-json", field: "devices" },
  ]) {
    assert.throws(call, (/** @type {any} */ error) => {
      assert.equal(error.code, code);
      assert.equal(error.field, field);
      assert.ok(error instanceof MemfitError);
      assert.ok(error instanceof Error);
      assert.match(error.message, /\.$/);
      return true;
    });
  }
});

test("a query survives the way through a URL", () => {
  const query = { task: "lora", params: 8, method: "pai", seq: 8192, batch: 4 };
  const text = memfit.encode(query);
  const decoded = memfit.decode(text);
  assert.deepEqual([decoded.query, decoded.notices], [query, []]);
  const { query: rest, notices } = memfit.decode("params=8&seq=many&nonsense=1");
  assert.deepEqual(rest, { params: 8 });
  assert.deepEqual(notices.map((notice) => notice.field).sort(), ["nonsense", "seq"]);
});

test("load takes the module's address", async () => {
  const elsewhere = await load({ wasmUrl: pathToFileURL(join(site, "memfit.wasm")) });
  assert.equal(elsewhere.version, memfit.version);
  await assert.rejects(load({ wasmUrl: pathToFileURL(join(site, "absent.wasm")) }));
});

// What a content security policy without 'unsafe-eval' forbids, Node.js can forbid too.
test("works where code may not be made from strings", () => {
  const script = `
    import { load } from ${JSON.stringify(pathToFileURL(join(site, "memfit.js")).href)};
    try { new Function("return 1")(); console.log("eval is allowed"); } catch {}
    console.log((await load()).estimate({ method: "pai", params: 7, seq: 2048 }).total.expected);`;
  const output = execFileSync(
    process.execPath,
    ["--disallow-code-generation-from-strings", "--input-type=module", "-e", script],
    { encoding: "utf8" },
  );
  assert.equal(output.trim(), "18800000000");
});

test("the types accept what the module takes and gives", () => {
  const folder = mkdtempSync(join(tmpdir(), "memfit-types-"));
  try {
    writeFileSync(
      join(folder, "use.mts"),
      `import { load, MemfitError, type Query, type Report } from ${JSON.stringify(join(site, "memfit.js"))};
       const memfit = await load({ wasmUrl: "memfit.wasm" });
       const query: Query = ${JSON.stringify({ task: "qlora", params: 7, gpu_layers: "all", seq: 4096 })};
       const report: Report = memfit.estimate(query);
       const bytes: number = report.ledger[0].expected + report.kv.bytesPerToken;
       const totals: Float32Array = memfit.sweep(query, { x: { key: "seq", from: 1, to: 2 }, y: { key: "batch", from: 1, to: 2 }, nx: 2, ny: 2 });
       // @ts-expect-error: no such task
       memfit.estimate({ task: "dream" });
       // @ts-expect-error: no such key
       memfit.estimate({ tsk: "full" });
       try { memfit.fit(query, { counts: [1, 2] }); } catch (e) { if (e instanceof MemfitError) e.field satisfies string; }
       console.log(bytes, totals);`,
    );
    execFileSync(
      process.execPath,
      [
        join(root, "tests/node_modules/typescript/bin/tsc"),
        ...[
          "--noEmit",
          "--strict",
          "--target",
          "es2022",
          "--module",
          "nodenext",
          "--lib",
          "es2022,dom",
        ],
        join(folder, "use.mts"),
      ],
      { stdio: "pipe", encoding: "utf8", cwd: folder },
    );
  } catch (error) {
    assert.fail(error.stdout || error.message);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the types list every field of the table", () => {
  const types = readFileSync(join(site, "memfit.d.ts"), "utf8");
  const query = types.slice(types.indexOf("interface Query"), types.indexOf("interface Band"));
  const listed = [...query.matchAll(/^ {2}(\w+)\?: /gm)].map((match) => match[1]);
  assert.deepEqual(
    listed,
    memfit.fields().map((field) => field.name),
  );
});
