// memfit - SPDX-License-Identifier: Apache-2.0
//
// Controls made from the table of fields: label, range, unit and words all come from there.
#pragma once

#include <span>

#include "app/draw/widgets.h"
#include "app/state.h"

namespace memfit::app {

// Height of a label and its control.
float fieldHeight();
// The field's control, below its label, in a place of fieldHeight().
void drawField(AppState& state, const Rect& rect, Key key);
// Two columns of them; a field that changes nothing as things stand is left out.
void drawFields(AppState& state, Column& column, std::span<const Key> keys);
// How many of the keys matter.
int countThatMatter(const AppState& state, std::span<const Key> keys);

// The label of a control, with the field's help under the pointer.
void drawLabel(const Rect& rect, Key key, std::string_view label = {});

// A label and its value on one line, a slider below.
struct SliderRange {
  std::int64_t min, max;
  Snap snap;
};
void drawSlider(AppState& state, Column& column, Key key, SliderRange range,
                std::string_view label = {});

}  // namespace memfit::app
