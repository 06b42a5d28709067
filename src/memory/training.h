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

#include "base/result.h"
#include "memory/report.h"
#include "memory/training_plan.h"

namespace memfit {

Result<bool> runTraining(Report& report);

// The same answer for many lengths and batches: what does not depend on them is worked out once, a
// point costs a few dozen multiplications.
class PreparedTraining {
 public:
  // `query` is one of training; its seq and batch do not matter. The model must outlive this.
  PreparedTraining(const Query& query, const Model& model, Bytes deviceTotal = 0);

  // Report::perDevice of the query with this batch and length.
  Band perDevice(Count batch, Count seq) const;
  // For a device of another size from here on: no work at all.
  void setDeviceTotal(Bytes total) { plan_.deviceTotal = total; }
  // Report::devices.
  Count devices() const { return devices_; }

 private:
  TrainingPlan plan_;
  Count devices_;
};

}  // namespace memfit
