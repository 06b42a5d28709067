// memfit - SPDX-License-Identifier: Apache-2.0
//
// Which devices hold it: one row a device, judged on the high end of the band.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "memory/report.h"

namespace memfit {

enum class Verdict : std::uint8_t {
  kFits,
  kTight,  // it fits, with less than a twentieth of the usable memory left
  kNeeds,  // not on so many, but on `devicesNeeded`
  kNo,     // on no number of them that was tried
};
// "fits", "tight", "no", or "needs-4-devices".
std::string verdictText(Verdict verdict, Count devicesNeeded);

struct FitRow {
  Device device;
  Count count = 1;            // how many were asked about
  Band need;                  // of each of `count` devices
  Usable usable;              // of one
  std::int64_t headroom = 0;  // usable - need.high; negative when short
  // Engines that take a fraction of the device are judged on what they charge to it, at the high
  // end, against the fraction; headroom is then the smaller of the two. 0: the engine takes what it
  // needs.
  double fraction = 0;
  Verdict verdict = Verdict::kNo;
  Count devicesNeeded = 0;  // the smallest number that holds it; 0: none that was tried

  bool holds() const { return verdict == Verdict::kFits || verdict == Verdict::kTight; }
};

// Rows for the query over `devices` (all of the catalogue when empty) and `counts` (as many as the
// query asks about when empty: devicesAsked() of parallelism.h).
//
// A published rule gives one total and knows no devices: over n devices it is split evenly, which
// is the least that n devices can need. `architecture` is asked again for each number of devices,
// spread as parallelism.h says; tried are the query's own spread, and 1, 2, 4, ... 1024.
//
// Errors: as estimate(); a device that the catalogue does not have is kUnknown, field "devices".
Result<std::vector<FitRow>> fit(const Query& query, const std::vector<std::string_view>& devices,
                                const std::vector<Count>& counts);

// The answer to a query that may name a device: the report, made for that device, and its row.
struct Answer {
  Report report;
  std::optional<FitRow> fit;
};
// An unknown device is a notice, and no row.
Result<Answer> answer(const Query& query);

// The row of that answer alone, for who asks many queries whether they fit. On how many devices one
// that does not fit would is not asked: its devicesNeeded is 0. The device must be known. An amount
// beyond all counting, an error of estimate(), is a row that does not hold.
Result<FitRow> ownRow(const Query& query);

}  // namespace memfit
