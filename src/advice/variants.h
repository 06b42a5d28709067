// memfit - SPDX-License-Identifier: Apache-2.0
//
// The rows that people look at side by side: the same question with 16-, 8- and 4-bit weights, or
// as full, LoRA, 8-bit and 4-bit QLoRA fine-tuning, as the published calculator shows them
// (shared/facts/published_rules.md section 1).
#pragma once

#include <vector>

#include "base/result.h"
#include "device/fit.h"
#include "query/query.h"

namespace memfit {

struct Variant {
  Query query;         // asking this gives the row
  bool asked = false;  // the row is the question itself: same task, same bits
  Answer answer;
};

// Inference: bf16, int8, nf4. Training: full and LoRA in bf16, QLoRA over int8 and over nf4.
// Errors as estimate().
Result<std::vector<Variant>> variantsOf(const Query& query);

}  // namespace memfit
