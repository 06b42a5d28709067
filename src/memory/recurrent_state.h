// memfit - SPDX-License-Identifier: Apache-2.0
//
// Recurrent state: what a sequence holds in layers that are no attention, whatever its length.
#pragma once

#include <cstdint>

#include "base/count.h"
#include "model/architecture.h"
#include "query/choices.h"

namespace memfit {

// Bytes of a convolution's column and of a state's element. Engines differ:
//   llama.cpp     32 bits both (llama-memory-recurrent.cpp)
//   SGLang        model type, and 32 bits for the state (its Qwen3-Next default)
//   vLLM          model type both; gated delta nets and KDA ask for 32-bit states in their configs
//   Transformers, MLX   as vLLM
struct StateWidths {
  std::uint32_t conv = 2, state = 2;
};
StateWidths stateWidths(const Mixer& mixer, Engine engine, std::uint32_t modelBytes);

struct StateTotals {
  Count layers;       // with a state
  Bytes perSequence;  // over all of them, on one device
  Bytes largest;      // of one layer
};
// Of the layers [first, last). Convolution channels and state heads are cut by tensor parallelism.
StateTotals statesOf(const Architecture& architecture, Engine engine, std::uint32_t modelBytes,
                     Count tp, std::size_t first, std::size_t last);

}  // namespace memfit
