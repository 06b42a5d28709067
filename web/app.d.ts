// memfit - SPDX-License-Identifier: Apache-2.0
//
// app.js: host.js behind the module that the linker made.
export { estimatorOf, start } from "./host.js";
