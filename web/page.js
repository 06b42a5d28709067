// memfit - SPDX-License-Identifier: Apache-2.0
//
// The page: the canvas in it, and the address bar, which always holds the estimate on show.

// Browsers refuse too many history calls (Safari: 100 in 30 s), and a slider makes one a frame.
const writeDelay = 400;

const container = document.getElementById("memfit");
const status = document.getElementById("status");

const queryOf = (url) => url.search.slice(1);
const urlOf = (query) => {
  const url = new URL(location.href);
  url.search = query;
  return url.href;
};

let pending = 0;
let written = queryOf(location);
function writeUrl(query, step) {
  clearTimeout(pending);
  const write = () => {
    if (query === written) return;
    written = query;
    // Refused in sandboxed frames and for file: addresses. The page works all the same.
    try {
      history[step ? "pushState" : "replaceState"](null, "", urlOf(query));
    } catch {}
  };
  if (step) write();
  else pending = setTimeout(write, writeDelay);
}

async function run() {
  const { start } = await import("./app.js");
  const app = await start(container, {
    files: window.memfitFiles ?? {},
    query: queryOf(location),
    onQuery: writeUrl,
    pageUrl: urlOf,
    label: document.title,
    minHeight: "100vh",
    onLost: (lost) => {
      status.textContent = lost ? "The graphics device was reset. The picture returns by itself." : "";
    },
  });
  // For scripts in the page, and for tests: report(), query(), setQuery(text), frames, destroy().
  window.memfitApp = app;
  const follow = () => {
    clearTimeout(pending);
    written = queryOf(location);
    app.setQuery(written);
  };
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
}

// Without a network the page works from the service worker's copies. It comes last: its downloads must not
// hold up the first picture.
function keepOffline() {
  if (!navigator.serviceWorker || !["http:", "https:"].includes(location.protocol)) return;
  navigator.serviceWorker.register("sw.js").catch(() => {});
}

run().then(keepOffline).catch((error) => {
  status.textContent = `The calculator could not start: ${error.message}`;
  console.error(error);
});
