// memfit - SPDX-License-Identifier: Apache-2.0
//
// The page: the canvas and its plain twin, which show the same query, and the address bar, which always
// holds it. The twin is there from the start, for the site's builder wrote it into the page. The canvas
// takes its place when it has drawn, unless the reader asks for the twin (view=plain), uses it already,
// or the browser has no WebGL 2.

// Browsers refuse too many history calls (Safari: 100 in 30 s), and a slider makes one a frame.
const writeDelay = 400;

const files = window.memfitFiles ?? {};
const textFiles = JSON.parse("@text-files@");
const element = (id) => document.getElementById(id);
// The first of the reader's languages that the page speaks, for both views.
const language =
  navigator.languages
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((code) => code in textFiles) ?? "en";
const [main, container, twinRoot, simple, live, status] = [
  "main",
  "memfit",
  "twin",
  "simple",
  "live",
  "status",
].map(element);

const queryOf = (url) => url.search.slice(1);
const urlOf = (query) => {
  const url = new URL(location.href);
  url.search = query;
  return url.href;
};

let app = null;
let twin = null;
let current = queryOf(location);
// A config.json on show: part of what is asked, and of the page's history, but of no address.
let config = history.state?.config;
let viewBefore = ""; // the one that the simple view stands in for
let texts = null; // of the language in use
let inUse = false; // the reader was busy in the twin when the canvas came
let graphics = hasWebGl2();

/**
 * Does something once nobody has asked for it for a while: ask(work), stop(). A drag asks with every frame, which
 * costs it a clock reading instead of a timer.
 */
function atRest(delay) {
  /** @type {ReturnType<typeof setTimeout> | 0} */
  let timer = 0;
  let due = 0;
  let wanted;
  const look = () => {
    const left = due - performance.now();
    timer = wanted && left > 0 ? setTimeout(look, left) : 0;
    if (timer) return;
    const work = wanted;
    wanted = undefined;
    work?.();
  };
  return {
    ask(work) {
      wanted = work;
      due = performance.now() + delay;
      timer ||= setTimeout(look, delay);
    },
    stop() {
      wanted = undefined;
    },
  };
}

const writing = atRest(writeDelay);
let written = { query: current, config };
function writeUrl(step) {
  writing.stop();
  const query = current;
  const state = { config };
  const write = () => {
    if (query === written.query && state.config === written.config) return;
    written = { query, config: state.config };
    // Refused in sandboxed frames and for file: addresses. The page works all the same.
    try {
      history[step ? "pushState" : "replaceState"](state, "", urlOf(query));
    } catch {}
  };
  if (step) write();
  else writing.ask(write);
}

function hasWebGl2() {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return Boolean(context);
}

const view = { of: undefined, name: "" }; // read once a query
function viewOf() {
  if (view.of !== current)
    Object.assign(view, { of: current, name: new URLSearchParams(current).get("view") ?? "" });
  return view.name;
}
const wantsPlain = () => viewOf() === "plain";
// All that is asked, for the canvas.
const asked = () =>
  config
    ? JSON.stringify({ ...Object.fromEntries(new URLSearchParams(current)), config })
    : `?${current}`;

// Exactly one of the two can be operated. Behind the canvas the twin stays readable, without its controls.
function chooseView() {
  const canvas = Boolean(app) && !wantsPlain() && !inUse;
  if (!wantsPlain()) viewBefore = viewOf();
  main.dataset.mode = canvas ? "canvas" : "plain";
  simple.hidden = !canvas;
  twin?.setMirror(canvas);
  if (graphics && !app && !wantsPlain() && twin) startCanvas();
}

/** The query was changed by "app", "twin", "page" or "address"; the others follow. */
function changed(query, from, step = false) {
  current = query;
  if (from !== "app") app?.setQuery(asked());
  if (from !== "twin") twin?.show(query, config);
  if (from !== "address") writeUrl(step);
  chooseView();
}

function setView(view) {
  const query = new URLSearchParams(current);
  if (view) query.set("view", view);
  else query.delete("view");
  inUse = false;
  // Who asks for the canvas by a button of the twin is not busy there.
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  if (view !== "plain") active?.blur();
  // The address of a view is one to come back from.
  changed(query.toString(), "page", true);
  if (view === "plain") twinRoot.querySelector("h1").focus();
  else startCanvas().then(() => app?.canvas.focus({ preventScroll: true }));
}

/** The file of a language's texts, once for both views. */
const textBytes = {};
function loadTextBytes(code) {
  const name = textFiles[code];
  const fetched = async () => {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  };
  textBytes[code] ??= files[name] ? Promise.resolve(files[name]) : fetched();
  // What failed may be asked for again.
  textBytes[code].catch(() => delete textBytes[code]);
  return textBytes[code];
}

async function loadTexts(code) {
  return JSON.parse(new TextDecoder().decode(await loadTextBytes(code)));
}

// ---- The canvas.

let starting = null;
function startCanvas() {
  starting ??= (async () => {
    try {
      const { start } = await import("./app.js");
      app = await start(container, {
        files,
        loadTexts: loadTextBytes,
        query: config ? asked() : current,
        language,
        onQuery(query, step) {
          if (app) config = app.config() || undefined;
          changed(query, "app", step);
        },
        onPlainView: () => setView("plain"),
        pageUrl: urlOf,
        label: texts?.say("canvas") ?? document.title,
        minHeight: "100vh",
        onLost: (lost) => {
          status.textContent = lost ? (texts?.say("graphicsLost") ?? "") : "";
        },
      });
      // For scripts in the page, and for tests: report(), query(), setQuery(text), showTab(name), frames, destroy().
      window.memfitApp = app;
    } catch (error) {
      graphics = false;
      console.info(`memfit: no graphical view: ${error.message}`);
    }
    inUse = twinRoot.contains(document.activeElement);
    twin?.setGraphics(graphics);
    chooseView();
  })();
  return starting;
}

// ---- The twin. It asks the canvas's module, where there is one; otherwise one without a canvas.

const functions = [
  "estimate",
  "compare",
  "fit",
  "advise",
  "sweep",
  "encode",
  "decode",
  "models",
  "devices",
  "fields",
];
const throughApp = () =>
  Object.fromEntries(functions.map((fn) => [fn, (...args) => app.call(fn, args)]));

async function startTwin() {
  const [{ createTwin }, tables] = await Promise.all([import("./twin.js"), loadTexts("en")]);
  if (graphics && !wantsPlain()) await startCanvas();
  const memfit = app ? throughApp() : await (await import("./memfit.js")).load();
  twin = await createTwin(twinRoot, {
    memfit,
    tables,
    text: current,
    config,
    language,
    loadTexts,
    live,
    atRest,
    pageUrl: urlOf,
    loadModels: app && (() => app.loadModels()),
    onQuery(query, step, given) {
      config = given;
      changed(query, "twin", step);
    },
    onGraphical: () => setView(viewBefore),
    onModelFile: (name, bytes) => app?.modelFile(name, bytes),
    onLanguage(code, t) {
      texts = t;
      document.documentElement.lang = t.tag;
      simple.textContent = t.say("simpleView");
      app?.canvas.setAttribute("aria-label", t.say("canvas"));
    },
  });
  twin.setGraphics(graphics);
  if (!graphics) status.textContent = texts.say("noGraphics");
  chooseView();
  window.memfitTwin = twin;
}

// Without a network the page works from the service worker's copies. It comes last: its downloads must not
// hold up the first picture.
function keepOffline() {
  if (!navigator.serviceWorker || !["http:", "https:"].includes(location.protocol)) return;
  navigator.serviceWorker.register("sw.js").catch(() => {});
}

simple.addEventListener("click", () => setView("plain"));
const follow = () => {
  writing.stop();
  config = history.state?.config;
  written = { query: queryOf(location), config };
  changed(written.query, "address");
};
addEventListener("popstate", follow);
addEventListener("hashchange", follow);

startTwin()
  .then(keepOffline)
  .catch((error) => {
    const message = texts?.say("failed", error.message) ?? error.message;
    status.textContent = message;
    console.error(error);
  });
