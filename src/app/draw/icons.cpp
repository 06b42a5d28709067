// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/draw/icons.h"

#include <initializer_list>

#include "app/draw/theme.h"

namespace memfit::app {
namespace {

struct Pen {
  float x, y, size;
  ImU32 ink;

  ImVec2 at(ImVec2 p) const { return {x + (p.x - 0.5f) * size, y + (p.y - 0.5f) * size}; }
  // Points in the unit square.
  void line(std::initializer_list<ImVec2> points, bool closed = false) const {
    for (const ImVec2& point : points) canvas()->PathLineTo(at(point));
    canvas()->PathStroke(ink, closed ? ImDrawFlags_Closed : 0, size * 0.13f);
  }
  void arc(ImVec2 center, float radius, float from, float to) const {
    canvas()->PathArcTo(at(center), radius * size, from, to, 24);
    canvas()->PathStroke(ink, 0, size * 0.13f);
  }
};

constexpr float kPi = 3.14159265f;

}  // namespace

void drawIcon(Icon icon, float x, float y, float size, Rgb rgb) {
  const Pen pen{x, y, size, color(rgb)};
  switch (icon) {
    case Icon::kCheck: pen.line({{0.1f, 0.55f}, {0.4f, 0.83f}, {0.92f, 0.2f}}); break;
    case Icon::kCross:
      pen.line({{0.15f, 0.15f}, {0.85f, 0.85f}});
      pen.line({{0.85f, 0.15f}, {0.15f, 0.85f}});
      break;
    case Icon::kWarning:
      pen.line({{0.5f, 0.08f}, {0.96f, 0.9f}, {0.04f, 0.9f}}, true);
      pen.line({{0.5f, 0.38f}, {0.5f, 0.62f}});
      pen.line({{0.5f, 0.72f}, {0.5f, 0.79f}});
      break;
    case Icon::kSearch:
      pen.arc({0.42f, 0.42f}, 0.3f, 0, 2 * kPi);
      pen.line({{0.64f, 0.64f}, {0.92f, 0.92f}});
      break;
    case Icon::kChevronDown: pen.line({{0.15f, 0.32f}, {0.5f, 0.68f}, {0.85f, 0.32f}}); break;
    case Icon::kChevronUp: pen.line({{0.15f, 0.68f}, {0.5f, 0.32f}, {0.85f, 0.68f}}); break;
    case Icon::kChevronRight: pen.line({{0.32f, 0.15f}, {0.68f, 0.5f}, {0.32f, 0.85f}}); break;
    case Icon::kPlus:
      pen.line({{0.5f, 0.1f}, {0.5f, 0.9f}});
      pen.line({{0.1f, 0.5f}, {0.9f, 0.5f}});
      break;
    case Icon::kMinus: pen.line({{0.1f, 0.5f}, {0.9f, 0.5f}}); break;
    case Icon::kHalfCircle:
      pen.arc({0.5f, 0.5f}, 0.42f, 0, 2 * kPi);
      canvas()->PathArcTo(ImVec2(x, y), size * 0.42f, kPi / 2, kPi * 1.5f, 24);
      canvas()->PathFillConvex(pen.ink);
      break;
    case Icon::kUndo:
    case Icon::kRedo: {
      const bool redo = icon == Icon::kRedo;
      const auto side = [redo](float u) { return redo ? 1 - u : u; };
      pen.line({{side(0.34f), 0.08f}, {side(0.08f), 0.34f}, {side(0.34f), 0.6f}});
      pen.line({{side(0.08f), 0.34f}, {side(0.62f), 0.34f}});
      if (redo) {
        pen.arc({0.38f, 0.6f}, 0.26f, kPi / 2, kPi * 1.5f);
        pen.line({{0.38f, 0.86f}, {0.66f, 0.86f}});
      } else {
        pen.arc({0.62f, 0.6f}, 0.26f, -kPi / 2, kPi / 2);
        pen.line({{0.62f, 0.86f}, {0.34f, 0.86f}});
      }
      break;
    }
    case Icon::kLink:
      pen.line({{0.35f, 0.65f}, {0.65f, 0.35f}});
      pen.arc({0.68f, 0.32f}, 0.22f, -kPi, kPi / 2);
      pen.arc({0.32f, 0.68f}, 0.22f, 0, kPi * 1.5f);
      break;
  }
}

}  // namespace memfit::app
