// memfit - SPDX-License-Identifier: Apache-2.0
//
// The plans of the last questions. A plan holds all that does not depend on seq, batch and
// concurrency, and is most of the work of an estimate: a slider's drag asks the same plan at one
// length after another, and each row of devices, each variant and each piece of advice asks its own
// again. Keeping them changes no number, only when it is worked out.
#pragma once

#include <memory>

#include "memory/inference.h"
#include "memory/training_plan.h"
#include "memory/training_setup.h"
#include "model/model.h"
#include "query/query.h"

namespace memfit {

struct InferencePlanKept {
  std::shared_ptr<const Model> model;  // the plan points into it
  Notices notices;                     // of making the plan
  InferencePlan plan;
};
// `query` is one of inference.
std::shared_ptr<const InferencePlanKept> inferencePlan(const Query& query,
                                                       const std::shared_ptr<const Model>& model,
                                                       Bytes deviceTotal);

struct TrainingPlanKept {
  std::shared_ptr<const Model> model;
  Notices notices;
  TrainingSetup setup;
  TrainingPlan plan;
};
// `query` is one of training.
std::shared_ptr<const TrainingPlanKept> trainingPlan(const Query& query,
                                                     const std::shared_ptr<const Model>& model);

}  // namespace memfit
