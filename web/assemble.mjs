// memfit - SPDX-License-Identifier: Apache-2.0
//
// Puts the site together:  node assemble.mjs SOURCE MODULES OUT [FILE...]
// SOURCE is this folder, MODULES where the linker left the two modules, OUT the site; FILEs are copied
// beside them. What depends on the estimator's own tables (the types) is asked from it here.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

const [source, modules, out, ...extraFiles] = process.argv.slice(2);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const { load } = await import(pathToFileURL(join(modules, "memfit.js")));
const memfit = await load();

const digest = (data) => createHash("sha256").update(data).digest("hex").slice(0, 12);
const write = (name, data) => writeFileSync(join(out, name), data);
const text = (folder, name) => readFileSync(join(folder, name), "utf8");

// A page must never run an old script with a new module, so whoever names a file names its digest too.
const stamp = {};
function stamped(content) {
  for (const [name, version] of Object.entries(stamp)) {
    content = content.replaceAll(new RegExp(`(["'/])${name.replace(".", "\\.")}(["'])`, "g"), `$1${name}?v=${version}$2`);
  }
  return content;
}
function place(name, content) {
  if (typeof content === "string") content = stamped(content);
  write(name, content);
  stamp[name] = digest(content);
}

for (const file of extraFiles) place(basename(file), readFileSync(file));
for (const module of ["memfit", "app"]) place(`${module}.wasm`, readFileSync(join(modules, `${module}.wasm`)));
// memfit.js names its module plainly, for bundlers, and adds the digest when it runs.
write("memfit.js", text(modules, "memfit.js").replace("@wasm-digest@", stamp["memfit.wasm"]));
place("app.js", text(modules, "app.js"));
place("page.css", text(source, "page.css"));
place("page.js", text(source, "page.js"));
place("index.html", text(source, "index.html"));

// ---- The types of a query's fields come from the one table of fields.
const types = {
  choice: (field) => field.values.map((value) => JSON.stringify(value)).join(" | "),
  integer: (field) => (typeof field.default === "string" ? `number | ${JSON.stringify(field.default)}` : "number"),
  real: () => "number",
  flag: () => "boolean",
  amount: () => "number | string",
  text: () => "string",
  document: () => "string | object",
};
const members = memfit.fields().map((field) => {
  const facts = [
    field.unit && `In ${field.unit}.`,
    field.min !== undefined && `${field.min} to ${field.max}.`,
    field.default !== null && field.default !== undefined && `Default: ${field.default}.`,
  ].filter(Boolean);
  return `  /** ${[field.help, ...facts].join(" ")} */\n  ${field.name}?: ${types[field.kind](field)};`;
});
write("memfit.d.ts", text(source, "memfit.d.ts").replace("  //@fields", members.join("\n")));

// ---- The npm package is the same folder.
write(
  "package.json",
  `${JSON.stringify(
    {
      name: "memfit",
      version: memfit.version,
      description: "How many bytes of accelerator memory a language model needs, and where every byte goes",
      license: "Apache-2.0",
      type: "module",
      sideEffects: false,
      engines: { node: ">=18" },
      exports: {
        ".": { types: "./memfit.d.ts", default: "./memfit.js" },
        "./memfit.wasm": "./memfit.wasm",
        "./models.json": "./models.json",
      },
      types: "./memfit.d.ts",
      files: ["memfit.js", "memfit.wasm", "memfit.d.ts", "models.json", "LICENSE", "NOTICE"],
    },
    null,
    2,
  )}\n`,
);
for (const name of ["LICENSE", "NOTICE"]) copyFileSync(join(source, "..", name), join(out, name));

console.log(`site: ${readdirSync(out).length} files`);
