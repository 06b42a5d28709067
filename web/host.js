// memfit - SPDX-License-Identifier: Apache-2.0
//
// The page's side of the canvas: owns every DOM listener, hands events to the platform backend
// (src/app/platform/imgui_impl_web.h) and draws a frame when something has happened, and only then.
// Appended to app.js by the linker, after `createMemfitApp`, the module's factory. assemble.mjs then puts in
// what is imported here.
//
//   const app = await start(container, { query, onQuery, ... });   // see startOptions below
//   app.destroy();                                                  // leaves no listener behind
//
// The container becomes as tall as the content; a stage inside it stays in view (position: sticky) and
// shows the part that scrolls by. So the page's own scrolling moves the content, wheel and touch with
// their momentum included, and the canvas is never larger than the window.

import { chooseModelFile, copyText, headOf } from "./browser.js";

/* global createMemfitApp */

const startOptions = {
  query: "", // URL text, without "?"
  onQuery: () => {}, // called with the URL text of every change made on the canvas, and whether it is a step
  language: navigator.language, // the reader's, where the query names none
  pageUrl: () => location.href, // what "copy link" copies
  onPlainView: () => {}, // the reader asks for the plain view
  onLost: () => {}, // true: the GL context is gone; false: it is back
  label: "memfit", // of the canvas, for screen readers
  minHeight: "480px", // of the canvas, where the content is lower: lists that drop down need room
  loadTexts: null, // gives the bytes of texts-LANGUAGE.json; by default they are fetched
  baseUrl: new URL(".", import.meta.url).href, // where app.wasm and the fonts lie
  files: {}, // what need not be fetched: { "app.wasm": Uint8Array, ... }
};

// ImGuiMouseCursor, in its order; -1 is "none".
const cursors = [
  "default",
  "text",
  "move",
  "ns-resize",
  "ew-resize",
  "nesw-resize",
  "nwse-resize",
  "pointer",
  "wait",
  "progress",
  "not-allowed",
];
// Languages whose signs are not in the face that is compiled in.
const languageFaces = ["ja", "zh"];
const pointerSources = { mouse: 0, touch: 1, pen: 2 };
// One notch of a mouse wheel in the three units that browsers report.
const wheelNotch = [100, 3, 1];

export async function start(container, options = {}) {
  const host = new Host(container, { ...startOptions, ...options });
  try {
    await host.load();
  } catch (error) {
    host.destroy();
    throw error;
  }
  return host;
}

/** The functions of memfit.js from the same module, without a canvas. */
export async function estimatorOf(options = {}) {
  const host = new Host(document.createElement("div"), { ...startOptions, ...options });
  await host.loadModule();
  const call =
    (fn) =>
    (...args) =>
      host.call(fn, args);
  return new Proxy({}, { get: (_, fn) => (fn === "then" ? undefined : call(fn)) });
}

class Host {
  constructor(container, options) {
    this.container = container;
    this.options = options;
    options.loadTexts ??= (language) => this.file(`texts-${language}.json`);
    this.module = null;
    this.heap = null; // gives the module's memory; set by host_library.js
    this.models = null; // the whole catalogue, once it was asked for
    this.listeners = new AbortController();
    this.observers = [];
    this.animationFrame = 0;
    this.settle = false;
    this.inView = true;
    this.lost = false;
    this.focused = false;
    this.textWanted = false;
    this.composing = false;
    this.touchOwned = false;
    this.step = false;

    this.stage = document.createElement("div");
    this.stage.className = "memfit-stage";
    Object.assign(this.stage.style, {
      position: "sticky",
      top: "0",
      overflow: "hidden",
      height: "100vh",
    });

    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", options.label);
    Object.assign(this.canvas.style, {
      display: "block",
      width: "100%",
      height: "100%",
      outline: "none",
      touchAction: "pan-y pinch-zoom",
    });

    // What text goes through: input methods, dead keys and soft keyboards work on a real field only.
    // 16 px, or iOS zooms into it.
    this.agent = document.createElement("input");
    Object.assign(this.agent, {
      type: "text",
      tabIndex: -1,
      autocomplete: "off",
      spellcheck: false,
    });
    this.agent.setAttribute("autocapitalize", "off");
    this.agent.setAttribute("aria-label", "memfit");
    Object.assign(this.agent.style, {
      position: "absolute",
      width: "1px",
      height: "1px",
      padding: "0",
      border: "0",
      outline: "0",
      opacity: "0",
      font: "16px sans-serif",
      pointerEvents: "none",
    });
    this.stage.append(this.canvas, this.agent);
    container.append(this.stage);
  }

  async loadModule() {
    // In backticks, for assemble.mjs adds the digest to quoted names of files.
    const wasmBinary = this.options.files[`app.wasm`];
    this.module = await createMemfitApp({
      host: this,
      locateFile: (name) => new URL(name, this.options.baseUrl).href,
      ...(wasmBinary && { wasmBinary }),
    });
    this.module._memfitAttach();
  }

  async load() {
    await this.loadModule();
    const { query, language } = this.options;
    if (!this.withTexts([query, language], this.module._memfitStart)) {
      throw new Error("WebGL 2 is missing");
    }
    // The first picture is in the reader's language.
    await this.language;
    if (!this.module) return;
    this.module._ImGui_ImplWeb_SetApple(/Mac|iPhone|iPad/.test(navigator.platform) ? 1 : 0);
    this.listen();
    this.measure();
    this.updateSurface();
    this.drawNow();
  }

  // ---- What the embedding page may call.

  /** Detaches everything and removes the canvas. */
  destroy() {
    this.listeners.abort();
    for (const observer of this.observers) observer.disconnect();
    cancelAnimationFrame(this.animationFrame);
    this.animationFrame = 0;
    this.module?._memfitStop();
    this.module = null;
    this.context?.getExtension("WEBGL_lose_context")?.loseContext();
    this.stage.remove();
    this.container.style.minHeight = "";
  }

  /** Frames drawn since the start. */
  get frames() {
    return this.module ? this.module._memfitFramesDrawn() : 0;
  }

  /** The Report of what is on show. */
  report() {
    return JSON.parse(this.text(this.module._memfitReport()));
  }

  /** The query on show, as URL text. */
  query() {
    return this.text(this.module._memfitQuery());
  }

  /** The config.json on show, which no URL carries; "" when there is none. */
  config() {
    return this.text(this.module._memfitConfig());
  }

  /** Shows another query, given as URL text, or as JSON where it has a config.json. */
  setQuery(query) {
    this.withTexts([query], this.module._memfitSetQuery);
    this.wake();
  }

  /** Brings a tab to the front: "devices", "breakdown", "map", "methods", "advice", "model" or "compare". */
  showTab(name) {
    this.withTexts([name], this.module._memfitShowTab);
    this.wake();
  }

  /** Keeps the question on show, to compare the next with it. */
  keep() {
    this.module._memfitKeep();
    this.wake();
  }

  /** A function of memfit.js by name: call("estimate", [query]); throws what the module answers as error. */
  call(fn, args) {
    const request = JSON.stringify({ fn, args });
    const answer = JSON.parse(
      this.withTexts([request], (text) => this.text(this.module._memfitCall(text))),
    );
    if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error);
    return answer.ok;
  }

  /** Draws as soon as the browser shows the next frame. */
  wake() {
    this.settle = true;
    this.schedule();
  }

  // ---- Frames.

  schedule() {
    if (this.animationFrame || !this.module || !this.inView || this.lost || document.hidden) return;
    this.animationFrame = requestAnimationFrame((now) => {
      this.animationFrame = 0;
      this.draw(now);
    });
  }

  draw(now) {
    if (!this.module || this.lost || !this.canvas.width || !this.canvas.height) return;
    const settle = this.settle ? 1 : 0;
    this.settle = false;
    const more = this.module._memfitFrame(now, settle);
    this.syncAgent();
    if (more) this.schedule();
  }

  /** Inside an event's handler: where browsers allow copying, opening the soft keyboard, ... */
  drawNow(times = 1) {
    this.settle = true;
    for (let i = 0; i < times; i++) this.draw(performance.now());
  }

  // ---- Listeners. All of them carry the same signal, so none survives destroy().

  on(target, type, handler, options = {}) {
    target.addEventListener(type, handler, { ...options, signal: this.listeners.signal });
  }

  listen() {
    const { canvas, agent, stage } = this;

    const resize = new ResizeObserver((entries) => {
      this.measure(entries[entries.length - 1]);
      this.updateSurface();
      this.drawNow();
    });
    // Where the browser knows the exact size in device pixels, it is asked for that one.
    try {
      resize.observe(canvas, { box: "device-pixel-content-box" });
    } catch {
      resize.observe(canvas);
    }
    this.observers.push(resize);
    this.watchPixelRatio();

    const view = new IntersectionObserver((entries) => {
      this.inView = entries[entries.length - 1].isIntersecting;
      if (this.inView) {
        this.updateSurface();
        this.wake();
      }
    });
    view.observe(canvas);
    this.observers.push(view);

    for (const query of [
      "(prefers-color-scheme: dark)",
      "(prefers-reduced-motion: reduce)",
      "(pointer: coarse)",
    ]) {
      this.on(matchMedia(query), "change", () => {
        this.updateSurface();
        this.wake();
      });
    }
    // Captured, so that any scrolling ancestor counts; passive, so that scrolling waits for nothing.
    this.on(
      document,
      "scroll",
      () => {
        if (this.updateSurface()) this.wake();
      },
      { capture: true, passive: true },
    );
    this.on(document, "visibilitychange", () => {
      if (document.hidden) this.setFocus(false);
      else this.wake();
    });

    this.on(canvas, "webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
      this.module._memfitContextLost();
      this.options.onLost(true);
    });
    this.on(canvas, "webglcontextrestored", () => {
      this.lost = false;
      this.module._memfitContextRestored();
      this.options.onLost(false);
      this.drawNow(2);
    });

    this.on(stage, "focusin", () => this.setFocus(true));
    this.on(stage, "focusout", (event) => {
      if (!stage.contains(event.relatedTarget)) this.setFocus(false);
    });

    this.listenPointer();
    for (const target of [canvas, agent]) {
      this.on(target, "keydown", (event) => this.key(event, true));
      this.on(target, "keyup", (event) => this.key(event, false));
    }
    this.listenText();
    this.listenClipboard();
    this.listenDrop();
  }

  setFocus(focused) {
    if (focused === this.focused) return;
    this.focused = focused;
    this.module._ImGui_ImplWeb_OnFocus(focused ? 1 : 0);
    this.wake();
  }

  // ---- Size, place, and what the reader's system prefers.

  measure(entry) {
    const box = entry?.devicePixelContentBoxSize?.[0];
    const rect = this.canvas.getBoundingClientRect();
    // The exact size differs from the rounded one by a pixel at most; where a browser emulates another
    // pixel ratio, the box may stay at the true one and is of no use.
    const pixels = (exact, css) => {
      const rounded = Math.round(css * devicePixelRatio);
      return exact !== undefined && Math.abs(exact - rounded) <= 1 ? exact : rounded;
    };
    const width = pixels(box?.inlineSize, rect.width);
    const height = pixels(box?.blockSize, rect.height);
    // Setting the size clears the canvas, so only when it differs.
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    this.module._memfitSetSize(rect.width, rect.height, width, height);
  }

  // Zoom and other monitors change the ratio without any resize event in some browsers. The query names
  // the ratio of now, so it is made anew after each change.
  watchPixelRatio() {
    const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    this.on(
      query,
      "change",
      () => {
        this.measure();
        this.drawNow();
        this.watchPixelRatio();
      },
      { once: true },
    );
  }

  updateSurface() {
    const scrollTop =
      this.stage.getBoundingClientRect().top - this.container.getBoundingClientRect().top;
    const matches = (query) => (matchMedia(query).matches ? 1 : 0);
    const state = [
      Math.max(0, scrollTop),
      matches("(pointer: coarse)"),
      matches("(prefers-color-scheme: dark)"),
      matches("(prefers-reduced-motion: reduce)"),
    ];
    const key = state.join();
    if (key === this.surfaceKey) return false;
    this.surfaceKey = key;
    this.module._memfitSetSurface(...state);
    return true;
  }

  setContentHeight(height) {
    this.container.style.minHeight = `${height}px`;
    this.stage.style.height = `min(100vh, max(${height}px, ${this.options.minHeight}))`;
  }

  /** Scrolls the page so that the part of the canvas from `top` to `bottom` is in the window. */
  reveal(top, bottom) {
    const stage = this.stage.getBoundingClientRect();
    const margin = 24;
    const above = stage.top + top - margin;
    const below = stage.top + bottom + margin - innerHeight;
    if (above < 0) scrollBy(0, above);
    else if (below > 0) scrollBy(0, below);
  }

  // ---- Pointers.

  listenPointer() {
    const { canvas, module } = this;
    const place = (event) => {
      const rect = canvas.getBoundingClientRect();
      module._ImGui_ImplWeb_OnPointerMove(
        event.clientX - rect.left,
        event.clientY - rect.top,
        pointerSources[event.pointerType] ?? 0,
      );
    };
    const button = (event, down) =>
      module._ImGui_ImplWeb_OnPointerButton(
        event.button,
        down,
        pointerSources[event.pointerType] ?? 0,
      );

    this.on(canvas, "pointermove", (event) => {
      if (!event.isPrimary) return;
      place(event);
      this.wake();
    });
    this.on(canvas, "pointerdown", (event) => {
      if (!event.isPrimary) return;
      if (!this.stage.contains(this.active())) canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      place(event);
      // A finger comes without a move before it: one frame to find what lies under it.
      if (event.pointerType === "touch") this.drawNow();
      button(event, 1);
      if (event.pointerType === "touch") this.drawNow(2);
      this.wake();
    });
    this.on(canvas, "pointerup", (event) => {
      if (!event.isPrimary) return;
      place(event);
      button(event, 0);
      // Within the handler: what the click does may need its permission (clipboard, soft keyboard).
      this.drawNow(3);
      this.wake();
    });
    this.on(canvas, "pointercancel", (event) => {
      // The page scrolls with this finger: what it had pressed is let go outside of everything.
      module._ImGui_ImplWeb_OnPointerLeave();
      module._ImGui_ImplWeb_OnPointerButton(0, 0, pointerSources[event.pointerType] ?? 0);
      this.wake();
    });
    this.on(canvas, "pointerleave", (event) => {
      if (event.pointerType === "touch") return;
      module._ImGui_ImplWeb_OnPointerLeave();
      this.wake();
    });
    // Follows pointerdown: the last moment at which the page's scrolling can be declined.
    this.on(
      canvas,
      "touchstart",
      (event) => {
        if (event.touches.length !== 1) return;
        if (module._ImGui_ImplWeb_OwnsTouch()) event.preventDefault();
      },
      { passive: false },
    );
    this.on(canvas, "touchend", () => this.syncAgent());
    this.on(
      canvas,
      "wheel",
      (event) => {
        // Ctrl and wheel is the browser's zoom. Without focus the page scrolls, whatever lies beneath.
        if (event.ctrlKey || !this.focused) return;
        const notch = wheelNotch[event.deltaMode] ?? 1;
        const [x, y] =
          event.shiftKey && event.deltaX === 0 ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
        if (module._ImGui_ImplWeb_OnWheel(x / notch, y / notch)) {
          event.preventDefault();
          this.wake();
        }
      },
      { passive: false },
    );
  }

  setCursor(cursor) {
    this.canvas.style.cursor = cursor < 0 ? "none" : (cursors[cursor] ?? "default");
  }

  // ---- Keyboard and text.

  root() {
    return /** @type {Document | ShadowRoot} */ (this.stage.getRootNode());
  }

  /** What has the focus there, also inside of an element's own tree. */
  active() {
    return /** @type {HTMLElement | null} */ (this.root().activeElement);
  }

  key(event, down) {
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Tab") {
      // Leaves from the canvas, not from the hidden field: backwards it would come straight back.
      if (down && this.active() === this.agent) {
        this.leaving = true;
        this.canvas.focus({ preventScroll: true });
        this.leaving = false;
      }
      return;
    }
    if (down && event.key === "Escape" && !this.module._ImGui_ImplWeb_WantsEscape()) {
      this.active()?.blur();
      return;
    }
    const modifiers =
      (event.ctrlKey ? 1 : 0) |
      (event.shiftKey ? 2 : 0) |
      (event.altKey ? 4 : 0) |
      (event.metaKey ? 8 : 0);
    const taken = this.withTexts([event.code, event.key], (code, key) =>
      this.module._ImGui_ImplWeb_OnKey(code, key, modifiers, down ? 1 : 0),
    );
    if (taken) event.preventDefault();
    this.wake();
  }

  placeText(wanted, x, y, lineHeight) {
    this.textWanted = wanted;
    const { width, height } = this.canvas.getBoundingClientRect();
    this.agent.style.left = `${Math.max(0, Math.min(x, width - 2))}px`;
    this.agent.style.top = `${Math.max(0, Math.min(y, height - 2))}px`;
    this.agent.style.height = `${Math.max(1, lineHeight)}px`;
  }

  // The field has the focus exactly while a text is being edited.
  syncAgent() {
    if (!this.focused || this.leaving) return;
    const active = this.active();
    if (this.textWanted && active === this.canvas) this.agent.focus({ preventScroll: true });
    if (!this.textWanted && active === this.agent) this.canvas.focus({ preventScroll: true });
  }

  listenText() {
    const { agent } = this;
    const send = (text) => {
      if (text) this.withTexts([text], this.module._ImGui_ImplWeb_OnText);
      agent.value = "";
      this.wake();
    };
    this.on(agent, "compositionstart", () => {
      this.composing = true;
    });
    this.on(agent, "compositionend", (event) => {
      this.composing = false;
      send(event.data);
    });
    // Once more after the end, in Firefox (insertCompositionText); before it, in Safari (insertFromComposition).
    const composed = ["insertCompositionText", "insertFromComposition"];
    this.on(agent, "input", (event) => {
      if (!this.composing && !event.isComposing && !composed.includes(event.inputType))
        send(event.data);
    });
    // Soft keyboards name no key for Backspace, they only say what is to be deleted.
    this.on(agent, "beforeinput", (event) => {
      if (this.composing || event.inputType !== "deleteContentBackward") return;
      event.preventDefault();
      if (this.backspaceDown) return;
      for (const down of [1, 0]) {
        this.withTexts(["Backspace", "Backspace"], (code, key) =>
          this.module._ImGui_ImplWeb_OnKey(code, key, 0, down),
        );
      }
      this.wake();
    });
    this.on(agent, "keydown", (event) => {
      this.backspaceDown = event.key === "Backspace";
    });
    this.on(agent, "keyup", () => {
      this.backspaceDown = false;
    });
  }

  // ---- Clipboard: through the DOM's own events, which need no permission and work in frames.

  listenClipboard() {
    const action = (name, text) =>
      this.withTexts([text], (pointer) =>
        this.module._ImGui_ImplWeb_OnClipboard(name.charCodeAt(0), pointer),
      );
    for (const [type, name] of [
      ["copy", "c"],
      ["cut", "x"],
    ]) {
      this.on(this.stage, type, (event) => {
        if (!this.textWanted) return;
        action(name, "");
        this.drawNow(3);
        const copied = this.module._ImGui_ImplWeb_TakeClipboard();
        if (copied) event.clipboardData.setData("text/plain", this.text(copied));
        event.preventDefault();
      });
    }
    this.on(this.stage, "paste", (event) => {
      const text = event.clipboardData.getData("text/plain");
      event.preventDefault();
      if (this.textWanted) {
        action("v", text);
      } else if (text.trimStart().startsWith("{")) {
        // A config.json, pasted onto the page.
        this.modelFile("config.json", new TextEncoder().encode(text));
      }
      this.wake();
    });
  }

  copy(text) {
    copyText(text, this.container, this.options.label);
  }

  // ---- Files.

  listenDrop() {
    this.on(this.container, "dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
    this.on(this.container, "drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      this.readModelFile(file);
    });
  }

  pickModelFile() {
    chooseModelFile((file) => this.readModelFile(file));
  }

  async readModelFile(file) {
    const bytes = await headOf(file);
    if (this.module) this.modelFile(file.name, bytes);
  }

  modelFile(name, bytes) {
    this.withTexts([name], (pointer) =>
      this.withBytes(bytes, (data) => this.module._memfitModelFile(pointer, data, bytes.length)),
    );
    this.wake();
  }

  download(name, type, bytes) {
    const link = document.createElement("a");
    link.download = name;
    link.href = URL.createObjectURL(new Blob([bytes], { type }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  savePicture(name) {
    // The drawing buffer is only there in the task that drew it, and the caller is in the middle of a frame.
    queueMicrotask(() => {
      this.drawNow();
      this.canvas.toBlob(async (blob) => {
        this.download(name, "image/png", new Uint8Array(await blob.arrayBuffer()));
      });
    });
  }

  // ---- What the panels ask for.

  createContext() {
    this.context = this.canvas.getContext("webgl2", {
      alpha: false,
      antialias: false, // ImGui smooths its own edges
      depth: false,
      stencil: false,
      powerPreference: "low-power",
    });
    if (this.context) this.answerState(this.context);
    return this.context;
  }

  // Before each frame ImGui's renderer asks for the state that it puts back afterwards. The browser does not
  // know these seven itself and waits for its graphics process, until the frame before is done: nearly all of the
  // script's time. Nobody but the renderer draws here, so the state is what a context starts with.
  answerState(gl) {
    const { FUNC_ADD, ONE, ZERO } = gl;
    const known = new Map([
      [gl.SCISSOR_BOX, Int32Array.of(0, 0, 1, 1)],
      [gl.BLEND_SRC_RGB, ONE],
      [gl.BLEND_DST_RGB, ZERO],
      [gl.BLEND_SRC_ALPHA, ONE],
      [gl.BLEND_DST_ALPHA, ZERO],
      [gl.BLEND_EQUATION, FUNC_ADD],
      [gl.BLEND_EQUATION_ALPHA, FUNC_ADD],
    ]);
    // The prototype's, as a context that comes back is the same object.
    gl.getParameter = (name) =>
      known.get(name) ?? WebGL2RenderingContext.prototype.getParameter.call(gl, name);
  }

  writeQuery(query) {
    const step = this.step;
    this.step = false;
    this.options.onQuery(query, step);
  }

  pushHistory() {
    this.step = true;
  }

  pageUrl() {
    return this.options.pageUrl(this.query());
  }

  openLink(url) {
    open(url, "_blank", "noopener");
  }

  showPlainView() {
    this.options.onPlainView();
  }

  setLanguage(language) {
    this.container.lang = language;
  }

  setDark(dark) {
    this.container.dataset.scheme = dark ? "dark" : "light";
  }

  /** A file of the site: bytes that are there already, or fetched. */
  async file(name) {
    if (this.options.files[name]) return this.options.files[name];
    const answer = await fetch(new URL(name, this.options.baseUrl));
    if (!answer.ok) throw new Error(`${name} is missing: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  loadModels() {
    this.models ??= this.file("models.json").then((bytes) => {
      if (!this.module) return;
      this.withBytes(bytes, (data) => this.module._memfitModels(data, bytes.length));
      this.wake();
    });
    return this.models;
  }

  /** Texts and, where the script needs one, the face of a language; both or nothing. */
  loadLanguage(language) {
    const face = languageFaces.includes(language) && this.file(`font-${language}.otf`);
    this.language = Promise.all([this.options.loadTexts(language), face]).then(([texts, font]) => {
      if (!this.module) return;
      this.withBytes(texts, (data) => this.module._memfitLanguage(data, texts.length));
      if (font) {
        this.withTexts([language], (pointer) =>
          this.withBytes(font, (data) =>
            this.module._memfitLanguageFont(pointer, data, font.length),
          ),
        );
      }
      this.wake();
    });
    // The page goes on in the language that it has.
    this.language = this.language.catch((error) =>
      console.warn(`memfit: no texts in "${language}": ${error.message}`),
    );
  }

  // ---- Texts across the border: UTF-8, zero-terminated.

  text(pointer) {
    const heap = this.heap();
    return new TextDecoder().decode(heap.subarray(pointer, heap.indexOf(0, pointer)));
  }

  withBytes(bytes, use) {
    const pointer = this.module._malloc(bytes.length + 1);
    const heap = this.heap();
    heap.set(bytes, pointer);
    heap[pointer + bytes.length] = 0;
    try {
      return use(pointer);
    } finally {
      this.module?._free(pointer);
    }
  }

  withTexts(texts, use, pointers = []) {
    if (texts.length === 0) return use(...pointers);
    const [first, ...rest] = texts;
    return this.withBytes(new TextEncoder().encode(first), (pointer) =>
      this.withTexts(rest, use, [...pointers, pointer]),
    );
  }
}
