// memfit - SPDX-License-Identifier: Apache-2.0
#include "accuracy/statistics.h"

#include <algorithm>
#include <cmath>

namespace memfit::accuracy {

double Sample::errorPercent() const {
  if (predicted == measured) return 0;
  if (measured == 0) return 100;
  return (predicted - measured) / measured * 100;
}

Statistics statisticsOf(std::span<const Sample> samples) {
  Statistics s;
  s.n = samples.size();
  if (samples.empty()) return s;
  std::vector<double> errors;
  std::size_t within = 0;
  std::size_t covered = 0;
  double sum = 0;
  for (const Sample& sample : samples) {
    const double error = sample.errorPercent();
    errors.push_back(std::fabs(error));
    sum += error;
    if (error == 0) ++s.exact;
    if (std::fabs(error) <= 1) ++within;
    if (sample.measured <= sample.high) ++covered;
  }
  std::sort(errors.begin(), errors.end());
  const std::size_t n = errors.size();
  s.medianAbsPercent = n % 2 == 1 ? errors[n / 2] : (errors[n / 2 - 1] + errors[n / 2]) / 2;
  s.p90AbsPercent = errors[(n * 9 + 9) / 10 - 1];
  s.biasPercent = sum / static_cast<double>(n);
  s.within1Percent = static_cast<double>(within) * 100 / static_cast<double>(n);
  s.coveredByHighPercent = static_cast<double>(covered) * 100 / static_cast<double>(n);
  s.worst.assign(samples.begin(), samples.end());
  std::stable_sort(s.worst.begin(), s.worst.end(), [](const Sample& a, const Sample& b) {
    return std::fabs(a.errorPercent()) > std::fabs(b.errorPercent());
  });
  constexpr std::size_t kWorst = 10;
  s.worst.resize(std::min(s.worst.size(), kWorst));
  while (!s.worst.empty() && s.worst.back().errorPercent() == 0) s.worst.pop_back();
  return s;
}

}  // namespace memfit::accuracy
