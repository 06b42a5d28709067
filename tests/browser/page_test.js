// memfit - SPDX-License-Identifier: Apache-2.0
//
// The built page: it draws, it tells what the estimator tells, it follows and writes the
// address, it rests when nobody touches it, and it stays within its promises on size and network.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { artifacts, idle, launch, newPage, open, serve, site } from "./browser.js";

const { load } = await import(pathToFileURL(join(site, "memfit.js")).href);
const memfit = await load();
const GB = 1e9;

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser.close();
  await server.close();
});

/** Runs `use` on a fresh page, and fails for anything that the page complained about. */
async function onPage(query, use, options) {
  const page = await newPage(browser, options);
  try {
    await open(page, server.origin, query);
    await use(page);
    assert.deepEqual(page.problems, []);
  } finally {
    await page.context().close();
  }
}

const report = (page) => page.evaluate(() => memfitApp.report());
const frames = (page) => page.evaluate(() => memfitApp.frames);
const query = (page) => page.evaluate(() => location.search);

test("loads, and draws with WebGL 2", async () => {
  await onPage("", async (page) => {
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
        lost: gl.isContextLost(),
        error: gl.getError(),
        colours: new Set(new Uint32Array(pixels.buffer)).size,
      };
    });
    assert.match(seen.version, /^WebGL 2\.0/);
    assert.equal(seen.lost, false);
    assert.equal(seen.error, 0);
    assert.ok(seen.colours > 20, `only ${seen.colours} colours`);
  });
});

test("the page's number is the module's number", async () => {
  for (const asked of [
    { task: "inference", method: "pai", params: 7, seq: 2048 },
    { task: "full", method: "per-billion", params: 13 },
    { task: "inference", params: 8, seq: 8192 },
  ]) {
    await onPage(memfit.encode(asked), async (page) => {
      const expected = memfit.estimate(asked);
      const shown = await report(page);
      assert.deepEqual(shown.total, expected.total);
      assert.deepEqual(shown.ledger, expected.ledger);
    });
  }
});

test("the golden estimate is on the page", async () => {
  await onPage("method=pai&params=7&seq=2048", async (page) => {
    assert.equal((await report(page)).total.expected, 18.8 * GB);
  });
});

test("the address is followed, and written back once editing rests", async () => {
  await onPage("params=8&method=pai&seq=8192", async (page) => {
    // What came in is kept as it is.
    await page.waitForTimeout(700);
    assert.equal(await query(page), "?params=8&method=pai&seq=8192");
    assert.deepEqual(memfit.decode((await query(page)).slice(1)).query, {
      params: 8,
      method: "pai",
      seq: 8192,
    });

    // A link within the page, then back and forward.
    await page.evaluate(() => {
      history.pushState(null, "", "?params=70&method=pai");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await idle(page);
    assert.equal((await report(page)).query.params, 70);
    await page.goBack();
    await idle(page);
    assert.equal((await report(page)).query.params, 8);
    await page.goForward();
    await idle(page);
    assert.equal((await report(page)).query.params, 70);
  });
});

test("a key or value that cannot be used is told", async () => {
  await onPage("params=7&method=pai&seq=many&nonsense=1", async (page) => {
    const { notices, total } = await report(page);
    assert.deepEqual(notices.map((notice) => notice.field).sort(), ["nonsense", "seq"]);
    assert.equal(total.expected, memfit.estimate({ params: 7, method: "pai" }).total.expected);
  });
});

test("a model that is not compiled in is fetched when a link names it, and only then", async () => {
  const lines = readFileSync(join(site, "models.json"), "utf8").trimEnd().split("\n");
  const id = lines.map((line) => JSON.parse(line)).findLast((model) => !model.unlisted).id;
  const fetched = (page) => page.requests.some((url) => url.includes("/models.json"));
  await onPage(`model=${id}`, async (page) => {
    await page.waitForFunction((id) => memfitApp.report().model?.id === id, id, { timeout: 5000 });
    assert.equal(fetched(page), true);
    assert.deepEqual((await report(page)).total, memfit.estimate({ model: id }).total);
    assert.deepEqual(
      (await report(page)).notices.filter((notice) => notice.field === "model"),
      [],
    );
  });
  await onPage("model=llama-3.1-8b", async (page) => assert.equal(fetched(page), false));
});

test("no frame is drawn while nobody touches it", async () => {
  await onPage("params=7&method=pai", async (page) => {
    const before = await frames(page);
    await page.waitForTimeout(2000);
    assert.equal(await frames(page), before);
    // A touch brings frames, and then it rests again, the pointer over it and the focus in it.
    await page.mouse.move(300, 300);
    await page.mouse.move(310, 310);
    await page.mouse.click(5, 5);
    await idle(page, 700);
    const rested = await frames(page);
    assert.ok(rested > before);
    await page.waitForTimeout(2000);
    assert.equal(await frames(page), rested);
  });
});

test("nothing is drawn out of sight", async () => {
  await onPage("params=7&method=pai", async (page) => {
    await page.evaluate(() => {
      document.getElementById("memfit").style.display = "none";
    });
    await page.waitForTimeout(200);
    const before = await frames(page);
    await page.evaluate(() => memfitApp.wake());
    await page.waitForTimeout(300);
    assert.equal(await frames(page), before);
    await page.evaluate(() => {
      document.getElementById("memfit").style.display = "";
    });
    await page.waitForTimeout(300);
    assert.ok((await frames(page)) > before);
  });
});

test("a lost GL context comes back with the same picture", async () => {
  await onPage("params=7&method=pai", async (page) => {
    const settled = await page.screenshot();
    await page.evaluate(async () => {
      const gl = memfitApp.canvas.getContext("webgl2");
      const extension = gl.getExtension("WEBGL_lose_context");
      const happened = (type) =>
        new Promise((resolve) => memfitApp.canvas.addEventListener(type, resolve, { once: true }));
      const lost = happened("webglcontextlost");
      extension.loseContext();
      await lost;
      const restored = happened("webglcontextrestored");
      setTimeout(() => extension.restoreContext(), 50);
      await restored;
    });
    await idle(page);
    assert.ok(settled.equals(await page.screenshot()), "the picture differs");
    assert.equal(await page.evaluate(() => memfitApp.canvas.getContext("webgl2").getError()), 0);
    // The browser itself says that a context was lost; that is what this test did.
    page.problems = page.problems.filter((text) => !/CONTEXT_LOST_WEBGL/.test(text));
  });
});

test("without WebGL 2 the page says so in words", async () => {
  const page = await newPage(browser);
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (type, ...rest) {
      return type === "webgl2" ? null : original.call(this, type, ...rest);
    };
  });
  await page.goto(server.origin);
  await page.locator("#status").filter({ hasText: "WebGL 2" }).waitFor({ timeout: 10000 });
  await page.context().close();
});

test("destroy leaves nothing behind", async () => {
  await onPage("", async (page) => {
    const left = await page.evaluate(async () => {
      memfitApp.destroy();
      const container = document.getElementById("memfit");
      dispatchEvent(new Event("resize"));
      document.dispatchEvent(new Event("scroll"));
      container.dispatchEvent(new Event("drop"));
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { children: container.childElementCount, frames: memfitApp.frames };
    });
    assert.deepEqual(left, { children: 0, frames: 0 });
  });
});

test("the picture is sharp: one drawing pixel a device pixel, at any ratio", async () => {
  for (const ratio of [1, 1.5, 2]) {
    await onPage(
      "",
      async (page) => {
        const size = await page.evaluate(() => {
          const box = memfitApp.canvas.getBoundingClientRect();
          return {
            css: [box.width, box.height],
            pixels: [memfitApp.canvas.width, memfitApp.canvas.height],
          };
        });
        assert.deepEqual(
          size.pixels,
          size.css.map((length) => Math.round(length * ratio)),
        );
      },
      { deviceScaleFactor: ratio },
    );
  }
});

test("the canvas follows its window", async () => {
  await onPage("", async (page) => {
    await page.setViewportSize({ width: 700, height: 500 });
    // On a busy machine the window is larger for a while than what the page was told.
    await page.waitForFunction(
      () =>
        memfitApp.canvas.width === document.documentElement.clientWidth &&
        memfitApp.canvas.height === 500,
      null,
      { timeout: 5000 },
    );
    assert.equal(await page.evaluate(() => innerWidth), 700);
  });
});

test("Tab enters the canvas and leaves it again, in both directions", async () => {
  await onPage("", async (page) => {
    const inCanvas = () => page.evaluate(() => document.activeElement === memfitApp.canvas);
    await page.evaluate(() => {
      const button = (id) =>
        Object.assign(document.createElement("button"), { id, textContent: id });
      const container = document.getElementById("memfit");
      container.before(button("above"));
      container.after(button("below"));
    });
    assert.equal(await inCanvas(), false, "the focus is not taken at the start");
    await page.focus("#above");
    await page.keyboard.press("Tab");
    assert.equal(await inCanvas(), true);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "below");
    await page.keyboard.press("Shift+Tab");
    assert.equal(await inCanvas(), true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    assert.equal(await inCanvas(), false, "Escape releases the canvas");
  });
});

test("the wheel scrolls the page, not the canvas", async () => {
  await onPage(
    "",
    async (page) => {
      await page.evaluate(() => {
        document.body.style.height = "3000px";
      });
      await page.mouse.click(200, 5);
      await idle(page);
      await page.mouse.wheel(0, 400);
      await page.waitForFunction(() => scrollY === 400, null, { timeout: 3000 });
    },
    { viewport: { width: 900, height: 600 } },
  );
});

test("shortcuts of the browser reach the browser", async () => {
  await onPage("", async (page) => {
    await page.mouse.click(200, 5);
    await idle(page);
    const cancelled = await page.evaluate(() =>
      [
        { key: "F5", code: "F5" },
        { key: "F12", code: "F12" },
        { key: "r", code: "KeyR", ctrlKey: true },
        { key: "l", code: "KeyL", ctrlKey: true },
        { key: "f", code: "KeyF", ctrlKey: true },
        { key: "p", code: "KeyP", ctrlKey: true },
        { key: "+", code: "Equal", ctrlKey: true },
        { key: "-", code: "Minus", ctrlKey: true },
        { key: "0", code: "Digit0", ctrlKey: true },
        { key: "c", code: "KeyC", ctrlKey: true },
        { key: "v", code: "KeyV", ctrlKey: true },
        { key: "Tab", code: "Tab" },
      ]
        .filter(
          (init) =>
            !memfitApp.canvas.dispatchEvent(
              new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true }),
            ),
        )
        .map((init) => init.key),
    );
    assert.deepEqual(cancelled, []);
  });
});

test("the page asks nobody but its own server", async () => {
  await onPage("", async (page) => {
    const foreign = page.requests.filter(
      (url) => !url.startsWith(server.origin) && !url.startsWith("data:"),
    );
    assert.deepEqual(foreign, []);
  });
});

// The aim is 250 KB, and the page misses it (about a third is the estimator, a third Dear ImGui with its two
// faces, a third the panels).
// This holds the line until it is brought down: raising it should be a decision.
test("everything that the page loads is at most 326 KB, brotli", async () => {
  await onPage("", async (page) => {
    const loaded = [...new Set(page.requests.filter((url) => url.startsWith(server.origin)))].map(
      (url) => {
        const name = new URL(url).pathname.slice(1) || "index.html";
        return { name, bytes: brotliCompressSync(readFileSync(join(site, name))).length };
      },
    );
    const total = loaded.reduce((sum, file) => sum + file.bytes, 0);
    console.log(
      `    ${loaded.map(({ name, bytes }) => `${name} ${bytes}`).join(", ")}: ${total} B`,
    );
    assert.ok(loaded.some((file) => file.name === "app.wasm"));
    assert.ok(total <= 326_000, `${total} B`);
  });
});

test("pictures for people to look at", async () => {
  const wide = { viewport: { width: 1280, height: 800 } };
  const phone = { viewport: { width: 390, height: 844 } };
  for (const { name, options } of [
    { name: "wide", options: wide },
    { name: "wide-dark", options: { ...wide, colorScheme: "dark" } },
    { name: "phone", options: { ...phone, deviceScaleFactor: 2, hasTouch: true, isMobile: true } },
  ]) {
    await onPage(
      "",
      async (page) => {
        const picture = await page.screenshot({ path: join(artifacts, `page-${name}.png`) });
        assert.ok(picture.length > 5000);
      },
      options,
    );
  }
});
