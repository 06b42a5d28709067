// memfit - SPDX-License-Identifier: Apache-2.0
//
// advise: what to change when it does not fit, each change with what it would need then and what it
// costs. The changes that the published rule names stand in its order (shorter length, smaller
// batch, QLoRA, checkpointing, smaller model, LoRA instead of full); before them what costs
// nothing, between and after them what else helps.
//
// Source of the order: "Why training needs more memory than the download", read 2026-11-29.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/fit.h"
#include "query/query.h"

namespace memfit {

struct AdviceChange {
  Key key = Key::kSeq;
  std::string from, to;  // as valueText gives them
};

struct Advice {
  std::string_view id;  // "shorter", "smaller-batch", "qlora", ...: translations are keyed by it
  std::vector<AdviceChange> changes;  // one, or several where no one change is enough
  Query query;                        // asking it gives the new answer
  Band perDevice;                     // what a device needs then
  Bytes saved;                        // of perDevice.high
  bool fits = false;                  // on the query's device; false where it names none
  std::optional<FitRow> fit;
  std::string_view price;  // one English sentence: what it costs
};

// Best first: what fits the query's device, in the order above, then the rest by what it saves.
// Never a change that does not lower what a device needs. Empty when nothing helps. Where no single
// change is enough for the device and several together are, those stand first. Errors as
// estimate().
Result<std::vector<Advice>> advise(const Query& query);

}  // namespace memfit
