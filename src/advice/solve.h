// memfit - SPDX-License-Identifier: Apache-2.0
//
// The reverse questions: how far a number can go until the device is full, and the totals over a
// grid.
#pragma once

#include <vector>

#include "base/result.h"
#include "device/fit.h"
#include "query/query.h"

namespace memfit {

struct Solution {
  bool any = false;        // false: not even the smallest value fits
  bool unbounded = false;  // true: the largest value that the field accepts fits
  std::int64_t value = 0;  // as stored (see Kind): tokens, requests, parameters
  FitRow fit;              // at that value
};

// The largest `seq`, `batch`, `concurrency` or `params` that fits the query's `device`, everything
// else as asked. Needs grow with each of the four; found by halving, to the last unit (for params
// to a millionth of the value). Errors: kMissing, field "device", when the query names no known
// device; kUnknown, field "vary", for another key; and as estimate().
Result<Solution> solve(const Query& query, Key vary);

// An axis of a sweep: `n` values of a numeric field, at equal ratios from `from` to `to`.
struct Axis {
  Key key = Key::kSeq;
  std::int64_t from = 1, to = 1;  // as stored
  int n = 1;
};
inline constexpr int kMaxSweep = 1024;  // points an axis

// The values of an axis, whole and ascending; neighbours may be equal where the range is short.
std::vector<std::int64_t> axisValues(const Axis& axis);

// perDevice.high for every point, row by row (y outer, x inner), in bytes: what the fit map draws
// and the verdicts use. Infinity where an amount overflows.
Result<std::vector<float>> sweep(const Query& query, const Axis& x, const Axis& y);

}  // namespace memfit
