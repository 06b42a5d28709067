// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/methods.h"

#include <array>

#include "memory/inference.h"
#include "memory/training.h"

namespace memfit {

namespace {

constexpr std::array kMethods = {
    MethodInfo{Method::kArchitecture, "Architecture",
               "the model's own shapes, and what engines were seen to add", runArchitecture},
    MethodInfo{Method::kPai, "Alibaba Cloud PAI",
               "\"Estimate the GPU memory required for large models\", read 2026-11-29", runPai},
    MethodInfo{Method::kPerBillion, "Gigabytes a billion",
               "\"Why training needs more memory than the download\", read 2026-11-29",
               runPerBillion},
    MethodInfo{Method::kKarakuri, "KARAKURI LM",
               "\"KARAKURI LM, #3: GPU use in LLM training\", read 2026-11-29", runKarakuri},
};
static_assert(kMethods.size() == static_cast<std::size_t>(Method::kCount));

}  // namespace

std::span<const MethodInfo> methods() { return kMethods; }

const MethodInfo& methodInfo(Method method) {
  for (const MethodInfo& info : kMethods) {
    if (info.method == method) return info;
  }
  return kMethods.front();
}

Status runArchitecture(Report& report) {
  return report.query.isTraining() ? runTraining(report) : runInference(report);
}

}  // namespace memfit
