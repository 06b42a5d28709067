// memfit - SPDX-License-Identifier: Apache-2.0
#include "advice/advise.h"

#include <algorithm>
#include <utility>

#include "base/sort.h"
#include "memory/estimate.h"
#include "memory/parallelism.h"
#include "memory/training_setup.h"
#include "model/catalogue.h"
#include "query/query_io.h"

namespace memfit {

namespace {

enum class For : std::uint8_t { kTraining, kInference };

// A change, if it applies to the query: false leaves it out. `step` counts up from 0 for changes
// that have several strengths, until it returns false.
using Apply = bool (*)(Query& query, const Report& report, int step);

struct Candidate {
  std::string_view id;
  For use;
  bool several;  // strengths: the first that fits is offered, or the first of all
  Apply apply;
  std::string_view price;
};

template <typename Enum>
bool change(Query& query, Key key, Enum value) {
  if (query.choice<Enum>(key) == value) return false;
  query.set(key, value);
  return true;
}

// A number to a half, a quarter, ...; not below `least`.
bool halve(Query& query, Key key, int step, std::int64_t least) {
  const std::int64_t now = query.number(key);
  if (step > 12) return false;
  const std::int64_t less = now >> (step + 1);
  if (less < least) return false;
  query.set(key, less);
  return true;
}

const TrainerHabits& habitsOf(const Query& query) {
  return trainerHabits(query.choice<Trainer>(Key::kTrainer));
}
bool usesTorch(const Query& query) { return habitsOf(query).cuda; }

bool isFull(const Query& query) { return query.task() == Task::kFull; }

bool chunkedLoss(Query& query, const Report&, int) {
  const auto loss = query.choice<Loss>(Key::kLoss);
  if (loss == Loss::kFused || loss == Loss::kCut || loss == Loss::kChunked) return false;
  return change(query, Key::kLoss, habitsOf(query).fusedLoss ? Loss::kFused : Loss::kChunked);
}

bool flashAttention(Query& query, const Report&, int) {
  return query.choice<AttentionKernel>(Key::kAttention) == AttentionKernel::kEager &&
         change(query, Key::kAttention, AttentionKernel::kFlash);
}

bool fusedKernels(Query& query, const Report&, int) {
  const auto kernels = query.choice<Kernels>(Key::kKernels);
  return usesTorch(query) && (kernels == Kernels::kAuto || kernels == Kernels::kPlain) &&
         change(query, Key::kKernels, Kernels::kFused);
}

bool fusedStep(Query& query, const Report&, int) {
  const auto step = query.choice<StepKernel>(Key::kStep);
  return usesTorch(query) && step != StepKernel::kBackward &&
         change(query, Key::kStep, StepKernel::kFused);
}

bool doubleQuant(Query& query, const Report&, int) {
  return query.task() == Task::kQlora &&
         query.choice<WeightFormat>(Key::kWeights) == WeightFormat::kNf4 &&
         change(query, Key::kDoubleQuant, OnOff::kOn);
}

bool shard(Query& query, const Report& report, int) {
  if (report.parallelism.dp < Count(2) || report.parallelism.zero >= 3) return false;
  query.set(Key::kZero, 3);
  return true;
}

bool eightBitOptimizer(Query& query, const Report&, int) {
  const auto optimizer = query.choice<Optimizer>(Key::kOptimizer);
  if (optimizer == Optimizer::kLion) return change(query, Key::kOptimizer, Optimizer::kLion8bit);
  return (optimizer == Optimizer::kAdamW || optimizer == Optimizer::kAdam) && usesTorch(query) &&
         change(query, Key::kOptimizer, Optimizer::kAdamW8bit);
}

bool shorter(Query& query, const Report&, int step) { return halve(query, Key::kSeq, step, 128); }

bool smallerBatch(Query& query, const Report&, int step) {
  return halve(query, Key::kBatch, step, 1);
}

bool qlora(Query& query, const Report&, int) {
  if (query.task() == Task::kQlora &&
      query.choice<WeightFormat>(Key::kWeights) == WeightFormat::kNf4) {
    return false;
  }
  query.set(Key::kTask, Task::kQlora);
  query.clear(Key::kWeights);
  query.clear(Key::kRecipe);
  return true;
}

bool checkpoints(Query& query, const Report&, int) {
  const auto now = query.choice<Checkpointing>(Key::kCheckpointing);
  return (now == Checkpointing::kNone || now == Checkpointing::kSelective) &&
         change(query, Key::kCheckpointing, Checkpointing::kFull);
}

bool offloadedCheckpoints(Query& query, const Report&, int) {
  return usesTorch(query) && change(query, Key::kCheckpointing, Checkpointing::kOffloaded);
}

bool stepInBackward(Query& query, const Report&, int) {
  return isFull(query) && usesTorch(query) && query.number(Key::kAccumulation) == 1 &&
         query.number(Key::kDp) == 1 && change(query, Key::kStep, StepKernel::kBackward);
}

// The largest listed relative of at most half (a quarter, ...) of the parameters: one whose id
// begins with the same word. A size alone is halved.
bool smallerModel(Query& query, const Report& report, int step) {
  if (step > 3) return false;
  if (report.sizeOnly) {
    const std::int64_t half = query.number(Key::kParams) >> (step + 1);
    if (half < fieldOf(Key::kParams).min) return false;
    query.set(Key::kParams, half);
    query.clear(Key::kActive);
    return true;
  }
  if (query.has(Key::kConfig)) return false;
  const std::string_view id = report.model->id;
  const std::string_view word = id.substr(0, id.find_first_of("-0123456789."));
  if (word.empty()) return false;
  const Count most = report.parameters / (Count(2) * (1 << step));
  const CatalogueEntry* best = nullptr;
  Count largest;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.unlisted || !entry.id.starts_with(word) || entry.id == id) continue;
    const Result<std::shared_ptr<const Model>> model = catalogueModel(entry.id);
    if (!model) continue;
    const Count parameters = (*model)->parameters();
    if (parameters > most || parameters <= largest) continue;
    largest = parameters;
    best = &entry;
  }
  if (best == nullptr) return false;
  query.setText(Key::kModel, best->id);
  return true;
}

bool loraInstead(Query& query, const Report&, int) {
  if (!isFull(query)) return false;
  query.set(Key::kTask, Task::kLora);
  query.clear(Key::kRecipe);
  return true;
}

bool offloadOptimizer(Query& query, const Report&, int) {
  return query.choice<Offload>(Key::kOffload) == Offload::kNone && usesTorch(query) &&
         change(query, Key::kOffload, Offload::kOptimizer);
}

bool offloadAll(Query& query, const Report& report, int) {
  return report.parallelism.zero == 3 && change(query, Key::kOffload, Offload::kAll);
}

bool moreDevices(Query& query, const Report& report, int step) {
  if (step > 6) return false;
  const Count devices = report.devices * 2 * (1 << step);
  if (devices > Count(1024)) return false;
  query = spreadOver(query, devices);
  return true;
}

// --- inference

bool smallerCache(Query& query, const Report&, int) {
  const auto kv = query.choice<KvFormat>(Key::kKv);
  if (kv != KvFormat::kBf16 && kv != KvFormat::kFp16 && kv != KvFormat::kFp32) return false;
  query.clear(Key::kKvK);
  query.clear(Key::kKvV);
  return change(query, Key::kKv, engineOf(query).smallerCache);
}

bool fewerRequests(Query& query, const Report&, int step) {
  return halve(query, Key::kConcurrency, step, 1);
}

bool smallerWeights(Query& query, const Report&, int step) {
  const std::span<const WeightFormat> formats = engineOf(query).smallerWeights;
  if (static_cast<std::size_t>(step) >= formats.size()) return false;
  query.set(Key::kWeights, formats[static_cast<std::size_t>(step)]);
  return true;
}

bool withoutParts(Query& query, const Report&, int) {
  const bool draft = change(query, Key::kDraft, Include::kNone);
  const bool vision = change(query, Key::kVision, Include::kNone);
  return draft || vision;
}

bool expertsOnHost(Query& query, const Report& report, int) {
  if (!engineOf(query).hostLayers || report.activeParameters == report.parameters) return false;
  const auto layers = static_cast<std::int64_t>(report.model->architecture.layerCount());
  if (query.number(Key::kCpuMoe) >= layers) return false;
  query.set(Key::kCpuMoe, layers);
  return true;
}

bool layersOnHost(Query& query, const Report& report, int step) {
  if (!engineOf(query).hostLayers || step > 2) return false;
  const auto layers = static_cast<std::int64_t>(report.model->architecture.layerCount());
  const std::int64_t kept = layers * (3 - step) / 4;
  if (query.has(Key::kGpuLayers) && query.number(Key::kGpuLayers) <= kept) return false;
  query.set(Key::kGpuLayers, kept);
  return true;
}

// In the order of offering.
constexpr Candidate kCandidates[] = {
    // What costs nothing in the result.
    {"fused-loss", For::kTraining, false, chunkedLoss,
     "The same loss, computed in chunks: no cost in quality, about the same speed."},
    {"flash-attention", For::kTraining, false, flashAttention,
     "The same attention without its score matrix: faster."},
    {"fused-kernels", For::kTraining, false, fusedKernels,
     "The same layers with fused norms and MLP (Liger, Unsloth): as fast or faster."},
    {"fused-step", For::kTraining, false, fusedStep,
     "The same optimizer step in one kernel, without a temporary: as fast or faster."},
    {"double-quant", For::kTraining, false, doubleQuant,
     "The scales of the 4-bit base are quantized too: no loss that was seen."},
    {"shard", For::kTraining, false, shard,
     "The devices share weights, gradients and optimizer state: more communication."},
    {"without-parts", For::kInference, false, withoutParts,
     "Without the draft part: slower; without the vision tower: text alone."},
    {"smaller-cache", For::kInference, false, smallerCache,
     "Keys and values in 8 bits: a loss that is seldom seen."},
    // The published rule's, in its order, with what belongs between them.
    {"shorter", For::kTraining, true, shorter,
     "Longer samples are cut: check that a typical one still fits."},
    {"shorter", For::kInference, true, shorter, "A shorter context."},
    {"smaller-batch", For::kTraining, true, smallerBatch,
     "More steps; with accumulation the same result, a little slower."},
    {"smaller-batch", For::kInference, true, smallerBatch, "Fewer sequences a request."},
    {"fewer-requests", For::kInference, true, fewerRequests, "Fewer requests at once."},
    {"smaller-weights", For::kInference, true, smallerWeights,
     "Weights with fewer bits: some loss of quality, more below 4 bits."},
    {"8-bit-optimizer", For::kTraining, false, eightBitOptimizer,
     "Moments in 8 bits, blockwise: as a rule the same result."},
    {"qlora", For::kTraining, false, qlora,
     "A 4-bit base under the adapters: some loss of quality, slower by its unpacking."},
    {"checkpointing", For::kTraining, false, checkpoints,
     "Activations are computed again in the backward pass: 20 to 30 % slower."},
    {"offload-activations", For::kTraining, false, offloadedCheckpoints,
     "Layer inputs wait in host memory: slower by the link."},
    {"step-in-backward", For::kTraining, false, stepInBackward,
     "Each weight is updated as soon as its gradient is there: no accumulation, no clipping by the "
     "whole norm."},
    {"experts-on-host", For::kInference, false, expertsOnHost,
     "Experts are computed by the host: slower."},
    {"layers-on-host", For::kInference, true, layersOnHost,
     "Some layers are computed by the host: much slower."},
    {"smaller-model", For::kTraining, true, smallerModel, "Another, smaller model."},
    {"smaller-model", For::kInference, true, smallerModel, "Another, smaller model."},
    {"lora", For::kTraining, false, loraInstead,
     "Only adapters are trained: enough for most tuning, not for new knowledge."},
    {"offload-optimizer", For::kTraining, false, offloadOptimizer,
     "Optimizer state in host memory: slower steps, as much host memory more."},
    {"offload-all", For::kTraining, false, offloadAll,
     "Weights, gradients and optimizer state in host memory: much slower."},
    {"more-devices", For::kTraining, true, moreDevices, "More devices, fully sharded."},
    {"more-devices", For::kInference, true, moreDevices, "More devices."},
};

struct Outcome {
  Band perDevice;
  bool fits = false;
  std::optional<FitRow> fit;
};

// A published rule splits its one total over the devices, which the row knows; our own answer is
// made for its own spread, whatever `count` says.
void judge(const Answer& made, Outcome& outcome) {
  outcome.perDevice = made.report.perDevice;
  if (!made.fit) return;
  outcome.fit = made.fit;
  if (made.report.method != Method::kArchitecture) outcome.perDevice = made.fit->need;
  outcome.fits = made.fit->holds();
}

// nullopt where the changed query cannot be estimated: such a change is not offered.
std::optional<Outcome> outcomeOf(const Query& query) {
  Outcome outcome;
  if (!findDevice(query.text(Key::kDevice))) {
    const Result<Report> report = estimate(query);
    if (!report) return std::nullopt;
    outcome.perDevice = report->perDevice;
    return outcome;
  }
  const Result<FitRow> row = ownRow(query);
  if (!row || row->need.high == Bytes(0)) return std::nullopt;
  outcome.perDevice = row->need;
  outcome.fits = row->holds();
  outcome.fit = *row;
  return outcome;
}

std::vector<AdviceChange> changesBetween(const Query& before, const Query& after) {
  std::vector<AdviceChange> changes;
  for (const Field& field : fields()) {
    std::string from = valueText(before, field);
    std::string to = valueText(after, field);
    if (from != to) changes.push_back({field.key, std::move(from), std::move(to)});
  }
  return changes;
}

Advice adviceOf(const Candidate& candidate, const Query& before, Query after, Outcome outcome,
                Bytes now) {
  Advice advice;
  advice.id = candidate.id;
  advice.changes = changesBetween(before, after);
  advice.query = std::move(after);
  advice.perDevice = outcome.perDevice;
  advice.saved = now - outcome.perDevice.high;
  advice.fits = outcome.fits;
  advice.fit = std::move(outcome.fit);
  advice.price = candidate.price;
  return advice;
}

// At least a two-hundredth less: smaller differences are none that anybody would change for.
bool lowers(const Outcome& outcome, Bytes now) {
  return outcome.perDevice.high < now && (now - outcome.perDevice.high) * 200 >= now;
}

// What one candidate offers: of its strengths the first that fits, else the first of all.
std::optional<Advice> offer(const Candidate& candidate, const Query& query, const Report& report,
                            Bytes now) {
  std::optional<Advice> first;
  for (int step = 0;; ++step) {
    Query after = query;
    if (!candidate.apply(after, report, step)) return first;
    std::optional<Outcome> outcome = outcomeOf(after);
    if (outcome && lowers(*outcome, now)) {
      const bool fits = outcome->fits;
      if (fits || !first) {
        first = adviceOf(candidate, query, std::move(after), std::move(*outcome), now);
      }
      if (fits) return first;
    }
    if (!candidate.several) return first;
  }
}

}  // namespace

Result<std::vector<Advice>> advise(const Query& query) {
  Result<Answer> asked = answer(query);
  if (!asked) return asked.error();
  const Report& report = asked->report;
  const bool judged = asked->fit.has_value();
  Outcome before;
  judge(*asked, before);
  const Bytes now = before.perDevice.high;
  const For use = query.isTraining() ? For::kTraining : For::kInference;

  std::vector<Advice> list;
  bool any = false;
  for (const Candidate& candidate : kCandidates) {
    if (candidate.use != use) continue;
    std::optional<Advice> advice = offer(candidate, query, report, now);
    if (!advice) continue;
    any = any || advice->fits;
    list.push_back(std::move(*advice));
  }
  for (Advice& advice : list) {
    if (!advice.fit || advice.fit->verdict != Verdict::kNo) continue;
    if (Result<Answer> whole = answer(advice.query)) advice.fit = std::move(whole->fit);
  }
  const auto fitting = [](const Advice& advice) { return advice.fits; };
  const auto rest = std::stable_partition(list.begin(), list.end(), fitting);
  sortStably(rest, list.end(), [](const Advice& a, const Advice& b) { return a.saved > b.saved; });
  if (any || !judged) return list;

  // No single change is enough: one after another, in the order of offering, until it fits.
  if (before.fits) return list;
  // Lengths and batches are halved once a round; model and devices stay.
  Query together = query;
  Bytes left = now;
  constexpr int kRounds = 12;
  for (int round = 0; round < kRounds; ++round) {
    for (const Candidate& candidate : kCandidates) {
      if (candidate.use != use || candidate.apply == smallerModel ||
          candidate.apply == moreDevices) {
        continue;
      }
      const Result<Report> between = estimate(together);
      if (!between) return list;
      std::optional<Advice> next = offer(candidate, together, *between, left);
      if (!next) continue;
      together = next->query;
      left = next->perDevice.high;
      if (!next->fits) continue;
      constexpr Candidate kTogether{
          "together", For::kTraining, false, nullptr,
          "Several changes at once, from the cheapest on: each at its own price."};
      Outcome outcome{next->perDevice, true, next->fit};
      list.insert(list.begin(), adviceOf(kTogether, query, together, std::move(outcome), now));
      return list;
    }
  }
  return list;
}

}  // namespace memfit
