// memfit - SPDX-License-Identifier: Apache-2.0
//
// What data parallelism adds beside the shards: gathered weights, gradients before they are
// reduced, buckets.
#pragma once

#include <vector>

#include "memory/training_plan.h"
#include "memory/training_state.h"

namespace memfit {

std::vector<Term> gatherTerms(const TrainingSetup& setup, const TrainingState& state);

}  // namespace memfit
