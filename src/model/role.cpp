// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/role.h"

#include <cstddef>

namespace memfit {
namespace {

constexpr RoleTraits kRoles[] = {
    // role, name, cut, lora, ggml, linear
    {Role::kTokenEmbedding, "token_embd", Cut::kVocabulary, LoraTarget::kEmbedding,
     GgmlClass::kTokenEmbedding, false},
    {Role::kOutputHead, "output", Cut::kVocabulary, LoraTarget::kHead, GgmlClass::kOutput, false},
    {Role::kPositionEmbedding, "position_embd", Cut::kReplicated, LoraTarget::kNone,
     GgmlClass::kNever, false},
    {Role::kPerLayerEmbedding, "per_layer_token_embd", Cut::kVocabulary, LoraTarget::kNone,
     GgmlClass::kOther, false},
    {Role::kPerLayerProjection, "per_layer_proj", Cut::kReplicated, LoraTarget::kOtherLinear,
     GgmlClass::kOther, true},
    {Role::kEmbeddingProjection, "embd_proj", Cut::kReplicated, LoraTarget::kOtherLinear,
     GgmlClass::kOther, true},
    {Role::kNorm, "norm", Cut::kReplicated, LoraTarget::kNone, GgmlClass::kNever, false},
    {Role::kQkNorm, "attn_qk_norm", Cut::kReplicated, LoraTarget::kNone, GgmlClass::kNever, false},
    {Role::kScalar, "scalar", Cut::kReplicated, LoraTarget::kNone, GgmlClass::kNever, false},
    {Role::kAttnQ, "attn_q", Cut::kColumn, LoraTarget::kQ, GgmlClass::kAttnQ, true},
    {Role::kAttnK, "attn_k", Cut::kKvHeads, LoraTarget::kK, GgmlClass::kAttnK, true},
    {Role::kAttnV, "attn_v", Cut::kKvHeads, LoraTarget::kV, GgmlClass::kAttnV, true},
    {Role::kAttnQkv, "attn_qkv", Cut::kColumn, LoraTarget::kQkv, GgmlClass::kAttnQkv, true},
    {Role::kAttnOutput, "attn_output", Cut::kRow, LoraTarget::kO, GgmlClass::kAttnOutput, true},
    {Role::kAttnGate, "attn_gate", Cut::kColumn, LoraTarget::kOtherLinear, GgmlClass::kOther, true},
    {Role::kAttnSinks, "attn_sinks", Cut::kColumn, LoraTarget::kNone, GgmlClass::kNever, false},
    {Role::kCrossQ, "cross_attn_q", Cut::kColumn, LoraTarget::kQ, GgmlClass::kAttnQ, true},
    {Role::kCrossK, "cross_attn_k", Cut::kKvHeads, LoraTarget::kK, GgmlClass::kAttnK, true},
    {Role::kCrossV, "cross_attn_v", Cut::kKvHeads, LoraTarget::kV, GgmlClass::kAttnV, true},
    {Role::kCrossOutput, "cross_attn_output", Cut::kRow, LoraTarget::kO, GgmlClass::kAttnOutput,
     true},
    {Role::kMlaQA, "attn_q_a", Cut::kReplicated, LoraTarget::kLatent, GgmlClass::kOther, true},
    {Role::kMlaQB, "attn_q_b", Cut::kColumn, LoraTarget::kLatent, GgmlClass::kOther, true},
    {Role::kMlaKvA, "attn_kv_a", Cut::kReplicated, LoraTarget::kLatent, GgmlClass::kOther, true},
    {Role::kMlaKvB, "attn_kv_b", Cut::kColumn, LoraTarget::kLatent, GgmlClass::kAttnV, true},
    {Role::kIndexerQ, "indexer_q", Cut::kReplicated, LoraTarget::kOtherLinear, GgmlClass::kOther,
     true},
    {Role::kIndexerK, "indexer_k", Cut::kReplicated, LoraTarget::kOtherLinear, GgmlClass::kOther,
     true},
    {Role::kIndexerWeights, "indexer_weights", Cut::kReplicated, LoraTarget::kOtherLinear,
     GgmlClass::kOther, true},
    {Role::kCompressor, "attn_compressor", Cut::kReplicated, LoraTarget::kOtherLinear,
     GgmlClass::kOther, true},
    {Role::kFfnGate, "ffn_gate", Cut::kColumn, LoraTarget::kGate, GgmlClass::kFfnGate, true},
    {Role::kFfnUp, "ffn_up", Cut::kColumn, LoraTarget::kUp, GgmlClass::kFfnUp, true},
    {Role::kFfnGateUp, "ffn_gate_up", Cut::kColumn, LoraTarget::kGateUp, GgmlClass::kFfnUp, true},
    {Role::kFfnDown, "ffn_down", Cut::kRow, LoraTarget::kDown, GgmlClass::kFfnDown, true},
    {Role::kExpertGate, "ffn_gate_exps", Cut::kExpert, LoraTarget::kExpert, GgmlClass::kFfnGate,
     true},
    {Role::kExpertUp, "ffn_up_exps", Cut::kExpert, LoraTarget::kExpert, GgmlClass::kFfnUp, true},
    {Role::kExpertDown, "ffn_down_exps", Cut::kExpert, LoraTarget::kExpert, GgmlClass::kFfnDown,
     true},
    {Role::kSharedGate, "ffn_gate_shexp", Cut::kColumn, LoraTarget::kShared, GgmlClass::kFfnGate,
     true},
    {Role::kSharedUp, "ffn_up_shexp", Cut::kColumn, LoraTarget::kShared, GgmlClass::kFfnUp, true},
    {Role::kSharedDown, "ffn_down_shexp", Cut::kRow, LoraTarget::kShared, GgmlClass::kFfnDown,
     true},
    {Role::kSharedExpertGate, "ffn_gate_inp_shexp", Cut::kReplicated, LoraTarget::kNone,
     GgmlClass::kNever, false},
    {Role::kRouter, "ffn_gate_inp", Cut::kReplicated, LoraTarget::kNone, GgmlClass::kNever, false},
    {Role::kRouterBias, "exp_probs_b", Cut::kReplicated, LoraTarget::kNone, GgmlClass::kNever,
     false},
    {Role::kLatentDown, "ffn_latent_down", Cut::kReplicated, LoraTarget::kOtherLinear,
     GgmlClass::kOther, true},
    {Role::kLatentUp, "ffn_latent_up", Cut::kReplicated, LoraTarget::kOtherLinear,
     GgmlClass::kOther, true},
    {Role::kSsmIn, "ssm_in", Cut::kColumn, LoraTarget::kSsm, GgmlClass::kOther, true},
    {Role::kSsmConv, "ssm_conv1d", Cut::kColumn, LoraTarget::kNone, GgmlClass::kNever, false},
    {Role::kSsmX, "ssm_x", Cut::kRow, LoraTarget::kSsm, GgmlClass::kOther, true},
    {Role::kSsmDt, "ssm_dt", Cut::kColumn, LoraTarget::kSsm, GgmlClass::kOther, true},
    {Role::kSsmA, "ssm_a", Cut::kColumn, LoraTarget::kNone, GgmlClass::kNever, false},
    {Role::kSsmD, "ssm_d", Cut::kColumn, LoraTarget::kNone, GgmlClass::kNever, false},
    {Role::kSsmOut, "ssm_out", Cut::kRow, LoraTarget::kSsm, GgmlClass::kOther, true},
    {Role::kSsmGate, "ssm_gate", Cut::kColumn, LoraTarget::kSsm, GgmlClass::kOther, true},
    {Role::kShortConvIn, "shortconv_in", Cut::kColumn, LoraTarget::kSsm, GgmlClass::kOther, true},
    {Role::kShortConvKernel, "shortconv_conv", Cut::kColumn, LoraTarget::kNone, GgmlClass::kNever,
     false},
    {Role::kShortConvOut, "shortconv_out", Cut::kRow, LoraTarget::kSsm, GgmlClass::kOther, true},
    {Role::kRwkvProjection, "time_mix", Cut::kColumn, LoraTarget::kSsm, GgmlClass::kOther, true},
    {Role::kRwkvMix, "time_mix_small", Cut::kReplicated, LoraTarget::kNone, GgmlClass::kNever,
     false},
    {Role::kLinear, "linear", Cut::kReplicated, LoraTarget::kOtherLinear, GgmlClass::kOther, true},
    {Role::kPatchEmbedding, "patch_embd", Cut::kReplicated, LoraTarget::kNone, GgmlClass::kNever,
     false},
    {Role::kProjector, "projector", Cut::kReplicated, LoraTarget::kOtherLinear, GgmlClass::kOther,
     true},
    {Role::kNextTokenProjection, "nextn_eh_proj", Cut::kReplicated, LoraTarget::kOtherLinear,
     GgmlClass::kOther, true},
    {Role::kOther, "other", Cut::kReplicated, LoraTarget::kNone, GgmlClass::kNever, false},
};

constexpr bool inOrder() {
  std::size_t at = 0;
  for (const RoleTraits& row : kRoles) {
    if (static_cast<std::size_t>(row.role) != at++) return false;
  }
  return at == static_cast<std::size_t>(Role::kCount);
}
static_assert(inOrder(), "kRoles is indexed by Role");

}  // namespace

const RoleTraits& roleTraits(Role role) { return kRoles[static_cast<std::size_t>(role)]; }

std::string_view partName(Part part) {
  switch (part) {
    case Part::kMain: return "main";
    case Part::kVision: return "vision";
    case Part::kAudio: return "audio";
    case Part::kNextTokens: return "next-tokens";
  }
  return "main";
}

}  // namespace memfit
