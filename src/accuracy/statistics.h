// memfit - SPDX-License-Identifier: Apache-2.0
//
// How well predictions agree with measurements, component by component.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace memfit::accuracy {

struct Sample {
  std::string id;
  double predicted = 0;  // the expected value
  double high = 0;       // the upper end of its band; the same for an exact one
  double measured = 0;

  // Of the measured value, signed. A measured 0 that was predicted is 100 %.
  double errorPercent() const;
};

struct Statistics {
  std::size_t n = 0;
  std::size_t exact = 0;  // to the last unit
  double medianAbsPercent = 0;
  double p90AbsPercent = 0;         // nearest rank: the smallest error that 90 % do not exceed
  double biasPercent = 0;           // the mean of the signed errors
  double within1Percent = 0;        // share of samples, 0 to 100, whose error is at most 1 %
  double coveredByHighPercent = 0;  // share whose measured value is at most `high`
  std::vector<Sample> worst;        // at most ten, by error, those without error left out
};

Statistics statisticsOf(std::span<const Sample> samples);

}  // namespace memfit::accuracy
