// memfit - SPDX-License-Identifier: Apache-2.0
//
// Role: what a tensor is for. Everything that differs between tensors - which type a quantizer
// gives them, whether an adapter attaches, how tensor parallelism cuts them, what stays in 16 bits
// - is a table over roles (see RoleTraits), never a rule over names or models.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace memfit {

enum class Part : std::uint8_t { kMain, kVision, kAudio, kNextTokens };
std::string_view partName(Part part);

enum class Role : std::uint8_t {
  // Outside the layers.
  kTokenEmbedding,
  kOutputHead,
  kPositionEmbedding,
  kPerLayerEmbedding,   // a table vocab x layers x width, looked up and never multiplied (Gemma 3n)
  kPerLayerProjection,  // what joins it to the layers
  kEmbeddingProjection,  // narrow embedding to hidden and back (OPT-350m)
  // Norms, and other vectors of which nobody asks more.
  kNorm,
  kQkNorm,
  kScalar,
  // Attention.
  kAttnQ,
  kAttnK,
  kAttnV,
  kAttnQkv,
  kAttnOutput,
  kAttnGate,
  kAttnSinks,
  kCrossQ,
  kCrossK,
  kCrossV,
  kCrossOutput,
  // Latent attention.
  kMlaQA,   // H -> qLoraRank
  kMlaQB,   // qLoraRank -> heads (nope + rope)
  kMlaKvA,  // H -> kvLoraRank + rope
  kMlaKvB,  // kvLoraRank -> heads (nope + v)
  kIndexerQ,
  kIndexerK,
  kIndexerWeights,
  kCompressor,
  // Feed-forward.
  kFfnGate,
  kFfnUp,
  kFfnGateUp,
  kFfnDown,
  kExpertGate,
  kExpertUp,
  kExpertDown,
  kSharedGate,
  kSharedUp,
  kSharedDown,
  kSharedExpertGate,  // the gate of H on a shared expert's output
  kRouter,
  kRouterBias,
  kLatentDown,  // H -> the experts' own width
  kLatentUp,
  // Recurrent mixers.
  kSsmIn,
  kSsmConv,
  kSsmX,  // inner -> dt rank + 2 state
  kSsmDt,
  kSsmA,
  kSsmD,
  kSsmOut,
  kSsmGate,
  kShortConvIn,
  kShortConvKernel,
  kShortConvOut,
  kRwkvProjection,
  kRwkvMix,
  kLinear,
  // Towers and next-token prediction.
  kPatchEmbedding,
  kProjector,
  kNextTokenProjection,
  kOther,
  kCount,
};

// How tensor parallelism cuts a weight matrix [out x in] (Megatron-LM, arXiv 1909.08053).
enum class Cut : std::uint8_t {
  kReplicated,
  kColumn,      // by output features
  kRow,         // by input features
  kKvHeads,     // by output features, as far as there are key-value heads: replicated beyond
  kVocabulary,  // by rows of the vocabulary
  kExpert,      // by experts, or each expert as column or row
};

// What a low-rank adapter's targets call it: the names after PEFT's q_proj, k_proj, ...
enum class LoraTarget : std::uint8_t {
  kNone,
  kQ,
  kK,
  kV,
  kQkv,
  kO,
  kGate,
  kUp,
  kGateUp,
  kDown,
  kExpert,
  kShared,
  kLatent,  // latent attention's projections
  kSsm,
  kEmbedding,
  kHead,
  kOtherLinear,
};

// The name class that llama.cpp's quantizer decides by (gguf_facts section 2.2).
enum class GgmlClass : std::uint8_t {
  kNever,  // 1-D, norms, routers, convolutions: kept as converted
  kTokenEmbedding,
  kOutput,
  kAttnQ,
  kAttnK,
  kAttnV,
  kAttnQkv,
  kAttnOutput,
  kFfnGate,
  kFfnUp,
  kFfnDown,
  kOther,  // quantized to the file's base type
};

struct RoleTraits {
  Role role;
  std::string_view name;  // in JSON and in the page: "attn_q", "ffn_down", ...
  Cut cut;
  LoraTarget lora;
  GgmlClass ggml;
  bool linear;  // a weight matrix of a linear layer: what 4- and 8-bit schemes quantize
};
const RoleTraits& roleTraits(Role role);
inline std::string_view roleName(Role role) { return roleTraits(role).name; }

}  // namespace memfit
