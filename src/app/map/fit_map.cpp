// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/map/fit_map.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "device/device.h"
#include "device/fit.h"
#include "memory/estimate.h"
#include "memory/methods.h"
#include "memory/parallelism.h"

namespace memfit::app {
namespace {

// Sizes that cards come in, where no device is chosen.
constexpr std::array<std::uint64_t, kMapLimits> kSizes = {24, 80, 192};

// From one power of two to another, so that points are whole.
Axis axisAround(Key key, std::int64_t from, std::int64_t to, std::int64_t value, int perOctave) {
  while (value < from && from > 1) from /= 2;
  while (value > to) to *= 2;
  int octaves = 0;
  while (from << octaves < to) ++octaves;
  return {key, from, to, octaves * perOctave + 1};
}

float shareOfLimit(float need, Bytes limit) {
  const double bytes = std::isfinite(need) ? static_cast<double>(need) : 1e18;
  return static_cast<float>(bytes / std::max(limit.toDouble(), 1.0));
}

// Where the verdict on so many devices draws its line: an engine that takes a fraction of a device
// has less than all that is usable.
Bytes limitOf(const Query& query, Count devices, Bytes usable) {
  const auto rows = fit(query, {query.text(Key::kDevice)}, {devices});
  if (!rows || rows->empty() || rows->front().need.high == Bytes(0)) return usable;
  const FitRow& row = rows->front();
  const std::int64_t limit = static_cast<std::int64_t>(row.need.high.value()) + row.headroom;
  return limit > 0 ? Bytes(limit) : usable;
}

}  // namespace

FitMap makeFitMap(const Query& query) {
  FitMap map;
  const bool training = query.isTraining();
  const Key yKey = training ? Key::kBatch : Key::kConcurrency;
  map.x = axisAround(Key::kSeq, 512, 262144, query.number(Key::kSeq), 2);
  map.y = axisAround(yKey, 1, training ? 128 : 256, query.number(yKey), 1);

  const std::optional<Device> device = findDevice(query.text(Key::kDevice));
  const Usable usable = device ? usableOf(*device, query) : Usable{};
  const Result<Report> report = estimate(query, usable.total);
  if (!report) return map;
  const bool splits = report->method != Method::kArchitecture;
  const Count count = device ? devicesAsked(query) : Count(1);

  const auto points = static_cast<std::size_t>(map.x.n) * static_cast<std::size_t>(map.y.n);
  map.ratios.assign(points * 4, 0);
  std::vector<float> totals;
  for (std::size_t i = 0; i < kMapLimits; ++i) {
    const Count devices = count * (std::uint64_t{1} << i);
    if (device) {
      map.counts[i] = devices;
      // A published rule's total is split evenly; architecture is asked again.
      map.limits[i] = splits ? usable.bytes * devices : limitOf(query, devices, usable.bytes);
    } else {
      map.limits[i] = kGB * kSizes[i];
    }
    if (i == 0 || (device && !splits)) {
      const Query asked = i == 0 ? query : spreadOver(query, devices);
      Result<std::vector<float>> made = sweep(asked, map.x, map.y);
      if (!made || made->size() != points) return map;
      totals = std::move(*made);
      if (i == 0) {
        map.needs = totals;
        if (splits) {
          for (float& need : map.needs) need /= static_cast<float>(count.toDouble());
        }
      }
    }
    for (std::size_t p = 0; p < points; ++p)
      map.ratios[p * 4 + i] = shareOfLimit(totals[p], map.limits[i]);
  }
  // More devices never need more: a spread that the model cannot take counts as the one before.
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t i = 1; i < kMapLimits; ++i) {
      float& ratio = map.ratios[p * 4 + i];
      ratio = std::min(ratio, map.ratios[p * 4 + i - 1]);
    }
  }
  map.ok = true;
  return map;
}

double placeOn(const Axis& axis, std::int64_t value) {
  const double from = std::log(static_cast<double>(axis.from));
  const double to = std::log(static_cast<double>(axis.to));
  const double at = std::log(static_cast<double>(std::max<std::int64_t>(value, 1)));
  return std::clamp((at - from) / (to - from), 0.0, 1.0);
}

double valueAt(const Axis& axis, double place) {
  const double from = std::log(static_cast<double>(axis.from));
  const double to = std::log(static_cast<double>(axis.to));
  return std::exp(from + (to - from) * std::clamp(place, 0.0, 1.0));
}

namespace {

template <typename At>
double between(const FitMap& map, double x, double y, At at) {
  const double px = std::clamp(x, 0.0, 1.0) * (map.x.n - 1);
  const double py = std::clamp(y, 0.0, 1.0) * (map.y.n - 1);
  const int x0 = static_cast<int>(px);
  const int y0 = static_cast<int>(py);
  const int x1 = std::min(x0 + 1, map.x.n - 1);
  const int y1 = std::min(y0 + 1, map.y.n - 1);
  const auto part = [](double along, double ratio) {
    return (std::pow(ratio, along) - 1) / (ratio - 1);
  };
  const double fx = part(px - x0, ratioOf(map.x));
  const double fy = part(py - y0, ratioOf(map.y));
  const auto index = [&map](int column, int row) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(map.x.n) +
           static_cast<std::size_t>(column);
  };
  const double below = at(index(x0, y0)) * (1 - fx) + at(index(x1, y0)) * fx;
  const double above = at(index(x0, y1)) * (1 - fx) + at(index(x1, y1)) * fx;
  return below * (1 - fy) + above * fy;
}

}  // namespace

double ratioOf(const Axis& axis) {
  const double whole = static_cast<double>(axis.to) / static_cast<double>(axis.from);
  return std::pow(whole, 1.0 / (axis.n - 1));
}

double ratioAt(const FitMap& map, std::size_t limit, double x, double y) {
  return between(map, x, y, [&](std::size_t point) {
    return static_cast<double>(map.ratios[point * 4 + limit]);
  });
}

double needAt(const FitMap& map, double x, double y) {
  return between(map, x, y,
                 [&](std::size_t point) { return static_cast<double>(map.needs[point]); });
}

}  // namespace memfit::app
