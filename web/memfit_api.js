// memfit - SPDX-License-Identifier: Apache-2.0
//
// memfit.js: the estimator for browsers and Node.js 18+. Types and their meaning: memfit.d.ts.
// The linker puts this file behind `createMemfit`, the module's factory.

/* global createMemfit */

/** What was asked cannot be answered: `code` and `field` for programs, `message` for people. */
export class MemfitError extends Error {
  constructor({ code, field, message }) {
    super(message);
    this.name = "MemfitError";
    this.code = code;
    this.field = field;
  }
}

// The module is built for browsers; Node.js cannot fetch files, so there the bytes are read for it.
async function readFromNode(url) {
  // Not a literal, so that bundlers for browsers leave it alone.
  const fs = "node:fs/promises";
  const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ fs);
  return readFile(new URL(url));
}

// The catalogue beside the module. Without it the popular models, which are compiled in, still work.
async function readModels(url, inNode) {
  try {
    if (inNode) return (await readFromNode(url)).toString();
    const response = await fetch(url);
    return response.ok ? await response.text() : "";
  } catch {
    return "";
  }
}

// Beside this file. A cache must not pair it with the module of another build, so the address has the
// module's digest in it.
function ownWasm() {
  const url = new URL("memfit.wasm", import.meta.url);
  if (url.protocol.startsWith("http")) url.searchParams.set("v", "@wasm-digest@");
  return url;
}

export async function load({ wasmUrl = ownWasm() } = {}) {
  const url = new URL(wasmUrl, import.meta.url).href;
  const inNode = url.startsWith("file:") && typeof process === "object";
  const [module, models] = await Promise.all([
    inNode
      ? readFromNode(url).then((wasmBinary) => createMemfit({ wasmBinary }))
      : createMemfit({ locateFile: () => url }),
    readModels(new URL("models.json", url).href, inNode),
  ]);

  const unwrap = (text) => {
    const answer = JSON.parse(text);
    if (answer.error) throw new MemfitError(answer.error);
    return answer.ok;
  };
  const call = (fn, ...args) => unwrap(module.call(JSON.stringify({ fn, args })));
  if (models) call("loadCatalogue", models);

  return {
    version: module.version(),
    estimate: (query = {}) => call("estimate", query),
    compare: (query = {}) => call("compare", query),
    fit: (query = {}, options = {}) => call("fit", query, options),
    solve: (query = {}, options = {}) => call("solve", query, options),
    advise: (query = {}) => call("advise", query),
    sweep(query = {}, options = {}) {
      const totals = module.sweep(JSON.stringify({ fn: "sweep", args: [query, options] }));
      return typeof totals === "string" ? unwrap(totals) : totals;
    },
    readModel(bytesOrText, name = "") {
      const bytes = bytesOrText instanceof ArrayBuffer ? new Uint8Array(bytesOrText) : bytesOrText;
      return unwrap(module.readModel(bytes, name));
    },
    encode: (query = {}) => call("encode", query),
    decode: (text = "") => call("decode", text),
    models: () => call("models"),
    devices: () => call("devices"),
    fields: () => call("fields"),
  };
}
