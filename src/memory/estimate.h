// memfit - SPDX-License-Identifier: Apache-2.0
//
// estimate: the answer to a query. The one entry into the memory folder for everything to its
// right.
#pragma once

#include <vector>

#include "base/result.h"
#include "memory/methods.h"
#include "memory/report.h"
#include "query/query.h"

namespace memfit {

// Errors: what subjectOf refuses; kOverflow, naming the component, when an amount passes 2^53 - 1.
// Everything less is a notice in the report. `deviceTotal` is the memory of the device that the
// query names (see device/answer.h), for engines that take a fraction of it; 0 when there is none.
Result<Report> estimate(const Query& query, Bytes deviceTotal = 0);

// One method's answer beside the others'.
struct Comparison {
  const MethodInfo* method = nullptr;
  bool covers = false;  // false: the method says nothing about this task, the rest is empty
  Report report;
};

// Why two methods differ most: the component with the largest difference, and the reason.
struct Difference {
  Method method;  // against the first covering method of the list
  Component component = Component::kWeights;
  Bytes here, there;        // expected, of `method` and of the first
  std::string_view reason;  // one English sentence; translated by the page through its own table
};

struct Comparisons {
  std::vector<Comparison> methods;
  std::vector<Difference> differences;
};

// Every method on the same query, in the order of methods().
Result<Comparisons> compare(const Query& query, Bytes deviceTotal = 0);

}  // namespace memfit
