// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/family.h"

namespace memfit {
namespace {

constexpr Family kGeneric = {
    .modelType = "",
    .qkNorm = QkNormRule::kHeadByKey,
    .window = WindowRule::kPattern,
    .nextTokens = NextTokenRule::kStored,
};

using Rows = std::span<const Family> (*)();
constexpr Rows kFiles[] = {denseFamilies, expertFamilies, hybridFamilies, gemmaFamilies,
                           encoderFamilies};

}  // namespace

const Family& genericFamily() { return kGeneric; }

std::vector<const Family*> families() {
  std::vector<const Family*> all;
  for (const Rows rows : kFiles) {
    for (const Family& family : rows()) all.push_back(&family);
  }
  return all;
}

const Family* familyOf(std::string_view modelType) {
  // "qwen3_vl_text" is qwen3_vl's language model.
  constexpr std::string_view kText = "_text";
  for (;;) {
    for (const Rows rows : kFiles) {
      for (const Family& family : rows()) {
        if (family.modelType == modelType) return &family;
      }
    }
    if (modelType.size() <= kText.size() || !modelType.ends_with(kText)) return nullptr;
    modelType.remove_suffix(kText.size());
  }
}

}  // namespace memfit
