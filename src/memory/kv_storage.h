// memfit - SPDX-License-Identifier: Apache-2.0
//
// How one side of a key-value cache is stored.
#pragma once

#include <cstdint>

#include "query/choices.h"

namespace memfit {

struct KvStorage {
  std::uint32_t elements = 1;   // a block
  std::uint32_t bytes = 2;      // a block
  std::uint32_t headBytes = 0;  // a scale for each token and head
};

// What most engines do: ggml's block types as llama.cpp packs them; fp8 with one scale a tensor;
// int8 and int4 with a 32-bit scale a token and head (vLLM).
KvStorage kvStorage(KvFormat format);

// MLX and Transformers (quanto, HQQ) quantize in groups of 64 with a 16-bit scale and bias.
KvStorage kvStorageInGroups(KvFormat format);

}  // namespace memfit
