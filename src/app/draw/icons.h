// memfit - SPDX-License-Identifier: Apache-2.0
//
// Small drawn signs: crisp at every pixel ratio, and no matter of fonts.
#pragma once

#include "app/draw/palette.h"

namespace memfit::app {

enum class Icon {
  kCheck,
  kCross,
  kWarning,
  kSearch,
  kChevronDown,
  kChevronRight,
  kChevronUp,
  kPlus,
  kMinus,
  kHalfCircle,  // light and dark
  kUndo,
  kRedo,
  kLink,
};

// In a square of `size` around a point.
void drawIcon(Icon icon, float x, float y, float size, Rgb rgb);

}  // namespace memfit::app
