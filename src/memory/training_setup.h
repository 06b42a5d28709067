// memfit - SPDX-License-Identifier: Apache-2.0
//
// TrainingSetup: a training query with everything decided that is not an amount yet - whose habits,
// which data types, what is trained, what is frozen, how it is spread. The other training files
// turn it into bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/count.h"
#include "memory/report.h"
#include "model/model.h"
#include "query/query.h"

namespace memfit {

// What data parallelism is made of: which buffers stand beside the shards.
enum class Sharding : std::uint8_t {
  kTorch,      // DDP, and FSDP in place of ZeRO 3
  kDeepspeed,  // buckets of a fixed size
  kMegatron,   // the distributed optimizer on buffers that are there anyway
};

// What a trainer does that no option of a run says: data types, buffers and kernels. One row a
// trainer, in trainers.cpp; it alone knows the trainer, shared code asks for the habit.
struct TrainerHabits {
  Trainer trainer;
  std::string_view source;
  bool cuda = true;  // PyTorch on CUDA: its context, cuBLAS's workspaces, NCCL; what torch offers

  // Loss.
  Count logitBytes;         // a token and vocabulary entry, loss `standard`
  Count chunkTokens = 256;  // of a chunk, loss `chunked`; 0: 8 parts, see training_loss.cpp

  // Data types.
  Count adapterBytes = 2;    // a LoRA weight; its gradient and optimizer state are as wide or wider
  Count mixedGradBytes = 2;  // a gradient under the recipe `mixed`
  bool autocasts = false;    // that recipe computes under autocast
  bool statesFollow = true;  // optimizer state in the data type of the weights (torch.optim)
  bool embeddingStateIn32 = false;  // of embeddings under an 8-bit optimizer
  bool plainIn32 = false;           // beside a quantized base everything else is in 32 bits
  std::optional<Format> ownBlocks = std::nullopt;  // in place of every quantized format but int8

  // Buffers.
  bool foreachStep = false;     // the step takes a temporary as large as the weights
  bool gradientBuffer = false;  // gradients live in a buffer of their own through the whole step
  Sharding sharding = Sharding::kTorch;
  bool shardsIn32 = false;  // full sharding holds 32-bit shards and no 16-bit copy (FSDP)
  bool holdsGradients =
      false;                // full sharding over frozen layers keeps each layer's output gradient
  bool gathersAll = false;  // full sharding gathers the whole model at once
  bool copiesTiedHead = false;  // a tied head is a tensor of its own

  // Kernels, and what they keep.
  Kernels kernels = Kernels::kPlain;  // what `auto` means
  bool normIn32 = true;               // plain norms keep a 32-bit copy of their input
  bool fusesQkv = false;              // one adapter module for queries, keys and values
  bool moduleCasts = false;           // every adapter casts its input for itself (PEFT)
  bool fusesAdapters = false;         // fused kernels cover adapters on quantized weights
  bool keepsFrozenInputs = false;  // linear layers keep their input although their weight is frozen
  bool ropeCopies = false;  // rotary embedding writes new queries and keys beside the projection
  bool familyLoss = false;  // logits are widened as the model family's code does (FamilyHabits)
  bool repeatsKv = false;   // grouped keys and values are repeated to all heads before the product
  bool copiesForSdpa = false;    // SDPA's output is copied for the output projection
  bool gradientsInPlace = true;  // fused SwiGLU kernels write gradients over what they were given
  bool groupsExperts = false;    // experts run as one grouped product, all at once
  bool selectiveKeepsLayers = false;  // checkpointing=selective keeps as much as `none` with flash
  bool fusedLoss = false;             // comes with the loss `fused`, which advice prefers
};
const TrainerHabits& trainerHabits(Trainer trainer);

// What a model family's own code in Transformers does otherwise.
struct FamilyHabits {
  std::string_view family = {};
  bool repeatsKv = false;       // keys and values repeated to all heads before the flash kernel
  bool upcastReplaces = false;  // the 16-bit logits are dropped once they are 32-bit
  bool noUpcast = false;        // the loss works on the logits as they are
  bool stackedExperts = false;  // experts are one 3-D tensor, which bitsandbytes does not quantize
};
const FamilyHabits& familyHabits(std::string_view family);

struct TrainingSetup {
  const Model* model = nullptr;
  const TrainerHabits* habits = nullptr;
  const FamilyHabits* family = nullptr;
  Task task = Task::kFull;
  bool adapters = false;  // LoRA or QLoRA: the base is frozen
  Optimizer optimizer = Optimizer::kAdamW;
  Recipe recipe = Recipe::kMixed;
  Kernels kernels = Kernels::kPlain;     // never kAuto
  StepKernel step = StepKernel::kFused;  // never kAuto
  Checkpointing checkpointing = Checkpointing::kFull;
  AttentionKernel attention = AttentionKernel::kFlash;
  Loss loss = Loss::kStandard;
  Offload offload = Offload::kNone;
  SaveModules saved = SaveModules::kNone;
  Parallelism spread;
  Count shards = 1;  // devices that ZeRO cuts over: dp x cp
  bool fsdp = false;
  bool sequenceParallel = false;
  bool autocast = false;
  bool gradientsStay = false;  // gradients are alive in the forward pass too

  // Bytes a value.
  Count weightBytes, gradBytes, masterBytes;  // of what is trained whole
  Count computeBytes;                         // of activations
  Count residualBytes;                        // of the residual stream
  Count adapterBytes;

  // The frozen base.
  bool quantized = false;
  Format format = Format::kBf16;  // of its linear layers
  bool quantizesExperts = true;
  bool upcast = false;     // what is not quantized is in 32 bits
  bool plainIn32 = false;  // embeddings and head are too, and the logits with them

  Count rank;
  std::uint32_t targets = 0;                   // bits of LoraTarget
  bool partialQkv[3] = {false, false, false};  // q, k, v asked for by name, where they are fused
  bool dropout = false, dora = false;

  bool targeted(LoraTarget target) const {
    return (targets >> static_cast<unsigned>(target) & 1u) != 0;
  }
  // Whether the weights of this role get gradients of their own (not through an adapter).
  bool trains(const TensorGroup& group) const;
  // Whether an adapter attaches to this group.
  bool adapts(const TensorGroup& group) const;
  bool adapts(Role role) const;
  bool keepsInputs() const;  // linear layers need their input for the backward pass
  // Whether the frozen base holds this group in `format`.
  bool quantizes(const TensorGroup& group) const;
};

// Reads the query. Adds notices for what it had to assume.
TrainingSetup trainingSetup(const Query& query, const Model& model, Notices& notices);

}  // namespace memfit
