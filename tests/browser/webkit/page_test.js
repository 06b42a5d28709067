// memfit - SPDX-License-Identifier: Apache-2.0
//
// The built page in WebKit: it loads, draws, estimates what the module estimates, follows its address and
// takes a click.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { artifacts, serve, site } from "../browser.js";
import { launchWebKit } from "./webkit.js";

const { load } = await import(pathToFileURL(join(site, "memfit.js")).href);
const memfit = await load();

let page;
let server;
before(async () => {
  [page, server] = await Promise.all([launchWebKit(), serve()]);
});
after(async () => {
  await page.close();
  await server.close();
});

const open = async (query) => {
  await page.goto(`${server.origin}/?${query}`);
  await page.waitFor(() => window.memfitApp?.frames > 0);
};
const report = () => page.evaluate(() => memfitApp.report());
const twin = () => page.evaluate(() => document.querySelector("#twin .total .value").textContent);

test("loads, draws with WebGL 2, and estimates", async () => {
  await open("lang=en&params=7&method=pai&seq=2048");
  const seen = await page.evaluate(() => {
    memfitApp.drawNow();
    const gl = memfitApp.canvas.getContext("webgl2");
    const pixels = new Uint8Array(gl.drawingBufferWidth * gl.drawingBufferHeight * 4);
    gl.readPixels(
      0,
      0,
      gl.drawingBufferWidth,
      gl.drawingBufferHeight,
      gl.RGBA,
      gl.UNSIGNED_BYTE,
      pixels,
    );
    return {
      version: gl.getParameter(gl.VERSION),
      error: gl.getError(),
      colours: new Set(new Uint32Array(pixels.buffer)).size,
    };
  });
  assert.match(seen.version, /^WebGL 2\.0/);
  assert.equal(seen.error, 0);
  assert.ok(seen.colours > 20, `only ${seen.colours} colours`);
  assert.equal((await report()).total.expected, 18.8e9);
  assert.equal(await twin(), "18.8");
  writeFileSync(join(artifacts, "page-webkit.png"), await page.screenshot());
});

test("follows its address", async () => {
  const asked = { task: "qlora", model: "qwen2.5-7b", seq: 2048, batch: 2, device: "rtx-4090" };
  await open(`lang=en&${memfit.encode(asked)}`);
  const expected = memfit.estimate(asked);
  assert.deepEqual((await report()).total, expected.total);
  assert.deepEqual((await report()).ledger, expected.ledger);
  assert.equal(await twin(), (expected.perDevice.expected / 1e9).toFixed(1));
  await page.evaluate(() => {
    history.pushState(null, "", "?lang=en&params=70&method=pai");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await page.waitFor(() => memfitApp.report().query.params === 70);
  // By script: the back button of WebKit passes over steps that the reader had no hand in.
  await page.evaluate(() => history.back());
  await page.waitFor(() => memfitApp.report().query.model === "qwen2.5-7b");
});

test("a click on the canvas changes the query and the address", async () => {
  await open("lang=en&device=rtx-4090");
  let task;
  for (let y = 70; y <= 120 && task !== "full"; y += 10) {
    await page.click(136, y);
    await new Promise((resolve) => setTimeout(resolve, 200));
    ({ task } = (await report()).query);
  }
  assert.equal(task, "full");
  await page.waitFor(() => new URLSearchParams(location.search).get("task") === "full");
});
