// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the browser tests share: the built site on a port of its own, a browser, and pages that write down
// what goes wrong in them.
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import sirv from "sirv";
import { composeInFirefox, launchFirefox, prepareFirefoxPage, swipeInFirefox } from "./firefox.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const site = process.env.MEMFIT_SITE ?? `${root}build/web`;
export const artifacts = `${root}build/artifacts`;
mkdirSync(artifacts, { recursive: true });

/** Lets a server listen at a free port of this machine. */
export const listening = (server) =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
/** The port of a server that listens. */
export const portOf = (server) => server.address().port;

/** Serves a folder; gives { origin, close() }. */
export async function serve(folder = site) {
  const files = sirv(folder, { dev: true });
  const server = createServer((request, response) =>
    files(request, response, () => {
      response.statusCode = 404;
      response.end();
    }),
  );
  await listening(server);
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

// The tests run in Chromium, or with MEMFIT_BROWSER=firefox in Firefox. They are the same; where a browser's
// tools differ, a function of this file or of firefox.js makes up for it.
export const isFirefox = process.env.MEMFIT_BROWSER === "firefox";

/** A browser with WebGL 2 in software, or without any, and nothing of its own on the network. */
export function launch({ webGl = true } = {}) {
  if (isFirefox) return launchFirefox({ webGl });
  return chromium.launch({
    executablePath: process.env.MEMFIT_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(webGl
        ? ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        : ["--disable-3d-apis"]),
    ],
  });
}

/**
 * @typedef {import("playwright-core").BrowserContextOptions} PageOptions
 *
 * A page of its own context. `page.problems` collects console errors and warnings, uncaught errors and
 * failed requests; `page.requests` every address asked for.
 *
 * @param {import("playwright-core").Browser} browser
 * @param {PageOptions} options
 */
export async function newPage(browser, { permissions, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    ...options,
    // Firefox has no such permissions; a preference opens the clipboard there.
    ...(permissions && !isFirefox && { permissions }),
  });
  const page = Object.assign(await context.newPage(), { problems: [], requests: [] });
  if (isFirefox) await prepareFirefoxPage(page, options);
  page.on("console", (message) => {
    // Software GL says on every read-back that it is slow; that is about the machine, not the page.
    if (
      ["error", "warning"].includes(message.type()) &&
      !/GPU stall due to ReadPixels/.test(message.text())
    ) {
      page.problems.push(message.text());
    }
  });
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("requestfailed", (request) =>
    page.problems.push(`${request.url()}: ${request.failure()?.errorText}`),
  );
  page.on("request", (request) => page.requests.push(request.url()));
  return page;
}

/** Opens the page and waits for its first frame. */
export async function open(page, origin, query = "") {
  await page.goto(`${origin}/${query ? `?${query}` : ""}`);
  await page.waitForFunction(() => window.memfitApp?.frames > 0, null, { timeout: 10000 });
  await idle(page);
}

/** Waits until no frame has been asked for or drawn for a while. */
export async function idle(page, quiet = 250) {
  await page.evaluate(async (quiet) => {
    let last = -1;
    for (;;) {
      const now = window.memfitApp.frames;
      if (now === last && !window.memfitApp.animationFrame) return;
      last = now;
      await new Promise((resolve) => setTimeout(resolve, quiet));
    }
  }, quiet);
}

/** A finger goes down at the first of the points, over the others, and up. */
export async function swipe(page, points) {
  if (isFirefox) return swipeInFirefox(page, points);
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", points[0]);
  for (const point of points.slice(1)) await touch("touchMove", point);
  await touch("touchEnd");
}

/** An input method shows each of the texts in turn, and settles on the last. */
export async function compose(page, texts) {
  if (isFirefox) return composeInFirefox(page, texts);
  const client = await page.context().newCDPSession(page);
  for (const text of texts) {
    await client.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  }
  await client.send("Input.insertText", { text: texts.at(-1) });
}
