// memfit - SPDX-License-Identifier: Apache-2.0
//
// The terms of the last pipeline stage's end: the final norm, the logits and the loss, and the
// head's weight gradient.
#pragma once

#include "memory/training_loss.h"
#include "memory/training_state.h"
#include "memory/training_term.h"

namespace memfit {

void addHead(const TrainingSetup& setup, const LossCost& loss, const TrainingState& state,
             Terms& terms);

}  // namespace memfit
