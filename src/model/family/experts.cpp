// memfit - SPDX-License-Identifier: Apache-2.0
//
// Families of mixtures of experts, and of latent attention. Source: config_facts sections 5 to 7.
#include "model/family/family.h"

namespace memfit {
namespace {

MoeFfn* moeOf(Layer& layer) {
  for (FeedForward& feedForward : layer.feedForwards) {
    if (auto* moe = std::get_if<MoeFfn>(&feedForward)) return moe;
  }
  return nullptr;
}

// gpt-oss: biases everywhere, a sink a query head.
void gptOssLayer(FamilyReader&, std::size_t, Layer& layer) {
  if (auto* attention = std::get_if<FullAttention>(&layer.mixers.front())) attention->sinks = true;
  if (MoeFfn* moe = moeOf(layer)) moe->bias = moe->routerBias = true;
}

void minimaxLayer(FamilyReader& r, std::size_t, Layer& layer) {
  if (MoeFfn* moe = moeOf(layer)) {
    moe->correctionBias = r.config.flag({"use_routing_bias"}).value_or(false);
  }
}

void dbrxBase(FamilyReader& r) {
  const ConfigView attention = r.config.child("attn_config");
  const ConfigView feedForward = r.config.child("ffn_config");
  r.kvHeads = attention.count({"kv_n_heads"}).value_or(r.kvHeads);
  r.experts = feedForward.count({"moe_num_experts"}).value_or(r.experts);
  r.expertsPerToken = feedForward.count({"moe_top_k"}).value_or(r.expertsPerToken);
  r.moeIntermediate = feedForward.count({"ffn_hidden_size"}).value_or(r.moeIntermediate);
}

// Arctic: a dense feed-forward of width H beside the experts, with a norm of its own.
void arcticLayer(FamilyReader& r, std::size_t, Layer& layer) {
  DenseFfn residual;
  residual.intermediate = r.hidden;
  layer.feedForwards.insert(layer.feedForwards.begin(), residual);
}

// Llama 4: intermediate_size is the experts' width, dense layers have their own; one shared expert
// beside the routed ones; three of four layers see a chunk only.
void llama4Base(FamilyReader& r) {
  r.moeIntermediate = r.intermediate;
  r.sharedIntermediate = r.experts > 0 ? r.intermediate : Count(0);
  r.intermediate = r.countOr({"intermediate_size_mlp"}, r.intermediate);
  r.window = r.countOr({"attention_chunk_size"}, 0);
  r.indices = r.config.counts("no_rope_layers");
}
void llama4Layer(FamilyReader& r, std::size_t i, Layer& layer) {
  auto* attention = std::get_if<FullAttention>(&layer.mixers.front());
  if (attention == nullptr || r.window == 0) return;
  const bool rotated = i < r.indices.size() ? r.indices[i] > 0 : (i + 1) % 4 != 0;
  const bool chunked = r.layerTypes.empty() ? rotated : r.layerType(i) == "chunked_attention";
  attention->window = chunked ? r.window : Count(0);
  attention->chunked = chunked;
}

// ERNIE's next-token-prediction block is dense.
void ernieLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  if (Count(i) >= r.layers) layer.feedForwards = {r.denseByRules(i)};
}

void ernieModel(FamilyReader& r) { r.architecture.nextTokens.norms = 2; }

// Qwen3's own words for a shared expert mean nothing in qwen3_moe.
void withoutShared(FamilyReader& r) {
  r.sharedIntermediate = 0;
  r.lists.sharedCounts.clear();
}

// MiMo-V2-Flash: windowed layers (1 in hybrid_layer_pattern) have heads of their own count and
// size.
void mimoV2Base(FamilyReader& r) { r.indices = r.config.counts("hybrid_layer_pattern"); }
void mimoV2Layer(FamilyReader& r, std::size_t i, Layer& layer) {
  auto* attention = std::get_if<FullAttention>(&layer.mixers.front());
  if (attention == nullptr) return;
  const bool windowed = i < r.indices.size() && r.indices[i] > 0;
  attention->window = windowed ? r.window : Count(0);
  if (windowed) {
    attention->heads = r.countOr({"swa_num_attention_heads"}, r.heads);
    attention->kvHeads = r.countOr({"swa_num_key_value_heads"}, r.kvHeads);
    attention->headDim = r.countOr({"swa_head_dim"}, r.headDim);
    attention->valueHeadDim = r.countOr({"swa_v_head_dim"}, r.valueHeadDim);
  }
  attention->sinks =
      r.config.flag({windowed ? "add_swa_attention_sink_bias" : "add_full_attention_sink_bias"})
          .value_or(false);
}

// Step-3.5 and 3.7: a gate a query head.
void stepLayer(FamilyReader& r, std::size_t, Layer& layer) {
  if (MoeFfn* moe = moeOf(layer)) {
    moe->correctionBias = r.config.flag({"use_moe_router_bias"}).value_or(false);
  }
}

// Kimi K3 has its experts at a width of their own.
void kimiBase(FamilyReader& r) {
  r.layerTypes.clear();
  r.indices = r.config.child("linear_attn_config").counts("full_attn_layers");
}
void kimiLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  const ConfigView linear = r.config.child("linear_attn_config");
  bool full = Count(i) >= r.layers || !linear.valid();
  for (const Count index : r.indices) full = full || index == Count(i + 1);  // 1-based
  if (!full) {
    KimiDelta delta;
    delta.heads = linear.count({"num_heads"}).value_or(r.heads);
    delta.headDim = linear.count({"head_dim"}).value_or(r.headDim);
    delta.conv = linear.count({"short_conv_kernel_size"}).value_or(4);
    delta.fullGate = linear.flag({"use_full_rank_gate"}).value_or(false);
    layer.mixers = {delta};
  } else if (auto* latent = std::get_if<LatentAttention>(&layer.mixers.front())) {
    if (r.config.flag({"mla_use_output_gate"}).value_or(false)) latent->gate = OutputGate::kFull;
  }
  if (MoeFfn* moe = moeOf(layer)) {
    moe->latentWidth = r.countOr({"routed_expert_hidden_size"}, 0);
    if (moe->latentWidth == r.hidden) moe->latentWidth = 0;
    if (moe->latentWidth > 0 && r.config.flag({"latent_moe_use_norm"}).value_or(false)) {
      moe->latentNormWidth = moe->latentWidth;
    }
  }
}

// DeepSeek-V4: every layer keeps a window of one shared key-value latent; compress_ratios says of
// each whether, and how thinned, it keeps the whole context too.
void deepseekV4Base(FamilyReader& r) { r.indices = r.config.counts("compress_ratios"); }
void deepseekV4Layer(FamilyReader& r, std::size_t i, Layer& layer) {
  CompressedAttention attention;
  attention.heads = r.heads;
  attention.headDim = r.headDim;
  attention.qLoraRank = r.qLoraRank > 0 ? r.qLoraRank : r.hidden;
  attention.outputRank = r.countOr({"o_lora_rank"}, r.hidden);
  attention.outputGroups = max(r.countOr({"o_groups"}, 1), 1);
  attention.window = r.window;
  attention.compressRatio = i < r.indices.size() ? r.indices[i] : Count(0);
  // The indexer picks among densely kept entries; where few are kept, all are read.
  if (attention.compressRatio > 0 && attention.compressRatio <= 16) {
    attention.indexerHeads = r.countOr({"index_n_heads"}, 0);
    attention.indexerDim = r.countOr({"index_head_dim"}, 128);
  }
  layer.mixers = {attention};
}
void deepseekV4Model(FamilyReader& r) {
  r.notices.emplace_back(
      "Hyper-connections and hash layers of this architecture are not counted; they are below 1 % "
      "of "
      "its weights.");
}

constexpr Family kRows[] = {
    {.modelTypes = {"mixtral"},
     .qkvBias = kNoBias,
     .outputBias = kNoBias,
     .mlpBias = kNoBias,
     .window = WindowRule::kAll},
    {.modelTypes = {"qwen2_moe"},
     .qkvBias = {"qkv_bias", true},
     .outputBias = kNoBias,
     .mlpBias = kNoBias,
     .window = WindowRule::kIfUsed,
     .sharedExpertGate = true},
    {.modelTypes = {"qwen3_moe"},
     .qkNorm = QkNormRule::kHead,
     .window = WindowRule::kIfUsed,
     .base = withoutShared},
    {.modelTypes = {"qwen3_vl_moe", "qwen3_omni_moe"},
     .qkNorm = QkNormRule::kHead,
     .base = withoutShared},
    {.modelTypes = {"granitemoe"}, .tied = true},
    {.modelTypes = {"phimoe"}, .norm = NormKind::kLayer, .window = WindowRule::kAll},
    {.modelTypes = {"gpt_oss"},
     .qkvBias = {"attention_bias", true},
     .outputBias = {"attention_bias", true},
     .window = WindowRule::kEven,
     .layer = gptOssLayer},
    {.modelTypes = {"minimax_m2", "minimax_m3"},
     .qkNorm = QkNormRule::kWholeByKey,
     .layer = minimaxLayer},
    {.modelTypes = {"dbrx"},
     .norm = NormKind::kLayerBare,
     .qkvBias = kNoBias,
     .outputBias = kNoBias,
     .base = dbrxBase},
    {.modelTypes = {"arctic"}, .norms = 3, .layer = arcticLayer},
    {.modelTypes = {"grok-1"}, .tied = true, .norms = 4},
    {.modelTypes = {"olmoe"}, .qkNorm = QkNormRule::kWhole},
    {.modelTypes = {"llada_moe"}, .qkNorm = QkNormRule::kHeadByKey, .diffusion = true},
    {.modelTypes = {"bailing_moe"},
     .qkvBias = {"use_qkv_bias", false},
     .outputBias = {"use_bias", false}},
    {.modelTypes = {"bailing_moe_v2"},
     .qkvBias = {"use_qkv_bias", false},
     .outputBias = {"use_bias", false},
     .qkNorm = QkNormRule::kHeadByKey,
     .correctionBias = true},
    {.modelTypes = {"llama4"},
     .window = WindowRule::kNever,
     .base = llama4Base,
     .layer = llama4Layer},
    {.modelTypes = {"ernie4_5_moe"},
     .tied = true,
     .qkvBias = {"use_bias", false},
     .outputBias = {"use_bias", false},
     .mlpBias = {"use_bias", false},
     .correctionBias = true,
     .nextTokens = NextTokenRule::kStored,
     .layer = ernieLayer,
     .model = ernieModel},
    {.modelTypes = {"hunyuan"}, .qkNorm = QkNormRule::kHeadByKey},
    {.modelTypes = {"hunyuan_v1_moe"}, .tied = true, .qkNorm = QkNormRule::kHeadByKey},
    {.modelTypes = {"deepseek", "deepseek_v2"}},
    {.modelTypes = {"deepseek_v3", "deepseek_v32", "glm4_moe_lite"},
     .correctionBias = true,
     .nextTokens = NextTokenRule::kStoredWithCopies},
    {.modelTypes = {"deepseek_v4"},
     .correctionBias = true,
     .nextTokens = NextTokenRule::kStored,
     .base = deepseekV4Base,
     .layer = deepseekV4Layer,
     .model = deepseekV4Model},
    {.modelTypes = {"kimi_k2", "kimi_k25", "glm_moe_dsa"},
     .correctionBias = true,
     .nextTokens = NextTokenRule::kStored},
    {.modelTypes = {"kimi_vl"}, .correctionBias = true},
    {.modelTypes = {"kimi_linear"},
     .correctionBias = true,
     .nextTokens = NextTokenRule::kStored,
     .base = kimiBase,
     .layer = kimiLayer},
    {.modelTypes = {"glm4_moe"},
     .outputBias = kNoBias,
     .qkNorm = QkNormRule::kHeadByKey,
     .correctionBias = true,
     .nextTokens = NextTokenRule::kStored},
    {.modelTypes = {"dots1"}, .qkNorm = QkNormRule::kHead, .correctionBias = true},
    {.modelTypes = {"mimo_v2_flash"},
     .correctionBias = true,
     .base = mimoV2Base,
     .layer = mimoV2Layer},
    {.modelTypes = {"step3p5", "step3p7"}, .qkNorm = QkNormRule::kHead, .layer = stepLayer},
};

}  // namespace

std::span<const Family> expertFamilies() { return kRows; }

}  // namespace memfit
