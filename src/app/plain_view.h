// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plain twin: what the canvas shows, as a description that web/plain.js makes HTML of - a form
// from the table of fields, the answer, and tables. For screen readers, for printing, and where
// WebGL 2 is missing. Knows no ImGui.
#pragma once

#include <string>

#include "app/state.h"

namespace memfit::app {

// JSON: { language, title, fields: [{key, label, help, kind, value, fallback, unit, min, max,
// options}], answer: {need, verdict, range, more} or error, notices: [text], tables: [{caption,
// head: [text], numeric: [bool], rows: [[text]]}] }. `state` is refreshed, and the language in use
// is the reader's.
std::string plainView(AppState& state);

}  // namespace memfit::app
