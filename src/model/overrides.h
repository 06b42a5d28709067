// memfit - SPDX-License-Identifier: Apache-2.0
//
// ArchitectureOverrides: the architecture keys of a query. On top of a model each changes that one
// thing; for the model `custom` they are the whole of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace memfit {

struct ArchitectureOverrides {
  using Value = std::optional<std::int64_t>;

  Value layers, hidden, heads, kvHeads, headDim, intermediate, vocab;
  Value tied;  // 0 or 1
  Value experts, expertsPerToken, moeIntermediate, sharedExperts;
  Value denseLayers;  // leading layers without experts
  Value window;       // 0: none
  Value fullEvery;    // of n layers in a row the last sees the whole context
  Value kvLoraRank, qLoraRank, ropeHeadDim, nopeHeadDim, vHeadDim;
  Value contextLength;

  bool empty() const;
};

// The query keys, for whoever reads a query: the key, the member, the key of config.json it stands
// for.
struct OverrideField {
  std::string_view key;
  ArchitectureOverrides::Value ArchitectureOverrides::*member;
  std::string_view configKey;
  std::int64_t minimum;
  std::int64_t maximum;
};
std::span<const OverrideField> overrideFields();

}  // namespace memfit
