// memfit - SPDX-License-Identifier: Apache-2.0
//
// ArchitectureOverrides: the architecture keys of a query. On top of a model each changes that one
// thing; for the model `custom` they are the whole of it. The reader of a family puts them in
// twice: in place of what the file says, so that what follows from it follows, and again after the
// family's own reading, so that nothing that a family does to a value is done to one that was asked
// for.
//
// Ranges are those of query/fields.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/count.h"
#include "query/fields.h"

namespace memfit {

struct ArchitectureOverrides {
  using Value = std::optional<std::int64_t>;

  Value layers;  // of an encoder-decoder: of each half
  Value hidden, heads, kvHeads, headDim, intermediate, vocab;
  Value tied;  // 0 or 1
  Value experts, expertsPerToken, moeIntermediate;
  Value sharedExperts;  // each of moeIntermediate
  Value denseLayers;    // leading layers without experts
  Value window;         // 0: none
  Value fullEvery;      // of n layers in a row the last sees the whole context
  Value kvLoraRank;     // 0: keys and values whole, no latent
  Value qLoraRank, ropeHeadDim, nopeHeadDim, vHeadDim;

  bool empty() const;
  bool onlyWindows() const;  // nothing but the two that any architecture can be changed by
};

// The value that was asked for, or else the one that was read.
inline Count orElse(ArchitectureOverrides::Value asked, Count read) {
  return asked ? Count(*asked) : read;
}

// One row a key.
struct OverrideField {
  Key key;
  ArchitectureOverrides::Value ArchitectureOverrides::*member;
  std::string_view configKey;  // what errors of the reader call it

  std::string_view name() const { return fieldOf(key).name; }
};
std::span<const OverrideField> overrideFields();

}  // namespace memfit
