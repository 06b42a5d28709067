// memfit - SPDX-License-Identifier: Apache-2.0
//
// The terms of a step that follow the weights: the weights themselves, the optimizer's state,
// gradients, and what the step takes for a moment.
#pragma once

#include "memory/training_setup.h"
#include "memory/training_state.h"
#include "memory/training_term.h"

namespace memfit {

void addWeights(const TrainingSetup& setup, const TrainingState& state, Terms& terms);
void addOptimizerState(const TrainingSetup& setup, const TrainingState& state, Terms& terms);
void addGradients(const TrainingSetup& setup, const TrainingState& state, Terms& terms);
void addStepTemporary(const TrainingSetup& setup, const TrainingState& state, Terms& terms);

// Optimizer state in managed memory: outside the allocator.
Bytes managedState(const TrainingSetup& setup, const TrainingState& state);

}  // namespace memfit
