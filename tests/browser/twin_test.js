// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain twin, operated as a screen reader or a keyboard does: by roles and names. What it
// shows is what memfit.js answers; it and the canvas follow each other; it is there before any script,
// without WebGL 2 and on paper; axe-core finds nothing serious in it in any language or theme.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { artifacts, idle, launch, newPage, serve, site } from "./browser.js";

const { load } = await import(pathToFileURL(join(site, "memfit.js")).href);
const memfit = await load();
const texts = (code) => JSON.parse(readFileSync(join(site, `texts-${code}.json`), "utf8"));
const english = texts("en");
const languages = Object.keys(english.languages);
const axeScript = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

let browser;
let server;
before(async () => {
  [browser, server] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser.close();
  await server.close();
});

/**
 * The twin on a page of its own, ready to be used; fails for anything that the page complained about.
 *
 * @typedef {{ plain?: boolean, prepare?: (page: any) => Promise<unknown> }} Preparation
 * @param {string} query
 * @param {(page: any) => Promise<unknown>} use
 * @param {Preparation & import("./browser.js").PageOptions} options
 */
async function onTwin(query, use, { plain = true, prepare, ...options } = {}) {
  const page = await newPage(browser, options);
  try {
    await prepare?.(page);
    const parts = [plain && "view=plain", query].filter(Boolean);
    await page.goto(`${server.origin}/?${parts.join("&")}`);
    await page.waitForFunction(() => window.memfitTwin);
    await use(page);
    assert.deepEqual(page.problems, []);
  } finally {
    await page.context().close();
  }
}

const noWebGl = (page) =>
  page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (type, ...rest) {
      return type.startsWith("webgl") ? null : getContext.call(this, type, ...rest);
    };
  });

const gigabytes = (bytes) => {
  const value = bytes / 1e9;
  return value
    .toFixed(value >= 999.95 ? 0 : value >= 0.995 ? 1 : 2)
    .replace(/\B(?=(\d{3})+(?!\d))/g, ",");
};
const total = (page) => page.locator(".total .value").textContent();
const queryIn = (page) =>
  page.evaluate(() => Object.fromEntries(new URLSearchParams(memfitTwin.text)));
const address = (page, wanted) =>
  page.waitForFunction(
    (wanted) =>
      Object.entries(wanted).every(
        ([key, value]) => new URLSearchParams(location.search).get(key) === value,
      ),
    wanted,
  );

test("the first paint is the default estimate, without a script", async () => {
  const page = await newPage(browser, { javaScriptEnabled: false });
  await page.goto(server.origin);
  const report = memfit.estimate({});
  assert.equal(await total(page), gigabytes(report.perDevice.expected));
  assert.ok(await page.getByRole("heading", { name: "memfit" }).isVisible());
  assert.ok(await page.getByText(english.texts.noScript).isVisible());
  const rows = page.getByRole("table", { name: "Breakdown" }).getByRole("row");
  assert.equal(await rows.count(), report.ledger.length + 2, "a head, the entries, a total");
  await page.context().close();
});

test("taking the prerendered page over changes nothing in it", async () => {
  const page = await newPage(browser);
  await page.route("**/page.js*", (route) =>
    route.fulfill({ contentType: "text/javascript", body: "" }),
  );
  await page.goto(`${server.origin}/?view=plain&lang=en`);
  const prerendered = await page.locator("#twin").evaluate((twin) => {
    window.seen = [...twin.querySelectorAll("[data-part]")].map((part) => part.innerHTML);
    return seen.length;
  });
  await page.unroute("**/page.js*");
  const script = readFileSync(join(site, "page.js"), "utf8");
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const script = document.createElement("script");
        Object.assign(script, { type: "module", src: "page.js?again", onload: resolve });
        document.head.append(script);
      }),
  );
  assert.ok(script.length > 0 && prerendered > 50);
  await page.waitForFunction(() => window.memfitTwin);
  const changed = await page
    .locator("#twin")
    .evaluate((twin) =>
      [...twin.querySelectorAll("[data-part]")]
        .filter((part, i) => part.innerHTML !== seen[i])
        .map((part) => part.getAttribute("data-part")),
    );
  // The button that leads to the canvas is there only where there is one, and the list of devices is long.
  assert.deepEqual(changed, ["tools", "field-device"]);
  assert.ok((await page.getByRole("combobox", { name: "Device" }).locator("option").count()) > 150);
  await page.context().close();
});

test("task, model, workload and device by their labels; the answer, the ledger and the address follow", async () => {
  await onTwin("", async (page) => {
    await page.getByRole("radio", { name: "QLoRA" }).check({ force: true });
    await page.getByRole("combobox", { name: "Model", exact: true }).fill("qwen2.5-7b");
    await page.keyboard.press("Enter");
    await page.getByRole("spinbutton", { name: "Sequence length" }).fill("2048");
    await page.getByRole("spinbutton", { name: "Batch size" }).fill("2");
    await page
      .getByRole("combobox", { name: "Device", exact: true })
      .selectOption({ label: "RTX 4090" });
    const asked = { task: "qlora", model: "qwen2.5-7b", seq: 2048, batch: 2, device: "rtx-4090" };
    await address(page, {
      task: "qlora",
      model: "qwen2.5-7b",
      seq: "2048",
      batch: "2",
      device: "rtx-4090",
    });
    const report = memfit.estimate(asked);
    assert.equal(await total(page), gigabytes(report.perDevice.expected));
    const verdict = await page.locator(".verdict").textContent();
    assert.match(
      verdict,
      report.fit.verdict === "fits" ? /Fits 1.×.RTX 4090, .* free/ : /RTX 4090/,
    );

    const table = page.getByRole("table", { name: "Breakdown" });
    assert.deepEqual(await table.getByRole("columnheader").allTextContents(), [
      "Component",
      "Amount",
      "Formula",
      "Numbers",
      "Source",
    ]);
    const names = await table.locator("tbody").getByRole("rowheader").allTextContents();
    assert.deepEqual(
      names.map((name) => name.replace("in host memory", "").trim()),
      report.ledger.map((entry) => english.components[entry.component]),
    );
    await page.waitForFunction(
      (name) =>
        document
          .querySelector('[data-part="devices"] tr[aria-current]')
          ?.textContent.includes(name),
      "RTX 4090",
    );
    const devices = page.getByRole("table", { name: "Devices" });
    assert.deepEqual(await devices.getByRole("columnheader").allTextContents(), [
      "Device",
      "Need",
      "Usable",
      "Headroom",
      "Verdict",
      "Devices needed",
    ]);
    const methods = page.getByRole("table", { name: "Methods" }).locator("tbody").getByRole("row");
    assert.equal(await methods.count(), memfit.compare(asked).methods.length);
  });
});

// A value of each field that is not its default.
function otherValue(field, defaults) {
  const special = {
    model: "qwen2.5-7b",
    device: "rtx-4090",
    reserve: "2GB",
    targets: "q,v",
    params: "13",
    active: "3",
    release: "0.19",
    config: null,
  };
  if (field.name in special) return special[field.name];
  if (field.kind === "choice")
    return field.values.find((value) => value !== (defaults[field.name] ?? field.default));
  if (field.kind === "flag") return defaults[field.name] === "true" ? "false" : "true";
  if (field.kind === "amount") return "2GB";
  if (field.kind === "integer")
    return String(
      Number(defaults[field.name] ?? 1) + 1 > field.max
        ? field.min
        : Math.max(
            field.min,
            Number(Number.isNaN(Number(defaults[field.name])) ? 1 : (defaults[field.name] ?? 1)) +
              1,
          ),
    );
  if (field.kind === "real") return field.max <= 1 ? "0.5" : "2";
  return undefined;
}

test("every field changes the query, and every query is shown", async () => {
  const defaults = memfit.decode("").defaults;
  const fields = memfit.fields().filter((field) => otherValue(field, defaults) !== null);
  assert.ok(fields.length > 60);
  await onTwin("lang=en", async (page) => {
    for (const field of fields) {
      const value = otherValue(field, defaults);
      assert.ok(value !== undefined, `no value for ${field.name}`);
      // Shown: a link with it holds it in its control, where it can be seen.
      if (!["lang", "view"].includes(field.name)) {
        await page.evaluate(
          (query) => memfitTwin.show(query),
          `view=plain&lang=en&${field.name}=${value}`,
        );
      }
      const control = page.locator(
        field.name === "task"
          ? `input[name=task][value=${value}]`
          : field.name === "view"
            ? '[data-do="graphical"]'
            : `#f-${field.name}`,
      );
      if (field.name === "view") {
        assert.ok(await control.isVisible());
        continue;
      }
      assert.ok(
        await control.evaluate((element) => !element.closest("[hidden]")),
        `${field.name} is hidden`,
      );
      if (field.name === "task") assert.ok(await control.isChecked());
      else if (field.name !== "lang")
        assert.equal(await control.inputValue(), String(value), field.name);
      assert.ok(
        await control.evaluate(
          (element) => element.labels.length > 0 && element.labels[0].textContent.trim() !== "",
        ),
        `${field.name} has no label`,
      );

      // Changed: from the default to it, in the control.
      await page.evaluate(() => memfitTwin.show("view=plain&lang=en"));
      await control.evaluate((element, value) => {
        if (element.type === "radio") element.checked = true;
        else element.value = value;
        element.dispatchEvent(new Event("input", { bubbles: true }));
        element.dispatchEvent(new Event("change", { bubbles: true }));
      }, value);
      const asked = await queryIn(page);
      assert.equal(
        asked[field.name],
        memfit.decode(memfit.encode({ [field.name]: value })).query[field.name]?.toString(),
        field.name,
      );
    }
  });
});

test("what is refused is said at its field, and the rest goes on", async () => {
  await onTwin("lang=en&batch=2", async (page) => {
    const field = page.getByRole("spinbutton", { name: "Sequence length" });
    await field.fill("0");
    await page.waitForSelector("#e-seq");
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    const described = await field.evaluate((element) =>
      element
        .getAttribute("aria-describedby")
        .split(" ")
        .map((id) => document.getElementById(id).textContent),
    );
    assert.ok(
      described.some((text) =>
        /Sequence length does not take 0; accepted: 1 to 100,000,000/.test(text),
      ),
      described.join(" | "),
    );
    assert.equal(await total(page), gigabytes(memfit.estimate({ batch: 2 }).perDevice.expected));
    await field.fill("8192");
    assert.equal(await page.locator("#e-seq").count(), 0);
    assert.equal(await field.getAttribute("aria-invalid"), null);
    assert.equal(
      await total(page),
      gigabytes(memfit.estimate({ batch: 2, seq: 8192 }).perDevice.expected),
    );
  });
  await onTwin("lang=en&seq=4096&colour=blue", async (page) => {
    assert.ok(await page.getByText("There is no setting “colour”.").isVisible());
  });
});

test("a screen reader hears the new total and verdict once the changes stop", async () => {
  await onTwin("lang=en&device=rtx-4090", async (page) => {
    const live = page.locator("#live");
    assert.equal(await live.getAttribute("role"), "status");
    await page.evaluate(() => {
      window.heard = [];
      new MutationObserver(() => heard.push(document.getElementById("live").textContent)).observe(
        document.getElementById("live"),
        { childList: true, characterData: true, subtree: true },
      );
    });
    await page.getByRole("spinbutton", { name: "Sequence length" }).fill("");
    await page.keyboard.type("16384", { delay: 30 });
    await page.waitForFunction(() => heard.length > 0);
    const report = memfit.estimate({ device: "rtx-4090", seq: 16384 });
    const heard = await page.evaluate(() => heard);
    assert.equal(heard.length, 1, heard.join(" | "));
    assert.ok(
      heard[0]
        .replaceAll("\u00a0", " ")
        .startsWith(`${gigabytes(report.perDevice.expected)} GB per device. `),
      heard[0],
    );
    assert.match(heard[0], /RTX 4090/);
  });
});

test("the keyboard alone reaches and changes everything, and the focus can be seen", async () => {
  await onTwin("lang=en", async (page) => {
    const seen = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const element = /** @type {HTMLElement} */ (document.activeElement);
        const marked = element.matches(".segments input") ? element.nextElementSibling : element;
        return {
          id: element.id || element.dataset.do || element.tagName,
          outline: getComputedStyle(marked).outlineStyle,
          hidden: element.offsetWidth === 0,
        };
      });
      if (at.id === "BODY") break;
      assert.notEqual(at.outline, "none", `${at.id} shows no focus`);
      seen.push(at.id);
    }
    for (const id of [
      "f-units",
      "f-lang",
      "f-theme",
      "copy",
      "f-task-inference",
      "f-model",
      "f-weights",
      "f-seq",
      "f-device",
      "SUMMARY",
      "device-search",
      "all-devices",
    ]) {
      assert.ok(seen.includes(id), `${id} is not reached: ${seen.join(" ")}`);
    }
    // The last Tab may have gone on to the browser's own controls.
    await page.bringToFront();
    await page.locator("#f-task-inference").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("#f-seq").focus();
    await page.keyboard.press("ArrowUp");
    const asked = await queryIn(page);
    assert.equal(asked.task, "full");
    assert.equal(asked.seq, "4097");
    assert.equal(
      await page.evaluate(() => document.activeElement.id),
      "f-seq",
      "the field keeps the focus",
    );
    await page.locator("summary", { hasText: "Model shape" }).focus();
    await page.keyboard.press("Enter");
    assert.ok(await page.getByLabel("KV heads").isVisible());
  });
});

test("without WebGL 2 it is the page, and says so", async () => {
  await onTwin(
    "lang=en&seq=8192",
    async (page) => {
      assert.ok(await page.getByRole("heading", { name: "memfit" }).isVisible());
      assert.equal(await page.locator("canvas").count(), 0);
      assert.ok(await page.getByText(english.texts.noGraphics).isVisible());
      assert.equal(await total(page), gigabytes(memfit.estimate({ seq: 8192 }).perDevice.expected));
      assert.equal(await page.getByRole("button", { name: "Graphical view" }).count(), 0);
      assert.ok(
        !page.requests.some((url) => url.includes("app.wasm")),
        "the canvas's module is not fetched",
      );
      await page.getByRole("spinbutton", { name: "Concurrent requests" }).fill("4");
      await address(page, { concurrency: "4" });
    },
    { plain: false, prepare: noWebGl },
  );
});

test("canvas and twin follow each other", async () => {
  await onTwin(
    "lang=en",
    async (page) => {
      await page.waitForFunction(() => document.getElementById("main").dataset.mode === "canvas");
      await idle(page);
      // From the canvas: the twin behind it is read out with the same numbers.
      await page.evaluate(() => memfitApp.options.onQuery("lang=en&seq=8192", false));
      await page.waitForFunction(
        () => memfitTwin.text === "seq=8192&lang=en" || memfitTwin.text === "lang=en&seq=8192",
      );
      await address(page, { seq: "8192" });
      // From the twin: the canvas shows it.
      await page.getByRole("button", { name: "Simple view" }).click();
      await page.getByRole("spinbutton", { name: "Sequence length" }).fill("2048");
      await address(page, { seq: "2048", view: "plain" });
      const shown = await page.evaluate(() => memfitApp.report().total);
      assert.deepEqual(shown, memfit.estimate({ seq: 2048 }).total);
      // Back and forward: both.
      await page.getByRole("button", { name: "Graphical view" }).click();
      await page.waitForFunction(() => document.getElementById("main").dataset.mode === "canvas");
      await page.goBack();
      await page.waitForFunction(() => document.getElementById("main").dataset.mode === "plain");
      assert.equal(
        await page.getByRole("spinbutton", { name: "Sequence length" }).inputValue(),
        "2048",
      );
    },
    { plain: false },
  );
});

test("what is typed the moment the simple view is chosen is kept", async () => {
  await onTwin(
    "lang=en&seq=8192",
    async (page) => {
      await page.waitForFunction(() => document.getElementById("main").dataset.mode === "canvas");
      await idle(page);
      await page.evaluate(() => {
        document.getElementById("simple").click();
        /** @type {HTMLInputElement} */
        const field = document.querySelector('#twin input[name="seq"]');
        field.value = "2048";
        field.dispatchEvent(new Event("input", { bubbles: true }));
      });
      await address(page, { seq: "2048", view: "plain" });
      // Long enough for whatever was put off.
      await page.waitForTimeout(600);
      assert.deepEqual(await queryIn(page), { lang: "en", seq: "2048", view: "plain" });
      assert.equal(
        await page.evaluate(() => document.getElementById("main").dataset.mode),
        "plain",
      );
      assert.equal(await total(page), gigabytes(memfit.estimate({ seq: 2048 }).perDevice.expected));
    },
    { plain: false },
  );
});

test("with the canvas in front, its answer can be read and nothing unseen takes the focus", async () => {
  await onTwin(
    "lang=en&device=rtx-4090",
    async (page) => {
      await page.waitForFunction(() => document.getElementById("main").dataset.mode === "canvas");
      const canvas = page.getByRole("application");
      assert.equal(await canvas.count(), 1);
      assert.match(await canvas.getAttribute("aria-label"), /simple view/);
      // In the accessibility tree: the answer and the tables, no second set of controls.
      assert.equal(await page.getByRole("table", { name: "Breakdown" }).count(), 1);
      assert.equal(await page.getByRole("combobox").count(), 0);
      const stops = [];
      for (let i = 0; i < 6; i++) {
        await page.keyboard.press("Tab");
        stops.push(
          await page.evaluate(() => document.activeElement.id || document.activeElement.tagName),
        );
        if (stops.at(-1) === "BODY") break;
      }
      assert.deepEqual(stops.slice(0, 2), ["simple", "CANVAS"]);
      assert.ok(
        stops.every((id) => ["simple", "CANVAS", "BODY"].includes(id)),
        stops.join(" "),
      );
    },
    { plain: false },
  );
});

test("a reader who is busy in the twin keeps it when the canvas is ready", async () => {
  await onTwin(
    "lang=en",
    async (page) => {
      assert.equal(
        await page.evaluate(() => document.getElementById("main").dataset.mode),
        "plain",
      );
      assert.equal(
        await page.getByRole("spinbutton", { name: "Sequence length" }).inputValue(),
        "8192",
        "what was typed before counts",
      );
      await address(page, { seq: "8192" });
      await page.getByRole("button", { name: "Graphical view" }).click();
      await page.waitForFunction(() => document.getElementById("main").dataset.mode === "canvas");
    },
    {
      plain: false,
      async prepare(page) {
        let typed;
        const done = new Promise((resolve) => {
          typed = resolve;
        });
        await page.exposeFunction("typedNow", () => typed());
        await page.addInitScript(() => {
          addEventListener("DOMContentLoaded", () => {
            /** @type {HTMLInputElement} */
            const field = document.querySelector("#f-seq");
            field.focus();
            field.value = "8192";
            window.typedNow();
          });
        });
        await page.route("**/app.js*", async (route) => {
          await done;
          await route.continue();
        });
      },
    },
  );
});

test("advice applies itself, and can be taken back", async () => {
  await onTwin("lang=en&device=rtx-4090&model=llama-3.1-70b", async (page) => {
    const [first] = memfit.advise({ model: "llama-3.1-70b", device: "rtx-4090" });
    const table = page.getByRole("table", { name: "Advice" });
    const before = await queryIn(page);
    await table
      .getByRole("button", { name: /^Apply/ })
      .first()
      .click();
    await page.waitForFunction(
      (text) => new URLSearchParams(memfitTwin.text).toString() !== text,
      new URLSearchParams(before).toString(),
    );
    const after = memfit.decode(new URL(page.url()).search).query;
    for (const { key, to } of first.changes) assert.equal(String(after[key]), to, key);
    assert.equal(await total(page), gigabytes(memfit.estimate(after).perDevice.expected));
    await page.goBack();
    await page.waitForFunction(
      (text) => new URLSearchParams(memfitTwin.text).toString() === text,
      new URLSearchParams(before).toString(),
    );
  });
});

test("on paper: the answer, what was asked and the tables, whatever is on the screen", async () => {
  await onTwin(
    "lang=en&device=rtx-4090&seq=8192",
    async (page) => {
      await page.waitForFunction(() => document.getElementById("main").dataset.mode === "canvas");
      await page.emulateMedia({ media: "print" });
      assert.ok(await page.locator(".total").isVisible());
      assert.ok(await page.locator(".settings").getByText("8,192 tokens").isVisible());
      assert.ok(await page.getByRole("table", { name: "Breakdown" }).isVisible());
      for (const gone of ["#memfit", "form", ".tools", ".filter", "#simple"]) {
        assert.equal(await page.locator(gone).isVisible(), false, gone);
      }
      await page.pdf({ path: join(artifacts, "twin.pdf") });
    },
    { plain: false },
  );
});

test("languages: the browser's with auto, its numbers and units, and the page says which", async () => {
  for (const [locale, code] of [
    ["fr-CA", "fr"],
    ["ja-JP", "ja"],
    ["zh-CN", "zh"],
    ["de-DE", "en"],
  ]) {
    const expected = languages.includes(code) ? code : "en";
    await onTwin(
      "seq=8192",
      async (page) => {
        const table = texts(expected);
        assert.equal(
          await page.evaluate(() => document.documentElement.lang),
          { zh: "zh-Hans" }[expected] ?? expected,
        );
        assert.equal(
          await page
            .locator("label[for=f-seq]")
            .evaluate((label) => label.firstChild.textContent.trim()),
          table.labels.seq,
        );
        const bytes = memfit.estimate({ seq: 8192 }).perDevice.expected;
        assert.equal(await total(page), gigabytes(bytes).replace(".", table.numbers.decimal));
        assert.ok((await page.locator(".total .per").textContent()).includes(table.numbers.GB));
      },
      { locale },
    );
  }
});

test("languages: the reader's second one where the first is not spoken, in both views", async () => {
  const prepare = (page) =>
    page.addInitScript(() =>
      Object.defineProperty(navigator, "languages", { value: ["de-DE", "fr-CA"] }),
    );
  await onTwin(
    "",
    async (page) => {
      assert.equal(await page.evaluate(() => document.documentElement.lang), "fr");
      await page.waitForFunction(() => window.memfitApp?.frames > 0);
      assert.equal(await page.locator("#memfit").getAttribute("lang"), "fr");
    },
    { prepare, plain: false },
  );
});

test("copy link", async () => {
  await onTwin(
    "lang=en&seq=8192",
    async (page) => {
      await page.getByRole("button", { name: "Copy link" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(new URL(copied).searchParams.get("seq"), "8192");
    },
    { permissions: ["clipboard-read", "clipboard-write"] },
  );
});

test("copy link: where the clipboard is closed, a field to copy from by hand", async () => {
  await onTwin("lang=en&seq=8192", async (page) => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("closed"));
    });
    await page.getByRole("button", { name: "Copy link" }).click();
    const field = page.getByRole("textbox", { name: english.texts.address });
    assert.equal(new URL(await field.inputValue()).searchParams.get("seq"), "8192");
    const selected = await field.evaluate((area) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    );
    assert.equal(selected, await field.inputValue());
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("dialog"));
    assert.ok(await page.getByRole("button", { name: "Copy link" }).isVisible());
  });
});

test("fingers: targets of 44 pixels, and nothing is wider than the screen", async () => {
  for (const code of languages) {
    await onTwin(
      `lang=${code}&device=rtx-4090`,
      async (page) => {
        const small = await page.evaluate(() => {
          /** @type {NodeListOf<HTMLElement>} */
          const targets = document.querySelectorAll(
            "#twin :is(button, select, summary, input:not([type=radio], [type=checkbox])), #twin .segments label, #twin .check",
          );
          return [...targets]
            .filter(
              (element) => element.offsetWidth > 0 && element.getBoundingClientRect().height < 44,
            )
            .map((element) => element.id || element.textContent);
        });
        assert.deepEqual(small, []);
        const [width, window] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          innerWidth,
        ]);
        assert.equal(width, window, code);
      },
      { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    );
  }
});

test("axe-core finds nothing serious in any language or theme, in either view", async () => {
  const serious = async (page) => {
    // Evaluated as in a console: the page's own policy refuses scripts that are put into it.
    await page.evaluate(axeScript);
    const { violations } = await page.evaluate(() =>
      axe.run(document, { resultTypes: ["violations"] }),
    );
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map((node) => `${node.target} ${node.failureSummary}`)
            .join("; ")}`,
      );
  };
  for (const code of languages) {
    for (const theme of ["light", "dark"]) {
      await onTwin(
        `lang=${code}&theme=${theme}&device=rtx-4090&seq=0&task=lora&tp=2`,
        async (page) => {
          await page.evaluate(() =>
            document.querySelectorAll("details").forEach((details) => (details.open = true)),
          );
          assert.deepEqual(await serious(page), [], `${code} ${theme}`);
        },
      );
    }
  }
  await onTwin(
    "lang=en",
    async (page) => {
      await page.waitForFunction(() => document.getElementById("main").dataset.mode === "canvas");
      assert.deepEqual(await serious(page), []);
    },
    { plain: false },
  );
});

test("it asks nobody but its own server", async () => {
  await onTwin("lang=en", async (page) => {
    await page.getByRole("spinbutton", { name: "Sequence length" }).fill("2048");
    const foreign = page.requests.filter(
      (url) => !url.startsWith(server.origin) && !url.startsWith("data:"),
    );
    assert.deepEqual(foreign, []);
  });
});

test("pictures of the twin for people to look at", async () => {
  for (const code of languages) {
    for (const theme of ["light", "dark"]) {
      const small = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
      for (const { name, options } of [
        { name: "wide", options: {} },
        { name: "phone", options: { ...small, hasTouch: true, isMobile: true } },
      ]) {
        await onTwin(
          `lang=${code}&theme=${theme}&device=rtx-4090&seq=8192&concurrency=8&engine=vllm`,
          async (page) => {
            const picture = await page.screenshot({
              path: join(artifacts, `twin-${code}-${theme}-${name}.png`),
            });
            assert.ok(picture.length > 10000);
          },
          options,
        );
      }
    }
  }
});
