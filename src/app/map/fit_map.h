// memfit - SPDX-License-Identifier: Apache-2.0
//
// The fit map's numbers: needs over sequence length and batch or concurrency, set against what the
// chosen device and multiples of it hold. Knows no ImGui.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "advice/solve.h"
#include "base/count.h"
#include "query/query.h"

namespace memfit::app {

inline constexpr std::size_t kMapLimits = 3;

struct FitMap {
  Axis x, y;
  // For each point, row by row from the bottom, need / limit of each limit: it fits up to 1. The
  // fourth is padding, for texels are fetched by fours.
  std::vector<float> ratios;
  std::vector<float> needs;  // of each device of the first limit, bytes
  std::array<Bytes, kMapLimits> limits{};
  // How many devices each limit stands for; 0 where no device is chosen and limits are sizes.
  std::array<Count, kMapLimits> counts{};
  bool ok = false;

  bool hasDevice() const { return counts[0] != Count(0); }
};

// Over `seq`, and `concurrency` where it counts, else `batch`. The axes reach from what is usual to
// what is asked, with a point at every doubling of the batch and at every half of it in tokens.
FitMap makeFitMap(const Query& query);

// Of a point to the one before.
double ratioOf(const Axis& axis);

// Where a value lies on an axis, 0 to 1; the value at a place.
double placeOn(const Axis& axis, std::int64_t value);
double valueAt(const Axis& axis, double place);

// need / limit at a place between the points, as the shader has it: interpolated by amounts, in
// which needs are nearly linear.
double ratioAt(const FitMap& map, std::size_t limit, double x, double y);
// Bytes of a device at a place.
double needAt(const FitMap& map, double x, double y);

}  // namespace memfit::app
