// memfit - SPDX-License-Identifier: Apache-2.0
//
// How far each number goes until the device is full; a press sets it.
#include <algorithm>
#include <cmath>

#include "app/state.h"
#include "app/value_text.h"
#include "app/widgets.h"
#include "base/text.h"
#include "imgui.h"

namespace memfit::app {
namespace {

std::string valueOf(const AppState& state, Key key, std::int64_t value) {
  if (key == Key::kParams) return formatParameters(Count(value), state.numbers());
  const std::string_view unit = unitOf(fieldOf(key));
  return cat(formatWhole(value, state.numbers()), "\u00a0", unit);
}

void drawLimit(AppState& state, Column& column, const Limit& limit) {
  const Palette& p = colors();
  const Rect row = column.take(theme().control + 4);
  ImGui::PushID(static_cast<int>(limit.key));
  const std::string name(limit.key == Key::kSeq && !state.query.isTraining() ? say(Text::kContext)
                                                                             : labelOf(limit.key));
  const float half = std::floor(row.w * 0.4f);
  drawTextIn({row.x + 6, row.y, half, row.h}, kLabel, p.text, name);
  const Rect middle{row.x + half, row.y, row.w - half - 110, row.h};
  if (!limit.solution.any) {
    drawTextIn(middle, kLabel, p.bad, say(Text::kLimitNone));
  } else if (limit.solution.unbounded) {
    drawTextIn(middle, kLabel, p.good, say(Text::kLimitUnbounded));
  } else {
    drawTextIn(middle, kLabelBold, p.text,
               say(Text::kLimitUpTo, {valueOf(state, limit.key, limit.solution.value)}));
    const std::string_view apply = say(Text::kApply);
    const float width = textWidth(kLabel, apply);
    if (state.query.number(limit.key) != limit.solution.value &&
        link("apply", row.right() - width - 6, row.middleY() - lineHeight(kLabel) / 2, apply)) {
      Query next = state.query;
      next.set(limit.key, limit.solution.value);
      state.apply(next);
    }
  }
  hairline(row.x, row.bottom() - 1, row.w);
  ImGui::PopID();
}

// "Sequence length 8,192 -> 6,144"
std::string changeText(const AdviceChange& change) {
  const Field& field = fieldOf(change.key);
  return cat(labelOf(change.key), " ", valueShown(field, change.from), " \u2192 ",
             valueShown(field, change.to));
}

// Gives whether it was pressed.
bool drawChange(AppState& state, Column& column, const Advice& advice, int index) {
  const Palette& p = colors();
  ImGui::PushID(index);
  const bool narrow = column.w < 560;
  const float side = narrow ? 108 : 150;
  const float width = column.w - side - 12;
  std::string title;
  for (const AdviceChange& change : advice.changes) {
    if (!title.empty()) title += say(Text::kListComma);
    title += changeText(change);
  }
  const std::string price = sentence(advice.price);
  const float textHeight =
      paragraphHeight(width, kLabelBold, title) + paragraphHeight(width, kSmall, price);
  const Rect row = column.take(std::max(textHeight + 20, theme().control + 8));
  const Touch touch = pressable("advice", row);
  if (touch.hovered) fill({row.x, row.y, row.w, row.h - 1}, p.surface);
  float y = row.y + 10;
  y += drawParagraph(row.x + 6, y, width, kLabelBold, p.text, title);
  drawParagraph(row.x + 6, y, width, kSmall, p.muted, price);

  const Rect right{row.right() - side, row.y + 8, side - 6, 22};
  const Quantity need = formatBytes(advice.perDevice.expected, state.units(), state.numbers());
  drawTextIn(right, kBodyBold, p.text, need.whole(), Align::kRight);
  const Rect below{right.x, right.y + 22, right.w, 18};
  drawTextIn(below, kSmall, p.good,
             formatSigned(-static_cast<std::int64_t>(advice.saved.value()), state.units(),
                          state.numbers()),
             Align::kRight);
  if (advice.fit) {
    const Mood mood = advice.fits ? Mood::kGood : Mood::kBad;
    drawIcon(moodIcon(mood), right.right() - textWidth(kBodyBold, need.whole()) - 14,
             right.middleY(), 11, moodColor(mood));
  }
  hairline(row.x, row.bottom() - 1, row.w);
  ImGui::PopID();
  return touch.pressed;
}

}  // namespace

void drawAdvice(AppState& state, Column& column) {
  const Palette& p = colors();
  column.gap(14);
  const auto& fit = state.answer()->fit;
  if (fit) {
    drawTextIn(column.take(26), kBodyBold, p.text,
               say(Text::kLimitsTitle, {timesDevice(state, fit->count, fit->device)}));
    for (const Limit& limit : state.limits()) drawLimit(state, column, limit);
    column.gap(18);
  } else {
    column.gap(
        drawParagraph(column.x, column.y, column.w, kLabel, p.muted, say(Text::kAdviceNoDevice)));
    column.gap(10);
  }
  drawTextIn(column.take(26), kBodyBold, p.text, say(Text::kAdviceTitle));
  // A press applies a change; undo takes it back.
  const std::vector<Advice>& advices = state.advice();
  std::optional<Query> applied;
  for (std::size_t i = 0; i < advices.size(); ++i) {
    if (drawChange(state, column, advices[i], static_cast<int>(i))) applied = advices[i].query;
  }
  if (advices.empty()) {
    drawTextIn(column.take(36), kLabel, p.muted, say(Text::kAdviceNone));
  }
  if (applied) state.apply(*applied);
}

}  // namespace memfit::app
