// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/methods.h"

#include <array>

#include "memory/inference.h"
#include "memory/training.h"

namespace memfit {

namespace {

constexpr std::array kMethods = {
    MethodInfo{Method::kArchitecture, "Architecture",
               "the model's own shapes, and what engines were seen to add", true, true, true, true,
               kArchitectureInference, kArchitectureTraining, runArchitecture},
    MethodInfo{Method::kPai, "Alibaba Cloud PAI",
               "\"Estimate the GPU memory required for large models\", read 2026-11-29", true, true,
               true, true, kPaiInference, kPaiTraining, runPai},
    MethodInfo{Method::kPerBillion, "Gigabytes a billion",
               "\"Why training needs more memory than the download\", read 2026-11-29", false, true,
               true, true, kEffectNone, kPerBillionTraining, runPerBillion},
    MethodInfo{Method::kKarakuri, "KARAKURI LM",
               "\"KARAKURI LM, #3: GPU use in LLM training\", read 2026-11-29", true, true, false,
               false, kKarakuriInference, kKarakuriTraining, runKarakuri},
};

}  // namespace

bool MethodInfo::covers(Task task) const {
  switch (task) {
    case Task::kInference: return inference;
    case Task::kFull: return full;
    case Task::kLora: return lora;
    case Task::kQlora: return qlora;
    case Task::kCount: break;
  }
  return false;
}

std::span<const MethodInfo> methods() { return kMethods; }

const MethodInfo& methodInfo(Method method) {
  for (const MethodInfo& info : kMethods) {
    if (info.method == method) return info;
  }
  return kMethods.front();
}

Method defaultMethod(Task task) {
  for (const MethodInfo& info : kMethods) {
    if (info.covers(task)) return info.method;
  }
  return Method::kPai;
}

Status runArchitecture(Report& report) {
  return report.query.isTraining() ? runTraining(report) : runInference(report);
}

}  // namespace memfit
