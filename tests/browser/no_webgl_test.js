// memfit - SPDX-License-Identifier: Apache-2.0
//
// A browser that really has no WebGL 2: the plain twin is the page, says why, estimates and follows its
// address.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, newPage, serve, site } from "./browser.js";

const { load } = await import(pathToFileURL(join(site, "memfit.js")).href);
const memfit = await load();
const english = JSON.parse(readFileSync(join(site, "texts-en.json"), "utf8"));

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launch({ webGl: false }), serve()]);
});
after(async () => {
  await browser.close();
  await server.close();
});

test("where the browser has no WebGL 2, the plain twin is the page", async () => {
  const page = await newPage(browser);
  await page.goto(`${server.origin}/?lang=en&params=7&method=pai&seq=2048`);
  assert.equal(
    await page.evaluate(() => document.createElement("canvas").getContext("webgl2")),
    null,
  );
  await page.getByText(english.texts.noGraphics).waitFor();
  const total = page.locator(".total .value");
  assert.equal(await total.textContent(), "18.8");
  assert.equal(await page.locator("canvas").count(), 0);
  await page.getByRole("spinbutton", { name: "Sequence length" }).fill("8192");
  await page.waitForFunction(() => new URLSearchParams(location.search).get("seq") === "8192");
  const { expected } = memfit.estimate({ params: 7, method: "pai", seq: 8192 }).perDevice;
  assert.equal(await total.textContent(), (expected / 1e9).toFixed(1));
  await page.evaluate(() => {
    history.pushState(null, "", "?lang=en&params=7&method=pai&seq=2048");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await page.waitForFunction(() => document.querySelector(".total .value").textContent === "18.8");
  await page.goBack();
  await page.waitForFunction(() => new URLSearchParams(location.search).get("seq") === "8192");
  await page.waitForFunction(() => document.querySelector(".total .value").textContent !== "18.8");
  assert.ok(
    !page.requests.some((url) => url.includes("app.wasm")),
    "the canvas's module is not fetched",
  );
  assert.deepEqual(page.problems, []);
  await page.context().close();
});
