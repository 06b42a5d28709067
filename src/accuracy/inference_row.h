// memfit - SPDX-License-Identifier: Apache-2.0
//
// What rows of inference logs have in common: models by the name that a log's reader gave them,
// numbers that may stand inside words, and the plan that a query makes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "accuracy/section.h"
#include "memory/inference.h"

namespace memfit::accuracy {

// The model that a row's name means, through the catalogue's ids and aliases; nullptr when the name
// names none.
std::shared_ptr<const Model> modelOfRow(std::string_view name);

// A number, or the first number of a text ("default 0.9", "4096 (capped)"). nullopt for lists.
std::optional<double> numberIn(const ConfigView& view, std::string_view key);
// The first number in a text.
std::optional<double> firstNumber(std::string_view text);

bool contains(std::string_view text, std::string_view word);

// The device entries of a report, by what logs print.
struct StageSums {
  Band weights, kv, state, compute, activations, outside, total;
};
StageSums sumsOf(const Report& report);

inline constexpr double kMibBytes = 1048576.0;
inline constexpr double kGibBytes = 1073741824.0;

// `rounding`: half of the last digit that the log printed, in bytes; a value printed a little above
// `high` may still be within it.
Sample sample(std::string_view id, const Band& band, double measured, double rounding = 0);

}  // namespace memfit::accuracy
