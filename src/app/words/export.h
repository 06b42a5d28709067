// memfit - SPDX-License-Identifier: Apache-2.0
//
// The answer as texts to take along. Knows no ImGui.
#pragma once

#include <string>
#include <string_view>

#include "device/fit.h"
#include "query/choices.h"

namespace memfit::app {

// A table of the ledger with the verdict above it, in the page's language.
std::string toMarkdown(const Answer& answer, Units units, std::string_view url);
// The ledger, a line an entry, with the keys of the JSON; amounts in bytes.
std::string toCsv(const Answer& answer);

}  // namespace memfit::app
