// memfit - SPDX-License-Identifier: Apache-2.0
//
// TrainingPlan: a training query worked out up to the number of tokens. Every amount of a step is
// linear in the tokens, in the pairs of tokens (eager attention) and in the tokens that have logits
// at once; the plan holds the coefficients, so that one more length or batch costs a few
// multiplications. A report's ledger is made from the same terms, so both give the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "memory/ledger.h"
#include "memory/training_loss.h"
#include "memory/training_setup.h"

namespace memfit {

// The moments of a step that can set its peak.
enum class TrainingPhase : std::uint8_t {
  kLoss,         // the forward pass is done, the loss and its gradient are made
  kHead,         // the head's weight gradient is made
  kBackward,     // the last layer's backward pass: every other layer's activations are still there
  kDequantize,   // in it, while a quantized matrix is unpacked
  kBackwardEnd,  // the first layer's: all gradients are there
  kStep,         // the optimizer step
  kCount
};
std::string_view phaseName(TrainingPhase phase);  // "loss", "backward", ...
inline constexpr std::size_t kPhases = static_cast<std::size_t>(TrainingPhase::kCount);

// How an amount behaves in the allocator.
enum class Span : std::uint8_t {
  kPersistent,  // from step to step
  kShared,      // the same blocks in several phases
  kOwn,         // blocks of one phase
};

struct Term {
  Component component = Component::kWeights;
  Where where = Where::kDevice;
  std::uint8_t phases = 0;  // a bit for each TrainingPhase
  Span span = Span::kPersistent;
  Count fixed;     // bytes
  Count perToken;  // bytes a token of the device's micro-batch, ceil(b s / cp)
  Count perScore;  // bytes a pair of tokens of a row, ceil(b s s / cp)
  Count perLive;   // bytes a token that has logits at once
  // Over the inputs and, where the coefficient is not 0, b, s, cp and live.
  std::string_view formula;
  Inputs inputs;
  std::string_view source;
  std::string_view note = {};
};

// Tokens of one point.
struct TokenCounts {
  Count batch, seq;
  Count tokens, scores, live;
};

struct Linear {
  Count fixed, perToken, perScore, perLive;

  Linear& operator+=(const Term& term) {
    fixed += term.fixed;
    perToken += term.perToken;
    perScore += term.perScore;
    perLive += term.perLive;
    return *this;
  }
  Count at(const TokenCounts& t) const {
    Count sum = fixed + perToken * t.tokens + perLive * t.live;
    if (perScore != Count(0)) sum += perScore * t.scores;
    return sum;
  }
};

// One device's part of the pipeline.
struct TrainingStage {
  std::vector<Term> terms;
  std::array<Linear, kPhases> phases;
  Linear everything;  // every device term once: what the allocator holds if nothing is reused
  Linear others;      // what the loss and the step alone hold
  Linear activations;
  Linear logits;
  Linear steady;  // between steps
  Bytes managed;  // paged optimizer state: outside the allocator, on the device while it fits
};

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

struct TrainingPlan {
  std::vector<TrainingStage> stages;
  TrainingOverhead overhead;
  LossCost loss;
  Count hidden;
  Count cp = 1;
  Count positions = 0;  // a learned position table ends a row there; 0: none

  TokenCounts countsAt(Count batch, Count seq) const;
};

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
// The driver's figure follows the device's memory; the plan of a step does not.
TrainingTotals totalsAt(const TrainingPlan& plan, const TokenCounts& counts, Bytes deviceTotal);

TrainingPlan planTraining(const Query& query, const TrainingSetup& setup);

}  // namespace memfit
