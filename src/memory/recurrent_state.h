// memfit - SPDX-License-Identifier: Apache-2.0
//
// Recurrent state: what a sequence holds in layers that are no attention, whatever its length.
#pragma once

#include <cstdint>

#include "base/count.h"
#include "model/architecture.h"
#include "query/choices.h"

namespace memfit {

struct EngineModel;
struct StateWidths;

// Bytes of a convolution's column and of a state's element: the engine's, or the model's data type,
// or 32 bits for states whose models ask for that (RecurrentState::wide).
StateWidths stateWidths(const RecurrentState& state, const EngineModel& engine,
                        std::uint32_t modelBytes);

struct StateTotals {
  Count layers;       // with a state
  Bytes perSequence;  // over all of them, on one device
  Bytes largest;      // of one layer
};
// Of the layers [first, last). Convolution channels and state heads are cut by tensor parallelism.
StateTotals statesOf(const Architecture& architecture, const EngineModel& engine,
                     std::uint32_t modelBytes, Count tp, std::size_t first, std::size_t last);

}  // namespace memfit
