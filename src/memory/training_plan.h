// memfit - SPDX-License-Identifier: Apache-2.0
//
// TrainingPlan: a training query worked out up to the number of tokens. Every amount of a step is
// linear in the tokens, in the pairs of tokens (eager attention) and in the tokens that have logits
// at once; the plan holds the coefficients, so that one more length or batch costs a few
// multiplications. A report's ledger is made from the same terms, so both give the same bytes.
#pragma once

#include <array>
#include <vector>

#include "memory/training_loss.h"
#include "memory/training_overhead.h"
#include "memory/training_setup.h"
#include "memory/training_term.h"

namespace memfit {

// One device's part of the pipeline.
struct TrainingStage {
  Terms terms;
  std::array<Linear, kPhases> phases;
  Linear everything;  // every device term once: what the allocator holds if nothing is reused
  Linear others;      // what the loss and the step alone hold
  Linear activations;
  Linear logits;
  Linear steady;  // between steps
  Bytes managed;  // paged optimizer state: outside the allocator, on the device while it fits
};

struct TrainingPlan {
  std::vector<TrainingStage> stages;
  TrainingOverhead overhead;
  LossCost loss;
  Count hidden;
  Count cp = 1;
  Count positions = 0;  // a learned position table ends a row there; 0: none

  TokenCounts countsAt(Count batch, Count seq) const;
};

// The driver's figure follows the device's memory; the plan of a step does not.
TrainingTotals totalsAt(const TrainingPlan& plan, const TokenCounts& counts, Bytes deviceTotal);

TrainingPlan planTraining(const Query& query, const TrainingSetup& setup);

}  // namespace memfit
