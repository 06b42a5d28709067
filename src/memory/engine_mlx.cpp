// memfit - SPDX-License-Identifier: Apache-2.0
//
// MLX (mlx-lm) on unified memory.
//
// Sources: ml-explore/mlx-lm models/cache.py (KVCache in steps of 256, RotatingKVCache of the
// window), generate.py (prefill in chunks of 2048), ml-explore/mlx
// fast.scaled_dot_product_attention (fused for head sizes 64, 80 and 128), read 2026; field reports
// on other head sizes (oMLX, 2026).
#include <algorithm>

#include "memory/engine_parts.h"

namespace memfit {

namespace {

constexpr std::string_view kCode = "ml-explore/mlx-lm models/cache.py and generate.py, read 2026";
constexpr Count kStep = 256;
constexpr Count kChunk = 2048;

void prepare(const InferencePlan& plan, StagePlan& stage) {
  stage.fixed.add(weightsEntry(stageWeights(plan, stage), Where::kDevice, "As loaded."));
  addOptionalParts(plan, stage);
  stage.fixed.add(
      {.component = Component::kFramework,
       .bytes = {kMiB * 128, kMiB * 300, kMiB * 1024},
       .formula = "300 * 1048576",
       .inputs = {},
       .source = "ollama ml/device.go keeps 512 MiB on Metal; mlx set_cache_limit, 2026",
       .note = "Metal's own, and buffers that MLX keeps for reuse."});
  stage.caches = plainCaches(plan, stage.first, stage.last, {.block = kStep});
  stage.statePerSequence = stateOf(plan, stage.first, stage.last);
}

bool fused(Count headDim) {
  return headDim == Count(64) || headDim == Count(80) || headDim == Count(128);
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
  const StageShape& s = stage.shape;
  const std::uint32_t e = plan.policy().plainBytes();
  const Count t = min(load.seq, kChunk);
  const Bytes each = forwardPerToken(s, e) + expertsPerToken(s, e);
  // Unfused attention keeps the scores of a chunk against everything before it.
  const Bytes pair = fused(s.headDim) ? Bytes(0) : s.heads * e;
  const Bytes expected = load.batch * t * (each + load.seq * pair);
  sink.add(Component::kActivations, Where::kDevice, around(expected, 50, 200), [&](Entry& entry) {
    entry.formula = "batch * T * (each + seq * pair)";
    entry.inputs.add("batch", load.batch);
    entry.inputs.add("T", t);
    entry.inputs.add("each", each);
    entry.inputs.add("seq", load.seq);
    entry.inputs.add("pair", pair);
    entry.source = kCode;
    entry.note =
        "A prefill chunk through the widest layer; scores where the head size has no fused "
        "kernel.";
  });
  addLastLogits(s, sequences, e, kCode, sink);
}

}  // namespace

extern const EngineModel kMlxModel = {
    .engine = Engine::kMlx,
    .seen = "2026",
    .reads = kPlainFormats | kMlxFormats,
    .kvStorage = kvStorageInGroups,
    .smallerWeights = kLibraryFormats,
    .prepare = prepare,
    .ledger = ledgerOf<Variable>,
    .sum = sumOf<Variable>,
};

}  // namespace memfit
