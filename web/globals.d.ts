// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the scripts of this folder find around them, for `tsc --checkJs` (tests/run.sh lint).
import type { start } from "./host.js";
import type { createTwin } from "./twin.js";

declare global {
  // ---- The page's.

  /** The offline page's files. */
  var memfitFiles: Record<string, Uint8Array<ArrayBuffer>> | undefined;
  /** The canvas and the plain view, once they are there: for scripts in the page, and for tests. */
  var memfitApp: Awaited<ReturnType<typeof start>>;
  var memfitTwin: Awaited<ReturnType<typeof createTwin>>;

  interface HTMLElementTagNameMap {
    "memfit-calculator": HTMLElement & { query: string; report: any };
  }

  // ---- The linker's: the factories of the two modules, and what a JS library is written in.

  function createMemfit(options: object): Promise<any>;
  function createMemfitApp(options: object): Promise<any>;
  function mergeInto(library: object, more: object): void;
  const LibraryManager: { library: object };
  const Module: { host: any };
  const HEAPU8: Uint8Array<ArrayBuffer>;
  const GL: {
    registerContext(context: WebGL2RenderingContext, attributes: object): number;
    makeContextCurrent(handle: number): boolean;
  };
  function memfitText(pointer: number): string;

  // ---- A service worker's, which the types of a page leave out.

  interface ExtendableEvent extends Event {
    waitUntil(done: Promise<unknown>): void;
  }
  interface FetchEvent extends ExtendableEvent {
    request: Request;
    respondWith(answer: Promise<Response>): void;
  }
  const clients: { claim(): Promise<void> };
}
