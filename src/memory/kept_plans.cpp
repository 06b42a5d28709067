// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/kept_plans.h"

#include <utility>

#include "base/recent.h"

namespace memfit {

namespace {

// The devices of a table ask about eleven counts, advice about some thirty changes.
constexpr std::size_t kPlans = 64;

struct PlanKey {
  std::uint64_t hash = 0;  // first, so that most comparisons end here
  const Model* model = nullptr;
  Bytes deviceTotal = 0;
  Query query;

  friend bool operator==(const PlanKey&, const PlanKey&) = default;
};

PlanKey keyOf(const Query& query, const Model& model, Bytes deviceTotal) {
  PlanKey key{0, &model, deviceTotal, query};
  // The load is not in the plan; model and device are named by what they are.
  for (const Key other :
       {Key::kSeq, Key::kBatch, Key::kConcurrency, Key::kModel, Key::kConfig, Key::kDevice}) {
    key.query.clear(other);
  }
  key.hash = key.query.hash();
  return key;
}

}  // namespace

std::shared_ptr<const InferencePlanKept> inferencePlan(const Query& query,
                                                       const std::shared_ptr<const Model>& model,
                                                       Bytes deviceTotal) {
  thread_local Recent<PlanKey, std::shared_ptr<const InferencePlanKept>, kPlans> recent;
  PlanKey key = keyOf(query, *model, deviceTotal);
  if (const auto* kept = recent.find(key)) return *kept;
  Notices notices;
  InferencePlan plan(key.query, *model, deviceTotal, &notices);
  auto made = std::make_shared<const InferencePlanKept>(
      InferencePlanKept{model, std::move(notices), std::move(plan)});
  return recent.keep(std::move(key), std::move(made));
}

std::shared_ptr<const TrainingPlanKept> trainingPlan(const Query& query,
                                                     const std::shared_ptr<const Model>& model) {
  thread_local Recent<PlanKey, std::shared_ptr<const TrainingPlanKept>, kPlans> recent;
  PlanKey key = keyOf(query, *model, 0);
  if (const auto* kept = recent.find(key)) return *kept;
  Notices notices;
  TrainingSetup setup = trainingSetup(key.query, *model, notices);
  TrainingPlan plan = planTraining(key.query, setup);
  auto made = std::make_shared<const TrainingPlanKept>(
      TrainingPlanKept{model, std::move(notices), std::move(setup), std::move(plan)});
  return recent.keep(std::move(key), std::move(made));
}

}  // namespace memfit
