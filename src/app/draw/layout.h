// memfit - SPDX-License-Identifier: Apache-2.0
//
// Rectangles and the rhythm they keep. All in CSS pixels. Knows no ImGui.
#pragma once

#include <cmath>

namespace memfit::app {

inline constexpr float kUnit = 8;             // every distance is a multiple, or half, of it
inline constexpr float kNarrow = 760;         // below: one column, the answer first
inline constexpr float kControlsWidth = 348;  // of the left column above that

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;

  float right() const { return x + w; }
  float bottom() const { return y + h; }
  float middleX() const { return x + w / 2; }
  float middleY() const { return y + h / 2; }
  Rect inset(float dx, float dy) const { return {x + dx, y + dy, w - 2 * dx, h - 2 * dy}; }
  bool contains(float px, float py) const {
    return px >= x && py >= y && px < right() && py < bottom();
  }
};

// A column that is filled from the top: each thing takes what it needs and leaves a gap.
struct Column {
  float x = 0, y = 0, w = 0;

  Rect take(float height) {
    const Rect rect{x, y, w, height};
    y += height;
    return rect;
  }
  void gap(float height) { y += height; }
};

// The `index`-th of `count` cells in a row with gaps between them, edges on whole pixels.
inline Rect cell(const Rect& row, int index, int count, float gap) {
  const float each = (row.w - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
  const float left = std::round(row.x + static_cast<float>(index) * (each + gap));
  const float right = std::round(row.x + static_cast<float>(index) * (each + gap) + each);
  return {left, row.y, right - left, row.h};
}

}  // namespace memfit::app
