// memfit - SPDX-License-Identifier: Apache-2.0
//
// Input on the canvas: pointer and keyboard, text with its clipboard and input methods, fingers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { compose, idle, launch, newPage, open, serve, swipe } from "./browser.js";

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser.close();
  await server.close();
});

async function onPage(query, use, options) {
  const page = await newPage(browser, {
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  try {
    await open(page, server.origin, query);
    await use(page);
    assert.deepEqual(page.problems, []);
  } finally {
    await page.context().close();
  }
}

const report = (page) => page.evaluate(() => memfitApp.report());

/** Clicks down a column until something has come of it; the layout is the panels' own affair. */
async function clickUntil(page, x, fromY, toY, done) {
  for (let y = fromY; y <= toY; y += 10) {
    await page.mouse.click(x, y);
    await idle(page, 60);
    if (await done()) return y;
  }
  assert.fail(`no click at x = ${x} did it`);
}

/** Puts the caret into the first text field of the right column. */
const intoField = (page) =>
  clickUntil(page, 600, 396, 560, () => page.evaluate(() => memfitApp.textWanted));

/** What the field holds, through the reader's own clipboard. */
async function fieldText(page) {
  await page.keyboard.press("Control+A");
  await idle(page, 60);
  await page.keyboard.press("Control+C");
  await idle(page, 60);
  return page.evaluate(() => navigator.clipboard.readText());
}

test("a click on the canvas changes the query", async () => {
  await onPage("device=rtx-4090", async (page) => {
    const task = async () => (await report(page)).query.task;
    await clickUntil(page, 136, 70, 120, async () => (await task()) === "full");
  });
});

test("a drag goes on outside the canvas, and makes no history", async () => {
  await onPage("device=rtx-4090", async (page) => {
    // A page around the canvas, as tools can not point outside a browser's window.
    await page.setViewportSize({ width: 1480, height: 800 });
    await page.evaluate(() => {
      document.getElementById("memfit").style.width = "1280px";
    });
    await idle(page);
    assert.equal(await page.evaluate(() => memfitApp.canvas.getBoundingClientRect().right), 1280);
    const before = await page.evaluate(() => history.length);
    const seq = async () => (await report(page)).query.seq;
    // The slider of the context lies somewhere here; presses on other things do nothing by being dragged.
    let longer = false;
    for (let y = 380; y <= 440 && !longer; y += 6) {
      await page.mouse.move(140, y);
      await idle(page, 60);
      await page.mouse.down();
      for (const x of [160, 250, 900, 1400]) {
        await page.mouse.move(x, y + 300);
        await page.waitForTimeout(50);
      }
      await page.mouse.up();
      await idle(page, 60);
      longer = (await seq()) > 500000;
    }
    assert.ok(longer, "the slider's end is reached from outside the canvas");
    await page.waitForFunction((seq) => location.search.includes(`seq=${seq}`), await seq(), {
      timeout: 3000,
    });
    assert.equal(await page.evaluate(() => history.length), before);
  });
});

test("text is typed, copied, cut and pasted", async () => {
  await onPage("device=rtx-4090", async (page) => {
    await intoField(page);
    assert.equal(await page.evaluate(() => document.activeElement === memfitApp.agent), true);
    await page.keyboard.type("h100x");
    await page.keyboard.press("Backspace");
    await idle(page, 60);
    assert.equal(await fieldText(page), "h100");
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Control+X");
    await idle(page, 60);
    await page.evaluate(() => navigator.clipboard.writeText("b200"));
    await page.keyboard.press("Control+V");
    await idle(page, 60);
    assert.equal(await fieldText(page), "b200");
  });
});

test("an input method's text arrives whole, and once", async () => {
  await onPage("device=rtx-4090", async (page) => {
    await intoField(page);
    await compose(page, ["r", "rt", "rtx"]);
    await idle(page, 60);
    assert.equal(await fieldText(page), "rtx");
  });
});

test("keys held while the focus leaves are let go", async () => {
  await onPage("device=rtx-4090", async (page) => {
    await page.mouse.click(640, 10);
    await page.keyboard.down("Shift");
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
    // A held key draws; one that is let go does not.
    await idle(page);
    await page.keyboard.up("Shift");
  });
});

test("a finger scrolls the page", async () => {
  await onPage(
    "device=rtx-4090",
    async (page) => {
      await swipe(
        page,
        [
          600, 590, 570, 550, 530, 510, 490, 470, 450, 430, 410, 390, 370, 350, 330, 310, 290, 270,
          250, 230, 210,
        ].map((y) => ({ x: 200, y })),
      );
      await page.waitForFunction(() => scrollY > 300, null, { timeout: 5000 });
      // The canvas stays in the window and shows what has come there.
      const top = await page.evaluate(() => memfitApp.canvas.getBoundingClientRect().top);
      assert.equal(Math.round(top), 0);
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  );
});

test("a tap is a click", async () => {
  await onPage(
    "device=rtx-4090",
    async (page) => {
      let done = false;
      for (let y = 380; y <= 460 && !done; y += 8) {
        await page.touchscreen.tap(150, y);
        await idle(page, 60);
        done = (await report(page)).query.task === "full";
      }
      assert.ok(done);
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  );
});

test("undo and redo by keyboard do not go to the browser's page", async () => {
  await onPage("device=rtx-4090", async (page) => {
    await page.mouse.click(640, 10);
    const taken = await page.evaluate(
      () =>
        !memfitApp.canvas.dispatchEvent(
          new KeyboardEvent("keydown", {
            key: "z",
            code: "KeyZ",
            ctrlKey: true,
            bubbles: true,
            cancelable: true,
          }),
        ),
    );
    assert.equal(taken, true);
    await page.evaluate(() =>
      memfitApp.canvas.dispatchEvent(
        new KeyboardEvent("keyup", { key: "z", code: "KeyZ", bubbles: true }),
      ),
    );
    await idle(page);
  });
});
