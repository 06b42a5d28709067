// memfit - SPDX-License-Identifier: Apache-2.0
//
// SGLang. It takes a static share of the device for weights and cache (mem_fraction_static), and
// leaves the rest to activations and CUDA graphs.
//
// Sources: sgl-project/sglang server_args.py, mem_cache/memory_pool.py and
// model_executor/model_runner_kv_cache_mixin.py (2026-07); public logs of 2025 and 2026.
//   KV pool = free after loading - total (1 - fraction); tokens = pool / bytes a token
#include <algorithm>

#include "memory/engine_parts.h"
#include "memory/parallelism.h"

namespace memfit {

namespace {

constexpr std::string_view kCode = "sglang mem_cache/memory_pool.py, read 2026-07-15";
constexpr std::string_view kArgs = "sglang server_args.py, read 2026-07-15";

// Defaults by the memory of the device: tokens of a prefill chunk, sequences of a CUDA graph, and
// of one from four devices on.
struct Tier {
  Bytes below;
  Count chunk, graphs, graphsWide;
};
constexpr Tier kTiers[] = {{kMiB * 20000, 2048, 8, 8},      {kMiB * 35000, 2048, 24, 80},
                           {kMiB * 60000, 4096, 32, 160},   {kMiB * 90000, 8192, 256, 512},
                           {kMiB * 160000, 8192, 256, 512}, {Count::kMax, 16384, 512, 512}};
int sizeClass(Bytes deviceTotal) {
  const Bytes total = deviceTotal > Bytes(0) ? deviceTotal : kGiB * 79;
  int tier = 0;
  while (total >= kTiers[tier].below) ++tier;
  return tier;
}

// mem_fraction_static: (total - reserve) / total, in MiB
//   reserve = 512 + 1.5 max(chunk, 2048) + 2 sequences of a CUDA graph + 128 tp pp,
//   at least 10,240 on devices above 60 GiB (server_args.py, 2026-07). An unknown device: 0.88.
double share(const Query& query, int, Bytes total) {
  if (total == Bytes(0)) return 0.88;
  const double mib = total.toDouble() / 1048576.0;
  const Parallelism spread = parallelismOf(query);
  const bool wide = spread.tp >= Count(4);
  const Tier& tier = kTiers[sizeClass(total)];
  const double chunk = query.has(Key::kBatchedTokens)
                           ? static_cast<double>(query.number(Key::kBatchedTokens))
                           : tier.chunk.toDouble();
  double reserve = 512 + 1.5 * std::max(chunk, 2048.0) +
                   2 * (wide ? tier.graphsWide : tier.graphs).toDouble() +
                   spread.tp.toDouble() * spread.pp.toDouble() / 8 * 1024;
  if (mib > 60 * 1024) reserve = std::max(reserve, 10240.0);
  return std::max((mib - reserve) / mib, 0.0);
}

void prepare(const InferencePlan& plan, StagePlan& stage) {
  addServedWeights(plan, stage, "sglang layers/rotary_embedding, read 2026-07-15");
  addOptionalParts(plan, stage);

  const Tier& tier = kTiers[sizeClass(plan.deviceTotal())];
  const bool wide = plan.split().tp >= Count(4);
  if (plan.query().choice<OnOffAuto>(Key::kGraphs) != OnOffAuto::kOff) {
    const Count sequences = wide ? tier.graphsWide : tier.graphs;
    const Bytes graphs = sequences * 2 * kMiB;
    stage.fixed.add({.component = Component::kComputeBuffer,
                     .bytes = around(graphs, 40, 200),
                     .formula = "2 * sequences * 1048576",
                     .inputs = {{"sequences", sequences.toDouble()}},
                     .source = kArgs,
                     .note = "CUDA graphs, as SGLang's own reserve counts them."});
  }
  const bool several = plan.parallelism().devices() > Count(1);
  const Band context = several ? Band{kMiB * 900, kMiB * 1536, kMiB * 2300}
                               : Band{kMiB * 300, kMiB * 640, kMiB * 1000};
  stage.fixed.add({.component = Component::kFramework,
                   .bytes = context,
                   .formula = "MiB * 1048576",
                   .inputs = {{"MiB", context.expected.toDouble() / 1048576.0}},
                   .source = "SGLang and vLLM logs, 2025 and 2026",
                   .note = "The device's context, libraries and collectives."});
  stage.reserved = stage.fixed.total(Component::kWeights).expected + context.expected;

  stage.caches = plainCaches(plan, stage.first, stage.last, {});
  bool full = false;
  for (const CacheGroup& group : stage.caches) full = full || group.limit == Count(0);
  for (CacheGroup& group : stage.caches) {
    if (group.limit == Count(0) || !full) continue;
    // Two pools of one ratio, however long the sequences: swa_full_tokens_ratio 0.8.
    group.limit = 0;
    group.perToken = group.perToken.scaled(8, 10);
    group.note = "Layers with a window: a pool of 0.8 of the whole layers' tokens.";
  }
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
  const std::uint32_t e = plan.policy().plainBytes();
  const StageShape& s = stage.shape;
  Count t = plan.query().has(Key::kBatchedTokens) ? plan.query().count(Key::kBatchedTokens)
                                                  : kTiers[sizeClass(plan.deviceTotal())].chunk;
  t = min(t, sequences * load.seq);
  const Bytes each = forwardPerToken(s, e) + expertsPerToken(s, e);
  const Count rows = min(sequences, t);
  const Bytes expected = t * each + rows * s.vocab * (e + 8) + kMiB * 123;
  sink.add(Component::kActivations, Where::kDevice, around(expected, 60, 170), [&](Entry& entry) {
    entry.formula = "T * each + S * V * (e + 8) + 123 * 1048576";
    entry.inputs.add("T", t);
    entry.inputs.add("each", each);
    entry.inputs.add("S", rows);
    entry.inputs.add("V", s.vocab);
    entry.inputs.add("e", Count(e));
    entry.source = kArgs;
    entry.note = "A prefill chunk of T tokens, and logits of the sequences in flight.";
  });
}

}  // namespace

extern const EngineModel kSglangModel = {
    .engine = Engine::kSglang,
    .seen = "0.4.3 to the snapshot of 2026-07-15",
    .share = share,
    // mem_fraction_static is of weights, cache and what was there before them.
    .shareCovers = SetOf<Stay>(Stay::kResident) | Stay::kContext,
    .sizeClass = sizeClass,
    .spread = Spread::kTensors,
    .loadsTowers = true,
    .vocabularyMultiple = 64,
    .followsCheckpointCache = true,
    .sparseCacheInFp8 = true,
    // States in 32 bits: its Qwen3-Next default.
    .stateWidths = {.state = 4},
    .smallerWeights = kServedFormats,
    .prepare = prepare,
    .ledger = ledgerOf<Variable>,
    .sum = sumOf<Variable>,
};

}  // namespace memfit
