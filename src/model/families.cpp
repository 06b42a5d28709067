// memfit - SPDX-License-Identifier: Apache-2.0
//
// The table of families. Sources: Hugging Face transformers' modelling files as summarised in the
// project's survey of 256 config.json files (2026-08); a row's comment says what was checked.
#include <array>

#include "model/family.h"

namespace memfit {
namespace {

constexpr BiasRule kNever = {"", false};
constexpr BiasRule kAlways = {"", true};

constexpr Family kFamilies[] = {
    {.modelType = "llama"},
    {.modelType = "mistral",
     .qkvBias = kNever,
     .outputBias = kNever,
     .mlpBias = kNever,
     .window = WindowRule::kAll},
    {.modelType = "mixtral",
     .qkvBias = kNever,
     .outputBias = kNever,
     .mlpBias = kNever,
     .window = WindowRule::kAll},
    {.modelType = "qwen2",
     .qkvBias = kAlways,
     .outputBias = kNever,
     .mlpBias = kNever,
     .window = WindowRule::kIfUsed},
    {.modelType = "qwen3", .qkNorm = QkNormRule::kHead, .window = WindowRule::kIfUsed},
    {.modelType = "qwen3_moe", .qkNorm = QkNormRule::kHead, .window = WindowRule::kIfUsed},
    {.modelType = "qwen2_moe",
     .qkvBias = {"qkv_bias", true},
     .outputBias = kNever,
     .mlpBias = kNever,
     .window = WindowRule::kIfUsed,
     .sharedExpertGate = true},
};

constexpr Family kGeneric = {
    .modelType = "", .qkNorm = QkNormRule::kHeadByKey, .window = WindowRule::kPattern};

}  // namespace

std::span<const Family> families() { return kFamilies; }
const Family& genericFamily() { return kGeneric; }

const Family* familyOf(std::string_view modelType) {
  for (;;) {
    for (const Family& family : kFamilies) {
      if (family.modelType == modelType) return &family;
    }
    constexpr std::string_view kText = "_text";
    if (modelType.size() <= kText.size() || !modelType.ends_with(kText)) return nullptr;
    modelType.remove_suffix(kText.size());
  }
}

}  // namespace memfit
