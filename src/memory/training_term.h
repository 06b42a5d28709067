// memfit - SPDX-License-Identifier: Apache-2.0
//
// Term: one amount of a training step, linear in the tokens, in the pairs of tokens (eager
// attention) and in the tokens that have logits at once, and the moments at which it is there.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/count.h"
#include "memory/ledger.h"

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

// A set of them, a bit each.
using Phases = std::uint8_t;
template <typename... Phase>
constexpr Phases in(Phase... phases) {
  return static_cast<Phases>(((1u << static_cast<unsigned>(phases)) | ...));
}
inline constexpr Phases kInEvery = (1u << kPhases) - 1;
inline constexpr Phases kInLoss = in(TrainingPhase::kLoss);
inline constexpr Phases kInHead = in(TrainingPhase::kHead);
inline constexpr Phases kInBackward = in(TrainingPhase::kBackward, TrainingPhase::kDequantize);
inline constexpr Phases kInEnd = in(TrainingPhase::kBackwardEnd);
inline constexpr Phases kInStep = in(TrainingPhase::kStep);

// How an amount behaves in the allocator.
enum class Span : std::uint8_t {
  kPersistent,  // from step to step
  kShared,      // the same blocks in several phases
  kOwn,         // blocks of one phase
};

struct Term {
  Component component = Component::kWeights;
  Where where = Where::kDevice;
  Phases phases = 0;
  Span span = Span::kPersistent;
  bool steady = false;  // there between steps too
  Count fixed;          // bytes
  Count perToken;       // bytes a token of the device's micro-batch, ceil(b s / cp)
  Count perScore;       // bytes a pair of tokens of a row, ceil(b s s / cp)
  Count perLive;        // bytes a token that has logits at once
  // Over the inputs and, where the coefficient is not 0, b, s, cp and live.
  std::string_view formula;
  Inputs inputs;
  std::string_view source;
  std::string_view note = {};

  bool during(TrainingPhase phase) const { return (phases & in(phase)) != 0; }
};
using Terms = std::vector<Term>;

// Adds a term, unless it is nothing.
void addTerm(Terms& terms, const Term& term);

// Elements that take so many bytes, of which ZeRO leaves one part in `cut`: P x bytes / N.
struct PerElement {
  Component component = Component::kWeights;
  Where where = Where::kDevice;
  Phases phases = kInEvery;
  Span span = Span::kPersistent;
  bool steady = false;
  Count elements;
  Bytes bytes;
  Count cut = 1;
  std::string_view source;
  std::string_view note;
};
void addPerElement(Terms& terms, const PerElement& amount);

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

}  // namespace memfit
