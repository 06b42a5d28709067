// memfit - SPDX-License-Identifier: Apache-2.0
//
// The built folder as an npm package: packed, installed into an empty folder, imported by its name.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const site = process.env.MEMFIT_SITE ?? join(root, "build/web/");

test("packs, installs and answers", () => {
  const folder = mkdtempSync(join(tmpdir(), "memfit-package-"));
  const npm = (...args) =>
    execFileSync("npm", [...args, "--silent"], { cwd: folder, encoding: "utf8" });
  try {
    const tarball = npm("pack", site).trim().split("\n").at(-1);
    writeFileSync(
      join(folder, "package.json"),
      '{ "name": "user", "private": true, "type": "module" }',
    );
    npm("install", "--offline", "--no-audit", "--no-fund", `./${tarball}`);
    writeFileSync(
      join(folder, "use.js"),
      `import { load } from "memfit";
       const memfit = await load();
       console.log(memfit.estimate({ method: "pai", params: 7, seq: 2048 }).total.expected);`,
    );
    const output = execFileSync(process.execPath, ["use.js"], { cwd: folder, encoding: "utf8" });
    assert.equal(output.trim(), "18800000000");
    assert.deepEqual(readdirSync(join(folder, "node_modules/memfit")).sort(), [
      "LICENSE",
      "NOTICE",
      "memfit.d.ts",
      "memfit.js",
      "memfit.wasm",
      "models.json",
      "package.json",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
