// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the estimator says, found by asking: the texts of the answers to a wide set of queries.
#pragma once

#include <set>
#include <string>

namespace memfit::app {

struct Said {
  std::set<std::string> sentences;  // notes, assumptions, reasons, prices, notices of models
  std::set<std::string> sources;
  std::set<std::string> symbols;  // of formulas
  std::set<std::string> errors;
};

// Asked once, kept for the tests that follow.
const Said& everythingSaid();

}  // namespace memfit::app
