// memfit - SPDX-License-Identifier: Apache-2.0
//
// GGUF metadata as a config.json: each architecture's keys under the names that the families read,
// so that one reader knows what a family is made of. Key names: gguf_facts section 8.1, after
// llama.cpp's src/llama-arch.cpp (2026-08).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "model/gguf.h"

namespace memfit {

struct GgufConfig {
  std::string json;
  std::int64_t layers = 0;  // without those of next-token prediction
};
Result<GgufConfig> configOfGguf(std::span<const GgufHead> parts);

// The part of a split file whose metadata is whole: the first.
const GgufHead& headOfGguf(std::span<const GgufHead> parts);

}  // namespace memfit
