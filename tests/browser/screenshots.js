// memfit - SPDX-License-Identifier: Apache-2.0
//
// Pictures of the whole page for people to look at: every tab, the plain twin and what goes wrong, in every
// size, pixel ratio, theme and language, into build/artifacts/screens, and sheets of four.
//
//   bash tests/run.sh screenshots [WORD=VALUE[,VALUE...]...] [long]
//
// lang=fr size=390x844 ratio=1 theme=dark state=map,advice make only those. A state at 390 pixels is shown from
// its first line to its last; `long` does so at every size.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { artifacts, idle, launch, newPage, open, serve } from "./browser.js";

const fits = "model=llama-3.1-8b&device=rtx-4090&seq=8192";
/**
 * Name, query, and how it is looked at.
 *
 * @type {[string, string, { tab?: string, keep?: string }?][]}
 */
const looks = [
  ["devices", fits],
  ["breakdown", fits],
  ["map", fits],
  ["methods", fits],
  ["advice", "model=llama-3.1-70b&device=rtx-4090"],
  ["model", "model=deepseek-v3&device=h200-141&count=8&tp=8"],
  ["compare", `${fits}&weights=q4_k_m&kv=q8_0`, { keep: fits }],
  ["twin", `${fits}&view=plain`],
  [
    "training",
    "model=llama-3.1-8b&task=full&device=h100-80-sxm&count=8&zero=3&seq=8192",
    { tab: "breakdown" },
  ],
  ["none-fits", "params=100000&device=rtx-4090", { tab: "devices" }],
  [
    "notices",
    "params=7&method=pai&seq=many&batch=0&nonsense=1&device=rtx-4090",
    { tab: "devices" },
  ],
  ["error", "model=custom", { tab: "devices" }],
];
const states = looks.map(([name, query, how]) => ({ name, query, tab: name, keep: "", ...how }));

const choices = {
  size: ["1280x800", "1920x1080", "390x844"],
  ratio: ["1", "2"],
  lang: ["en", "ja", "fr", "zh"],
  theme: ["light", "dark"],
  state: states.map(({ name }) => name),
};
const wanted = { ...choices };
let long = false;
for (const word of process.argv.slice(2)) {
  const [key, values] = word.split("=");
  if (key === "long") long = true;
  else {
    const known = choices[key.toLowerCase()];
    assert.ok(known, `unknown word '${word}': ${Object.keys(choices).join(", ")} (=...) or long`);
    wanted[key.toLowerCase()] = values.split(",");
    for (const value of values.split(","))
      assert.ok(known.includes(value), `${key}: ${known.join(", ")}`);
  }
}
const tallest = 6000;

const folder = join(artifacts, "screens");
// What is made again replaces what was there; the rest stays when only a part is asked for.
if (process.argv.length === 2) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const [browser, server] = await Promise.all([launch(), serve()]);
const start = Date.now();
const total = Object.values(wanted).reduce((product, values) => product * values.length, 1);
let done = 0;
let shownLanguage;

async function show(page, { query, tab, keep }, lang, theme) {
  const look = `&lang=${lang}&theme=${theme}`;
  const ask = (query) =>
    page.evaluate((query) => {
      history.replaceState(null, "", `?${query}`);
      dispatchEvent(new PopStateEvent("popstate"));
    }, query);
  if (keep) {
    await ask(keep + look);
    await idle(page, 100);
    await page.evaluate(() => memfitApp.keep());
  }
  await ask(query + look);
  await page.evaluate((tab) => memfitApp.showTab(tab), tab);
  await page.waitForFunction((lang) => document.documentElement.lang.startsWith(lang), lang);
  if (shownLanguage !== lang) {
    // Its words and its font are on the way.
    shownLanguage = lang;
    await page.waitForLoadState("networkidle");
    await idle(page, 500);
  }
  await idle(page, 120);
}

/** The height that shows everything, at most the tallest. */
const heightOf = (page) =>
  page.evaluate((tallest) => {
    const canvas = document.getElementById("main").dataset.mode === "canvas";
    const height = canvas
      ? parseFloat(document.getElementById("memfit").style.minHeight)
      : document.getElementById("twin").scrollHeight;
    return Math.min(Math.ceil(height), tallest);
  }, tallest);

/** Pictures side by side, as many in a row as can be read. */
async function sheet(name, pictures, width) {
  const columns = width < 600 ? 4 : 2;
  const page = await newPage(browser, {
    viewport: { width: columns === 4 ? columns * 410 + 20 : 1640, height: 400 },
  });
  // A file, so that it may show files.
  const path = join(folder, "sheet.html");
  const figures = pictures.map(
    (picture) => `<figure><figcaption>${picture}</figcaption><img src="${picture}.png"></figure>`,
  );
  writeFileSync(
    path,
    `<!doctype html><meta charset="utf-8"><style>
      body { margin: 10px; background: #888; font: 14px sans-serif; }
      main { display: grid; grid-template-columns: repeat(${columns}, 1fr); gap: 12px; align-items: start; }
      figure { margin: 0; } figcaption { padding: 2px 0; } img { width: 100%; display: block; }
    </style><main>${figures.join("")}</main>`,
  );
  await page.goto(pathToFileURL(path).href);
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  await page.screenshot({ path: join(folder, `sheet-${name}.png`), fullPage: true });
  await page.context().close();
  rmSync(path);
}

for (const size of wanted.size) {
  const [width, height] = size.split("x").map(Number);
  const phone = width < 600;
  const viewport = { width, height };
  for (const ratio of wanted.ratio) {
    const page = await newPage(browser, {
      viewport,
      deviceScaleFactor: Number(ratio),
      ...(phone && { hasTouch: true, isMobile: true }),
    });
    await open(page, server.origin, `lang=${wanted.lang[0]}&${fits}`);
    shownLanguage = wanted.lang[0];
    for (const lang of wanted.lang) {
      for (const theme of wanted.theme) {
        const pictures = [];
        for (const state of states.filter(({ name }) => wanted.state.includes(name))) {
          const name = `${lang}-${size}-${ratio}x-${theme}-${state.name}`;
          await page.setViewportSize(viewport);
          await show(page, state, lang, theme);
          if (phone || long) {
            await page.setViewportSize({ width, height: Math.max(height, await heightOf(page)) });
            await idle(page, 120);
          }
          await page.screenshot({ path: join(folder, `${name}.png`) });
          pictures.push(name);
          done++;
        }
        const most = 4;
        for (let first = 0; first < pictures.length; first += most) {
          const part = pictures.length > most ? `-${first / most + 1}` : "";
          await sheet(
            `${lang}-${size}-${ratio}x-${theme}${part}`,
            pictures.slice(first, first + most),
            width,
          );
        }
        const seconds = (Date.now() - start) / 1000;
        console.log(
          `${done} of ${total}: ${lang} ${size} ${ratio}x ${theme}; ${Math.ceil((seconds / done) * (total - done))} s to go`,
        );
      }
    }
    if (page.problems.length > 0)
      console.log(`the page said: ${[...new Set(page.problems)].join("; ")}`);
    await page.context().close();
  }
}
await browser.close();
await server.close();
console.log(`${done} pictures in ${folder}`);
