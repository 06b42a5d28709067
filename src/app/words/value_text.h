// memfit - SPDX-License-Identifier: Apache-2.0
//
// Values and formulas in the reader's words. Knows neither ImGui nor the page's state.
#pragma once

#include <string>
#include <string_view>

#include "app/words/texts.h"
#include "memory/ledger.h"

namespace memfit::app {

// A value that valueText() gave, in the reader's words: a choice by its name, numbers grouped.
std::string valueShown(const Field& field, std::string_view text);

// A formula as readers write it: a true times and minus, its symbols in their words.
std::string typeset(std::string_view formula);
// The same with its symbols replaced by their numbers.
std::string filledIn(const Entry& entry, const NumberStyle& numbers);

}  // namespace memfit::app
