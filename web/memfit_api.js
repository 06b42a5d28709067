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

// The module is built for browsers; Node.js cannot fetch files, so there they are read for it.
async function fileBytes(url) {
  // Not a literal, so that bundlers for browsers leave it alone.
  const fs = "node:fs/promises";
  const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ fs);
  return readFile(url);
}
const isFile = (url) => url.protocol === "file:" && typeof process === "object";

async function text(url) {
  if (isFile(url)) return new TextDecoder().decode(await fileBytes(url));
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} is not there: ${answer.status}`);
  return answer.text();
}

// Beside this file. A cache must not pair it with files of another build, so their addresses have a digest
// in them.
function beside(url, digest) {
  if (url.protocol.startsWith("http")) url.searchParams.set("v", digest);
  return url;
}

/** @type {typeof import("./memfit.js").load} */
export async function load({ wasmUrl, modelsUrl } = {}) {
  const wasm = wasmUrl
    ? new URL(wasmUrl, import.meta.url)
    : beside(new URL("memfit.wasm", import.meta.url), "@wasm-digest@");
  const models =
    modelsUrl === null
      ? null
      : modelsUrl
        ? new URL(modelsUrl, import.meta.url)
        : beside(new URL("models.json", import.meta.url), "@models-digest@");
  const [module, catalogue] = await Promise.all([
    isFile(wasm)
      ? fileBytes(wasm).then((wasmBinary) => createMemfit({ wasmBinary }))
      : createMemfit({ locateFile: () => wasm.href }),
    // Without it the popular models, which are compiled in, still work; an address that was given must be
    // right.
    models && text(models).catch((error) => (modelsUrl ? Promise.reject(error) : null)),
  ]);

  const unwrap = (text) => {
    const answer = JSON.parse(text);
    if (answer.error) throw new MemfitError(answer.error);
    return answer.ok;
  };
  const call = (fn, ...args) => unwrap(module.call(JSON.stringify({ fn, args })));
  if (catalogue) call("loadCatalogue", catalogue);

  return {
    version: module.version(),
    estimate: (query = {}) => call("estimate", query),
    compare: (query = {}) => call("compare", query),
    fit: (query = {}, options = {}) => call("fit", query, options),
    solve: (query = {}, options = {}) => call("solve", query, options),
    advise: (query = {}) => call("advise", query),
    sweep(query, options) {
      const totals = module.sweep(
        JSON.stringify({ fn: "sweep", args: [query ?? {}, options ?? {}] }),
      );
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
