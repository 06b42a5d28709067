// memfit - SPDX-License-Identifier: Apache-2.0
//
// Puts the site together:  node assemble.mjs ESBUILD SOURCE MODULES OUT [FILE...]
// ESBUILD is that minifier's command, SOURCE this folder, MODULES where the linker left the two modules,
// OUT the site; FILEs are copied beside them. What depends on the estimator's own tables (the types) is asked from it here.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { prerender } from "./prerender.mjs";

const [esbuild, source, modules, out, ...extraFiles] = process.argv.slice(2);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const { load } = await import(pathToFileURL(join(modules, "memfit.js")).href);
const memfit = await load({ modelsUrl: null });

const digest = (data) => createHash("sha256").update(data).digest("hex").slice(0, 12);
const write = (name, data) => writeFileSync(join(out, name), data);
const text = (folder, name) => readFileSync(join(folder, name), "utf8");

// A page must never run an old script with a new module, so whoever names a file names its digest too.
const stamp = {};
function stamped(content) {
  for (const [name, version] of Object.entries(stamp)) {
    content = content.replaceAll(
      new RegExp(`(["'/])${name.replace(".", "\\.")}(["'])`, "g"),
      `$1${name}?v=${version}$2`,
    );
  }
  return content;
}
// Comments and long names are for who reads the source. With "--bundle" a script takes in what it imports,
// which is looked for in `folder`.
function minified(code, loader, options = [], folder = source) {
  const form = loader === "css" ? [] : ["--format=esm", "--target=es2020"];
  const always = ["--minify", `--loader=${loader}`, "--charset=utf8", "--log-level=error"];
  return execFileSync(esbuild, [...always, ...form, ...options], {
    input: code,
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
}
function keep(name, content) {
  write(name, content);
  stamp[name] = digest(content);
}
function place(name, content, ...options) {
  if (typeof content === "string") content = stamped(content);
  // After the digests are in: what is minified may quote otherwise.
  const loader = /\.(js|css)$/.exec(name)?.[1];
  keep(name, loader ? minified(content, loader, options) : content);
}

for (const file of extraFiles) place(basename(file), readFileSync(file));
for (const module of ["memfit", "app"])
  place(`${module}.wasm`, readFileSync(join(modules, `${module}.wasm`)));
// memfit.js names its files plainly, for bundlers, and adds their digests when it runs.
write(
  "memfit.js",
  text(modules, "memfit.js")
    .replace("@wasm-digest@", stamp["memfit.wasm"])
    .replace("@models-digest@", stamp["models.json"]),
);
// The linker also writes for CommonJS, AMD and Node.js, which the page is none of.
const joined = [
  "--bundle",
  ...["module", "exports", "define", "process"].map((name) => `--define:${name}=undefined`),
];
place("app.js", text(modules, "app.js"), ...joined);
place("element.js", text(source, "element.js"));

// ---- The plain twin: the texts of each language and the palette, as src/app has them.
const app = JSON.parse(
  execFileSync(process.execPath, [join(modules, "words.js")], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  }),
);
const languageNames = Object.fromEntries(app.languages.map(({ code, name }) => [code, name]));
const textFiles = app.languages.map((tables) => {
  const name = `texts-${tables.code}.json`;
  place(name, Buffer.from(JSON.stringify({ ...tables, languages: languageNames })));
  return [tables.code, name];
});
const components = Object.keys(app.languages[0].components);
const styles = `${text(source, "page.css")}${text(source, "twin.css")}`
  .replaceAll("/*@light*/", app.light)
  .replaceAll("/*@dark*/", app.dark)
  .replace(
    "/*@components*/",
    components.map((name) => `.c-${name} { fill: var(--${name}); }`).join("\n"),
  );
place("page.css", styles);
// In a minified script only the templates of html.js have indented lines, which it joins itself.
const twin = minified(text(source, "twin.js"), "js", ["--bundle"]).replaceAll(/\n +/g, "");
keep("twin.js", twin);
const page = text(source, "page.js");
// As text of JSON in a text of JavaScript.
const quoted = (entries) => JSON.stringify(JSON.stringify(Object.fromEntries(entries)));
const versioned = textFiles.map(([code, name]) => [code, `${name}?v=${stamp[name]}`]);
place("early.js", text(source, "early.js"));
place("page.js", page.replace('"@text-files@"', quoted(versioned)));
const html = text(source, "index.html").replace("<!--twin-->", () =>
  prerender(memfit, { ...app.languages[0], languages: languageNames }),
);
place("index.html", html);

// ---- The service worker: what the page needs without a network.
const textNames = textFiles.map(([, name]) => name);
const pageFiles = [
  "early.js",
  "page.css",
  "page.js",
  "twin.js",
  "app.js",
  "app.wasm",
  ...textNames,
].map((name) => `${name}?v=${stamp[name]}`);
const named = (file) =>
  basename(file) === "models.json" ? `models.json?v=${stamp["models.json"]}` : basename(file);
const offline = ["./", ...pageFiles, ...extraFiles.map(named)];
write(
  "sw.js",
  minified(
    text(source, "sw.js")
      .replace("@site-digest@", digest(JSON.stringify(stamp)))
      .replace("@site-files@", offline.join(" ")),
    "js",
  ),
);

// ---- One file that works from a disk: modules cannot be fetched there, so everything is inside.
const files = Object.fromEntries(
  ["app.wasm", ...textNames, ...extraFiles.map((file) => basename(file))].map((name) => [
    name,
    readFileSync(join(out, name)).toString("base64"),
  ]),
);
// The same scripts, and beside them those that only this page has: joined, each finds the other by its name.
const inside = {
  "page.js": page.replace('"@text-files@"', quoted(textFiles)),
  "twin.js": twin,
  "app.js": minified(text(modules, "app.js"), "js", joined),
  "memfit.js": text(source, "offline_memfit.js"),
};
const stage = join(modules, "offline");
mkdirSync(stage, { recursive: true });
for (const [name, content] of Object.entries(inside)) writeFileSync(join(stage, name), content);
// A script within the page has no address but the page's.
const alone = ["--bundle", "--define:import.meta.url=document.baseURI"];
const code = minified(inside["page.js"], "js", alone, stage);
if (/import\.meta|import\(/.test(code)) throw new Error("the offline page is not self-contained");
const script = `window.memfitFiles=Object.fromEntries(Object.entries(${JSON.stringify(files)}).map(([name,data])=>[name,Uint8Array.from(atob(data),(char)=>char.charCodeAt(0))]));\n${code}`;
const scriptHash = createHash("sha256").update(script).digest("base64");
const style = minified(styles, "css");
write(
  "memfit-offline.html",
  html
    .replace(/script-src [^;]*/, `script-src 'sha256-${scriptHash}' 'wasm-unsafe-eval'`)
    .replace("default-src 'self'", "default-src 'none'; style-src 'unsafe-inline'")
    .replace(/^ *(<link rel="modulepreload"|<script src="early.js").*\n/gm, "")
    .replace(/<link rel="stylesheet".*/, () => `<style>${style}</style>`)
    .replace(
      /<script type="module" src="page.js"><\/script>/,
      () => `<script type="module">${script}</script>`,
    ),
);

// ---- The types of a query's fields come from the one table of fields.
const types = {
  choice: (field) => field.values.map((value) => JSON.stringify(value)).join(" | "),
  integer: (field) =>
    typeof field.default === "string" ? `number | ${JSON.stringify(field.default)}` : "number",
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
      description:
        "How many bytes of accelerator memory a language model needs, and where every byte goes",
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
