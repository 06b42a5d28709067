// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain twin beside the canvas: one state, whatever view it is changed in; its compact form; and what
// it says in each language.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { artifacts, launch, newPage, serve, site } from "./browser.js";

const { load } = await import(pathToFileURL(join(site, "memfit.js")).href);
const memfit = await load();
const texts = (code) => JSON.parse(readFileSync(join(site, `texts-${code}.json`), "utf8"));
const languages = Object.keys(texts("en").languages);
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

async function onPage(query, use, options = {}) {
  const page = await newPage(browser, options);
  try {
    await options.prepare?.(page);
    await page.goto(`${server.origin}/?${query}`);
    await page.waitForFunction(() => window.memfitTwin);
    await use(page);
    assert.deepEqual(page.problems, []);
  } finally {
    await page.context().close();
  }
}

const mode = (page, wanted) =>
  page.waitForFunction((wanted) => document.getElementById("main").dataset.mode === wanted, wanted);
const shown = (page) => page.locator(".total .value").textContent();
const gigabytes = (report) => (report.perDevice.expected / 1e9).toFixed(1);

// A Llama of 2 layers, small enough to tell from any other.
const config = JSON.stringify({
  model_type: "llama",
  hidden_size: 2048,
  num_hidden_layers: 2,
  num_attention_heads: 16,
  num_key_value_heads: 16,
  intermediate_size: 8192,
  vocab_size: 128000,
  tie_word_embeddings: false,
});
const wider = config.replace('"num_hidden_layers":2', '"num_hidden_layers":40');

test("a config.json given in either view is the other's too, and stays through switching, history and reload", async () => {
  const own = gigabytes(memfit.estimate({ config, seq: 8192 }));
  assert.notEqual(own, gigabytes(memfit.estimate({ seq: 8192 })));
  await onPage("lang=en&view=plain&seq=8192", async (page) => {
    // Pasted into the twin: the canvas has it.
    await page
      .locator("details", { has: page.locator("#f-config") })
      .evaluate((details) => (details.open = true));
    await page.locator("#f-config").fill(config);
    await page.locator("#f-seq").focus();
    await page.waitForFunction(
      (own) => document.querySelector(".total .value").textContent === own,
      own,
    );
    await page.getByRole("button", { name: "Graphical view" }).click();
    await mode(page, "canvas");
    assert.equal(await page.evaluate(() => memfitApp.config()), config);
    assert.equal(gigabytes(await page.evaluate(() => memfitApp.report())), own);

    // Pasted onto the canvas: the twin has it.
    await page.locator("canvas").evaluate((canvas, text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      // Set by hand: Firefox gives the events that scripts make an empty clipboard of its own.
      const paste = Object.defineProperty(new Event("paste", { bubbles: true }), "clipboardData", {
        value: data,
      });
      canvas.parentElement.dispatchEvent(paste);
    }, wider);
    await page.waitForFunction(
      () => JSON.parse(memfitApp.config() || "{}").num_hidden_layers === 40,
    );
    await page.getByRole("button", { name: "Simple view" }).click();
    await mode(page, "plain");
    await page.waitForFunction(() =>
      /"num_hidden_layers": ?40/.test(document.querySelector("textarea").value),
    );
    const forty = gigabytes(memfit.estimate({ config: wider, seq: 8192 }));
    assert.equal(await shown(page), forty);

    // Another change of the twin keeps it in both; so does a reload.
    await page.locator("#f-seq").fill("4096");
    await page.waitForFunction(
      () => memfitApp.query().includes("view=plain") && !memfitApp.query().includes("seq=8192"),
    );
    assert.match(await page.evaluate(() => memfitApp.config()), /"num_hidden_layers": ?40/);
    await page.waitForFunction(
      () =>
        /num_hidden_layers/.test(history.state?.config ?? "") &&
        !location.search.includes("seq=8192"),
    );
    await page.reload();
    await page.waitForFunction(() => window.memfitTwin);
    assert.equal(await shown(page), gigabytes(memfit.estimate({ config: wider, seq: 4096 })));

    // A model that is named takes its place, in both.
    await page.getByRole("combobox", { name: "Model", exact: true }).fill("qwen2.5-7b");
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      (own) => document.querySelector(".total .value").textContent === own,
      gigabytes(memfit.estimate({ model: "qwen2.5-7b" })),
    );
    await page.getByRole("button", { name: "Graphical view" }).click();
    await mode(page, "canvas");
    assert.equal(await page.evaluate(() => memfitApp.config()), "");
  });
});

test("a compact view that is left for the simple one is compact again afterwards", async () => {
  await onPage("lang=en&view=compact&seq=8192", async (page) => {
    await mode(page, "canvas");
    await page.getByRole("button", { name: "Simple view" }).click();
    await mode(page, "plain");
    await page.getByRole("button", { name: "Graphical view" }).click();
    await mode(page, "canvas");
    await page.waitForFunction(
      () => new URLSearchParams(location.search).get("view") === "compact",
    );
  });
});

const noWebGl = (page) =>
  page.addInitScript(() => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (type, ...rest) {
      return type.startsWith("webgl") ? null : getContext.call(this, type, ...rest);
    };
  });

test("compact: the answer and the main controls; everything else when it is asked for", async () => {
  for (const code of languages) {
    await onPage(
      `lang=${code}&view=compact&device=rtx-4090`,
      async (page) => {
        const visible = () =>
          page.evaluate(() => {
            /** @type {NodeListOf<HTMLInputElement>} */
            const controls = document.querySelectorAll("#twin .field [name]");
            return [...controls]
              .filter((control) => control.closest(".field").getBoundingClientRect().height > 0)
              .map(({ name }) => name);
          });
        assert.deepEqual(
          [...new Set(await visible())],
          ["task", "model", "seq", "device", "count"],
        );
        assert.ok(await page.locator(".verdict").isVisible());
        assert.equal(await page.locator(".tables").isVisible(), false);
        const [width, height, window] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.getElementById("twin").offsetHeight,
          innerWidth,
        ]);
        assert.equal(width, window, code);
        assert.ok(height < 760, `${code}: ${height} pixels high`);
        await page.screenshot({ path: join(artifacts, `twin-compact-${code}.png`) });
        const more = page.getByRole("button", { name: texts(code).texts.expand });
        assert.equal(await more.getAttribute("aria-expanded"), "false");
        await more.focus();
        await page.keyboard.press("Enter");
        assert.equal(await more.getAttribute("aria-expanded"), "true");
        assert.ok(await page.locator(".tables").isVisible());
        assert.ok((await visible()).includes("batch"));
        assert.equal(
          await page.locator(":focus").getAttribute("data-do"),
          "expand",
          "the button keeps the focus",
        );
      },
      { viewport: { width: 390, height: 844 }, prepare: noWebGl },
    );
  }
});

test("axe-core finds nothing serious in the compact form", async () => {
  for (const theme of ["light", "dark"]) {
    await onPage(
      `lang=ja&theme=${theme}&view=compact&device=rtx-4090`,
      async (page) => {
        await page.evaluate(axeScript);
        const { violations } = await page.evaluate(() =>
          axe.run(document, { resultTypes: ["violations"] }),
        );
        assert.deepEqual(
          violations
            .filter(({ impact }) => impact === "serious" || impact === "critical")
            .map(({ id, nodes }) => `${id}: ${nodes[0].target}`),
          [],
        );
      },
      { prepare: noWebGl },
    );
  }
});

test("every control has a role and a name, in every language", async () => {
  for (const code of languages) {
    await onPage(`lang=${code}&view=plain&device=rtx-4090&task=lora&tp=2`, async (page) => {
      await page.evaluate(() =>
        document.querySelectorAll("details").forEach((details) => (details.open = true)),
      );
      // One line a node, as `- button "Copy link"`, in quotes of its own where a name has a colon.
      const lines = (await page.locator("body").ariaSnapshot())
        .split("\n")
        .map((line) => /^ *- '?([a-z]+)( ["/])?/.exec(line));
      const roles = [
        "button",
        "textbox",
        "searchbox",
        "combobox",
        "spinbutton",
        "checkbox",
        "radio",
        "link",
        "table",
        "region",
      ];
      const controls = lines.filter((line) => line && roles.includes(line[1]));
      assert.ok(controls.length > 60, `${code}: ${controls.length}`);
      assert.deepEqual(
        controls.filter(([, , name]) => !name).map(({ input }) => input),
        [],
        code,
      );
      // As HTML names the language, on the page and on the twin.
      const tag = { zh: "zh-Hans" }[code] ?? code;
      assert.equal(await page.evaluate(() => document.documentElement.lang), tag);
      assert.equal(await page.locator("#twin").getAttribute("lang"), tag);
    });
  }
});

test("the new total is announced in the language", async () => {
  for (const code of languages) {
    await onPage(`lang=${code}&view=plain&device=rtx-4090`, async (page) => {
      const { texts: words, numbers } = texts(code);
      await page.evaluate(() => {
        window.heard = [];
        new MutationObserver(() => heard.push(document.getElementById("live").textContent)).observe(
          document.getElementById("live"),
          { childList: true, characterData: true, subtree: true },
        );
      });
      await page.locator("#f-seq").fill("16384");
      await page.waitForFunction(() => heard.length > 0);
      const report = memfit.estimate({ device: "rtx-4090", seq: 16384 });
      const amount = `${gigabytes(report).replace(".", numbers.decimal)}\u00a0${numbers.GB}`;
      const [heard] = await page.evaluate(() => heard);
      assert.ok(heard.startsWith(words.perDevice.replace("{0}", amount)), heard);
      assert.match(heard, /RTX 4090/);
    });
  }
});
