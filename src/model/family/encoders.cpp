// memfit - SPDX-License-Identifier: Apache-2.0
//
// Encoders, which keep no cache, and encoder-decoders. Source: config_facts, additions.
#include "model/family/family.h"

namespace memfit {
namespace {

void encoderLayer(FamilyReader&, std::size_t, Layer& layer) {
  layer.cache = CacheKind::kAbsent;
  for (Mixer& mixer : layer.mixers) {
    if (auto* attention = std::get_if<FullAttention>(&mixer)) {
      attention->causal = false;
      attention->window = 0;
    }
  }
}

// JinaBERT's feed-forward: gate and up without bias, down with.
void bertLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  encoderLayer(r, i, layer);
  if (r.config.text({"feed_forward_type"}).value_or("") != "geglu") return;
  for (FeedForward& feedForward : layer.feedForwards) {
    if (auto* dense = std::get_if<DenseFfn>(&feedForward)) {
      dense->gated = true;
      dense->upBias = false;
    }
  }
}
// Words, positions (unless relative) and token types, then a norm; a pooler at the end.
void bertModel(FamilyReader& r) {
  Architecture& a = r.architecture;
  const std::string_view positions =
      r.config.text({"position_embedding_type"}).value_or("absolute");
  if (positions == "absolute") a.positions = r.maxContext;
  a.extras.push_back({Role::kPositionEmbedding, r.countOr({"type_vocab_size"}, 2), r.hidden, 1});
  // A table of one row is a matrix too.
  a.embeddingNorm = true;
  a.finalNorm = false;
  a.noHead = true;
  a.extras.push_back({Role::kLinear, r.hidden, r.hidden, 1});
  a.extras.push_back({Role::kScalar, 1, r.hidden, 1});
}

void withoutHead(FamilyReader& r) { r.architecture.noHead = true; }

// T5: relative positions, one table of buckets x heads for each half; the decoder attends to itself
// and to the encoder.
void t5Base(FamilyReader& r) {
  r.layers = r.countOr({"num_decoder_layers", "num_layers"}, r.layers);
  r.headDim = r.countOr({"d_kv"}, r.headDim);
  r.valueHeadDim = r.headDim;
}
bool t5Gated(FamilyReader& r) {
  return r.config.text({"feed_forward_proj"}).value_or("relu").starts_with("gated");
}
void t5Layer(FamilyReader& r, std::size_t i, Layer& layer) {
  CrossAttention cross;
  cross.heads = r.heads;
  cross.kvHeads = r.kvHeads;
  cross.headDim = r.headDim;
  cross.sourceWidth = r.hidden;
  layer.mixers.emplace_back(cross);
  layer.norms = 3;
  DenseFfn dense = r.denseByRules(i);
  dense.gated = t5Gated(r);
  layer.feedForwards.clear();
  layer.feedForwards.emplace_back(dense);
}
void t5Model(FamilyReader& r) {
  Architecture& a = r.architecture;
  const Architecture decoder = a;
  a.kinds.clear();
  a.layers.clear();
  Layer encoder;
  FullAttention attention = r.attentionByRules(0);
  attention.causal = false;
  encoder.mixers.emplace_back(attention);
  DenseFfn dense = r.denseByRules(0);
  dense.gated = t5Gated(r);
  encoder.feedForwards.emplace_back(dense);
  encoder.cache = CacheKind::kAbsent;
  const Count layers = orElse(r.overrides.layers, min(r.countOr({"num_layers"}, r.layers), 10000));
  for (Count i = 0; i < layers; i += 1) a.addLayer(encoder);
  for (std::size_t i = 0; i < decoder.layerCount(); ++i) a.addLayer(decoder.layer(i));
  const Count buckets = r.countOr({"relative_attention_num_buckets"}, 32);
  a.extras.push_back({Role::kScalar, buckets, r.heads, 2});
  a.extras.push_back({Role::kNorm, 1, r.hidden, 1});  // the encoder's final norm
}

constexpr Family kRows[] = {
    {.modelTypes = {"bert", "roberta", "xlm-roberta"},
     .norm = NormKind::kLayer,
     .qkvBias = kAlwaysBias,
     .outputBias = kAlwaysBias,
     .mlpBias = kAlwaysBias,
     .gated = false,
     .layer = bertLayer,
     .model = bertModel},
    {.modelTypes = {"eurobert"}, .layer = encoderLayer, .model = withoutHead},
    {.modelTypes = {"t5", "mt5", "umt5"},
     .qkvBias = kNoBias,
     .outputBias = kNoBias,
     .mlpBias = kNoBias,
     .base = t5Base,
     .layer = t5Layer,
     .model = t5Model},
};

}  // namespace

std::span<const Family> encoderFamilies() { return kRows; }

}  // namespace memfit
