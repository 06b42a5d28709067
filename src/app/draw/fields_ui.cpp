// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/draw/fields_ui.h"

#include "app/words/value_text.h"
#include "base/text.h"
#include "imgui.h"
#include "query/matters.h"
#include "query/query_io.h"

namespace memfit::app {
namespace {

constexpr float kLabelHeight = 22;

void setNumber(AppState& state, Key key, std::int64_t value) {
  // The default is not kept: links stay short.
  if (value == defaultOf(state.query, key)) {
    state.query.clear(key);
  } else {
    state.query.set(key, value);
  }
}

std::string shownValue(const AppState& state, const Field& field) {
  const std::int64_t value = state.query.number(field.key);
  if (field.kind == Kind::kReal && value != kUnset) {
    return formatInput(static_cast<double>(value) / static_cast<double>(field.scale),
                       state.numbers());
  }
  return valueShown(field, valueText(state.query, field));
}

void drawChoice(AppState& state, const Rect& rect, const Field& field) {
  const auto chosen = static_cast<std::size_t>(state.query.number(field.key));
  const std::string id(field.name);
  // A language list and the like would be long: only a select fits everywhere.
  if (!beginSelect(id.c_str(), rect, wordOf(field, chosen))) return;
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    const std::string word(field.values[i]);
    if (option(word.c_str(), wordOf(field, i), i == chosen)) {
      setNumber(state, field.key, static_cast<std::int64_t>(i));
    }
  }
  endSelect();
}

}  // namespace

float fieldHeight() { return kLabelHeight + theme().control; }

void drawLabel(const Rect& rect, Key key, std::string_view label) {
  const std::string_view shown = label.empty() ? labelOf(key) : label;
  drawTextIn(rect, kLabel, colors().muted, shown);
  tip({rect.x, rect.y, textWidth(kLabel, shown), rect.h}, helpOf(key));
}

void drawField(AppState& state, const Rect& rect, Key key) {
  const Field& field = fieldOf(key);
  drawLabel({rect.x, rect.y - 2, rect.w, kLabelHeight}, key);
  const Rect control{rect.x, rect.y + kLabelHeight, rect.w, theme().control};
  const std::string id(field.name);
  switch (field.control) {
    case Control::kSelect: drawChoice(state, control, field); return;
    case Control::kSwitch: {
      const std::int64_t now = state.query.number(key);
      const std::string_view words[] = {say(Text::kAutomatic), say(Text::kOff), say(Text::kOn)};
      const auto chosen =
          segmented(id.c_str(), control, words, now == kUnset ? 0 : static_cast<int>(now) + 1);
      if (chosen) {
        if (*chosen == 0) {
          state.query.clear(key);
        } else {
          state.query.set(key, std::int64_t{*chosen - 1});
        }
      }
      return;
    }
    case Control::kStepper: {
      const std::int64_t value = state.query.number(key);
      const auto given = stepper(id.c_str(), control, value, field.min, field.max,
                                 formatWhole(value, state.numbers()));
      if (given) setNumber(state, key, *given);
      return;
    }
    case Control::kOfKind:
    case Control::kOwn:
    case Control::kDoubling:
    case Control::kEntry:
    case Control::kCount: break;
  }
  const auto typed = valueField(id.c_str(), control, shownValue(state, field), unitOf(field),
                                valueText(state.query, field), true);
  if (!typed) return;
  if (trim(*typed).empty()) {
    state.query.clear(key);
  } else {
    state.setField(key, trim(*typed));
  }
}

int countThatMatter(const AppState& state, std::span<const Key> keys) {
  int count = 0;
  for (const Key key : keys) count += matters(state.query, key) ? 1 : 0;
  return count;
}

void drawFields(AppState& state, Column& column, std::span<const Key> keys) {
  constexpr float kGap = 10;
  const float half = std::floor((column.w - kGap) / 2);
  int index = 0;
  const int count = countThatMatter(state, keys);
  Rect row;
  for (const Key key : keys) {
    if (!matters(state.query, key)) continue;
    if (index % 2 == 0) {
      if (index > 0) column.gap(12);
      row = column.take(fieldHeight());
    }
    // A last one alone takes the whole row where its words are long.
    const bool alone = index + 1 == count && index % 2 == 0;
    const float left = index % 2 == 0 ? row.x : row.x + half + kGap;
    drawField(state, {left, row.y, alone ? row.w : half, row.h}, key);
    ++index;
  }
}

void drawSlider(AppState& state, Column& column, Key key, SliderRange range,
                std::string_view label) {
  const Field& field = fieldOf(key);
  const std::string id(field.name);
  ImGui::PushID(id.c_str());
  const bool coarse = theme().control > 40;
  const Rect head = column.take(coarse ? 32 : 26);
  const std::int64_t value = state.query.number(key);
  const std::string shown = shownValue(state, field);
  const std::string_view unit = field.unitBeside ? unitOf(field) : std::string_view();
  const float valueWidth =
      std::max(110.0f, textWidth(kBodyBold, shown) + textWidth(kBody, unit) + 12);
  drawLabel({head.x, head.y, head.w - valueWidth, head.h}, key, label);
  const float valueHeight = coarse ? 44 : 28;
  const auto typed = valueField(
      "value",
      {head.right() - valueWidth, head.middleY() - valueHeight / 2, valueWidth, valueHeight}, shown,
      unit, valueText(state.query, field));
  if (typed) state.setField(key, trim(*typed));
  const Rect track = column.take(coarse ? 44 : 24);
  const std::int64_t from = value == kUnset ? range.min : value;
  if (const auto moved = logSlider("slider", track, from, range.min, range.max, range.snap)) {
    setNumber(state, key, *moved);
  }
  ImGui::PopID();
}

}  // namespace memfit::app
