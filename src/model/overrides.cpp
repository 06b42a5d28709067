// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/overrides.h"

namespace memfit {
namespace {

using O = ArchitectureOverrides;
constexpr std::int64_t kWidth = 1 << 20;

constexpr OverrideField kFields[] = {
    {"layers", &O::layers, "num_hidden_layers", 1, 10000},
    {"hidden", &O::hidden, "hidden_size", 1, kWidth},
    {"heads", &O::heads, "num_attention_heads", 1, 65536},
    {"kv_heads", &O::kvHeads, "num_key_value_heads", 1, 65536},
    {"head_dim", &O::headDim, "head_dim", 1, 65536},
    {"intermediate", &O::intermediate, "intermediate_size", 1, kWidth * 16},
    {"vocab", &O::vocab, "vocab_size", 1, kWidth * 64},
    {"tied", &O::tied, "tie_word_embeddings", 0, 1},
    {"experts", &O::experts, "num_experts", 0, 65536},
    {"experts_per_token", &O::expertsPerToken, "num_experts_per_tok", 1, 65536},
    {"moe_intermediate", &O::moeIntermediate, "moe_intermediate_size", 1, kWidth * 16},
    {"shared_experts", &O::sharedExperts, "n_shared_experts", 0, 65536},
    {"dense_layers", &O::denseLayers, "first_k_dense_replace", 0, 10000},
    {"window", &O::window, "sliding_window", 0, std::int64_t{1} << 40},
    {"full_every", &O::fullEvery, "sliding_window_pattern", 1, 10000},
    {"kv_lora_rank", &O::kvLoraRank, "kv_lora_rank", 1, kWidth},
    {"q_lora_rank", &O::qLoraRank, "q_lora_rank", 0, kWidth},
    {"rope_head_dim", &O::ropeHeadDim, "qk_rope_head_dim", 0, 65536},
    {"nope_head_dim", &O::nopeHeadDim, "qk_nope_head_dim", 1, 65536},
    {"v_head_dim", &O::vHeadDim, "v_head_dim", 1, 65536},
    {"context_length", &O::contextLength, "max_position_embeddings", 1, std::int64_t{1} << 40},
};

}  // namespace

std::span<const OverrideField> overrideFields() { return kFields; }

bool ArchitectureOverrides::empty() const {
  for (const OverrideField& field : kFields) {
    if (this->*field.member) return false;
  }
  return true;
}

}  // namespace memfit
