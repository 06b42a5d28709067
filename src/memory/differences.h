// memfit - SPDX-License-Identifier: Apache-2.0
//
// Why two methods' answers to one query part: one table of reasons for a method and a component.
#pragma once

#include <string_view>
#include <vector>

#include "memory/report.h"

namespace memfit {

// Where and why two methods part. Of each method the component with the largest difference comes
// first, then each that one of the two counts at least twice as high as the other.
struct Difference {
  Method method;  // against the first covering method of the list
  Component component = Component::kWeights;
  Bytes here, there;        // expected, of `method` and of the first
  std::string_view reason;  // one English sentence; translated by the page through its own table

  Bytes apart() const { return here > there ? here - there : there - here; }
};

// Of `report` against the first method's: a small part of a total, counted twice as high by one of
// them, may be where a rule goes wrong, so the list does not end with the largest difference.
void addDifferences(const Report& report, const Report& first, std::vector<Difference>& all);

}  // namespace memfit
