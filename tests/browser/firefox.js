// memfit - SPDX-License-Identifier: Apache-2.0
//
// Stock Firefox through Playwright's WebDriver BiDi client, and what that pair does not have: media features,
// print, scripting switched off, touch and input methods. Firefox's own objects (those of its developer tools)
// do that, in its privileged scope, which --remote-allow-system-access opens. Playwright's server runs in this
// process, so its BiDi session is at hand; package-lock.json holds the version whose inner names are used here.
import { firefox } from "playwright-core";

/** With a window, so that it needs a display (Xvfb): without one, WebGL 2 is there or not as the drivers please. */
export async function launchFirefox({ webGl }) {
  const browser = await firefox.launch({
    channel: "moz-firefox",
    executablePath: process.env.MEMFIT_FIREFOX ?? "/usr/bin/firefox-esr",
    headless: !webGl,
    args: ["--remote-allow-system-access"],
    firefoxUserPrefs: {
      // The asynchronous clipboard without the menu that asks the reader.
      "dom.events.testing.asyncClipboard": true,
      "webgl.disabled": !webGl,
    },
  });
  const session = server(browser)._browserSession;
  const kind = Object.getPrototypeOf(session);
  if (!Object.hasOwn(kind, "memfitSend")) {
    kind.memfitSend = kind.send;
    // Playwright 1.65 sends it for every context, Firefox 153 does not know it; emulateMedia() below does it.
    kind.send = function (method, params) {
      return method === "emulation.setMediaFeaturesOverride"
        ? Promise.resolve({})
        : this.memfitSend(method, params);
    };
  }
  return browser;
}

const server = (object) => object._connection.toImpl(object);
const sessionOf = (page) => server(page).delegate._session;

/** Calls use(browsingContext, argument) in the browser's privileged scope. */
async function privileged(page, use, argument) {
  const session = sessionOf(page);
  const { contexts } = await session.send("browsingContext.getTree", {
    "moz:scope": "chrome",
    maxDepth: 0,
  });
  const { result, type, exceptionDetails } = await session.send("script.callFunction", {
    functionDeclaration: `async (id, argument) => {
      const { NavigableManager } = ChromeUtils.importESModule("chrome://remote/content/shared/NavigableManager.sys.mjs");
      return (${use})(NavigableManager.getBrowsingContextById(id), JSON.parse(argument));
    }`,
    arguments: [
      { type: "string", value: session.sessionId },
      { type: "string", value: JSON.stringify(argument ?? null) },
    ],
    target: { context: contexts[0].context },
    awaitPromise: true,
  });
  if (type === "exception") throw new Error(exceptionDetails.text);
  return result.value;
}

const override = (page, values) =>
  privileged(page, (context, values) => void Object.assign(context, values), values);

/**
 * What newContext's options ask for, of those that Firefox's BiDi has no command for; and page.emulateMedia.
 *
 * @param {any} page
 * @param {import("playwright-core").BrowserContextOptions} options
 */
export async function prepareFirefoxPage(
  page,
  { colorScheme = "light", reducedMotion, hasTouch, javaScriptEnabled },
) {
  page.emulateMedia = ({ media, colorScheme, reducedMotion }) =>
    override(page, {
      ...(media !== undefined && { mediumOverride: media ?? "" }),
      ...(colorScheme !== undefined && { prefersColorSchemeOverride: colorScheme ?? "none" }),
      ...(reducedMotion !== undefined && { prefersReducedMotionOverride: reducedMotion ?? "none" }),
    });
  await page.emulateMedia({ colorScheme, reducedMotion });
  // Tab leads out of the page into the browser's own controls; this leads back.
  page.bringToFront = () => privileged(page, (context) => void context.embedderElement.focus());
  server(page).delegate.rawTouchscreen.tap = (progress, x, y) => swipeInFirefox(page, [{ x, y }]);
  // For a screenshot Playwright adds an inline style, which the page's policy refuses, aloud in Firefox.
  server(page).delegate.shouldToggleStyleSheetToSyncAnimations = () => false;
  // Playwright appends to a number field what should replace its selection.
  server(page).delegate.rawKeyboard.sendText = (progress, text) =>
    page.evaluate((text) => document.execCommand("insertText", false, text), text);
  if (javaScriptEnabled === false) await override(page, { allowJavascript: false });
  if (hasTouch) await override(page, { touchEventsOverride: "enabled" });
}

/** A finger goes down at the first point, over the others, and up: through the window, as only that scrolls. */
export function swipeInFirefox(page, points) {
  return privileged(
    page,
    async (context, points) => {
      const { embedderElement: view } = context;
      const window = view.ownerDocument.defaultView;
      const { x, y } = view.getBoundingClientRect();
      const pixels = (length) => Math.round(length * window.devicePixelRatio);
      const touch = (state, point) => {
        const left = pixels(point.x + x + window.mozInnerScreenX);
        const top = pixels(point.y + y + window.mozInnerScreenY);
        window.windowUtils.sendNativeTouchPoint(0, state, left, top, 1, 90);
        return new Promise((resolve) => window.setTimeout(resolve, 16));
      };
      const { TOUCH_CONTACT, TOUCH_REMOVE } = Ci.nsIDOMWindowUtils;
      for (const point of points) await touch(TOUCH_CONTACT, point);
      await touch(TOUCH_REMOVE, points.at(-1));
    },
    points,
  );
}

/** An input method shows each of the texts in turn, and settles on the last. */
export function composeInFirefox(page, texts) {
  const inContent = async (texts) => {
    const processor = Cc["@mozilla.org/text-input-processor;1"].createInstance(
      Ci.nsITextInputProcessor,
    );
    processor.beginInputTransactionForTests(content);
    for (const text of texts) {
      processor.setPendingCompositionString(text);
      processor.appendClauseToPendingComposition(text.length, processor.ATTR_RAW_CLAUSE);
      processor.setCaretInPendingComposition(text.length);
      processor.flushPendingComposition();
    }
    processor.commitCompositionWith(texts.at(-1));
    sendAsyncMessage("memfit-composed");
  };
  return privileged(
    page,
    (context, script) =>
      new Promise((resolve) => {
        const { messageManager } = context.embedderElement;
        messageManager.addMessageListener("memfit-composed", () => resolve());
        messageManager.loadFrameScript(script, false);
      }),
    `data:,${encodeURIComponent(`(${inContent})(${JSON.stringify(texts)})`)}`,
  );
}
