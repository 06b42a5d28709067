// memfit - SPDX-License-Identifier: Apache-2.0
//
// The first paint: the plain twin with the default estimate, as HTML. Made by the modules that take it
// over in the browser, from the estimator that the site ships.
import { createState, estimate, estimateTables, read } from "./twin/state.js";
import { firstPaint, viewHtml } from "./twin/view.js";

/** memfit: as memfit.js gives it. tables: the English texts. */
export function prerender(memfit, tables) {
  const state = createState(memfit, tables);
  read(memfit, state, "");
  estimate(memfit, state);
  estimateTables(memfit, state);
  return viewHtml(firstPaint(state));
}
