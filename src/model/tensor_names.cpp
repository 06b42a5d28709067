// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/tensor_names.h"

#include <cctype>

namespace memfit {
namespace {

struct Spelling {
  std::string_view name;
  Role role;
};

constexpr Spelling kGguf[] = {
    {"token_embd", Role::kTokenEmbedding},
    {"output", Role::kOutputHead},
    {"position_embd", Role::kPositionEmbedding},
    {"token_types", Role::kPositionEmbedding},
    {"per_layer_token_embd", Role::kPerLayerEmbedding},
    {"per_layer_model_proj", Role::kPerLayerProjection},
    {"inp_gate", Role::kPerLayerProjection},
    {"proj", Role::kPerLayerProjection},
    {"attn_q", Role::kAttnQ},
    {"attn_k", Role::kAttnK},
    {"attn_v", Role::kAttnV},
    {"attn_qkv", Role::kAttnQkv},
    {"attn_output", Role::kAttnOutput},
    {"attn_gate", Role::kAttnGate},
    {"attn_sinks", Role::kAttnSinks},
    {"attn_q_norm", Role::kQkNorm},
    {"attn_k_norm", Role::kQkNorm},
    {"attn_q_a", Role::kMlaQA},
    {"attn_q_b", Role::kMlaQB},
    {"attn_kv_a_mqa", Role::kMlaKvA},
    {"attn_kv_b", Role::kMlaKvB},
    {"attn_k_b", Role::kMlaKvB},
    {"attn_v_b", Role::kMlaKvB},
    {"indexer.attn_q_b", Role::kIndexerQ},
    {"indexer.attn_k", Role::kIndexerK},
    {"indexer.proj", Role::kIndexerWeights},
    {"cross_attn_q_proj", Role::kCrossQ},
    {"cross_attn_k_proj", Role::kCrossK},
    {"cross_attn_v_proj", Role::kCrossV},
    {"cross_attn_o_proj", Role::kCrossOutput},
    {"ffn_gate", Role::kFfnGate},
    {"ffn_up", Role::kFfnUp},
    {"ffn_down", Role::kFfnDown},
    {"ffn_gate_exps", Role::kExpertGate},
    {"ffn_up_exps", Role::kExpertUp},
    {"ffn_gate_up_exps", Role::kExpertUp},
    {"ffn_down_exps", Role::kExpertDown},
    {"ffn_gate_shexp", Role::kSharedGate},
    {"ffn_up_shexp", Role::kSharedUp},
    {"ffn_down_shexp", Role::kSharedDown},
    {"ffn_gate_inp", Role::kRouter},
    {"ffn_gate_inp_shexp", Role::kSharedExpertGate},
    {"exp_probs_b", Role::kRouterBias},
    {"ffn_latent_down", Role::kLatentDown},
    {"ffn_latent_up", Role::kLatentUp},
    {"ssm_in", Role::kSsmIn},
    {"ssm_conv1d", Role::kSsmConv},
    {"ssm_x", Role::kSsmX},
    {"ssm_dt", Role::kSsmDt},
    {"ssm_a", Role::kSsmA},
    {"ssm_d", Role::kSsmD},
    {"ssm_out", Role::kSsmOut},
    {"ssm_ba", Role::kSsmDt},
    {"ssm_beta_alpha", Role::kSsmDt},
    {"ssm_alpha", Role::kSsmDt},
    {"ssm_beta", Role::kSsmDt},
    {"shortconv.in_proj", Role::kShortConvIn},
    {"shortconv.conv", Role::kShortConvKernel},
    {"shortconv.out_proj", Role::kShortConvOut},
    {"nextn.eh_proj", Role::kNextTokenProjection},
    {"nextn.embed_tokens", Role::kTokenEmbedding},
    {"nextn.shared_head_head", Role::kOutputHead},
    {"rope_freqs", Role::kScalar},
    {"rope_factors_long", Role::kScalar},
    {"rope_factors_short", Role::kScalar},
};

// By the last words of a module's path; the longest that fits counts, and the first of equals.
constexpr Spelling kHuggingFace[] = {
    {"embed_tokens", Role::kTokenEmbedding},
    {"word_embeddings", Role::kTokenEmbedding},
    {"wte", Role::kTokenEmbedding},
    {"embed_in", Role::kTokenEmbedding},
    {"tok_embeddings", Role::kTokenEmbedding},
    {"embeddings", Role::kTokenEmbedding},
    {"wpe", Role::kPositionEmbedding},
    {"embed_positions", Role::kPositionEmbedding},
    {"position_embeddings", Role::kPositionEmbedding},
    {"token_type_embeddings", Role::kPositionEmbedding},
    {"embed_tokens_per_layer", Role::kPerLayerEmbedding},
    {"per_layer_model_projection", Role::kPerLayerProjection},
    {"per_layer_input_gate", Role::kPerLayerProjection},
    {"per_layer_projection", Role::kPerLayerProjection},
    {"lm_head", Role::kOutputHead},
    {"embed_out", Role::kOutputHead},
    {"output_layer", Role::kOutputHead},
    {"q_proj", Role::kAttnQ},
    {"wq", Role::kAttnQ},
    {"k_proj", Role::kAttnK},
    {"wk", Role::kAttnK},
    {"v_proj", Role::kAttnV},
    {"wv", Role::kAttnV},
    {"qkv_proj", Role::kAttnQkv},
    {"query_key_value", Role::kAttnQkv},
    {"wqkv", Role::kAttnQkv},
    {"Wqkv", Role::kAttnQkv},
    {"W_pack", Role::kAttnQkv},
    {"c_attn", Role::kAttnQkv},
    {"o_proj", Role::kAttnOutput},
    {"out_proj", Role::kAttnOutput},
    {"attention.dense", Role::kAttnOutput},
    {"self_attention.dense", Role::kAttnOutput},
    {"attn.c_proj", Role::kAttnOutput},
    {"attention.wo", Role::kAttnOutput},
    {"sinks", Role::kAttnSinks},
    {"q_norm", Role::kQkNorm},
    {"k_norm", Role::kQkNorm},
    {"q_a_proj", Role::kMlaQA},
    {"q_b_proj", Role::kMlaQB},
    {"kv_a_proj_with_mqa", Role::kMlaKvA},
    {"kv_b_proj", Role::kMlaKvB},
    {"indexer.wq_b", Role::kIndexerQ},
    {"indexer.wk", Role::kIndexerK},
    {"indexer.weights_proj", Role::kIndexerWeights},
    {"gate_proj", Role::kFfnGate},
    {"up_proj", Role::kFfnUp},
    {"down_proj", Role::kFfnDown},
    {"gate_up_proj", Role::kFfnGateUp},
    {"dense_h_to_4h", Role::kFfnUp},
    {"dense_4h_to_h", Role::kFfnDown},
    {"c_fc", Role::kFfnUp},
    {"mlp.c_proj", Role::kFfnDown},
    {"fc1", Role::kFfnUp},
    {"fc2", Role::kFfnDown},
    {"w1", Role::kFfnGate},
    {"w2", Role::kFfnDown},
    {"w3", Role::kFfnUp},
    {"mlp.gate", Role::kRouter},
    {"block_sparse_moe.gate", Role::kRouter},
    {"mlp.router", Role::kRouter},
    {"feed_forward.router", Role::kRouter},
    {"shared_expert_gate", Role::kSharedExpertGate},
    {"e_score_correction_bias", Role::kRouterBias},
    {"in_proj", Role::kSsmIn},
    {"in_proj_qkvz", Role::kSsmIn},
    {"in_proj_qkv", Role::kSsmIn},
    {"in_proj_z", Role::kSsmGate},
    {"in_proj_ba", Role::kSsmDt},
    {"conv1d", Role::kSsmConv},
    {"x_proj", Role::kSsmX},
    {"dt_proj", Role::kSsmDt},
    {"A_log", Role::kSsmA},
    {"mixer.D", Role::kSsmD},
    {"mixer.out_proj", Role::kSsmOut},
    {"mamba.out_proj", Role::kSsmOut},
    {"linear_attn.out_proj", Role::kSsmOut},
    {"conv.in_proj", Role::kShortConvIn},
    {"conv.conv", Role::kShortConvKernel},
    {"conv.out_proj", Role::kShortConvOut},
    {"eh_proj", Role::kNextTokenProjection},
    {"patch_embed.proj", Role::kPatchEmbedding},
    {"patch_embedding", Role::kPatchEmbedding},
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The number after `prefix`, when the name goes on with one: "layers.12." gives 12.
std::int32_t numberAfter(std::string_view name, std::string_view prefix) {
  for (std::size_t at = name.find(prefix); at != std::string_view::npos;
       at = name.find(prefix, at + 1)) {
    if (at > 0 && name[at - 1] != '.') continue;
    std::int32_t value = 0;
    std::size_t digit = at + prefix.size();
    const std::size_t first = digit;
    while (digit < name.size() && name[digit] >= '0' && name[digit] <= '9' && digit - first < 6) {
      value = value * 10 + (name[digit++] - '0');
    }
    if (digit > first && digit < name.size() && name[digit] == '.') return value;
  }
  return -1;
}

// Cuts ".weight" or ".bias" off and says which it was.
TensorKind kindOf(std::string_view& name) {
  if (name.ends_with(".bias")) {
    name.remove_suffix(5);
    return TensorKind::kBias;
  }
  if (name.ends_with(".weight")) name.remove_suffix(7);
  return TensorKind::kMatrix;
}

bool isVector(Role role) {
  return role == Role::kNorm || role == Role::kQkNorm || role == Role::kScalar ||
         role == Role::kAttnSinks || role == Role::kRouterBias || role == Role::kSsmD;
}

void settleKind(NamedTensor& tensor) {
  if (tensor.kind == TensorKind::kBias && tensor.role == Role::kNorm) {
    tensor.kind = TensorKind::kVector;
  }
  if (tensor.kind == TensorKind::kMatrix && isVector(tensor.role)) {
    tensor.kind = TensorKind::kVector;
  }
  if (tensor.role == Role::kSsmConv || tensor.role == Role::kShortConvKernel) {
    if (tensor.kind == TensorKind::kMatrix) tensor.kind = TensorKind::kKernel;
  }
}

}  // namespace

NamedTensor ggufTensor(std::string_view name) {
  NamedTensor tensor;
  tensor.layer = numberAfter(name, "blk.");
  std::string_view base = name;
  if (tensor.layer >= 0) {
    base.remove_prefix(base.find('.', 4) + 1);
  }
  // llama.cpp's tools/mtmd/clip-impl.h: towers are "v." and "a.", their projectors "mm." and
  // "mm.a.".
  if (name.starts_with("v.") || name.starts_with("mm.")) tensor.part = Part::kVision;
  if (name.starts_with("a.") || name.starts_with("mm.a.")) tensor.part = Part::kAudio;
  tensor.kind = kindOf(base);
  if (base.starts_with("nextn.")) tensor.part = Part::kNextTokens;
  for (const Spelling& spelling : kGguf) {
    if (spelling.name == base) {
      tensor.role = spelling.role;
      break;
    }
  }
  if (tensor.role == Role::kOther && contains(base, "norm")) tensor.role = Role::kNorm;
  tensor.buffer = base.starts_with("rope_f");
  settleKind(tensor);
  return tensor;
}

NamedTensor huggingFaceTensor(std::string_view name) {
  NamedTensor tensor;
  for (const std::string_view prefix : {"layers.", "h.", "blocks.", "layer."}) {
    if (tensor.layer < 0) tensor.layer = numberAfter(name, prefix);
  }
  for (const std::string_view word :
       {"visual.", "vision_tower", "vision_model", "multi_modal_projector", "mm_projector",
        "embed_vision", "image_newline", "patch_merger"}) {
    if (contains(name, word)) tensor.part = Part::kVision;
  }
  if (contains(name, "audio_tower") || contains(name, "embed_audio")) tensor.part = Part::kAudio;
  if (name.starts_with("mtp.") || contains(name, ".mtp")) tensor.part = Part::kNextTokens;
  if (tensor.part == Part::kVision || tensor.part == Part::kAudio) tensor.layer = -1;

  for (const std::string_view ending : {".weight_scale_inv",
                                        ".weight_scale",
                                        ".weight_scale_2",
                                        ".input_scale",
                                        ".scales",
                                        ".qzeros",
                                        ".g_idx",
                                        ".zeros",
                                        ".biases",
                                        ".absmax",
                                        ".quant_map",
                                        ".nested_absmax",
                                        ".nested_quant_map",
                                        "_scales",
                                        ".weight_zero_point",
                                        ".weight_shape",
                                        ".weight_g_idx",
                                        ".k_scale",
                                        ".v_scale",
                                        ".SCB",
                                        ".weight_format"}) {
    if (name.ends_with(ending)) tensor.scale = true;
  }
  if (contains(name, ".quant_state.") || contains(name, ".absmax") ||
      contains(name, ".quant_map")) {
    tensor.scale = true;
  }
  for (const std::string_view ending : {"rotary_emb.inv_freq", "position_ids", ".masked_bias",
                                        "attn.bias", "attention.bias", "causal_mask"}) {
    if (name.ends_with(ending)) tensor.buffer = true;
  }

  std::string_view base = name;
  tensor.kind = kindOf(base);
  for (const std::string_view ending : {".qweight", ".weight_packed", "_blocks"}) {
    if (base.ends_with(ending)) {
      base.remove_suffix(ending.size());
      tensor.packed = true;
    }
  }
  // Parameters that have names of their own, not a module's.
  if (base.ends_with("_bias") && base.find("proj_bias") != std::string_view::npos) {
    base.remove_suffix(5);
    tensor.kind = TensorKind::kBias;
  }
  std::size_t longest = 0;
  for (const Spelling& spelling : kHuggingFace) {
    if (spelling.name.size() <= longest || !base.ends_with(spelling.name)) continue;
    const std::size_t before = base.size() - spelling.name.size();
    if (before > 0 && base[before - 1] != '.') continue;
    longest = spelling.name.size();
    tensor.role = spelling.role;
  }
  const bool norm = contains(base, "norm") || base.ends_with("ln_f") || contains(base, ".ln_") ||
                    contains(base, "LayerNorm");
  if (norm && tensor.role != Role::kQkNorm) tensor.role = Role::kNorm;
  // The same words inside an expert.
  if (contains(base, "shared_expert") && tensor.role != Role::kSharedExpertGate) {
    if (tensor.role == Role::kFfnGate || tensor.role == Role::kFfnGateUp) {
      tensor.role = Role::kSharedGate;
    } else if (tensor.role == Role::kFfnUp) {
      tensor.role = Role::kSharedUp;
    } else if (tensor.role == Role::kFfnDown) {
      tensor.role = Role::kSharedDown;
    }
  } else if (contains(base, "experts")) {
    if (tensor.role == Role::kFfnGate) tensor.role = Role::kExpertGate;
    if (tensor.role == Role::kFfnUp || tensor.role == Role::kFfnGateUp) {
      tensor.role = Role::kExpertUp;
    }
    if (tensor.role == Role::kFfnDown) tensor.role = Role::kExpertDown;
  }
  settleKind(tensor);
  return tensor;
}

}  // namespace memfit
