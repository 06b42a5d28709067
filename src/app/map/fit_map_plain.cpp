// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/draw/theme.h"
#include "app/map/fit_map_gpu.h"

namespace memfit::app {

void paintFitMap(const Rect& rect, const FitMap& map, int, int) {
  const Palette& p = colors();
  const Rgb grounds[] = {p.mapFits, p.mapMore, p.mapMost, p.mapNone};
  const float width = rect.w / static_cast<float>(map.x.n);
  const float height = rect.h / static_cast<float>(map.y.n);
  for (int row = 0; row < map.y.n; ++row) {
    for (int column = 0; column < map.x.n; ++column) {
      const auto point = static_cast<std::size_t>(row) * static_cast<std::size_t>(map.x.n) +
                         static_cast<std::size_t>(column);
      std::size_t beyond = 0;
      while (beyond < kMapLimits && map.ratios[point * 4 + beyond] > 1) ++beyond;
      fill({rect.x + width * static_cast<float>(column),
            rect.bottom() - height * static_cast<float>(row + 1), width, height},
           grounds[beyond]);
    }
  }
}

}  // namespace memfit::app
