// memfit - SPDX-License-Identifier: Apache-2.0
//
// The method `architecture`, ours: every amount from the model's own shape, and for every engine
// and trainer what it adds. Inference is in inference.h, training in its own files.
#pragma once

#include "base/result.h"
#include "memory/report.h"

namespace memfit {

Result<bool> runArchitecture(Report& report);

}  // namespace memfit
