// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the driver shows beside live tensors: the caching allocator's slack, the CUDA context,
// communication libraries.
#pragma once

#include "memory/training_plan.h"

namespace memfit {

TrainingOverhead trainingOverhead(const TrainingSetup& setup);

// Fills slack and perDevice of totals whose other amounts are set.
//
//   slack = reuse x (everything - allocated) + grain x activations
//
// The allocator keeps blocks by size: what the loss freed seldom serves a layer's backward pass or
// the step, so that a run holds most of what its phases need together. On a device of known size it
// gives unused blocks back before it fails: the slack ends where the device does.
void addOverhead(const TrainingPlan& plan, TrainingTotals& totals);

// The entries of the report's ledger for it.
void addOverheadEntries(const TrainingPlan& plan, const TrainingTotals& totals, Ledger& ledger);

}  // namespace memfit
