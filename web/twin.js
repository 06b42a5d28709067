// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain view as one file of the page: the bundler joins its modules here.
export { createTwin } from "./twin/controller.js";
