// memfit - SPDX-License-Identifier: Apache-2.0
#include "query/matters.h"

#include <iterator>

#include "base/text.h"

namespace memfit {

namespace {

// The tasks that each method covers, in the order of Method. The first covers all of them, so it is
// what an absent method means and what stands in for one that does not cover the task.
constexpr Tasks kCovered[] = {
    Tasks::all(),                            // architecture
    Tasks::all(),                            // pai
    Tasks::all().without(Task::kInference),  // per-billion
    Tasks(Task::kInference) | Task::kFull,   // karakuri
};
static_assert(std::size(kCovered) == static_cast<std::size_t>(Method::kCount));
static_assert(kCovered[0] == Tasks::all());

// The formats that training holds a frozen base in (memory/training_setup.cpp takes any other in 16
// or 32 bits). `stored` is one where the checkpoint is quantized, which a query does not know.
bool holdsQuantized(WeightFormat format) {
  switch (format) {
    case WeightFormat::kStored:
    case WeightFormat::kNf4:
    case WeightFormat::kInt8:
    case WeightFormat::kFp8:
    case WeightFormat::kAwq4:
    case WeightFormat::kGptq4:
    case WeightFormat::kGptq8:
    case WeightFormat::kMxfp4: return true;
    default: return false;
  }
}

bool isNamed(const Query& query) { return query.has(Key::kModel) || query.has(Key::kConfig); }

struct NeedRow {
  Need need;
  Idle idle;  // what a field is that lacks it
  bool (*isMet)(const Query& query);
  std::string_view reason;
};
constexpr NeedRow kNeeds[] = {
    {Need::kNothing, Idle::kNot, [](const Query&) { return true; }, ""},
    {Need::kNoConfig, Idle::kModel, [](const Query& query) { return !query.has(Key::kConfig); },
     "config is the model"},
    {Need::kNoModel, Idle::kModel, [](const Query& query) { return !isNamed(query); },
     "the model itself is given, not only its size"},
    {Need::kSize, Idle::kModel,
     [](const Query& query) { return !isNamed(query) && query.has(Key::kParams); },
     "the model is not given by its size"},
    {Need::kShape, Idle::kSetting,
     [](const Query& query) { return isNamed(query) || !query.has(Key::kParams); },
     "the model is known only by its size"},
    {Need::kEitherSide, Idle::kSetting,
     [](const Query& query) { return !query.has(Key::kKvK) || !query.has(Key::kKvV); },
     "kv_k and kv_v say it for both sides"},
    {Need::kNoSlots, Idle::kSetting,
     [](const Query& query) { return !query.has(Key::kSlots) || !matters(query, Key::kSlots); },
     "the slots are the sequences"},
    {Need::kTensorParallel, Idle::kSetting,
     [](const Query& query) { return query.number(Key::kTp) > 1; },
     "there is no tensor parallelism"},
    // Its table for adapters has one precision.
    {Need::kOwnRecipe, Idle::kTask,
     [](const Query& query) {
       return methodOf(query) != Method::kPerBillion || query.task() == Task::kFull;
     },
     ""},
    {Need::kQuantizedWeights, Idle::kSetting,
     [](const Query& query) { return holdsQuantized(query.choice<WeightFormat>(Key::kWeights)); },
     "the frozen weights are not quantized"},
    {Need::kNf4Weights, Idle::kSetting,
     [](const Query& query) {
       return query.choice<WeightFormat>(Key::kWeights) == WeightFormat::kNf4;
     },
     "the weights are not in nf4"},
};
static_assert(std::size(kNeeds) == static_cast<std::size_t>(Need::kCount));

constexpr bool inNeedOrder() {
  for (std::size_t i = 0; i < std::size(kNeeds); ++i) {
    if (static_cast<std::size_t>(kNeeds[i].need) != i) return false;
  }
  return true;
}
static_assert(inNeedOrder(), "a row for each need, in the order of Need");

const NeedRow& rowOf(Need need) { return kNeeds[static_cast<std::size_t>(need)]; }

constexpr std::string_view kIdleNames[] = {"", "task", "engine", "trainer", "model", "setting"};
static_assert(std::size(kIdleNames) == static_cast<std::size_t>(Idle::kCount));

std::string_view chosenWord(const Query& query, Key key) {
  return fieldOf(key).values[static_cast<std::size_t>(query.number(key))];
}

}  // namespace

std::string_view idleName(Idle idle) { return kIdleNames[static_cast<std::size_t>(idle)]; }

bool covers(Method method, Task task) {
  return kCovered[static_cast<std::size_t>(method)].has(task);
}

Method methodOf(const Query& query) {
  const auto asked = query.choice<Method>(Key::kMethod);
  return covers(asked, query.task()) ? asked : Method::kArchitecture;
}

Idle whyIdle(const Query& query, Key key) {
  const Reads& reads = fieldOf(key).reads;
  if (!reads.always) {
    const Method method = methodOf(query);
    const bool training = query.isTraining();
    if (!(training ? reads.training : reads.serving).has(method)) return Idle::kTask;
    if (!reads.tasks.has(query.task())) return Idle::kTask;
    if (!training && !reads.engines.has(query.choice<Engine>(Key::kEngine))) return Idle::kEngine;
    if (training && !reads.trainers.has(query.choice<Trainer>(Key::kTrainer))) {
      return Idle::kTrainer;
    }
  }
  const NeedRow& need = rowOf(reads.need);
  return need.isMet(query) ? Idle::kNot : need.idle;
}

std::string idleReason(const Query& query, Key key) {
  switch (whyIdle(query, key)) {
    case Idle::kEngine: return cat(chosenWord(query, Key::kEngine), " does not read it");
    case Idle::kTrainer:
      return cat("the trainer ", chosenWord(query, Key::kTrainer), " does not read it");
    case Idle::kModel:
    case Idle::kSetting: return std::string(rowOf(fieldOf(key).reads.need).reason);
    case Idle::kNot:
    case Idle::kTask:
    case Idle::kCount: break;
  }
  return {};
}

}  // namespace memfit
