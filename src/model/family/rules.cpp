// memfit - SPDX-License-Identifier: Apache-2.0
//
// The rules that a family's row names, applied to a layer.
#include "model/family/family.h"

#include <algorithm>

#include "base/text.h"

namespace memfit {
namespace {

bool contains(const std::vector<Count>& list, Count value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

Count at(const std::vector<Count>& list, std::size_t i, Count otherwise) {
  return i < list.size() ? list[i] : otherwise;
}

// A type name of `layer_types` that means a cut context.
bool windowedType(std::string_view type) {
  return type == "sliding_attention" || type == "chunked_attention" || type == "sliding" ||
         type == "local" || type == "sliding_window";
}

}  // namespace

bool FamilyReader::isWindowed(std::size_t i) const {
  if (window == 0) return false;
  if (!layerTypes.empty()) return windowedType(layerType(i));
  switch (family->window) {
    case WindowRule::kNever: return false;
    case WindowRule::kAll: return true;
    case WindowRule::kIfUsed:
      // Qwen2: windows only where asked for, and only from max_window_layers on.
      return config.flag({"use_sliding_window"}).value_or(false) &&
             Count(i) >= countOr({"max_window_layers"}, 0);
    case WindowRule::kPattern: {
      // "LLLG" (EXAONE 4) spells the pattern; else the last of every n layers sees everything.
      if (const Count n = patternLength(); n > 0) return Count(i + 1) / n * n != Count(i + 1);
      return true;
    }
    case WindowRule::kEven: return i % 2 == 0;
  }
  return false;
}

Count FamilyReader::patternLength() const {
  if (lists.patternLetters > 0) return lists.patternLetters;
  if (lists.windowPattern > 0) return lists.windowPattern;
  return Count(family->windowPattern);
}

bool FamilyReader::isMoeLayer(std::size_t i) const {
  if (experts == 0) return false;
  // Each family has its own words for it, and no two use the same word for different things; so all
  // are looked for.
  if (i < lists.mlpTypes.size()) return lists.mlpTypes[i] == "sparse";
  if (!lists.moeLayerFreq.empty()) return at(lists.moeLayerFreq, i, 1) > 0;
  if (contains(lists.mlpOnly, Count(i))) return false;
  const Count index(i);
  const auto divides = [](Count step, Count value) {
    return step > 0 && value / step * step == value;
  };
  // Qwen2-MoE, Qwen3-MoE.
  if (!divides(lists.sparseStep, index + 1)) return false;
  // DeepSeek and what follows it.
  if (index < lists.firstDense || !divides(lists.moeEvery, index)) return false;
  // Llama 4.
  if (!divides(lists.interleaveStep, index + 1)) return false;
  // ERNIE 4.5.
  if (index < lists.moeStart || index > lists.moeEnd || !divides(lists.moeInterval, index + 1)) {
    return false;
  }
  // Jamba.
  if (lists.expertPeriod > 0) {
    const Count period = lists.expertPeriod;
    return index - index / period * period == lists.expertOffset;
  }
  return true;
}

FullAttention FamilyReader::attentionByRules(std::size_t i) {
  FullAttention attention;
  attention.heads = heads;
  attention.kvHeads = kvHeads;
  attention.headDim = headDim;
  attention.valueHeadDim = valueHeadDim;
  attention.qBias = attention.kBias = attention.vBias = flag(family->qkvBias);
  attention.outputBias = flag(family->outputBias);
  attention.fusedQkv = family->fusedQkv;
  if (isWindowed(i)) {
    attention.window = window;
    attention.chunked = layerType(i) == "chunked_attention";
  }
  QkNormRule rule = family->qkNorm;
  if (rule == QkNormRule::kHeadByKey || rule == QkNormRule::kWholeByKey) {
    const bool on = config.flag({"use_qk_norm", "qk_norm", "qk_layernorm"}).value_or(false);
    if (!on) rule = QkNormRule::kNone;
  }
  switch (rule) {
    case QkNormRule::kNone: break;
    case QkNormRule::kHead:
    case QkNormRule::kHeadByKey: attention.qNormWidth = attention.kNormWidth = headDim; break;
    case QkNormRule::kWhole:
    case QkNormRule::kWholeByKey:
      attention.qNormWidth = heads * headDim;
      attention.kNormWidth = kvHeads * headDim;
      break;
  }
  return attention;
}

LatentAttention FamilyReader::latentByRules(std::size_t i) {
  LatentAttention attention;
  attention.heads = heads;
  attention.qLoraRank = qLoraRank;
  attention.kvLoraRank = kvLoraRank;
  attention.nopeDim = nopeDim;
  attention.ropeDim = ropeDim;
  attention.valueDim = latentValueDim;
  attention.bias = config.flag({"attention_bias"}).value_or(false);
  // GLM-5.2: "shared" layers use the indexer of the last "full" one.
  if (i >= lists.indexerTypes.size() || lists.indexerTypes[i] == "full") {
    attention.indexerHeads = countOr({"index_n_heads"}, 0);
    attention.indexerDim = countOr({"index_head_dim"}, 128);
  }
  return attention;
}

DenseFfn FamilyReader::denseByRules(std::size_t i) {
  DenseFfn feedForward;
  feedForward.intermediate = at(intermediates, i, intermediate);
  feedForward.gated = family->gated;
  feedForward.upBias = feedForward.downBias = flag(family->mlpBias);
  feedForward.fusedGateUp = family->fusedGateUp;
  return feedForward;
}

MoeFfn FamilyReader::moeByRules(std::size_t i) {
  MoeFfn feedForward;
  feedForward.experts = experts;
  feedForward.perToken = at(lists.perTokens, i, expertsPerToken);
  feedForward.intermediate = at(lists.moeIntermediates, i, moeIntermediate);
  feedForward.gated = family->gated;
  feedForward.correctionBias =
      family->correctionBias ||
      (family == &genericFamily() && (config.text({"topk_method"}).value_or("") == "noaux_tc" ||
                                      config.text({"score_func"}).value_or("") == "sigmoid"));
  feedForward.sharedIntermediate = sharedIntermediate;
  if (!lists.sharedCounts.empty()) {
    feedForward.sharedIntermediate = at(lists.sharedCounts, i, 0) * feedForward.intermediate;
  }
  feedForward.sharedExpertGate = family->sharedExpertGate && feedForward.sharedIntermediate > 0;
  return feedForward;
}

Layer FamilyReader::layerByRules(std::size_t i) {
  Layer layer;
  layer.norm = family->norm;
  layer.norms = Count(family->norms);
  if (kvLoraRank > 0) {
    layer.mixers.emplace_back(latentByRules(i));
  } else {
    layer.mixers.emplace_back(attentionByRules(i));
  }
  if (isMoeLayer(i)) {
    layer.feedForwards.emplace_back(moeByRules(i));
  } else {
    layer.feedForwards.emplace_back(denseByRules(i));
  }
  if (family->layer != nullptr) family->layer(*this, i, layer);
  return layer;
}

}  // namespace memfit
