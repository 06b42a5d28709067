// memfit - SPDX-License-Identifier: Apache-2.0
//
// Families of dense decoders. Source: config_facts sections 2 to 4 (Hugging Face transformers and
// the safetensors totals that each formula was checked against, 2026-08).
#include <cmath>

#include "model/family/family.h"

namespace memfit {
namespace {

void fourTimesHidden(FamilyReader& r) {
  if (r.intermediate == 0) r.intermediate = r.hidden * 4;
}

// Qwen 1 writes twice the width that each of its three matrices has.
void qwenBase(FamilyReader& r) { r.intermediate = r.intermediate / 2; }

void chatglmBase(FamilyReader& r) {
  if (!r.config.flag({"multi_query_attention"}).value_or(false)) r.kvHeads = r.heads;
}
void chatglmModel(FamilyReader& r) {
  r.architecture.finalNorm = r.config.flag({"post_layer_norm"}).value_or(true);
}

void stablelmLayer(FamilyReader& r, std::size_t, Layer& layer) {
  if (r.config.flag({"use_parallel_residual"}).value_or(false)) layer.norms = 1;
}

void bigcodeBase(FamilyReader& r) {
  fourTimesHidden(r);
  r.kvHeads = r.config.flag({"multi_query"}).value_or(true) ? Count(1) : r.heads;
}

void optBase(FamilyReader& r) {
  // The first two rows of the position table stand for padding.
  if (r.maxContext == 0) r.maxContext = 2048;
}
void optModel(FamilyReader& r) {
  r.architecture.positions = r.maxContext + 2;
  r.architecture.embeddingWidth = r.countOr({"word_embed_proj_dim"}, 0);
  r.architecture.finalNorm = r.config.flag({"do_layer_norm_before"}).value_or(true);
}

void bloomModel(FamilyReader& r) { r.architecture.embeddingNorm = true; }

void mptBase(FamilyReader& r) {
  const Count ratio = r.countOr({"expansion_ratio"}, 4);
  if (r.intermediate == 0) r.intermediate = r.hidden * ratio;
  r.kvHeads = r.config.child("attn_config").count({"kv_n_heads"}).value_or(r.kvHeads);
}
void mptLayer(FamilyReader& r, std::size_t, Layer& layer) {
  if (r.config.flag({"no_bias"}).value_or(true)) return;
  layer.norm = NormKind::kLayer;
  for (Mixer& mixer : layer.mixers) {
    if (auto* attention = std::get_if<FullAttention>(&mixer)) {
      attention->qBias = attention->kBias = attention->vBias = attention->outputBias = true;
    }
  }
  for (FeedForward& feedForward : layer.feedForwards) {
    if (auto* dense = std::get_if<DenseFfn>(&feedForward)) dense->upBias = dense->downBias = true;
  }
}

// Falcon: three ways to have key-value heads, and a norm the less where attention and feed-forward
// run side by side (config_facts section 4). A missing count means one head, not as many as
// queries.
void falconBase(FamilyReader& r) {
  fourTimesHidden(r);
  const bool newer = r.config.flag({"new_decoder_architecture"}).value_or(false);
  if (newer) {
    r.kvHeads = r.countOr({"num_kv_heads", "n_head_kv"}, r.kvHeads);
  } else {
    r.kvHeads = r.config.flag({"multi_query"}).value_or(true) ? Count(1) : r.heads;
  }
}
void falconLayer(FamilyReader& r, std::size_t, Layer& layer) {
  const bool newer = r.config.flag({"new_decoder_architecture"}).value_or(false);
  const bool parallel = r.config.flag({"parallel_attn"}).value_or(true);
  layer.norms = newer || !parallel ? 2 : 1;
}

// xIELU has two learned scalars a layer.
void apertusLayer(FamilyReader&, std::size_t, Layer& layer) {
  layer.extras.push_back({Role::kScalar, 1, 1, 2});
}

// Norms before the output and the down projections.
void bitnetLayer(FamilyReader& r, std::size_t, Layer& layer) {
  for (Mixer& mixer : layer.mixers) {
    if (auto* attention = std::get_if<FullAttention>(&mixer)) attention->innerNormWidth = r.hidden;
  }
  for (FeedForward& feedForward : layer.feedForwards) {
    if (auto* dense = std::get_if<DenseFfn>(&feedForward)) dense->innerNormWidth = r.intermediate;
  }
}

// Nemotron-NAS (DeciLM): block_configs says of each layer's attention and feed-forward what it is;
// a part that is left out takes its norm along.
void nasBase(FamilyReader& r) {
  if (r.intermediate == 0) r.intermediate = r.hidden;  // every block says its own
}
void nasLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  if (r.blocks.empty()) r.blocks = r.config.children("block_configs");
  if (i >= r.blocks.size()) return;
  const ConfigView attention = r.blocks[i].child("attention");
  const ConfigView feedForward = r.blocks[i].child("ffn");
  layer.norms = 2;
  if (attention.flag({"no_op"}).value_or(false)) {
    layer.mixers.clear();
    layer.norms = layer.norms - 1;
  } else if (attention.flag({"replace_with_linear"}).value_or(false)) {
    layer.mixers = {LinearMixer{}};
  } else if (auto* full = std::get_if<FullAttention>(&layer.mixers.front())) {
    const Count group = max(attention.count({"n_heads_in_group"}).value_or(1), 1);
    full->kvHeads = orElse(r.overrides.kvHeads, r.heads / group);
  }
  if (feedForward.flag({"no_op"}).value_or(false)) {
    layer.feedForwards.clear();
    layer.norms = layer.norms - 1;
  } else if (feedForward.flag({"replace_with_linear"}).value_or(false)) {
    layer.feedForwards.clear();
    layer.extras.push_back({Role::kLinear, r.hidden, r.hidden, 1});
  } else if (auto* dense = std::get_if<DenseFfn>(&layer.feedForwards.front())) {
    // I = round up of int(2 x ffn_mult x H / 3) to 256.
    if (const std::optional<double> factor = feedForward.number({"ffn_mult"})) {
      if (*factor > 0 && *factor < 1024) {
        dense->intermediate =
            Count(static_cast<std::uint64_t>(2 * *factor * r.hidden.toDouble() / 3)).roundUp(256);
      }
    }
    dense->intermediate =
        orElse(r.overrides.intermediate,
               feedForward.count({"intermediate_size"}).value_or(dense->intermediate));
  }
}

// Llama 3.2 Vision: some layers attend to the image instead of the text. Eight more rows in the
// embedding than in the head, for image tokens.
void mllamaLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  if (r.indices.empty()) r.indices = r.config.counts("cross_attention_layers");
  for (const Count index : r.indices) {
    if (index != Count(i)) continue;
    CrossAttention cross;
    cross.heads = r.heads;
    cross.kvHeads = r.kvHeads;
    cross.headDim = r.headDim;
    cross.sourceWidth = r.hidden;
    cross.qNormWidth = cross.kNormWidth = r.headDim;
    layer.mixers = {cross};
    layer.extras.push_back({Role::kScalar, 1, 1, 2});
  }
}
void mllamaModel(FamilyReader& r) {
  r.architecture.extras.push_back({Role::kTokenEmbedding, 8, r.hidden, 1});
}

constexpr Family kRows[] = {
    // Wrappers stand here too: their language model may leave its model_type out.
    {.modelTypes = {"llama", "llava", "llava_next"}},
    {.modelTypes = {"mistral", "ministral", "ministral3", "mistral3", "mistral4"},
     .qkvBias = kNoBias,
     .outputBias = kNoBias,
     .mlpBias = kNoBias,
     .window = WindowRule::kAll},
    {.modelTypes = {"qwen"},
     .qkvBias = kAlwaysBias,
     .outputBias = kNoBias,
     .fusedQkv = true,
     .base = qwenBase},
    {.modelTypes = {"qwen2", "qwen2_vl", "qwen2_5_vl", "qwen2_5_omni"},
     .qkvBias = kAlwaysBias,
     .outputBias = kNoBias,
     .mlpBias = kNoBias,
     .window = WindowRule::kIfUsed},
    {.modelTypes = {"Dream"},
     .qkvBias = kAlwaysBias,
     .outputBias = kNoBias,
     .mlpBias = kNoBias,
     .diffusion = true},
    {.modelTypes = {"qwen3"}, .qkNorm = QkNormRule::kHead, .window = WindowRule::kIfUsed},
    {.modelTypes = {"qwen3_vl"}, .qkNorm = QkNormRule::kHead},
    {.modelTypes = {"mimo"},
     .qkvBias = kAlwaysBias,
     .outputBias = kNoBias,
     .mlpBias = kNoBias,
     .window = WindowRule::kIfUsed,
     .nextTokens = NextTokenRule::kStored},
    {.modelTypes = {"internlm"}, .qkvBias = {"bias", true}, .outputBias = {"bias", true}},
    {.modelTypes = {"internlm2"},
     .qkvBias = {"bias", false},
     .outputBias = {"bias", false},
     .fusedQkv = true},
    {.modelTypes = {"internlm3"}, .qkvBias = {"qkv_bias", false}, .outputBias = {"bias", false}},
    {.modelTypes = {"baichuan"}, .qkvBias = kNoBias, .outputBias = kNoBias, .fusedQkv = true},
    {.modelTypes = {"chatglm"},
     .qkvBias = {"add_qkv_bias", false},
     .outputBias = {"add_bias_linear", false},
     .mlpBias = {"add_bias_linear", false},
     .fusedQkv = true,
     .fusedGateUp = true,
     .base = chatglmBase,
     .model = chatglmModel},
    {.modelTypes = {"glm"}, .outputBias = kNoBias, .fusedGateUp = true},
    {.modelTypes = {"glm4"}, .norms = 4, .outputBias = kNoBias, .fusedGateUp = true},
    {.modelTypes = {"cohere"},
     .tied = true,
     .norm = NormKind::kLayerBare,
     .norms = 1,
     .qkNorm = QkNormRule::kWholeByKey},
    {.modelTypes = {"cohere2"},
     .tied = true,
     .norm = NormKind::kLayerBare,
     .norms = 1,
     .window = WindowRule::kPattern,
     .windowPattern = 4},
    {.modelTypes = {"phi", "phi-msft"},
     .norm = NormKind::kLayer,
     .norms = 1,
     .qkvBias = kAlwaysBias,
     .outputBias = kAlwaysBias,
     .mlpBias = kAlwaysBias,
     .gated = false,
     .headBias = true,
     .base = fourTimesHidden},
    {.modelTypes = {"phi3"},
     .qkvBias = kNoBias,
     .outputBias = kNoBias,
     .fusedQkv = true,
     .fusedGateUp = true,
     .window = WindowRule::kAll},
    {.modelTypes = {"stablelm"},
     .norm = NormKind::kLayer,
     .qkvBias = {"use_qkv_bias", false},
     .outputBias = kNoBias,
     .mlpBias = kNoBias,
     .qkNorm = QkNormRule::kWholeByKey,
     .layer = stablelmLayer},
    {.modelTypes = {"starcoder2"},
     .tied = true,
     .norm = NormKind::kLayer,
     .qkvBias = {"use_bias", true},
     .outputBias = {"use_bias", true},
     .mlpBias = {"use_bias", true},
     .gated = false,
     .window = WindowRule::kAll},
    {.modelTypes = {"gpt_bigcode"},
     .tied = true,
     .norm = NormKind::kLayer,
     .qkvBias = kAlwaysBias,
     .outputBias = kAlwaysBias,
     .mlpBias = kAlwaysBias,
     .gated = false,
     .fusedQkv = true,
     .learnedPositions = true,
     .base = bigcodeBase},
    {.modelTypes = {"gpt2"},
     .tied = true,
     .norm = NormKind::kLayer,
     .qkvBias = kAlwaysBias,
     .outputBias = kAlwaysBias,
     .mlpBias = kAlwaysBias,
     .gated = false,
     .fusedQkv = true,
     .learnedPositions = true,
     .base = fourTimesHidden},
    {.modelTypes = {"gptj"},
     .norm = NormKind::kLayer,
     .norms = 1,
     .qkvBias = kNoBias,
     .outputBias = kNoBias,
     .mlpBias = kAlwaysBias,
     .gated = false,
     .headBias = true,
     .base = fourTimesHidden},
    {.modelTypes = {"gpt_neo"},
     .tied = true,
     .norm = NormKind::kLayer,
     .qkvBias = kNoBias,
     .outputBias = kAlwaysBias,
     .mlpBias = kAlwaysBias,
     .gated = false,
     .learnedPositions = true,
     .base = fourTimesHidden},
    {.modelTypes = {"gpt_neox"},
     .norm = NormKind::kLayer,
     .qkvBias = {"attention_bias", true},
     .outputBias = {"attention_bias", true},
     .mlpBias = kAlwaysBias,
     .gated = false,
     .fusedQkv = true,
     .base = fourTimesHidden},
    {.modelTypes = {"opt"},
     .tied = true,
     .norm = NormKind::kLayer,
     .qkvBias = {"enable_bias", true},
     .outputBias = {"enable_bias", true},
     .mlpBias = {"enable_bias", true},
     .gated = false,
     .base = optBase,
     .model = optModel},
    {.modelTypes = {"bloom"},
     .tied = true,
     .norm = NormKind::kLayer,
     .qkvBias = kAlwaysBias,
     .outputBias = kAlwaysBias,
     .mlpBias = kAlwaysBias,
     .gated = false,
     .fusedQkv = true,
     .base = fourTimesHidden,
     .model = bloomModel},
    {.modelTypes = {"mpt"},
     .tied = true,
     .norm = NormKind::kLayerBare,
     .qkvBias = kNoBias,
     .outputBias = kNoBias,
     .mlpBias = kNoBias,
     .gated = false,
     .fusedQkv = true,
     .base = mptBase,
     .layer = mptLayer},
    {.modelTypes = {"falcon", "RefinedWeb", "RefinedWebModel"},
     .tied = true,
     .norm = NormKind::kLayer,
     .qkvBias = {"bias", false},
     .outputBias = {"bias", false},
     .mlpBias = {"bias", false},
     .gated = false,
     .fusedQkv = true,
     .base = falconBase,
     .layer = falconLayer},
    {.modelTypes = {"olmo"}, .norm = NormKind::kNoWeights, .norms = 0},
    {.modelTypes = {"olmo2"}, .qkNorm = QkNormRule::kWhole},
    {.modelTypes = {"olmo3"},
     .qkNorm = QkNormRule::kWhole,
     .window = WindowRule::kPattern,
     .windowPattern = 4},
    {.modelTypes = {"smollm3", "granite", "minicpm", "minicpm3"}, .tied = true},
    {.modelTypes = {"nemotron"}, .norm = NormKind::kLayer, .gated = false},
    {.modelTypes = {"seed_oss"}, .outputBias = {"attention_out_bias", false}},
    {.modelTypes = {"exaone"}, .qkvBias = kNoBias, .outputBias = kNoBias},
    {.modelTypes = {"exaone4"},
     .qkNorm = QkNormRule::kHead,
     .window = WindowRule::kPattern,
     .windowPattern = 4},
    {.modelTypes = {"apertus"}, .gated = false, .qkNorm = QkNormRule::kHead, .layer = apertusLayer},
    {.modelTypes = {"arcee"}, .gated = false},
    {.modelTypes = {"bitnet"}, .tied = true, .layer = bitnetLayer},
    {.modelTypes = {"hunyuan_v1_dense"}, .tied = true, .qkNorm = QkNormRule::kHeadByKey},
    {.modelTypes = {"ernie4_5"},
     .tied = true,
     .qkvBias = {"use_bias", false},
     .outputBias = {"use_bias", false},
     .mlpBias = {"use_bias", false}},
    {.modelTypes = {"nemotron-nas", "deci"}, .base = nasBase, .layer = nasLayer},
    {.modelTypes = {"llada", "mmada"},
     .qkvBias = kNoBias,
     .outputBias = kNoBias,
     .diffusion = true},
    {.modelTypes = {"mllama", "mllama_text_model"}, .layer = mllamaLayer, .model = mllamaModel},
};

}  // namespace

std::span<const Family> denseFamilies() { return kRows; }

}  // namespace memfit
