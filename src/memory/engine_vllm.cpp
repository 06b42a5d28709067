// memfit - SPDX-License-Identifier: Apache-2.0
//
// vLLM. It takes a share of the device (gpu_memory_utilization), profiles one step of its largest
// batch, and gives the rest to the cache.
//
// Sources: vllm-project/vllm v1/core/kv_cache_utils.py, v1/worker/gpu_worker.py and
// gpu_model_runner.py, engine/arg_utils.py (2026-08); DEBUG logs of 59 runs of v0.19 on H100
// (llm-d-planner PR 205, 2026-04), logs of v0.6 to v0.28.
//
// The activation peak of the profiling step, with T = tokens and S = sequences of a step, V =
// padded vocabulary, H = hidden, e = bytes of a number:
//   sampler   S V (12 + e) + e T H     logits in the model's type, in 32 bits, and what sorting and
//                                      probabilities take; before v0.17 9.4 32-bit copies, 37.7
//   forward   T (3 I + 2 H) e          gate, up and their product; the residual stream
//   experts   T k (max(2 I, H) + I) e  the workspaces of a fused expert layer, which stay
//   and 0.12 GiB that every run shows beside them.
#include <algorithm>
#include <cassert>
#include <optional>

#include "base/text.h"
#include "memory/engine_parts.h"

namespace memfit {

namespace {

constexpr std::string_view kCode = "vllm v1/core/kv_cache_utils.py, read 2026-08-17";
constexpr std::string_view kLogs = "vLLM 0.19 on H100, 59 logs (llm-d-planner PR 205, 2026-04)";
constexpr Count kBlock = 16;
// arg_utils.py: devices from 70 GiB on get larger batches. An unknown device counts as one.
int sizeClass(Bytes total) { return total == Bytes(0) || total >= kGiB * 70 ? 1 : 0; }
bool large(const InferencePlan& plan) { return sizeClass(plan.deviceTotal()) == 1; }

// --- releases, by their minor version

constexpr int kNewest = 28;
// "0.19", "v0.11.2", "0.29.1rc1".
std::optional<int> readRelease(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  if (!text.starts_with("0.")) return std::nullopt;
  text.remove_prefix(2);
  const auto minor = parseScaled(text.substr(0, text.find_first_not_of("0123456789")), 1);
  if (!minor || *minor < 1 || *minor > 999) return std::nullopt;
  return static_cast<int>(*minor);
}
// V0, an engine of its own until 0.8: no chunked prefill, so that it profiles a whole sequence.
bool isV0(const InferencePlan& plan) { return plan.release() < 8; }

// gpu_memory_utilization: 0.92 since 0.27 (vllm/config/cache.py, 2026-08), 0.9 before.
double share(const Query&, int release, Bytes) { return release < 27 ? 0.9 : 0.92; }

struct Step {
  Count tokens, sequences;
};
Step stepOf(const InferencePlan& plan, Count seq) {
  const Query& query = plan.query();
  const bool v0 = isV0(plan);
  Step step;
  step.sequences = large(plan) && !v0 ? 1024 : 256;
  if (query.has(Key::kMaxSeqs)) step.sequences = query.count(Key::kMaxSeqs);
  step.tokens = large(plan) ? 8192 : 2048;
  // V0 profiles a whole sequence, in chunks from 32k on.
  if (v0) step.tokens = seq > Count(32768) ? Count(2048) : max(seq, 2048);
  if (query.has(Key::kBatchedTokens)) step.tokens = query.count(Key::kBatchedTokens);
  step.tokens = min(step.tokens, step.sequences * seq);
  step.sequences = min(step.sequences, step.tokens);
  return step;
}

// Bytes that a row of the sampler takes for each token of the vocabulary, in tenths.
Count samplerTenths(const InferencePlan& plan) {
  if (plan.release() < 17) return 377;
  return 120 + 10 * plan.policy().plainBytes();
}

// Memory outside torch: NCCL, custom all-reduce and what libraries take. Read from the top, the
// first row that applies counts. Seen in logs: 0.24 to 0.27 GiB alone, 2.06 to 2.21 in tensor
// parallel on H100, 0.20 to 0.35 on RTX 3090 (0.19, 2026-04); V0 up to 5.6 GiB (0.6 and 0.7, 2024).
enum class Cut : std::uint8_t { kAny, kTensors, kStages };
enum class Size : std::uint8_t { kAny, kLarge, kSmall };
struct OutsideRow {
  int before;  // releases below it
  Cut cut;
  Size size;
  std::uint16_t low, expected, high;  // MiB
};
constexpr int kEvery = 1000;
constexpr OutsideRow kOutside[] = {
    {8, Cut::kAny, Size::kSmall, 90, 250, 400},
    {8, Cut::kTensors, Size::kLarge, 200, 3580, 5700},
    {8, Cut::kAny, Size::kLarge, 90, 1790, 1900},
    {18, Cut::kTensors, Size::kLarge, 540, 560, 900},
    {kEvery, Cut::kTensors, Size::kLarge, 550, 2150, 2300},
    {kEvery, Cut::kTensors, Size::kSmall, 200, 330, 800},
    {kEvery, Cut::kStages, Size::kAny, 70, 75, 256},
    {18, Cut::kAny, Size::kAny, 90, 133, 400},
    {kEvery, Cut::kAny, Size::kAny, 130, 256, 512},
};
Band outsideTorch(const InferencePlan& plan) {
  const bool tensors = plan.split().tp > Count(1);
  const bool stages = !tensors && plan.parallelism().pp > Count(1);
  for (const OutsideRow& row : kOutside) {
    if (plan.release() >= row.before) continue;
    if (row.cut != Cut::kAny && !(row.cut == Cut::kTensors ? tensors : stages)) continue;
    if (row.size != Size::kAny && (row.size == Size::kLarge) != large(plan)) continue;
    return {kMiB * row.low, kMiB * row.expected, kMiB * row.high};
  }
  assert(false && "the last row applies to everything");
  return {};
}

// layers/quantization/mxfp4.py: Triton pads MXFP4 experts to multiples of 256 of the model's width.
// gpt-oss's 2880 becomes 3072.
void padExperts(const InferencePlan& plan, Split& split) {
  if (plan.policy().isMxfp4()) split.expertHiddenMultiple = 256;
}

Count groupSize(const std::vector<Count>& counts) {
  // kv_cache_utils.py: as many layers a group as the rarest kind has, unless the kinds are nearly
  // as many.
  Count least = counts.front(), most = counts.front();
  for (const Count count : counts) {
    least = min(least, count);
    most = max(most, count);
  }
  return most * 2 < least * 3 ? most : least;
}

// CUDA graphs: 51 piecewise and 51 full ones; grows with the layers that they replay.
void addGraphs(const InferencePlan& plan, StagePlan& stage) {
  if (plan.query().choice<OnOffAuto>(Key::kGraphs) == OnOffAuto::kOff) return;
  const Count layers = stage.shape.layers;
  const bool experts = stage.shape.expertsPerToken > Count(0);
  const Bytes graphs = kMiB * 390 + layers * (kMiB * 16) + (experts ? kMiB * 400 : Bytes(0));
  stage.fixed.add({.component = Component::kComputeBuffer,
                   .bytes = around(graphs, 60, 150),
                   .formula = "(390 + 16 * layers + experts) * 1048576",
                   .inputs = {{"layers", layers.toDouble()}, {"experts", experts ? 400.0 : 0.0}},
                   .source = kLogs,
                   .note = "CUDA graphs of up to 512 sequences: 0.5 to 1.9 GiB were seen."});
  // Charged to the share since v0.21.
  if (plan.release() >= 21) stage.reserved += graphs;
}

// The cache: layers in groups of equal size, which padding layers fill.
void addCacheGroups(const InferencePlan& plan, StagePlan& stage) {
  const Count inFlight = stepOf(plan, kGiB).tokens;
  std::vector<CacheGroup> groups = plainCaches(plan, stage.first, stage.last, {.block = kBlock});
  const StateTotals states =
      statesOf(plan.architecture(), plan.engine(), plan.policy().plainBytes(), plan.split().tp,
               stage.first, stage.last);
  std::vector<Count> counts;
  Bytes widest;
  for (const CacheGroup& group : groups) {
    counts.push_back(group.layers);
    widest = max(widest, group.perToken);
  }
  if (states.layers > Count(0)) counts.push_back(states.layers);
  Count block = kBlock;
  Count stateSlots = states.layers;
  if (counts.size() > 1) {
    const Count size = groupSize(counts);
    for (CacheGroup& group : groups) group.slots = group.layers.roundUp(size);
    stateSlots = states.layers.roundUp(size);
  }
  if (states.layers > Count(0) && widest > Bytes(0)) {
    // One page size for all groups: attention's blocks grow until one holds a state
    // (platforms/interface.py _align_hybrid_block_size).
    block = states.largest.ceilDiv(widest * kBlock) * kBlock;
    stage.statePerSequence = stateSlots * block * widest;
  } else {
    stage.statePerSequence = states.perSequence;
  }
  for (CacheGroup& group : groups) {
    group.block = block;
    if (group.limit > Count(0)) {
      // What a window needs while a step's tokens are in flight.
      group.limit = group.limit - 1 + inFlight;
      group.extraBlocks = 1;
      group.note = "Layers with a window: it, and the tokens of a step in flight.";
    }
  }
  stage.caches = std::move(groups);
}

void prepare(const InferencePlan& plan, StagePlan& stage) {
  addServedWeights(plan, stage, "vllm layers/rotary_embedding, read 2026-08-17");
  addOptionalParts(plan, stage);
  stage.reserved = stage.fixed.total(Where::kDevice).expected;

  const Band outside = outsideTorch(plan);
  stage.fixed.add({.component = Component::kCommunication,
                   .bytes = outside,
                   .formula = "MiB * 1048576",
                   .inputs = {{"MiB", outside.expected.toDouble() / 1048576.0}},
                   .source =
                       "vLLM logs: 0.24 to 0.27 GiB alone, 2.06 to 2.21 in tensor parallel on "
                       "H100, 0.20 to 0.35 on RTX 3090; 0.19, 2026-04",
                   .note = "Memory outside torch: collectives and libraries."});
  stage.reserved += outside.expected;
  addGraphs(plan, stage);

  const bool several = plan.parallelism().devices() > Count(1);
  stage.fixed.add({.component = Component::kFramework,
                   .bytes = several ? Band{kMiB * 900, kMiB * 1536, kMiB * 2150}
                                    : Band{kMiB * 300, kMiB * 522, kMiB * 750},
                   .formula = "MiB * 1048576",
                   .inputs = {{"MiB", several ? 1536.0 : 522.0}},
                   .source = "vLLM 0.19 on H100: 0.51 GiB in use before loading, 1.4 to 2.07 with "
                             "collectives up; 2026-04",
                   .note = "The device's context, outside the share that vLLM takes."});
  addCacheGroups(plan, stage);
}

template <typename Sink>
void addActivations(const InferencePlan& plan, const StagePlan& stage, Count seq, Sink& sink) {
  const StageShape& s = stage.shape;
  const Step step = stepOf(plan, seq);
  const std::uint32_t e = plan.policy().plainBytes();
  const Count t = step.tokens;
  const Bytes each = forwardPerToken(s, e);
  const Bytes forward = t * each;
  const Count tenths = samplerTenths(plan);
  // V0 in chunks does not sample while it profiles.
  const bool samples = s.vocab > Count(0) && !(isV0(plan) && seq > Count(32768));
  const Bytes sampler =
      samples ? (step.sequences * s.vocab * tenths).ceilDiv(10) + t * s.hidden * e : Bytes(0);
  // A stage that is not the last hands its hidden states and residuals on.
  const Bytes handed = stage.hasHead ? Bytes(0) : t * s.hidden * 2 * e;
  const Bytes experts = t * expertsPerToken(s, e);
  const Bytes expected = max(forward, sampler) + handed +
                         (s.expertsPerToken > Count(0) ? experts : Bytes(0)) + kMiB * 123;
  sink.add(Component::kActivations, Where::kDevice, around(expected, 85, 130), [&](Entry& entry) {
    entry.formula =
        samples ? "max(T * each, S * V * row + T * H * e) + handed + experts + 123 * 1048576"
                : "T * each + handed + experts + 123 * 1048576";
    entry.inputs.add("T", t);
    entry.inputs.add("each", each);
    if (samples) {
      entry.inputs.add("S", step.sequences);
      entry.inputs.add("V", s.vocab);
      entry.inputs.add("row", tenths.toDouble() / 10);
      entry.inputs.add("H", s.hidden);
      entry.inputs.add("e", Count(e));
    }
    entry.inputs.add("handed", handed);
    entry.inputs.add("experts", s.expertsPerToken > Count(0) ? experts : Bytes(0));
    entry.source = kLogs;
    entry.note =
        "The profiled step: a forward pass over T tokens, or sampling S rows of the vocabulary.";
  });
  // The encoder's outputs for as many images as a step takes, and their pixels: 56 x 56 x 3 a token
  // (SigLIP's patches of 14, four by four).
  if (stage.first != 0 || plan.query().choice<Include>(Key::kVision) != Include::kInclude ||
      plan.architecture().towers.empty()) {
    return;
  }
  const Bytes images = t * (s.hidden + 9408) * e;
  sink.add(Component::kActivations, Where::kDevice, around(images, 25, 300), [&](Entry& entry) {
    entry.formula = "T * (H + 9408) * e";
    entry.inputs.add("T", t);
    entry.inputs.add("H", s.hidden);
    entry.inputs.add("e", Count(e));
    entry.source =
        "vLLM 0.19: Gemma 3, Mistral Small 3.1, Llama 4 and Kimi-VL show 0.08 to 0.26 GiB "
        "beside text alone (llm-d-planner PR 205, 2026-04)";
    entry.note = "Profiled images: their pixels, and what the encoder makes of them.";
  });
}

struct Variable {
  template <typename Sink>
  void operator()(const InferencePlan& plan, const StagePlan& stage, const Load& load,
                  Sink& sink) const {
    const Count sequences = plan.sequences(load);
    addCaches(stage.caches, sequences, load.seq, Where::kDevice, kCode, sink);
    addState(stage.statePerSequence, sequences, 1, Where::kDevice, kCode, sink);
    addActivations(plan, stage, load.seq, sink);
  }
};

Bytes charged(const InferencePlan& plan, const StagePlan& stage, Count seq) {
  SumSink sink;
  addActivations(plan, stage, seq, sink);
  return sink.sum().expected;
}

}  // namespace

extern const EngineModel kVllmModel = {
    .engine = Engine::kVllm,
    .seen = "0.19 to 0.28, 2026",
    .releases = {.newest = kNewest,
                 .newestName = "0.28",
                 .accepted = "a release such as 0.19 or 0.11.2",
                 .read = readRelease},
    .share = share,
    // The device's context is not charged.
    .shareCovers = SetOf<Stay>(Stay::kResident) | Stay::kTransient,
    .charged = charged,
    .sizeClass = sizeClass,
    .spread = Spread::kTensors,
    .loadsTowers = true,
    // As it loads: bitsandbytes_loader.py.
    .widensDoubleQuant = true,
    .vocabularyMultiple = 64,
    .padExperts = padExperts,
    .followsCheckpointCache = true,
    .sparseCacheInFp8 = true,
    .smallerWeights = kServedFormats,
    .prepare = prepare,
    .ledger = ledgerOf<Variable>,
    .sum = sumOf<Variable>,
};

}  // namespace memfit
