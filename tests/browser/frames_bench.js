// memfit - SPDX-License-Identifier: Apache-2.0
//
// What a frame costs while a slider is dragged: main-thread time of the module's frame and of what the page
// does after it, without the browser's own drawing (which is software here and a graphics card elsewhere).
import assert from "node:assert/strict";
import { test } from "node:test";
import { launch, newPage, open, serve } from "./browser.js";

const budget = 4; // milliseconds, the median

test("frames while dragging", async () => {
  const [browser, server] = await Promise.all([launch(), serve()]);
  const page = await newPage(browser);
  await open(page, server.origin, "device=rtx-4090");
  const times = await page.evaluate(async () => {
    const costs = [];
    const seqs = Array.from({ length: 200 }, (_, i) => 1024 + 64 * i);
    for (const seq of seqs) {
      // A new query each frame, as a drag makes one, and the pointer on its way.
      memfitApp.setQuery(`device=rtx-4090&seq=${seq}`);
      memfitApp.module._ImGui_ImplWeb_OnPointerMove(100 + (seq % 200), 392, 0);
      const start = performance.now();
      memfitApp.drawNow();
      costs.push(performance.now() - start);
      if (seq % 1024 === 0) await new Promise(requestAnimationFrame);
    }
    return costs.sort((a, b) => a - b);
  });
  const at = (share) => times[Math.floor(share * (times.length - 1))];
  console.log(`    median ${at(0.5).toFixed(2)} ms, 90 % ${at(0.9).toFixed(2)} ms, worst ${at(1).toFixed(2)} ms`);
  assert.ok(at(0.5) < budget, `median ${at(0.5).toFixed(2)} ms`);
  await browser.close();
  await server.close();
});
