// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain twin in the page: takes over what the site's builder wrote into it, follows the query and
// changes it. `createTwin(root, options)` gives { show(text), setMirror(on), setGraphics(on), text, state }.
import { chooseModelFile, copyText, headOf } from "../browser.js";
import { announcement } from "./answer.js";
import { createState, edit, estimate, estimateTables, read, setLanguage } from "./state.js";
import { deviceRows } from "./tables.js";
import { firstPaint, isShown, parts, viewHtml } from "./view.js";

// Screen readers repeat every change of a live region, so it waits until the changes stop.
const announceDelay = 700;
// Behind the canvas nobody looks at the twin, so it does not cost the canvas its frames.
const mirrorDelay = 300;
const tablesDelay = 120;

// Numbers answer with every key; a text is half a name until it is left.
const answersAtOnce = (control) =>
  control.type === "number" || control.type === "radio" || control.tagName === "SELECT";

/** options: memfit, tables, text, config, loadTexts(code), live, atRest(delay), onQuery(text, step, config), ... */
export async function createTwin(root, options) {
  const twin = new Twin(root, options);
  const typed = twin.takeOver();
  await twin.show(options.text ?? "", options.config);
  for (const control of typed) twin.changed(control);
  twin.render(true);
  return twin;
}

class Twin {
  constructor(root, options) {
    this.root = root;
    this.options = options;
    this.memfit = options.memfit;
    this.state = createState(options.memfit, options.tables);
    this.tables = new Map([[options.tables.code, options.tables]]);
    this.timers = {};
    this.mirror = false;
    this.mirroring = options.atRest(mirrorDelay);
    this.announced = undefined;
  }

  get text() {
    return this.state.text;
  }

  // What stands in the page was made from the default query in English: made again here, it says what is
  // to be replaced. Gives the controls that were changed before this script came.
  takeOver() {
    const { root, state, memfit } = this;
    read(memfit, state, "");
    estimate(memfit, state);
    estimateTables(memfit, state);
    if (!root.firstElementChild) root.innerHTML = viewHtml(firstPaint(state));
    this.last = parts(firstPaint(state));
    const all = (attribute) => {
      const found = new Map();
      for (const element of root.querySelectorAll(`[${attribute}]`)) {
        const name = element.getAttribute(attribute);
        found.set(name, [...(found.get(name) ?? []), element]);
      }
      return found;
    };
    this.parts = all("data-part");
    this.shown = all("data-shown");
    this.listen();
    const isChanged = (control) =>
      control.type === "radio" || control.type === "checkbox"
        ? control.checked && !control.defaultChecked
        : control.tagName === "SELECT"
          ? control.selectedIndex > 0 && !control.selectedOptions[0].defaultSelected
          : control.value !== control.defaultValue;
    const typed = [...root.querySelectorAll("[name]")].filter(isChanged);
    return typed.map((control) => ({
      name: control.name,
      value: control.value,
      type: control.type,
      validity: control.validity,
      dataset: control.dataset,
    }));
  }

  /** Shows a query that was changed elsewhere, given as URL text, and the config.json that no URL carries. */
  show(text, config) {
    this.followLate = () => {
      this.followLate = undefined;
      return this.follow(text, config);
    };
    if (!this.mirror) return this.followLate();
    this.mirroring.ask(() => this.followLate?.());
    return Promise.resolve();
  }

  async follow(text, config) {
    const { state, memfit } = this;
    state.errors = {};
    state.customDevice = false;
    state.config = config;
    read(memfit, state, text);
    await this.speakAs(state.query.lang ?? "auto");
    estimate(memfit, state);
    estimateTables(memfit, state);
    this.render(true);
  }

  // ---- The reader's changes.

  changed(control) {
    const { state, memfit } = this;
    const { name } = control;
    let { value } = control;
    const field = state.fields.find((one) => one.name === name);
    if (!field) return;
    const isDeviceList = name === "device" && control.dataset.size === undefined;
    if (isDeviceList) state.customDevice = value === "custom";
    if (isDeviceList && value === "custom") value = "";
    delete state.errors[name];
    const refused = edit(memfit, state, name, value);
    if (refused) state.errors[name] = state.t.notice(refused, state.fields);
    if (control.validity?.badInput)
      state.errors[name] = state.t.say("accepted", state.t.accepted(field));
    this.answer();
    this.options.onQuery?.(state.text, false, state.config);
  }

  async answer() {
    const { state, memfit } = this;
    await this.speakAs(state.query.lang ?? "auto");
    estimate(memfit, state);
    this.render(false);
    clearTimeout(this.timers.tables);
    this.timers.tables = setTimeout(() => {
      estimateTables(memfit, state);
      this.render(false);
    }, tablesDelay);
  }

  listen() {
    const { root, state } = this;
    root.addEventListener("input", ({ target }) => {
      if (target.id === "device-search") {
        state.deviceSearch = target.value;
        this.filter();
      } else if (target.id === "only-fitting") {
        state.onlyFitting = target.checked;
        this.filter();
      } else if (target.name && (answersAtOnce(target) || this.isListed(target))) {
        this.changed(target);
      }
    });
    root.addEventListener("change", ({ target }) => {
      if (target.name && !answersAtOnce(target)) this.changed(target);
    });
    // The popular models are there at once; the others come when somebody looks for one.
    root.addEventListener("focusin", async ({ target }) => {
      if (target.name !== "model" || this.wholeCatalogue || !this.options.loadModels) return;
      this.wholeCatalogue = true;
      await this.options.loadModels();
      state.models = this.memfit.models();
      this.render(false);
    });
    root.addEventListener("submit", (event) => event.preventDefault());
    root.addEventListener("click", ({ target }) => {
      const action = target.closest("[data-do]")?.dataset.do;
      if (action === "copy") this.copy(target);
      if (action === "graphical") this.options.onGraphical?.();
      if (action === "open-file") this.openFile();
      if (action === "expand") this.expand(target.closest("button"));
      if (action === "apply")
        this.apply(state.advice[target.closest("[data-advice]").dataset.advice]);
      if (action === "all-devices") {
        state.allDevices = !state.allDevices;
        this.render(false);
        root.querySelector('[data-do="all-devices"]')?.focus();
      }
    });
    new ResizeObserver(() => this.letScroll()).observe(root);
  }

  // The compact form's other settings and tables.
  expand(button) {
    const open = this.root.classList.toggle("open");
    button.setAttribute("aria-expanded", open);
  }

  async apply(advice) {
    const text = this.memfit.encode(advice.query);
    await this.follow(text, this.state.config);
    this.options.onQuery?.(text, true, this.state.config);
    // The button is gone with its advice.
    this.root.querySelector("#t-answer").focus();
  }

  // A name picked from the list of models is a whole one.
  isListed(control) {
    return (
      control.name === "model" && this.state.models.some((model) => model.id === control.value)
    );
  }

  filter() {
    this.render(false);
    const { t, rows = [] } = this.state;
    this.say(t.say("shown", t.number(deviceRows(this.state).length), t.number(rows.length)));
  }

  openFile() {
    chooseModelFile(async (file) => {
      if (file.name.endsWith(".json")) {
        this.changed({ name: "config", value: await file.text(), dataset: {} });
      } else {
        this.readFile(file.name, await headOf(file));
      }
    });
  }

  // A file's config.json stands for it, as on the canvas: what one view has read, the other shows.
  readFile(name, bytes) {
    if (!this.memfit.readModel) {
      this.options.onModelFile?.(name, bytes);
      return;
    }
    try {
      const { config, fileType } = this.memfit.readModel(bytes, name);
      if (fileType) this.changed({ name: "weights", value: fileType, dataset: {} });
      this.changed({ name: "config", value: config, dataset: {} });
    } catch (error) {
      this.state.errors.config = this.state.t.sentence(error.message);
      this.render(false);
    }
  }

  async copy(button) {
    const { t } = this.state;
    const address = this.options.pageUrl?.(this.state.text) ?? location.href;
    if (!(await copyText(address, this.root, t.say("address")))) return;
    button.textContent = t.say("copied");
    this.say(t.say("copied"));
    setTimeout(() => {
      button.textContent = t.say("copyLink");
    }, 2000);
  }

  // ---- Languages.

  async speakAs(language) {
    const { state, options } = this;
    const code = language in state.languageNames ? language : options.language;
    if (code !== state.t.code) {
      if (!this.tables.has(code)) this.tables.set(code, await options.loadTexts(code));
      setLanguage(state, this.tables.get(code));
      state.errors = {};
      this.root.querySelector("#device-search").placeholder = state.t.say("searchDevices");
    }
    this.root.lang = state.t.tag;
    options.onLanguage?.(code, state.t);
  }

  // ---- Showing it.

  /** With the canvas in front, only what can be read remains: for screen readers. */
  setMirror(on) {
    if (on === this.mirror) return;
    this.mirror = on;
    // Who changes something now must not change a query that has been left already.
    if (!on) this.followLate?.();
    this.root.classList.toggle("mirror", on);
    this.letScroll();
  }

  setGraphics(on) {
    this.state.graphics = on;
    this.render(false);
  }

  render(fromOutside) {
    const { state } = this;
    const made = parts(state);
    const { activeElement } = this.root.getRootNode();
    for (const [name, { text }] of Object.entries(made)) {
      const isField = name.startsWith("field-");
      for (const element of this.parts.get(name) ?? []) {
        const isActive = isField && element.contains(activeElement);
        if (isActive) patch(element, text, fromOutside);
        else if (text !== this.last[name].text) element.innerHTML = text;
      }
    }
    this.last = made;
    for (const [name, elements] of this.shown) {
      for (const element of elements) element.hidden = !isShown(state, name);
    }
    const { theme } = state.query;
    if (theme && theme !== "auto") document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    document.documentElement.classList.remove("pending");
    document.documentElement.classList.toggle("compact", state.query.view === "compact");
    this.letScroll();
    this.announce();
  }

  // Who has no wheel scrolls with the keyboard, for which a thing must take the focus.
  letScroll() {
    for (const region of this.root.querySelectorAll(".scroll")) {
      if (!this.mirror && region.scrollWidth > region.clientWidth) region.tabIndex = 0;
      else region.removeAttribute("tabindex");
    }
  }

  announce() {
    const text = announcement(this.state);
    if (this.announced === undefined) this.announced = text; // the first answer is read with the page
    clearTimeout(this.timers.announce);
    if (text === this.announced) return;
    this.timers.announce = setTimeout(() => {
      this.announced = text;
      this.say(text);
    }, announceDelay);
  }

  say(text) {
    if (this.options.live) this.options.live.textContent = text;
  }
}

// The field that is being used keeps its control; what stands around it is brought up to date.
function patch(element, content, fromOutside) {
  const made = document.createElement("div");
  made.innerHTML = content;
  const sync = (from, to, names) => {
    for (const name of names) {
      if (from.hasAttribute(name)) to.setAttribute(name, from.getAttribute(name));
      else to.removeAttribute(name);
    }
  };
  /** @type {NodeListOf<HTMLInputElement & { length: number }>} */
  const wanted = made.querySelectorAll("[id]");
  for (const from of wanted) {
    const to = element.querySelector(`#${CSS.escape(from.id)}`);
    if (!to) element.append(from.cloneNode(true));
    else if (from.name === undefined) to.innerHTML = from.innerHTML;
    else sync(from, to, ["aria-describedby", "aria-invalid", "placeholder", "hidden"]);
    if (to?.tagName === "SELECT" && to.length !== from.length) {
      const { value } = to;
      to.innerHTML = from.innerHTML;
      to.value = value;
    }
    if (to && fromOutside && from.name !== undefined) {
      if (from.type === "radio") to.checked = from.checked;
      else to.value = from.value;
    }
  }
  for (const label of made.querySelectorAll("label.second"))
    sync(label, element.querySelector("label.second"), ["hidden"]);
  for (const error of element.querySelectorAll(".error")) {
    if (!made.querySelector(`#${CSS.escape(error.id)}`)) error.remove();
  }
}
