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

namespace memfit {

namespace {

constexpr std::string_view kCode = "sglang mem_cache/memory_pool.py, read 2026-07-15";
constexpr std::string_view kArgs = "sglang server_args.py, read 2026-07-15";

struct Tier {
  Bytes below;
  Count chunk, graphs, graphsWide;  // tokens of a prefill chunk, sequences of a CUDA graph
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

void prepare(const InferencePlan& plan, StagePlan& stage) {
  stage.fixed.add(
      weightsEntry(stageWeights(plan, stage), Where::kDevice, "As loaded on one device."));
  const Bytes tables = rotaryTables(plan);
  const Bytes loaded = stage.fixed.total(Component::kWeights).expected;
  stage.fixed.add({.component = Component::kWeights,
                   .bytes = {tables, tables, tables + loaded.scaled(6, 1000)},
                   .formula = "tables",
                   .inputs = {{"tables", tables.toDouble()}},
                   .source = "sglang layers/rotary_embedding, read 2026-07-15",
                   .note = "Cosines and sines for every position; loaders keep up to 0.6 % of the "
                           "weights beside."});
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

  stage.caches = plainCaches(plan, stage.first, stage.last, 1, 0);
  bool full = false;
  for (const CacheGroup& group : stage.caches) full = full || group.limit == Count(0);
  for (CacheGroup& group : stage.caches) {
    if (group.limit == Count(0) || !full) continue;
    // Two pools of one ratio, however long the sequences: swa_full_tokens_ratio 0.8.
    group.limit = 0;
    group.perToken = group.perToken.scaled(8, 10);
    group.note = "Layers with a window: a pool of 0.8 of the whole layers' tokens.";
  }
  stage.statePerSequence =
      statesOf(plan.architecture(), Engine::kSglang, plan.policy().plainBytes(), plan.split().tp,
               stage.first, stage.last)
          .perSequence;
}

template <typename Sink>
void variable(const InferencePlan& plan, const StagePlan& stage, const Load& load, Sink& sink) {
  const Count sequences = plan.sequences(load);
  addCaches(stage.caches, sequences, load.seq, Where::kDevice, kCode, sink);
  if (stage.statePerSequence > Bytes(0)) {
    addState(stage.statePerSequence, sequences, 1, Where::kDevice, kCode, sink);
  }
  const std::uint32_t e = plan.policy().plainBytes();
  const StageShape& s = stage.shape;
  Count t = plan.query().has(Key::kBatchedTokens) ? plan.query().count(Key::kBatchedTokens)
                                                  : kTiers[sizeClass(plan.deviceTotal())].chunk;
  t = min(t, sequences * load.seq);
  const Count experts =
      s.expertsPerToken * (max(s.expertIntermediate * 2, s.hidden) + s.expertIntermediate) * e;
  const Bytes each = forwardPerToken(s, e) + experts;
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

void ledger(const InferencePlan& plan, const StagePlan& stage, const Load& load, Ledger& out) {
  LedgerSink sink(out);
  variable(plan, stage, load, sink);
}

Band sum(const InferencePlan& plan, const StagePlan& stage, const Load& load) {
  SumSink sink;
  variable(plan, stage, load, sink);
  return sink.sum();
}

// mem_fraction_static is of weights, cache and what was there before them.
bool inside(Component component) {
  return component == Component::kWeights || component == Component::kKvCache ||
         component == Component::kRecurrentState || component == Component::kFramework;
}

}  // namespace

const EngineModel kSglangModel = {Engine::kSglang, true,    "0.4.3 to the snapshot of 2026-07-15",
                                  prepare,         ledger,  sum,
                                  inside,          nullptr, sizeClass};

}  // namespace memfit
