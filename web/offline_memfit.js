// memfit - SPDX-License-Identifier: Apache-2.0
//
// Stands for memfit.js in the offline page: the canvas's module answers instead, so the file holds one.
import { estimatorOf } from "./app.js";

export const load = () => estimatorOf({ files: window.memfitFiles });
