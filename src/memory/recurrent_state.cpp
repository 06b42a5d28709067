// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/recurrent_state.h"

#include <optional>
#include <vector>

#include "memory/engine.h"

namespace memfit {

StateWidths stateWidths(const RecurrentState& state, const EngineModel& engine,
                        std::uint32_t modelBytes) {
  StateWidths widths = engine.stateWidths;
  if (widths.conv == 0) widths.conv = modelBytes;
  if (widths.state == 0) widths.state = state.wide ? 4 : modelBytes;
  return widths;
}

StateTotals statesOf(const Architecture& architecture, const EngineModel& engine,
                     std::uint32_t modelBytes, Count tp, std::size_t first, std::size_t last) {
  // Once a kind of layer.
  std::vector<std::uint32_t> uses(architecture.kinds.size(), 0);
  for (std::size_t i = first; i < last; ++i) ++uses[architecture.layers[i]];

  StateTotals totals;
  for (std::size_t kind = 0; kind < uses.size(); ++kind) {
    if (uses[kind] == 0) continue;
    for (const Mixer& mixer : architecture.kinds[kind].mixers) {
      const std::optional<RecurrentState> state = recurrentStateOf(mixer, architecture.hidden);
      if (!state) continue;
      const StateWidths widths = stateWidths(*state, engine, modelBytes);
      const Bytes conv = (state->convChannels.ceilDiv(tp) * (max(state->convKernel, 1) - 1) +
                          state->shiftElements) *
                         widths.conv;
      const Count heads = max(state->stateHeads, 1);
      const Count local = heads.ceilDiv(tp);
      const Bytes recurrent = (state->stateElements * local).ceilDiv(heads) * widths.state;
      const Bytes layer = conv + recurrent;
      totals.layers += uses[kind];
      totals.perSequence += layer * uses[kind];
      totals.largest = max(totals.largest, layer);
    }
  }
  return totals;
}

}  // namespace memfit
