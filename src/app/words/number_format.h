// memfit - SPDX-License-Identifier: Apache-2.0
//
// Numbers as readers of each language write them. Digits come out tabular (fonts.h), so columns of
// them align when set to the right. Knows no ImGui.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/count.h"
#include "query/choices.h"

namespace memfit::app {

// How a language writes numbers and units.
struct NumberStyle {
  std::string_view decimal;  // "." or ","
  std::string_view group;    // between thousands
  std::string_view kb, mb, gb, tb, kib, mib, gib, tib;
  std::string_view bytes;  // "bytes"
};

struct Quantity {
  std::string value;  // "25.9"
  std::string_view unit;
  std::string whole() const;  // with a no-break space between
};

// "8,192".
std::string formatWhole(std::int64_t value, const NumberStyle& style);
// A number with `decimals` places.
std::string formatDecimal(double value, int decimals, const NumberStyle& style);
// With as many places as a reader needs for three figures: 0.14, 1.4, 25.9, 124.2, 1,234.
std::string formatShort(double value, const NumberStyle& style);

// In gigabytes (10^9) or gibibytes (2^30); amounts that would read 0.0 go down to megabytes and
// kilobytes, amounts from 10,000 on up to terabytes.
Quantity formatBytes(Bytes bytes, Units units, const NumberStyle& style);
// Always in GB or GiB, for columns and for the two ends of a range.
std::string formatGigabytes(Bytes bytes, Units units, const NumberStyle& style);
std::string_view gigabyteName(Units units, const NumberStyle& style);
// With its sign: "+7.8 GB", or a true minus.
std::string formatSigned(std::int64_t bytes, Units units, const NumberStyle& style);

// Parameters: "8.03 B", "671 B", "137 M".
std::string formatParameters(Count parameters, const NumberStyle& style);
// Tokens on an axis: "512", "4K", "64K", "1M", with K = 1024.
std::string formatTokens(std::int64_t tokens);

// A formula's number: whole ones grouped, others with up to 4 places.
std::string formatInput(double value, const NumberStyle& style);

}  // namespace memfit::app
