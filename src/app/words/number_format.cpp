// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/number_format.h"

#include <cmath>

#include "base/text.h"

namespace memfit::app {
namespace {

constexpr std::string_view kNoBreakSpace = "\u00a0";
constexpr std::string_view kMinus = "\u2212";

double gigabyte(Units units) {
  return units == Units::kGb ? 1e9 : static_cast<double>(kGiB.value());
}

// "1234567.8" with the language's separators.
std::string localized(std::string_view plain, const NumberStyle& style) {
  std::string out;
  if (!plain.empty() && plain.front() == '-') {
    out += kMinus;
    plain.remove_prefix(1);
  }
  const std::size_t point = plain.find('.');
  const std::string_view whole = plain.substr(0, point);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i > 0 && (whole.size() - i) % 3 == 0) out += style.group;
    out += whole[i];
  }
  if (point != std::string_view::npos) {
    out += style.decimal;
    out += plain.substr(point + 1);
  }
  return out;
}

}  // namespace

std::string Quantity::whole() const { return cat(value, kNoBreakSpace, unit); }

std::string formatWhole(std::int64_t value, const NumberStyle& style) {
  return localized(std::to_string(value), style);
}

std::string formatDecimal(double value, int decimals, const NumberStyle& style) {
  return localized(formatFixed(value, decimals), style);
}

std::string formatShort(double value, const NumberStyle& style) {
  const double size = std::fabs(value);
  const int decimals = size >= 999.95 ? 0 : size >= 0.995 || size == 0 ? 1 : 2;
  return formatDecimal(value, decimals, style);
}

Quantity formatBytes(Bytes bytes, Units units, const NumberStyle& style) {
  const bool decimal = units == Units::kGb;
  const double step = decimal ? 1000.0 : 1024.0;
  const double value = bytes.toDouble() / gigabyte(units);
  if (value >= 9999.5) return {formatShort(value / step, style), decimal ? style.tb : style.tib};
  if (value >= 0.095 || bytes == Bytes(0)) {
    return {formatShort(value, style), decimal ? style.gb : style.gib};
  }
  const double mega = value * step;
  if (mega >= 0.095) return {formatShort(mega, style), decimal ? style.mb : style.mib};
  if (mega * step >= 0.95) return {formatShort(mega * step, style), decimal ? style.kb : style.kib};
  return {formatWhole(static_cast<std::int64_t>(bytes.value()), style), style.bytes};
}

std::string formatGigabytes(Bytes bytes, Units units, const NumberStyle& style) {
  return formatShort(bytes.toDouble() / gigabyte(units), style);
}

std::string_view gigabyteName(Units units, const NumberStyle& style) {
  return units == Units::kGb ? style.gb : style.gib;
}

std::string formatSigned(std::int64_t bytes, Units units, const NumberStyle& style) {
  const auto size = static_cast<std::uint64_t>(bytes < 0 ? -bytes : bytes);
  return cat(bytes < 0 ? kMinus : "+", formatBytes(Bytes(size), units, style).whole());
}

std::string formatParameters(Count parameters, const NumberStyle& style) {
  const double value = parameters.toDouble();
  struct Scale {
    double size;
    std::string_view letter;
  };
  for (const Scale scale : {Scale{1e12, "T"}, Scale{1e9, "B"}, Scale{1e6, "M"}, Scale{1e3, "K"}}) {
    const double scaled = value / scale.size;
    if (scaled < 0.9995) continue;
    const int decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
    // No zeros that say nothing: "7", not "7.00".
    std::string text = formatFixed(scaled, decimals);
    if (decimals > 0) {
      while (text.back() == '0') text.pop_back();
      if (text.back() == '.') text.pop_back();
    }
    return cat(localized(text, style), kNoBreakSpace, scale.letter);
  }
  return formatWhole(static_cast<std::int64_t>(parameters.value()), style);
}

std::string formatTokens(std::int64_t tokens) {
  constexpr std::int64_t kK = 1024;
  if (tokens >= kK * kK && tokens % (kK * kK) == 0) return cat(tokens / (kK * kK), "M");
  if (tokens >= kK && tokens % kK == 0) return cat(tokens / kK, "K");
  return std::to_string(tokens);
}

std::string formatInput(double value, const NumberStyle& style) {
  if (value == std::floor(value) && std::fabs(value) < 9.1e15) {
    return formatWhole(static_cast<std::int64_t>(value), style);
  }
  std::string text = formatFixed(value, 4);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return localized(text, style);
}

}  // namespace memfit::app
