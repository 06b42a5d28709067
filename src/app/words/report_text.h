// memfit - SPDX-License-Identifier: Apache-2.0
//
// A report in the reader's words: what panels and the plain view both say. Knows no ImGui.
#pragma once

#include <string>
#include <string_view>

#include "app/state.h"
#include "app/words/value_text.h"

namespace memfit::app {

// "Fits 1 x RTX 4090, 7.1 GB free".
std::string verdictText(const AppState& state, const FitRow& row);
// "likely 17.1 - 18.3"; empty where the amount is exact.
std::string likelyText(const AppState& state, const Band& need);
// What stands beside the need of one device: that of all, and of the host; mostly empty.
std::string moreText(const AppState& state);

}  // namespace memfit::app
