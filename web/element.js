// memfit - SPDX-License-Identifier: Apache-2.0
//
// The calculator as an element of any page:
//
//   <script type="module" src="https://.../element.js"></script>
//   <memfit-calculator query="model=llama-3.1-8b&task=qlora" view="compact"></memfit-calculator>
//
// It takes no key, wheel or touch that is not meant for it, is as tall as its content, and loads nothing
// before it comes near the window. Attributes:
//
//   query   what is asked, as URL parameters; changes are followed
//   view    "compact" or "full"
//   lang    as in HTML; without one the nearest lang around it counts
//   theme   "auto", "light" or "dark"
//
// Properties: `query` (also set by the reader's edits), `report` (the Report on show). Events: "change" after
// each edit, with the query in `detail`; "error" where it cannot run, with the reason in `detail`; its
// content is shown then, so that a link or a picture can stand in.

const baseUrl = new URL(".", import.meta.url).href;
const attributes = { view: "view", lang: "lang", theme: "theme" };

// The same question, for the page's plain twin.
function plainly(text) {
  const query = new URLSearchParams(text);
  query.set("view", "plain");
  return query;
}

class MemfitCalculator extends HTMLElement {
  static observedAttributes = ["query", ...Object.keys(attributes)];

  #app = null;
  #starting = null;
  #near = null;
  #container = null;

  connectedCallback() {
    if (!this.#container) {
      const root = this.attachShadow({ mode: "open" });
      const style = document.createElement("style");
      style.textContent = ":host{display:block;min-height:480px}:host([hidden]){display:none}";
      this.#container = document.createElement("div");
      root.append(style, this.#container, document.createElement("slot"));
    }
    this.#near = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.#start();
      },
      { rootMargin: "200px" },
    );
    this.#near.observe(this);
  }

  disconnectedCallback() {
    this.#near?.disconnect();
    this.#app?.destroy();
    this.#app = this.#starting = null;
  }

  attributeChangedCallback() {
    this.#app?.setQuery(this.#asked());
  }

  /** What is asked, as URL parameters. */
  get query() {
    return this.#app ? this.#app.query() : (this.getAttribute("query") ?? "");
  }
  set query(text) {
    this.setAttribute("query", text);
  }

  /** The Report on show; null before it is there. */
  get report() {
    return this.#app ? this.#app.report() : null;
  }

  #asked() {
    const query = new URLSearchParams(this.getAttribute("query") ?? "");
    for (const [attribute, key] of Object.entries(attributes)) {
      const value = this.getAttribute(attribute);
      if (value) query.set(key, attribute === "lang" ? value.slice(0, 2) : value);
    }
    return query.toString();
  }

  #start() {
    this.#starting ??= (async () => {
      try {
        const { start } = await import("./app.js");
        const app = await start(this.#container, {
          query: this.#asked(),
          baseUrl,
          label: this.getAttribute("aria-label") ?? "memfit",
          pageUrl: (query) => `${baseUrl}?${query}`,
          onPlainView: () => open(`${baseUrl}?${plainly(this.query)}`, "_blank", "noopener"),
          onQuery: (query) =>
            this.dispatchEvent(new CustomEvent("change", { detail: query, bubbles: true })),
        });
        // Taken out of the page while it loaded.
        if (!this.isConnected) return app.destroy();
        this.#app = app;
        this.shadowRoot.querySelector("slot").hidden = true;
      } catch (error) {
        this.dispatchEvent(new CustomEvent("error", { detail: error.message }));
      }
    })();
  }
}

customElements.define("memfit-calculator", MemfitCalculator);
