// memfit - SPDX-License-Identifier: Apache-2.0
//
// The method `architecture` for inference: weights as they lie in memory, the cache, and what the
// engine adds.
#pragma once

#include "base/result.h"
#include "memory/report.h"

namespace memfit {

Result<bool> runInference(Report& report);

}  // namespace memfit
