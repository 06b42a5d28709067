// memfit - SPDX-License-Identifier: Apache-2.0
//
// HTML as text.

const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escape = (text) => String(text).replace(/[&<>"]/g, (sign) => escapes[sign]);
