// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/architecture.h"

#include "memory/inference.h"
#include "memory/training.h"

namespace memfit {

Result<bool> runArchitecture(Report& report) {
  return report.query.isTraining() ? runTraining(report) : runInference(report);
}

}  // namespace memfit
