// memfit - SPDX-License-Identifier: Apache-2.0
//
// What a frame costs while a slider is dragged, with each of the tabs: the main thread's script from one frame
// to the next, that is the pointer's event, the module's frame, and what the page does about it (the address,
// the plain twin behind the canvas). Not the browser's own drawing, which is software here and a graphics card
// elsewhere: GL calls only queue. Then: no frame once the pointer is let go.
//
// Two figures. `script` is the thread's own time, as Chromium counts it, and has the bound. `wall` is what a clock
// in the page shows: on two cores that also draw, some frames wait 3 to 6 ms in the middle of the script, wherever
// it is, for a core that the graphics process has.
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
    window.nextFrame = () => new Promise((resolve) => rawFrame(resolve));
    window.dragTo = (i) => {
      const at = { clientX: 40 + ((i * 7) % 260), clientY: 410 };
      const held = { pointerId: 1, pointerType: "mouse", isPrimary: true, buttons: 1, button: -1 };
      memfitApp.canvas.dispatchEvent(
        new PointerEvent("pointermove", { ...at, ...held, bubbles: true, cancelable: true }),
      );
    };
    window.requestAnimationFrame = (use) => requestAnimationFrame((now) => timed(() => use(now)));
    const later = (use, ...rest) => setTimeout(() => timed(use), ...rest);
    window.setTimeout = /** @type {typeof setTimeout} */ (later);
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

/** Each frame's script in milliseconds of the thread's own time; the events' handling is in it. Chromium only. */
async function scriptTimes(frames) {
  if (isFirefox) return [];
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const script = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "ScriptDuration").value;
  };
  const times = [];
  for (let i = 0; i < frames; i++) {
    const before = await script();
    await page.evaluate((i) => dragTo(i), i);
    await page.evaluate(() => nextFrame());
    times.push((await script()) - before);
  }
  await client.detach();
  return times.sort((a, b) => a - b);
}

const at = (times, share) => times[Math.floor(share * (times.length - 1))];
const summary = (name, times) =>
  times.length
    ? `${name} median ${at(times, 0.5).toFixed(2)} ms, 90 % ${at(times, 0.9).toFixed(2)}, worst ${at(times, 1).toFixed(2)}`
    : "";

for (const tab of tabs) {
  test(`frames while dragging: ${tab}`, async () => {
    await page.evaluate((tab) => {
      if (tab === "compare") memfitApp.keep();
      memfitApp.showTab(tab);
    }, tab);
    await idle(page);
    await grab();
    const { wall, changes } = await page.evaluate(async () => {
      const wall = [];
      const seen = new Set();
      for (let i = 0; i < 200; i++) {
        await nextFrame();
        if (i > 0) wall.push(spent);
        spent = 0;
        timed(() => dragTo(i));
        seen.add(memfitApp.query());
      }
      return { wall: wall.sort((a, b) => a - b), changes: seen.size };
    });
    assert.ok(changes > 30, `the drag changed the query ${changes} times`);
    const script = await scriptTimes(100);
    console.log(
      `    ${tab.padEnd(9)} ${[summary("script", script), summary("wall", wall)].filter(Boolean).join("; ")}`,
    );

    await page.mouse.up();
    await idle(page, 700);
    const before = await page.evaluate(() => memfitApp.frames);
    await page.waitForTimeout(1000);
    assert.equal(await page.evaluate(() => memfitApp.frames), before, "frames without a reason");
    if (script.length)
      assert.ok(at(script, 0.5) < budget, `median ${at(script, 0.5).toFixed(2)} ms`);
  });
}
