// memfit - SPDX-License-Identifier: Apache-2.0
//
// llama.cpp (and what is built on it). Its buffers: weights and cache where -ngl and --n-cpu-moe
// put them, one compute buffer a device, one on the host.
//
// Sources: ggml-org/llama.cpp as vendored by mybigday/llama.rn 638383c (2026-08-08):
// llama-model.cpp, llama-kv-cache.cpp, llama-kv-cache-iswa.cpp, llama-context.cpp; buffer lines of
// public logs of 2024 to 2026.
//
// The compute buffer is reserved once for the worst graph and reused from layer to layer. With U =
// physical batch (-ub), C = cells of the cache, M = cells of all masks, E = hidden, H = heads, V =
// vocabulary, O = rows of logits, floats of 4 bytes:
//   logits        4 (O V + U E)
//   attention     flash: 4 U a, a = 2 E + 2 Q + K + V rows, and for a quantized cache one layer's
//                 keys and values in 16 bits, 2 C (K + V)
//                 eager: 4 U (H C + 4 E): the scores
//   feed-forward  4 U f, f = 3 I + 2 E gated, I + 2 E not, k (I + E) + 3 E with k experts
//   mask          flash 2 U M, eager 4 U M; alive with attention and feed-forward, gone with logits
//   copies        4 of the masks when several devices work in a pipeline
//   staged        the largest tensor that lies on the host and is used on the device
#include <algorithm>
#include <cassert>
#include <optional>

#include "base/text.h"
#include "memory/engine_parts.h"
#include "model/layer_facts.h"

namespace memfit {

namespace {

constexpr std::string_view kCode = "ggml-org/llama.cpp, read 2026-08-08";
constexpr std::string_view kLogs = "buffer lines of llama.cpp logs, builds 5192 to 9867";
constexpr Count kCellBlock = 256;

// --- releases, by their build number

constexpr int kNewest = 9867;
// "b5192", "5192", "5781 (ba3ef86c5)".
std::optional<int> readRelease(std::string_view text) {
  if (text.starts_with('b')) text.remove_prefix(1);
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits < text.size() && text[digits] != ' ') return std::nullopt;  // a commit: "445b7cef6"
  const auto build = parseScaled(text.substr(0, digits), 1);
  if (!build || *build < 1 || *build > 1000000) return std::nullopt;
  return static_cast<int>(*build);
}
// Caches of a window's size: PR 13194, May 2025.
bool hasWindowCaches(const InferencePlan& plan) {
  const auto windows = plan.query().choice<Windows>(Key::kWindows);
  return windows != Windows::kFull && plan.release() >= 5400;
}
// The cache of a latent: PR 12801, April 2025. Files converted before have none either.
bool keepsWholeLatents(const InferencePlan& plan) {
  const auto latent = plan.query().choice<LatentCache>(Key::kLatent);
  return latent == LatentCache::kAuto ? plan.release() < 5150 : latent == LatentCache::kWhole;
}
// Encoders got a cache too until June 2025.
bool cachesEncoders(const InferencePlan& plan) { return plan.release() < 5700; }
// llama-server reserves a row of logits a slot: PR 23861, June 2026, after b9272. Command-line
// tools and libraries reserve those of a whole physical batch.
bool hasLogitsPerSlot(const InferencePlan& plan) {
  return plan.query().has(Key::kSlots) && plan.release() >= 9400;
}

// Slots of a server share one context of `seq` tokens: as many sequences have a state and logits,
// but the cache is that of one.
Count slotsOf(const InferencePlan& plan, const Load& load) {
  return plan.query().has(Key::kSlots) ? plan.query().count(Key::kSlots) : plan.sequences(load);
}
Count cacheSequences(const InferencePlan& plan, const Load& load) {
  return plan.query().has(Key::kSlots) ? Count(1) : plan.sequences(load);
}

// Before June 2025 an encoder's layers had caches like any other's.
std::vector<CacheGroup> encoderCaches(const InferencePlan& plan, std::size_t first,
                                      std::size_t last) {
  std::vector<CacheGroup> groups;
  for (std::size_t i = first; i < last; ++i) {
    for (const Mixer& mixer : plan.architecture().layer(i).mixers) {
      const auto whole = wholeCacheOf(mixer);
      if (!whole) continue;
      if (groups.empty()) {
        CacheGroup group;
        group.block = kCellBlock;
        group.perToken = tokenBytes(*whole, plan.kvFormats(), plan.engine(), 1);
        group.note = "An encoder's, which older builds kept.";
        groups.push_back(group);
      }
      groups.front().layers += 1;
      groups.front().slots += 1;
    }
  }
  return groups;
}

// Files converted before spring 2025 have no latent cache, but every head's keys and values.
void keepLatentsWhole(const InferencePlan& plan, std::size_t first, std::size_t last,
                      std::vector<CacheGroup>& groups) {
  std::size_t i = 0;
  for (const CacheKindCount& kind : cacheKinds(plan.architecture(), first, last)) {
    if (i >= groups.size()) break;
    for (const Layer& layer : plan.architecture().kinds) {
      for (const Mixer& mixer : layer.mixers) {
        const auto whole = wholeCacheOf(mixer);
        if (!kind.shape.latent || !whole || !cacheOf(mixer)->latent) continue;
        groups[i].perToken = tokenBytes(*whole, plan.kvFormats(), plan.engine(), 1);
      }
    }
    ++i;
  }
}

// Cells in 256s; a window's cache holds the window of each slot and a physical batch
// (llama-kv-cache-iswa.cpp: n_swa * n_seq_max + n_ubatch).
std::vector<CacheGroup> caches(const InferencePlan& plan, std::size_t first, std::size_t last) {
  // llama.cpp builds diffusion models without a cache (models/dream.cpp, models/llada.cpp).
  if (plan.architecture().diffusion) return {};
  const Count windows = hasWindowCaches(plan) ? max(plan.query().count(Key::kSlots), 1) : Count(0);
  std::vector<CacheGroup> groups = plainCaches(
      plan, first, last,
      {.block = kCellBlock, .windows = windows, .slack = plan.query().count(Key::kUbatch)});
  if (groups.empty() && cachesEncoders(plan)) return encoderCaches(plan, first, last);
  if (keepsWholeLatents(plan)) keepLatentsWhole(plan, first, last, groups);
  return groups;
}

// Layers on devices, the head among them as one more.
std::size_t onDevices(const InferencePlan& plan) {
  const std::size_t all = plan.architecture().layerCount() + 1;
  if (!plan.query().has(Key::kGpuLayers)) return all;
  return std::min(all, static_cast<std::size_t>(plan.query().number(Key::kGpuLayers)));
}

// Weights on this device, and on the host: the embedding always, and what is not offloaded.
void addWeights(const InferencePlan& plan, StagePlan& stage, std::size_t hostLayers,
                bool headOnHost) {
  const Model& model = plan.model();
  const auto cpuMoe = std::min(model.architecture.layerCount(),
                               static_cast<std::size_t>(plan.query().number(Key::kCpuMoe)));
  const auto of = [&](std::size_t first, std::size_t last) {
    return weightsOfLayers(model, plan.policy(), plan.split(), first, std::max(first, last));
  };
  const WeightBytes outside = weightsOutside(model, plan.policy(), plan.split());

  WeightBytes device = of(stage.first, stage.last);
  if (cpuMoe > stage.first) {
    const WeightBytes kept = of(stage.first, std::min(cpuMoe, stage.last));
    device.experts = device.experts - kept.experts;
  }
  if (stage.hasHead) {
    device.head += outside.head;
    device.other += outside.other;
    device.attention += outside.attention;
    device.feedForward += outside.feedForward;
    device.recurrent += outside.recurrent;
  }
  stage.fixed.add(weightsEntry(
      device, Where::kDevice,
      model.architecture.tied && stage.hasHead
          ? "The tied table is here as the head; the embedding stays on the host, once more."
          : "Layers that are offloaded, and the head; the embedding stays on the host."));

  WeightBytes host = of(0, hostLayers);
  host.embedding += outside.embedding;
  if (headOnHost) {
    if (!model.architecture.tied) host.head += outside.head;
    host.other += outside.other;
  }
  if (cpuMoe > hostLayers) {
    const WeightBytes experts = of(hostLayers, cpuMoe);
    host.experts += experts.experts;
    host.largestTensor = max(host.largestTensor, experts.largestTensor);
  }
  stage.fixed.add(weightsEntry(host, Where::kHost,
                               "Mapped from the file: the embedding, and what is not offloaded."));
  if (hostLayers > 0 || cpuMoe > 0) stage.stagedTensor = host.largestTensor;
  if (headOnHost) {
    // A whole batch is multiplied on the device all the same, head included.
    stage.stagedTensor = max(stage.stagedTensor, outside.head);
    stage.shape.vocab = model.architecture.noHead ? Count(0) : model.architecture.vocab;
  }
}

void prepare(const InferencePlan& plan, StagePlan& stage) {
  const Architecture& architecture = plan.architecture();
  const std::size_t layers = architecture.layerCount();
  assert(stage.first <= stage.last && stage.last <= layers);
  const std::size_t onHost = layers + 1 - onDevices(plan);
  const std::size_t hostLayers = std::min(onHost, layers);
  addWeights(plan, stage, hostLayers, onHost == layers + 1);
  addOptionalParts(plan, stage);

  stage.fixed.add(
      {.component = Component::kFramework,
       .bytes = {kMiB * 320, kMiB * 450, kMiB * 750},
       .formula = "450 * MiB",
       .inputs = {{"MiB", 1048576.0}},
       .source = "llama.cpp PR 15860 (RTX 4090: 451 to 456), issue 27953 (749), 2025-26",
       .note = "The device's context and its libraries: \"unaccounted\" in the log."});

  stage.diffusion = architecture.diffusion;
  stage.caches = caches(plan, stage.first, stage.last);
  stage.hostCaches = caches(plan, 0, hostLayers);
  stage.statePerSequence = stateOf(plan, stage.first, stage.last);
  stage.hostStatePerSequence = stateOf(plan, 0, hostLayers);
}

// The worst graph of a physical batch, in the notation of the head of this file.
struct Graph {
  bool flash = true;
  Bytes staged;
  Count u, c, masks, copies;
  Count e, a, h, f, v;
  Count scratch;  // bytes a cell: a quantized cache in 16 bits
  Count outputs;  // rows of logits

  Bytes mask() const { return u * masks * (flash ? 2 : 4) * copies; }
  // With so many rows of logits.
  Bytes bytes(Count rows) const {
    const Bytes logits = (rows * v + u * e) * 4;
    const Bytes scores = flash ? u * a * 4 + scratch * c : u * (h * c + e * 4) * 4;
    return staged + max(mask() + max(scores, u * f * 4), logits);
  }
};

// Cells of all masks: one for the caches of one size.
Count maskCells(const StagePlan& stage, Count seq, Count cells) {
  Count windowCells = 0;
  bool whole = false;
  for (const std::vector<CacheGroup>* groups : {&stage.caches, &stage.hostCaches}) {
    for (const CacheGroup& group : *groups) {
      if (group.limit > Count(0)) {
        windowCells = max(windowCells, group.stored(seq));
      } else {
        whole = true;
      }
    }
  }
  return whole ? windowCells + cells : windowCells;
}

Graph graphOf(const InferencePlan& plan, const StagePlan& stage, const Load& load) {
  const StageShape& s = stage.shape;
  Graph g;
  g.flash = plan.query().choice<AttentionKernel>(Key::kAttention) == AttentionKernel::kFlash;
  g.staged = stage.stagedTensor;
  const bool cacheless = s.encoder || stage.diffusion;
  const Count cells = load.seq.roundUp(kCellBlock);
  g.u = min(plan.query().count(Key::kUbatch), cacheless ? load.seq : cells);
  g.c = cacheless ? g.u : cells;
  g.masks = cacheless ? g.u : maskCells(stage, load.seq, g.c);
  const bool pipelined =
      plan.stages().empty() ? plan.parallelism().pp > Count(1) : plan.stages().size() > 1;
  g.copies = pipelined && stage.stagedTensor == Bytes(0) ? 4 : 1;
  g.e = s.hidden;
  g.h = s.heads;
  g.v = s.vocab;
  g.a = s.hidden * 2 + s.queryWidth * 2 + s.keyWidth + s.valueWidth;
  if (g.flash && !cacheless && plan.kvFormats().quantized()) {
    g.scratch = (s.keyWidth + s.valueWidth) * 2;
  }
  g.f = s.intermediate * (s.gated ? 3 : 1) + s.hidden * 2;
  if (s.expertsPerToken > Count(0)) {
    g.f = max(g.f, s.expertsPerToken * (s.expertIntermediate + s.hidden) + s.hidden * 3);
  }
  g.outputs = hasLogitsPerSlot(plan) ? min(g.u, slotsOf(plan, load)) : g.u;
  return g;
}

template <typename Sink>
void addComputeBuffer(const Graph& g, Count slots, Sink& sink) {
  const Bytes expected = g.bytes(g.outputs);
  // Builds that reserve logits for each slot alone are below; allocators that fit less tightly and
  // backends with scratch of their own above.
  const Band band{min(expected, g.bytes(min(g.u, slots))), expected,
                  expected.scaled(125, 100) + kMiB * 32};
  sink.add(Component::kComputeBuffer, Where::kDevice, band, [&](Entry& entry) {
    entry.formula =
        g.flash ? "staged + max(copies * 2 * U * M + max(4 * U * a + scratch * C, 4 * U * f), 4 * "
                  "(O * V + U * E))"
                : "staged + max(copies * 4 * U * M + max(4 * U * (H * C + 4 * E), 4 * U * f), 4 * "
                  "(O * V + U * E))";
    entry.inputs.add("staged", g.staged);
    entry.inputs.add("copies", g.copies);
    entry.inputs.add("U", g.u);
    entry.inputs.add("M", g.masks);
    entry.inputs.add("C", g.c);
    if (g.flash) {
      entry.inputs.add("a", g.a);
      entry.inputs.add("scratch", g.scratch);
    } else {
      entry.inputs.add("H", g.h);
    }
    entry.inputs.add("f", g.f);
    entry.inputs.add("O", g.outputs);
    entry.inputs.add("V", g.v);
    entry.inputs.add("E", g.e);
    entry.source = kLogs;
    entry.note =
        "The largest moment of a physical batch of U tokens over C cells: attention, feed-forward "
        "or logits.";
  });
  const Bytes host = g.mask() + g.u * g.e * 4;
  sink.add(Component::kComputeBuffer, Where::kHost, around(host, 90, 130), [&](Entry& entry) {
    entry.formula = "copies * wide * U * M + 4 * U * E";
    entry.inputs.add("copies", g.copies);
    entry.inputs.add("wide", Count(g.flash ? 2 : 4));
    entry.inputs.add("U", g.u);
    entry.inputs.add("M", g.masks);
    entry.inputs.add("E", g.e);
    entry.source = kLogs;
    entry.note = "Masks and input embeddings.";
  });
}

struct Variable {
  template <typename Sink>
  void operator()(const InferencePlan& plan, const StagePlan& stage, const Load& load,
                  Sink& sink) const;
};

template <typename Sink>
void Variable::operator()(const InferencePlan& plan, const StagePlan& stage, const Load& load,
                          Sink& sink) const {
  const Count caches = cacheSequences(plan, load);
  const Count slots = slotsOf(plan, load);
  addCaches(stage.caches, caches, load.seq, Where::kDevice, kCode, sink);
  addCaches(stage.hostCaches, caches, load.seq, Where::kHost, kCode, sink);
  addState(stage.statePerSequence, slots, 1, Where::kDevice, kCode, sink);
  addState(stage.hostStatePerSequence, slots, 1, Where::kHost, kCode, sink);

  addComputeBuffer(graphOf(plan, stage, load), slots, sink);
  const Bytes output = slots * plan.architecture().vocab * 4;
  if (!plan.architecture().noHead) {
    sink.add(Component::kLogits, Where::kHost, Band::exact(output), [&](Entry& entry) {
      entry.formula = "4 * slots * V";
      entry.inputs.add("slots", slots);
      entry.inputs.add("V", plan.architecture().vocab);
      entry.source = kCode;
      entry.note = "A row of logits for each slot.";
    });
  }
}

// The head counts as one more layer, after the others; the last gpu_layers of all go to the
// devices, in even parts (llama-model.cpp, 2026-08).
std::vector<StagePlan> stages(const InferencePlan& plan) {
  const std::size_t layers = plan.architecture().layerCount();
  const auto pp = static_cast<std::size_t>(plan.parallelism().pp.value());
  const std::size_t all = layers + 1;
  const std::size_t start = all - onDevices(plan);
  std::vector<StagePlan> stages;
  std::size_t from = start;
  for (std::size_t d = 0; d < pp; ++d) {
    std::size_t to = from;
    while (to < all && (to - start) * pp / (all - start) == d) ++to;
    if (d + 1 == pp) to = all;
    StagePlan stage;
    stage.first = std::min(from, layers);
    stage.last = std::min(to, layers);
    stage.hasHead = to == all && start < all;
    from = to;
    stages.push_back(std::move(stage));
  }
  return stages;
}

constexpr WeightFormat kSmallerFiles[] = {WeightFormat::kQ8_0, WeightFormat::kQ6K,
                                          WeightFormat::kQ4KM, WeightFormat::kIq4Xs,
                                          WeightFormat::kQ3KM, WeightFormat::kQ2K};

}  // namespace

extern const EngineModel kLlamaCppModel = {
    .engine = Engine::kLlamaCpp,
    .seen = "builds 5192 to 9867, 2025 and 2026",
    .releases = {.newest = kNewest,
                 .newestName = "b9867",
                 .accepted = "a build such as b9867",
                 .read = readRelease},
    .stages = stages,
    .hostLayers = true,
    .reads = kPlainFormats | kGgufFileTypes,
    .readsGgufOnly = true,
    .caches = KvFormatSet::all(),
    .quantizedValuesNeedFlash = true,
    // llama-memory-recurrent.cpp.
    .stateWidths = {.conv = 4, .state = 4},
    .smallerWeights = kSmallerFiles,
    .smallerCache = KvFormat::kQ8_0,
    .prepare = prepare,
    .ledger = ledgerOf<Variable>,
    .sum = sumOf<Variable>,
};

}  // namespace memfit
