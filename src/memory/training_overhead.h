// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the driver shows beside live tensors: the caching allocator's slack, the CUDA context,
// communication libraries.
#pragma once

#include "memory/ledger.h"
#include "memory/training_setup.h"
#include "memory/training_term.h"

namespace memfit {

// Beside what is allocated.
struct TrainingOverhead {
  Band context;        // CUDA context and libraries
  Band communication;  // NCCL
  // The allocator's slack, in thousandths: of what phases could reuse of each other and do not, of
  // the activations, and (at worst) of the logits, whose large blocks fragment what is left.
  Count reuseLow, reuse, reuseHigh;
  Count grainLow, grain, grainHigh;
  Count logitsHigh;
  Count unseenHigh;  // of everything allocated: what a trainer holds that no term here counts
};

// A step at its peak. The plan fills all but what the driver shows.
struct TrainingTotals {
  Bytes deviceTotal = 0;  // 0: unknown
  std::size_t stage = 0;
  TrainingPhase phase = TrainingPhase::kLoss;
  Bytes allocated;
  Bytes everything;
  Bytes activations, logits, managed;
  Band slack;      // reserved - allocated
  Band perDevice;  // what the driver shows
};

TrainingOverhead trainingOverhead(const TrainingSetup& setup);

// Fills slack and perDevice of totals whose other amounts are set.
//
//   slack = reuse x (everything - allocated) + grain x activations
//
// The allocator keeps blocks by size: what the loss freed seldom serves a layer's backward pass or
// the step, so that a run holds most of what its phases need together. On a device of known size it
// gives unused blocks back before it fails: the slack ends where the device does.
void addOverhead(const TrainingOverhead& overhead, TrainingTotals& totals);

// The entries of the report's ledger for it.
void addOverheadEntries(const TrainingOverhead& overhead, const TrainingTotals& totals,
                        Ledger& ledger);

}  // namespace memfit
