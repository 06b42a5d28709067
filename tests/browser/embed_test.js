// memfit - SPDX-License-Identifier: Apache-2.0
//
// The other ways to the page: as an element of somebody's page, without a network, from a disk.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, newPage, open, serve, site } from "./browser.js";

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser.close();
  await server.close();
});

// A documentation page with a policy as strict as ours, and the calculator far down.
const documentation = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Docs</title>
  <meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'">
  <script type="module" src="/element.js"></script></head>
  <body style="margin:0"><h1>Docs</h1><input id="field"><div style="height:3000px">Text</div>
  <memfit-calculator id="a" query="params=7&amp;method=pai&amp;seq=2048"></memfit-calculator>
  <div style="height:1000px">More</div></body></html>`;

async function onDocumentation(use) {
  const page = await newPage(browser);
  await page.route("**/docs.html", (route) =>
    route.fulfill({ contentType: "text/html", body: documentation }),
  );
  try {
    await page.goto(`${server.origin}/docs.html`);
    await use(page);
    assert.deepEqual(page.problems, []);
  } finally {
    await page.context().close();
  }
}
const shown = (page) =>
  page.waitForFunction(() => document.querySelector("memfit-calculator").report !== null, null, {
    timeout: 10000,
  });

test("the element loads when it comes near, and takes no focus", async () => {
  await onDocumentation(async (page) => {
    await page.focus("#field");
    await page.waitForTimeout(500);
    assert.ok(!page.requests.some((url) => url.includes("app.wasm")), "loaded too early");
    await page.evaluate(() => document.getElementById("a").scrollIntoView());
    await shown(page);
    assert.equal(await page.evaluate(() => document.activeElement.id), "field");
    assert.equal(
      await page.evaluate(() => document.querySelector("memfit-calculator").report.total.expected),
      18.8e9,
    );
  });
});

test("the element lets the page scroll over it", async () => {
  await onDocumentation(async (page) => {
    await page.evaluate(() => document.getElementById("a").scrollIntoView());
    await shown(page);
    await page.waitForTimeout(500);
    const start = await page.evaluate(() => scrollY);
    await page.mouse.move(600, 300);
    await page.mouse.wheel(0, 300);
    await page.waitForFunction((start) => scrollY === start + 300, start, { timeout: 5000 });
  });
});

test("the element follows its attributes, and goes away without a trace", async () => {
  await onDocumentation(async (page) => {
    await page.evaluate(() => document.getElementById("a").scrollIntoView());
    await shown(page);
    const params = await page.evaluate(() => {
      const element = document.querySelector("memfit-calculator");
      element.query = "params=70&method=pai";
      return element.report.query.params;
    });
    assert.equal(params, 70);
    await page.evaluate(() => document.getElementById("a").remove());
    await page.waitForTimeout(300);
  });
});

test("the page opens again without a network", async () => {
  const own = await serve();
  const page = await newPage(browser);
  await open(page, own.origin, "params=7&method=pai");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await own.close();
  await page.reload();
  await page.waitForFunction(() => window.memfitApp?.frames > 0, null, { timeout: 10000 });
  assert.equal(
    await page.evaluate(() => memfitApp.report().total.expected),
    await page.evaluate(
      () => memfitApp.call("estimate", [{ params: 7, method: "pai" }]).total.expected,
    ),
  );
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the offline page works from a disk, alone", async () => {
  const page = await newPage(browser);
  const folder = mkdtempSync(join(tmpdir(), "memfit-"));
  copyFileSync(join(site, "memfit-offline.html"), join(folder, "memfit-offline.html"));
  const url = `${pathToFileURL(join(folder, "memfit-offline.html"))}?params=7&method=pai&seq=2048`;
  await page.goto(url);
  await page.waitForFunction(() => window.memfitApp?.frames > 0, null, { timeout: 10000 });
  assert.equal(await page.evaluate(() => memfitApp.report().total.expected), 18.8e9);
  assert.deepEqual(
    page.requests.filter((request) => !request.startsWith("blob:") && request !== url),
    [],
  );
  assert.deepEqual(page.problems, []);
  await page.context().close();
  rmSync(folder, { recursive: true });
});
