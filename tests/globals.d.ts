// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the tests keep in the pages that they look at, and what Firefox's privileged scripts have, for
// `tsc --checkJs` (tests/run.sh lint).
import type axeCore from "axe-core";

declare global {
  /** Of the page before something happened, and what it said meanwhile. */
  var seen: string[];
  var heard: string[];
  function typedNow(): void;
  const axe: typeof axeCore;

  // frames_bench.js
  var spent: number;
  function timed(work: () => void): void;
  function rawFrame(use: FrameRequestCallback): number;
  function nextFrame(): Promise<number>;
  function dragTo(step: number): void;

  // Firefox's own.
  const Cc: Record<string, { createInstance(type: unknown): any }>;
  const Ci: Record<string, any>;
  const content: Window;
  function sendAsyncMessage(name: string, message?: unknown): void;
}
