// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/overrides.h"

namespace memfit {
namespace {

using O = ArchitectureOverrides;

constexpr OverrideField kFields[] = {
    {Key::kLayers, &O::layers, "num_hidden_layers"},
    {Key::kHidden, &O::hidden, "hidden_size"},
    {Key::kHeads, &O::heads, "num_attention_heads"},
    {Key::kKvHeads, &O::kvHeads, "num_key_value_heads"},
    {Key::kHeadDim, &O::headDim, "head_dim"},
    {Key::kIntermediate, &O::intermediate, "intermediate_size"},
    {Key::kVocab, &O::vocab, "vocab_size"},
    {Key::kTied, &O::tied, "tie_word_embeddings"},
    {Key::kExperts, &O::experts, "num_experts"},
    {Key::kExpertsPerToken, &O::expertsPerToken, "num_experts_per_tok"},
    {Key::kMoeIntermediate, &O::moeIntermediate, "moe_intermediate_size"},
    {Key::kSharedExperts, &O::sharedExperts, "n_shared_experts"},
    {Key::kDenseLayers, &O::denseLayers, "first_k_dense_replace"},
    {Key::kWindow, &O::window, "sliding_window"},
    {Key::kFullEvery, &O::fullEvery, "sliding_window_pattern"},
    {Key::kKvLoraRank, &O::kvLoraRank, "kv_lora_rank"},
    {Key::kQLoraRank, &O::qLoraRank, "q_lora_rank"},
    {Key::kNopeHeadDim, &O::nopeHeadDim, "qk_nope_head_dim"},
    {Key::kRopeHeadDim, &O::ropeHeadDim, "qk_rope_head_dim"},
    {Key::kVHeadDim, &O::vHeadDim, "v_head_dim"},
};

// Every dimension of a query is one: from the first to the last, in the order of Key.
constexpr bool isWhole() {
  Key next = Key::kLayers;
  for (const OverrideField& field : kFields) {
    if (field.key != next) return false;
    next = static_cast<Key>(static_cast<int>(next) + 1);
  }
  return next == Key::kMethod;
}
static_assert(isWhole(), "overrides.cpp lists the query's dimensions in the order of Key");

}  // namespace

std::span<const OverrideField> overrideFields() { return kFields; }

bool ArchitectureOverrides::empty() const {
  for (const OverrideField& field : kFields) {
    if (this->*field.member) return false;
  }
  return true;
}

bool ArchitectureOverrides::onlyWindows() const {
  ArchitectureOverrides rest = *this;
  rest.window.reset();
  rest.fullEvery.reset();
  return rest.empty();
}

}  // namespace memfit
