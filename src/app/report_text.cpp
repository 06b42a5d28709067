// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/report_text.h"

namespace memfit::app {
namespace {

bool isWordSign(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

}  // namespace

std::string verdictText(const AppState& state, const FitRow& row) {
  const std::string device = timesDevice(state, row.count, row.device);
  const auto left = static_cast<std::uint64_t>(row.headroom < 0 ? -row.headroom : row.headroom);
  const std::string amount = state.amount(Bytes(left));
  switch (row.verdict) {
    case Verdict::kFits: return say(Text::kVerdictFits, {amount, device});
    case Verdict::kTight: return say(Text::kVerdictTight, {amount, device});
    default: break;
  }
  return say(row.headroom >= 0 ? Text::kVerdictNone : Text::kVerdictShort, {amount, device});
}

std::string likelyText(const AppState& state, const Band& need) {
  const std::string low = formatGigabytes(need.low, state.units(), state.numbers());
  const std::string high = formatGigabytes(need.high, state.units(), state.numbers());
  if (low == high) return {};
  return say(Text::kLikely, {low, high});
}

std::string moreText(const AppState& state) {
  std::string more;
  if (const Count devices = state.deviceCount(); devices > Count(1)) {
    more = say(Text::kOnAll,
               {state.amount(state.need().expected * devices),
                formatWhole(static_cast<std::int64_t>(devices.value()), state.numbers())});
  }
  if (const Band& host = state.answer()->report.host; host.expected > Bytes(0)) {
    if (!more.empty()) more += say(Text::kListComma);
    more += say(Text::kOnHost, {state.amount(host.expected)});
  }
  return more;
}

std::string typeset(std::string_view formula) {
  std::string out;
  for (const char c : formula) {
    if (c == '*') {
      out += "\u00d7";
    } else if (c == '-') {
      out += "\u2212";
    } else {
      out += c;
    }
  }
  return out;
}

std::string filledIn(const Entry& entry, const NumberStyle& numbers) {
  std::string out;
  const std::string_view formula = entry.formula;
  for (std::size_t i = 0; i < formula.size();) {
    if (!isWordSign(formula[i])) {
      out += typeset(formula.substr(i, 1));
      ++i;
      continue;
    }
    std::size_t stop = i;
    while (stop < formula.size() && isWordSign(formula[stop])) ++stop;
    const std::string_view word = formula.substr(i, stop - i);
    std::string shown(word);
    for (const Input& input : entry.inputs.items()) {
      if (input.symbol == word) shown = formatInput(input.value, numbers);
    }
    out += shown;
    i = stop;
  }
  return out;
}

}  // namespace memfit::app
