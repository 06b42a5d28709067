// memfit - SPDX-License-Identifier: Apache-2.0
//
// The method `architecture` for training: full fine-tuning, LoRA and QLoRA.
//
// The peak of a step is the largest of its phases, never their sum. The report's ledger is that of
// the phase that sets the peak, with what the driver shows beside it (allocator slack, context,
// communication) as entries of `framework` and `communication`; Report::phases has every phase, as
// allocated; Report::training the three figures.
//
// perDevice is what must fit: the driver's figure. b = sequences of a micro-batch, s = tokens of a
// row after padding or packing: every row is taken to be s tokens long.
#pragma once

#include <memory>

#include "base/result.h"
#include "memory/kept_plans.h"
#include "memory/report.h"

namespace memfit {

Status runTraining(Report& report);

// One batch and length on devices of many sizes.
class TrainingPoint {
 public:
  bool known() const { return kept_ != nullptr; }  // false: of no plan
  // Report::perDevice on a device with so much memory; 0: unknown.
  Band perDevice(Bytes deviceTotal) const;

 private:
  friend class PreparedTraining;
  std::shared_ptr<const TrainingPlanKept> kept_;
  TrainingTotals totals_;
};

// The same answer for many lengths and batches: what does not depend on them is worked out once, a
// point costs a few dozen multiplications.
class PreparedTraining {
 public:
  // `query` is one of training; its seq and batch do not matter.
  PreparedTraining(const Query& query, const std::shared_ptr<const Model>& model)
      : kept_(trainingPlan(query, model)) {}

  // Report::perDevice of the query with this batch and length, on a device of unknown size.
  Band perDevice(Count batch, Count seq) const;
  TrainingPoint at(Count batch, Count seq) const;

 private:
  std::shared_ptr<const TrainingPlanKept> kept_;
};

}  // namespace memfit
