// memfit - SPDX-License-Identifier: Apache-2.0
//
// The head and the loss: what stands between the last hidden state and its gradient.
#pragma once

#include "memory/training_setup.h"

namespace memfit {

// How many tokens have logits at once.
enum class LiveTokens : std::uint8_t {
  kAll,
  kChunk,    // `chunk` tokens, or fewer
  kParts,    // an equal part of `chunk` parts
  kByWidth,  // the smallest power of two not below tokens / ceil(vocab / hidden) (Liger)
};

struct LossCost {
  LiveTokens live = LiveTokens::kAll;
  Count chunk = 0;
  Count perLogit;             // bytes a live token and vocabulary entry
  Count everyLogit = 0;       // bytes a token and entry that stay for all tokens beside them
  Count vocab;                // entries on this device
  Count perToken;             // bytes a token of the micro-batch beside them
  bool headGradient = false;  // the head's gradient is made in the loss phase already
  std::string_view note;
  std::string_view source;

  Count liveTokens(Count tokens, Count hidden) const;
};

LossCost lossCost(const TrainingSetup& setup);

}  // namespace memfit
