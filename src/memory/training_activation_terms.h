// memfit - SPDX-License-Identifier: Apache-2.0
//
// The terms of a stage's layers: what they keep for the backward pass under each way of
// checkpointing, and what one layer takes while its backward pass runs.
#pragma once

#include "memory/training_setup.h"
#include "memory/training_state.h"
#include "memory/training_term.h"

namespace memfit {

// `inFlight`: micro-batches whose activations the stage holds at once.
void addActivations(const TrainingSetup& setup, const TrainingState& state, const StageRange& range,
                    Count inFlight, Terms& terms);

}  // namespace memfit
