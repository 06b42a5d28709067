// memfit - SPDX-License-Identifier: Apache-2.0
//
// The page's colours, light and dark, and the arithmetic that holds them to their promises: text in
// them reads (WCAG 2 AA), component colours stay apart for colour-blind eyes. Knows no ImGui.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/ledger.h"

namespace memfit::app {

// 0xRRGGBB.
using Rgb = std::uint32_t;

inline constexpr std::size_t kComponentCount = static_cast<std::size_t>(Component::kCount);

struct Palette {
  Rgb background;  // behind the answer
  Rgb surface;     // behind the controls, popups, and the header
  Rgb raised;      // controls
  Rgb hover;       // controls under the pointer
  Rgb line;        // hairlines
  Rgb track;       // the empty part of bars and sliders
  Rgb text;
  Rgb muted;
  Rgb accent;
  Rgb onAccent;    // text on it
  Rgb accentSoft;  // behind a chosen row
  Rgb good, goodSoft;
  Rgb tight, tightSoft;
  Rgb bad, badSoft;
  // The fit map: fits the chosen count, more of them, and not at all.
  Rgb mapFits, mapMore, mapMost, mapNone;
  bool dark;

  Rgb of(Component component) const;
};

const Palette& palette(bool dark);

// WCAG 2 contrast ratio, 1 to 21.
double contrast(Rgb a, Rgb b);

// How somebody without medium-wave cones sees a colour (Vienot, Brettel and Mollon 1999).
Rgb asDeuteranope(Rgb color);

// Distance in OKLab; about 0.02 is just noticeable on patches side by side.
double colorDistance(Rgb a, Rgb b);

}  // namespace memfit::app
