// memfit - SPDX-License-Identifier: Apache-2.0
//
// Paints the fit map's ground: by a shader on the page (fit_map_gl.cpp), by rectangles where there
// is no GL (fit_map_plain.cpp).
#pragma once

#include "app/draw/layout.h"
#include "app/map/fit_map.h"

namespace memfit::app {

// `generation` as Surface::glGeneration; `version` grows whenever the map's numbers change.
void paintFitMap(const Rect& rect, const FitMap& map, int version, int generation);

}  // namespace memfit::app
