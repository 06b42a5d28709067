// memfit - SPDX-License-Identifier: Apache-2.0
//
// What a training step keeps from one step to the next, by tensor role: weights, gradients, 32-bit
// copies and optimizer state of the device's part of the model.
#pragma once

#include <array>
#include <cstdint>

#include "memory/training_setup.h"

namespace memfit {

// What an optimizer holds for each weight. One row an optimizer, in optimizers.cpp.
struct OptimizerRule {
  Optimizer optimizer;
  std::uint8_t states;         // values a weight
  std::uint8_t bytesEach = 0;  // of each; 0: the trainer's width (see TrainerHabits::statesFollow)
  bool blockwise8 = false;     // 8-bit blocks of 256 with a 32-bit scale; small tensors stay 32-bit
  bool factored = false;       // row and column sums of matrices instead of one value a weight
  bool hiddenMatricesOnly = false;  // one state for hidden matrices, Adam for the rest (Muon)
  bool foreach = false;             // a torch.optim optimizer, which has a foreach step
  bool paged = false;               // state in managed memory, which counts while the card has room
  std::string_view formula;         // a weight, in words
  std::string_view source;
};
const OptimizerRule& optimizerRule(Optimizer optimizer);

// The state of `count` tensors of rows x cols under a rule, for weights of `weightBytes` (0: the
// trainer's state is 32-bit). Embeddings keep 32-bit state where `embeddingIn32` (Transformers'
// Trainer with an 8-bit optimizer).
Bytes optimizerBytes(const OptimizerRule& rule, Count rows, Count cols, Count count,
                     Count stateWidth, bool hiddenMatrix, bool embeddingIn32);

// Elements and bytes of one sort of tensor on this device before ZeRO cuts them.
struct Held {
  Count elements;
  Bytes bytes;
};

// What ZeRO cuts over the same devices.
struct HeldShare {
  bool experts = false;
  Count shards = 1;     // devices that it is cut over
  Held trained = {};    // weights trained whole
  Held frozen = {};     // frozen, not quantized
  Held packed = {};     // frozen, in the quantized format
  Held adapters = {};   // elements; bytes of the adapters themselves
  Bytes optimizer = 0;  // state, of trained weights and adapters

  Count withGradients() const { return trained.elements + adapters.elements; }
};

// One device's part.
struct TrainingState {
  // Experts are apart: expert parallelism leaves fewer copies of them to cut.
  std::array<HeldShare, 2> shares = {HeldShare{}, HeldShare{.experts = true}};
  Bytes copies;  // a frozen original beside a trained copy (modules_to_save)
  // The pieces that full sharding gathers, in elements: the root (embedding, head, what lies
  // outside the layers) and the largest layer; in bytes as they are gathered.
  Bytes rootBytes, layerBytes;
  Bytes largestLinear;   // the largest quantized matrix, as 16-bit
  Count largestTrained;  // elements of the largest tensor that has a gradient
  Count largestAdapted;  // elements of the largest matrix that an adapter attaches to
  Count headTrained;     // trained elements that the first part of a backward pass reaches
  Count layerTrained;    // trained elements of one layer (the largest)
};

// Layers [first, last) of a pipeline stage and, when asked, what lies before and after them.
struct StageRange {
  std::size_t first = 0, last = 0;
  bool embedding = true, head = true;
};

TrainingState trainingState(const TrainingSetup& setup, const StageRange& stage);

}  // namespace memfit
