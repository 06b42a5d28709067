// memfit - SPDX-License-Identifier: Apache-2.0
//
// How far each number goes until the device is full; a press sets it.
#include <algorithm>
#include <cmath>

#include "app/draw/widgets.h"
#include "app/state.h"
#include "app/words/value_text.h"
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
  const std::string_view apply = say(Text::kApply);
  const float applyWidth = textWidth(kLabel, apply);
  const float right = row.right() - 6;
  const bool reached = !limit.solution.any || limit.solution.unbounded ||
                       state.query.number(limit.key) == limit.solution.value;
  if (!reached &&
      link("apply", right - applyWidth, row.middleY() - lineHeight(kLabel) / 2, apply)) {
    Query next = state.query;
    next.set(limit.key, limit.solution.value);
    state.apply(next);
  }
  std::string said;
  Rgb ink = p.text;
  if (!limit.solution.any) {
    said = say(Text::kLimitNone);
    ink = p.bad;
  } else if (limit.solution.unbounded) {
    said = say(Text::kLimitUnbounded);
    ink = p.good;
  } else {
    said = say(Text::kLimitUpTo, {valueOf(state, limit.key, limit.solution.value)});
  }
  // In one column with the amounts below, if there is room to spare.
  const float end = reached && column.w < 560 ? right : right - applyWidth - 20;
  const float width = std::min(textWidth(kLabelBold, said), (end - row.x) * 0.66f);
  drawTextIn({end - width, row.y, width, row.h}, kLabelBold, ink, said, Align::kRight);
  drawTextIn({row.x + 6, row.y, end - width - row.x - 18, row.h}, kLabel, p.text, name);
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
  // The amount, what it saves, and the word that says what a press does: in columns, or stacked.
  const bool narrow = column.w < 560;
  const std::string_view apply = say(Text::kApply);
  const float applyWidth = textWidth(kLabel, apply);
  const float side = narrow ? 108 : 150 + applyWidth;
  const float width = column.w - side - 12;
  std::string title;
  for (const AdviceChange& change : advice.changes) {
    if (!title.empty()) title += say(Text::kListComma);
    title += changeText(change);
  }
  const std::string price = sentence(advice.price);
  const float textHeight =
      paragraphHeight(width, kLabelBold, title) + paragraphHeight(width, kSmall, price);
  const Rect row = column.take(std::max(textHeight + 20, narrow ? 74.0f : 52.0f));
  const Touch touch = pressable("advice", row);
  if (touch.hovered) fill({row.x, row.y, row.w, row.h - 1}, p.surface);
  float y = row.y + 10;
  y += drawParagraph(row.x + 6, y, width, kLabelBold, p.text, title);
  drawParagraph(row.x + 6, y, width, kSmall, p.muted, price);

  const float right = row.right() - 6;
  const float amountEnd = narrow ? right : right - applyWidth - 20;
  const Rect amount{row.right() - side, row.y + 8, amountEnd - row.right() + side, 22};
  const std::string need = state.amount(advice.perDevice.expected);
  drawTextIn(amount, kBodyBold, p.text, need, Align::kRight);
  // A sign only on what makes it fit: crosses down a list say nothing.
  if (advice.fit && advice.fits) {
    drawIcon(Icon::kCheck, amountEnd - textWidth(kBodyBold, need) - 14, amount.middleY(), 11,
             p.good);
  }
  drawTextIn({amount.x, row.y + 30, amount.w, 18}, kSmall, p.good,
             formatSigned(-static_cast<std::int64_t>(advice.saved.value()), state.units(),
                          state.numbers()),
             Align::kRight);
  const Rect word = narrow ? Rect{amount.x, row.y + 48, amount.w, 20}
                           : Rect{right - applyWidth, row.y, applyWidth, row.h - 1};
  drawTextIn(word, kLabel, p.accent, apply, Align::kRight);
  if (touch.hovered) fill({right - applyWidth, word.middleY() + 7, applyWidth, 1}, p.accent);
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
