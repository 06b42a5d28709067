// memfit - SPDX-License-Identifier: Apache-2.0
//
// estimate: the answer to a query. The one entry into the memory folder for everything to its
// right.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/result.h"
#include "memory/differences.h"
#include "memory/inference.h"
#include "memory/kept_plans.h"
#include "memory/methods.h"
#include "memory/report.h"
#include "query/query.h"

namespace memfit {

// Errors: what subjectOf refuses; kOverflow, naming the component, when an amount passes 2^53 - 1.
// Everything less is a notice in the report. `deviceTotal` is the memory of the device that the
// query names (see device/answer.h), for engines that take a fraction of it; 0 when there is none.
Result<Report> estimate(const Query& query, Bytes deviceTotal = 0);

// What an estimate is of, before any amount: for who asks for totals alone.
struct MethodChoice {
  std::shared_ptr<const Model> model;
  Method method = Method::kArchitecture;
};
// Errors: what subjectOf refuses.
Result<MethodChoice> methodChoice(const Query& query);

// The total of one query at many loads: what a sweep over seq, batch and concurrency asks. The same
// numbers as estimate() gives, some hundred times faster; null for queries that have no such path
// (training, and the published rules, which are fast already).
class LoadTotals {
 public:
  static Result<std::unique_ptr<LoadTotals>> of(const Query& query, Bytes deviceTotal = 0);

  // perDevice at the load; overflowed where estimate() would be an error.
  Band perDevice(const Load& load) const;

 private:
  explicit LoadTotals(std::shared_ptr<const InferencePlanKept> kept) : kept_(std::move(kept)) {}

  std::shared_ptr<const InferencePlanKept> kept_;
};

// One method's answer beside the others'.
struct Comparison {
  const MethodInfo* method = nullptr;
  bool covers = false;  // false: the method says nothing about this task, the rest is empty
  Report report;
};

struct Comparisons {
  std::vector<Comparison> methods;
  std::vector<Difference> differences;
};

// Every method on the same query, in the order of methods().
Result<Comparisons> compare(const Query& query, Bytes deviceTotal = 0);

}  // namespace memfit
