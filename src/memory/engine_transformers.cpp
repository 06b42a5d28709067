// memfit - SPDX-License-Identifier: Apache-2.0
//
// Hugging Face Transformers: a batch that is prefilled as a whole, and a cache that grows by
// concatenation.
//
// Sources: huggingface/transformers cache_utils.py (DynamicCache, DynamicSlidingWindowLayer) and
// generation/utils.py (logits of the last token alone), 4.45 to 5, read 2026.
#include <algorithm>

#include "memory/engine_parts.h"

namespace memfit {

namespace {

constexpr std::string_view kCode = "transformers cache_utils.py and generation/utils.py, read 2026";

void prepare(const InferencePlan& plan, StagePlan& stage) {
  stage.fixed.add(weightsEntry(stageWeights(plan, stage), Where::kDevice, "As loaded."));
  addOptionalParts(plan, stage);
  stage.fixed.add({.component = Component::kFramework,
                   .bytes = {kMiB * 300, kMiB * 512, kMiB * 1024},
                   .formula = "512 * 1048576",
                   .inputs = {},
                   .source = "PyTorch issues 107667 and 49877, logs of 2020 to 2026",
                   .note = "The device's context and its kernels: 0.3 GiB with lazy loading, 1 GiB "
                           "before CUDA 11.7."});
  stage.caches = plainCaches(plan, stage.first, stage.last, {});
  stage.statePerSequence = stateOf(plan, stage.first, stage.last);
}

struct Variable {
  template <typename Sink>
  void operator()(const InferencePlan& plan, const StagePlan& stage, const Load& load,
                  Sink& sink) const;
};

template <typename Sink>
void Variable::operator()(const InferencePlan& plan, const StagePlan& stage, const Load& load,
                          Sink& sink) const {
  const Count sequences = plan.sequences(load);
  addCaches(stage.caches, sequences, load.seq, Where::kDevice, kCode, sink);
  addState(stage.statePerSequence, sequences, 1, Where::kDevice, kCode, sink);
  // Growing by concatenation copies a layer at a time; what is freed is a token too small for the
  // next copy, and may stay with the allocator: up to the cache once more. Qwen's documents of 2023
  // measured 7B, 14B and 72B at 2,048 tokens with 1.6, 2.2 and 5.0 GiB beside weights and cache, of
  // caches of 1.0, 1.6 and 5.0.
  Bytes cache;
  for (const CacheGroup& group : stage.caches) {
    cache += sequences * group.bytesPerSequence(load.seq);
  }
  const Count layers = max(stage.shape.layers, 1);
  const Bytes copy = cache.ceilDiv(layers);
  sink.add(Component::kFramework, Where::kDevice, {copy, copy, cache}, [&](Entry& entry) {
    entry.formula = "ceil(cache / layers)";
    entry.inputs.add("cache", cache);
    entry.inputs.add("layers", layers);
    entry.source = "transformers cache_utils.py, read 2026; Qwen documents, 2023";
    entry.note = "The cache grows by concatenation: a layer's copy, at worst as much again.";
  });
  const StageShape& s = stage.shape;
  const std::uint32_t e = plan.policy().plainBytes();
  const bool eager =
      plan.query().choice<AttentionKernel>(Key::kAttention) == AttentionKernel::kEager;
  const Bytes each = forwardPerToken(s, e) + expertsPerToken(s, e);
  // Scores, their softmax in 32 bits, and that in the model's type again.
  const Bytes pair = eager ? s.heads * (e + 4 + e) : Bytes(0);
  const Bytes expected = sequences * load.seq * (each + load.seq * pair);
  sink.add(Component::kActivations, Where::kDevice, around(expected, 50, 150), [&](Entry& entry) {
    entry.formula = "sequences * seq * (each + seq * pair)";
    entry.inputs.add("sequences", sequences);
    entry.inputs.add("seq", load.seq);
    entry.inputs.add("each", each);
    entry.inputs.add("pair", pair);
    entry.source = kCode;
    entry.note = eager ? "The whole batch at once through the widest layer, with its scores."
                       : "The whole batch at once through the widest layer; no scores are kept.";
  });
  addLastLogits(s, sequences, e, kCode, sink);
}

}  // namespace

extern const EngineModel kTransformersModel = {
    .engine = Engine::kTransformers,
    .seen = "4.45 to 5, 2026",
    .loadsTowers = true,
    .kvStorage = kvStorageInGroups,
    .smallerWeights = kLibraryFormats,
    .prepare = prepare,
    .ledger = ledgerOf<Variable>,
    .sum = sumOf<Variable>,
};

}  // namespace memfit
