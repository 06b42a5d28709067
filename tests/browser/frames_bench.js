// memfit - SPDX-License-Identifier: Apache-2.0
//
// What a frame costs while a slider is dragged, with each of the tabs: the main thread's script from one frame
// to the next, that is the pointer's event, the module's frame, and what the page does about it (the address,
// the plain twin behind the canvas). Not the browser's own drawing, which is software here and a graphics card
// elsewhere: GL calls only queue. Then: no frame once the pointer is let go.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { idle, isFirefox, launch, newPage, open, serve } from "./browser.js";

const budget = 4; // milliseconds, the median
const tabs = ["devices", "breakdown", "map", "methods", "advice", "model", "compare"];

let browser;
let server;
let page;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
  page = await newPage(browser);
  // Whatever the page has called back is measured; `rawFrame` is for the measurement itself.
  await page.addInitScript(() => {
    const { requestAnimationFrame, setTimeout } = window;
    window.spent = 0;
    window.rawFrame = requestAnimationFrame.bind(window);
    window.timed = (work) => {
      const start = performance.now();
      work();
      spent += performance.now() - start;
    };
    window.requestAnimationFrame = (use) => requestAnimationFrame((now) => timed(() => use(now)));
    window.setTimeout = (use, ...rest) => setTimeout(() => timed(use), ...rest);
  });
  await open(page, server.origin, "device=rtx-4090");
});
after(async () => {
  await browser.close();
  await server.close();
});

/** Takes the slider of the context: found by what a drag does, for where it lies is the panels' own affair. */
async function grab() {
  const seq = () => page.evaluate(() => memfitApp.report().query.seq);
  for (let y = 380; y <= 440; y += 6) {
    const old = await seq();
    await page.mouse.move(140, y);
    await idle(page, 60);
    await page.mouse.down();
    await page.mouse.move(160, y);
    // A held button draws, so there is no waiting for rest.
    await page.waitForTimeout(200);
    if ((await seq()) !== old) return;
    await page.mouse.up();
    await idle(page, 60);
  }
  assert.fail("no slider of the context");
}

/** What the browser itself counts as script, in milliseconds; it includes the code of this file. */
async function scriptTime(client) {
  if (!client) return NaN;
  const { metrics } = await client.send("Performance.getMetrics");
  return 1000 * metrics.find(({ name }) => name === "ScriptDuration").value;
}

for (const tab of tabs) {
  test(`frames while dragging: ${tab}`, async () => {
    await page.evaluate((tab) => {
      if (tab === "compare") memfitApp.keep();
      memfitApp.showTab(tab);
    }, tab);
    await idle(page);
    await grab();
    const client = isFirefox ? null : await page.context().newCDPSession(page);
    await client?.send("Performance.enable");
    const script = await scriptTime(client);
    const { costs, changes } = await page.evaluate(async () => {
      const costs = [];
      const seen = new Set();
      const frame = () => new Promise((resolve) => rawFrame(resolve));
      for (let i = 0; i < 200; i++) {
        await frame();
        if (i > 0) costs.push(spent);
        spent = 0;
        const x = 40 + ((i * 7) % 260);
        const event = new PointerEvent("pointermove", { pointerId: 1, pointerType: "mouse", isPrimary: true, clientX: x, clientY: 410, buttons: 1, button: -1, bubbles: true, cancelable: true });
        timed(() => memfitApp.canvas.dispatchEvent(event));
        seen.add(memfitApp.query());
      }
      return { costs: costs.sort((a, b) => a - b), changes: seen.size };
    });
    const mean = ((await scriptTime(client)) - script) / costs.length;
    assert.ok(changes > 30, `the drag changed the query ${changes} times`);
    const at = (share) => costs[Math.floor(share * (costs.length - 1))].toFixed(2).padStart(6);
    const counted = client ? `; the browser counts ${mean.toFixed(2)} ms of script a frame on average` : "";
    console.log(`    ${tab.padEnd(9)} median ${at(0.5)} ms, 90 % ${at(0.9)} ms, worst ${at(1)} ms${counted}`);
    await client?.detach();

    await page.mouse.up();
    await idle(page, 700);
    const before = await page.evaluate(() => memfitApp.frames);
    await page.waitForTimeout(1000);
    assert.equal(await page.evaluate(() => memfitApp.frames), before, "frames without a reason");
    // As ever the one bound is on what the page opens with; the others are for people to read.
    if (tab === "devices") assert.ok(Number(at(0.5)) < budget, `median ${at(0.5)} ms`);
  });
}
