// memfit - SPDX-License-Identifier: Apache-2.0
//
// The Gemma families: sandwich norms, windows, shared caches, per-layer embeddings. Source:
// config_facts sections 9 to 11; the totals of gemma4 26B and 31B are exact.
#include "model/family/family.h"

namespace memfit {
namespace {

// The class default of Gemma 3's wrappers, which leave the key out.
void gemma3Base(FamilyReader& r) {
  if (r.vocab == 0) r.vocab = 262208;
  if (r.heads == 0) r.heads = 8;
  if (r.kvHeads == 0) r.kvHeads = 4;
  if (!r.config.has("head_dim")) r.headDim = r.valueHeadDim = 256;
}
// Long contexts scale the full layers' positions linearly by 8 (rope_scaling), which a catalogue's
// shortened config may leave out.
void gemma3Model(FamilyReader& r) {
  if (r.maxContext >= 131072) r.architecture.positionScale = 8;
}
void gemmaBase(FamilyReader& r) {
  if (!r.config.has("head_dim")) r.headDim = r.valueHeadDim = 256;
}

// The last `num_kv_shared_layers` read the keys and values of an earlier layer. Their projections
// are stored all the same.
void shareCache(FamilyReader& r, std::size_t i, Layer& layer) {
  const Count shared = r.countOr({"num_kv_shared_layers"}, 0);
  if (Count(i) + shared >= r.layers) layer.cache = CacheKind::kShared;
  if (shared == 0) layer.cache = CacheKind::kOwn;
}

// A gate into the per-layer embedding's width, a projection back, a norm.
void perLayerEmbedding(Layer& layer, Count hidden, Count width) {
  if (width == 0) return;
  layer.extras.push_back({Role::kPerLayerProjection, width, hidden, 1});
  layer.extras.push_back({Role::kPerLayerProjection, hidden, width, 1});
  layer.extras.push_back({Role::kNorm, 1, hidden, 1});
}
void perLayerEmbeddingModel(FamilyReader& r) {
  const Count width = r.countOr({"hidden_size_per_layer_input"}, 0);
  if (width == 0) return;
  const Count vocab = r.countOr({"vocab_size_per_layer_input"}, r.vocab);
  r.architecture.extras.push_back({Role::kPerLayerEmbedding, vocab, r.layers * width, 1});
  r.architecture.extras.push_back({Role::kPerLayerProjection, r.layers * width, r.hidden, 1});
  r.architecture.extras.push_back({Role::kNorm, 1, width, 1});
}

// Gemma 3n: AltUp (n streams; arXiv 2301.13310) and LAuReL (a bottleneck beside attention).
void gemma3nLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  shareCache(r, i, layer);
  perLayerEmbedding(layer, r.hidden, r.countOr({"hidden_size_per_layer_input"}, 256));
  const Count streams = r.countOr({"altup_num_inputs"}, 4);
  const Count rank = r.countOr({"laurel_rank"}, 64);
  layer.extras.push_back({Role::kScalar, streams, r.hidden, 1});           // the router
  layer.extras.push_back({Role::kScalar, streams, streams, 1});            // correction
  layer.extras.push_back({Role::kScalar, streams * streams, streams, 1});  // prediction
  layer.extras.push_back(
      {Role::kNorm, 1, r.hidden, 3});  // the router's, the output scale, LAuReL's
  layer.extras.push_back({Role::kLinear, rank, r.hidden, 1});
  layer.extras.push_back({Role::kLinear, r.hidden, rank, 1});
}
void gemma3nModel(FamilyReader& r) {
  perLayerEmbeddingModel(r);
  const Count streams = r.countOr({"altup_num_inputs"}, 4);
  r.architecture.extras.push_back({Role::kLinear, r.hidden, r.hidden, (streams - 1) * 2});
}

// Gemma 4: layers that see everything have heads of their own size and count, whose value is the
// key; a dense feed-forward and experts side by side.
void gemma4Base(FamilyReader& r) {
  gemmaBase(r);
  if (!r.config.flag({"enable_moe_block"}).value_or(r.experts > 0)) r.experts = 0;
}
void gemma4Layer(FamilyReader& r, std::size_t i, Layer& layer) {
  shareCache(r, i, layer);
  auto* attention = std::get_if<FullAttention>(&layer.mixers.front());
  if (attention != nullptr && attention->window == 0) {
    attention->headDim = attention->valueHeadDim = r.countOr({"global_head_dim"}, r.headDim);
    attention->qNormWidth = attention->kNormWidth = attention->headDim;
    if (r.config.flag({"attention_k_eq_v"}).value_or(false)) {
      attention->valueIsKey = true;
      attention->kvHeads = r.countOr({"num_global_key_value_heads"}, r.kvHeads);
    }
  }
  DenseFfn dense = r.denseByRules(i);
  if (layer.cache == CacheKind::kShared && r.config.flag({"use_double_wide_mlp"}).value_or(false)) {
    dense.intermediate = dense.intermediate * 2;
  }
  layer.feedForwards.clear();
  layer.feedForwards.emplace_back(dense);
  if (r.experts > 0) {
    layer.feedForwards.emplace_back(r.moeByRules(i));
    layer.norms += 3;
    layer.extras.push_back({Role::kScalar, 1, r.hidden, 1});   // the router's input scale
    layer.extras.push_back({Role::kScalar, 1, r.experts, 1});  // a scale an expert
  }
  perLayerEmbedding(layer, r.hidden, r.countOr({"hidden_size_per_layer_input"}, 0));
}

constexpr Family kRows[] = {
    {.modelTypes = {"gemma"}, .tied = true, .base = gemmaBase},
    {.modelTypes = {"gemma2"},
     .tied = true,
     .norms = 4,
     .window = WindowRule::kEven,
     .base = gemmaBase},
    {.modelTypes = {"gemma3"},
     .tied = true,
     .norms = 4,
     .qkNorm = QkNormRule::kHead,
     .window = WindowRule::kPattern,
     .windowPattern = 6,
     .windowedBase = true,
     .base = gemma3Base,
     .model = gemma3Model},
    {.modelTypes = {"gemma3n"},
     .tied = true,
     .norms = 4,
     .qkNorm = QkNormRule::kHead,
     .window = WindowRule::kPattern,
     .windowPattern = 5,
     .windowedBase = true,
     .base = gemmaBase,
     .layer = gemma3nLayer,
     .model = gemma3nModel},
    {.modelTypes = {"gemma4", "gemma4_unified"},
     .tied = true,
     .norms = 4,
     .qkNorm = QkNormRule::kHead,
     .window = WindowRule::kPattern,
     .windowPattern = 6,
     .windowedBase = true,
     .base = gemma4Base,
     .layer = gemma4Layer,
     .model = perLayerEmbeddingModel},
};

}  // namespace

std::span<const Family> gemmaFamilies() { return kRows; }

}  // namespace memfit
