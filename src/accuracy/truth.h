// memfit - SPDX-License-Identifier: Apache-2.0
//
// Measured rows against the estimator, asked through its public door as everybody asks it: a row of
// a truth file is a query and what was measured of it, and each figure is read out of the JSON
// answer by its name. Whatever no query can say is counted, never guessed.
//
// A row, one a line (JSON Lines):
//   {"id", "source", "date", "tool", "query": {...}, "measured": {figure: number},
//    "rounding": {figure: number}, "note", "grade"}
//   {"id", ..., "cannot": "why no query says it"}
// What to write into one: tests/accuracy/README.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/statistics.h"
#include "base/result.h"

namespace memfit::accuracy {

// A row that nothing was asked for: it says so itself, or the estimator did not take its query as
// given (an error, or a notice about a key, a word or a number).
struct Refused {
  std::string id;
  std::string why;
};

// What an asked row measured and the answer has no figure for.
struct MissingFigure {
  std::string id;
  std::string figure;
  std::string why;
};

struct FigureSamples {
  std::string figure;
  std::vector<Sample> samples;
};

struct ToolSamples {
  std::string tool;
  std::vector<FigureSamples> figures;
};

struct Tally {
  std::size_t rows = 0;
  std::size_t asked = 0;
  std::vector<Refused> cannot;
  std::vector<MissingFigure> missing;
  std::vector<FigureSamples> figures;  // in the order of their first appearance
  std::vector<ToolSamples> byTool;
};

// Asks every row of a file; `file` is named in errors. A line that is no row (no JSON, no id,
// neither a query with measured figures nor "cannot") ends it.
Result<std::size_t> addTruth(std::string_view jsonLines, std::string_view file, Tally& tally);

// The tally as one JSON object, figures with their statistics.
std::string tallyJson(const Tally& tally);

}  // namespace memfit::accuracy
