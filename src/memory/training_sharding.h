// memfit - SPDX-License-Identifier: Apache-2.0
//
// What data parallelism adds beside the shards: gathered weights, gradients before they are
// reduced, buckets.
#pragma once

#include "memory/training_setup.h"
#include "memory/training_state.h"
#include "memory/training_term.h"

namespace memfit {

void addGathered(const TrainingSetup& setup, const TrainingState& state, Terms& terms);

}  // namespace memfit
