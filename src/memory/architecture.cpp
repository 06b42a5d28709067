// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/architecture.h"

#include "memory/inference.h"

namespace memfit {

Result<bool> runArchitecture(Report& report) { return runInference(report); }

}  // namespace memfit
