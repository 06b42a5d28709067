// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/report_text.h"

namespace memfit::app {

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
  // Gigabytes go without saying; another unit is said, once where both have it.
  const Quantity from = formatBytes(need.low, state.units(), state.numbers());
  const Quantity to = formatBytes(need.high, state.units(), state.numbers());
  const std::string_view plain = gigabyteName(state.units(), state.numbers());
  const std::string low = from.unit == plain || from.unit == to.unit ? from.value : from.whole();
  const std::string high = to.unit == plain ? to.value : to.whole();
  if (from.value == to.value && from.unit == to.unit) return {};
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

}  // namespace memfit::app
