// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/family/family.h"

namespace memfit {
namespace {

constexpr Family kGeneric = {
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

KnownType knownType(std::string_view modelType) {
  if (modelType == kCustomType) return {&kGeneric, kCustomType};
  constexpr std::string_view kText = "_text";
  while (!modelType.empty()) {
    for (const Rows rows : kFiles) {
      for (const Family& family : rows()) {
        for (const std::string_view type : family.modelTypes) {
          if (type == modelType) return {&family, type};
        }
      }
    }
    if (!modelType.ends_with(kText)) break;
    modelType.remove_suffix(kText.size());
  }
  return {};
}

}  // namespace memfit
