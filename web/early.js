// memfit - SPDX-License-Identifier: Apache-2.0
//
// Before the first paint: a link's own colours, and no default numbers where a link asks for others.
(() => {
  const query = new URLSearchParams(location.search);
  const root = document.documentElement;
  const theme = query.get("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  root.classList.toggle("compact", query.get("view") === "compact");
  for (const name of ["theme", "view", "lang"]) query.delete(name);
  root.classList.add("scripted");
  root.classList.toggle("pending", query.toString() !== "");
})();
