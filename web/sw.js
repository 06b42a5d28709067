// memfit - SPDX-License-Identifier: Apache-2.0
//
// Keeps the page working without a network. Everything is asked from the network first, so nobody is held
// on an old version; what comes back is kept, and answers when the network does not. Files name their
// content's digest in their address, so an old page finds its own old files or none.
//
// The digest of the whole site names the cache; `version` is set when the site is put together.

const version = "@site-digest@";
const cacheName = `memfit-${version}`;
const files = "@site-files@".split(" ");

self.addEventListener("install", (/** @type {ExtendableEvent} */ event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (/** @type {ExtendableEvent} */ event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith("memfit-") && name !== cacheName) await caches.delete(name);
      }
      await clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (/** @type {FetchEvent} */ event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  event.respondWith(
    (async () => {
      const cache = await caches.open(cacheName);
      // The estimate in a page's address makes no other page.
      const key = request.mode === "navigate" ? url.origin + url.pathname : request;
      try {
        const answer = await fetch(request);
        if (answer.ok) cache.put(key, answer.clone());
        return answer;
      } catch (error) {
        const kept = await cache.match(key);
        if (kept) return kept;
        throw error;
      }
    })(),
  );
});
