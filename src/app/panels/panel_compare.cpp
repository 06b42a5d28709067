// memfit - SPDX-License-Identifier: Apache-2.0
//
// Two questions side by side: A, kept, and B, the one being asked.
#include <algorithm>

#include "app/draw/widgets.h"
#include "app/state.h"
#include "app/words/report_text.h"
#include "app/words/value_text.h"
#include "base/text.h"
#include "imgui.h"
#include "query/query_io.h"

namespace memfit::app {
namespace {

struct Places {
  Rect name, a, b, change;
};

Places placesOf(const Rect& row) {
  const float width = std::min(130.0f, row.w * 0.22f);
  const float right = row.right() - 6;
  return {{row.x + 6, row.y, row.w - 3 * width - 12, row.h},
          {right - 3 * width, row.y, width - 8, row.h},
          {right - 2 * width, row.y, width - 8, row.h},
          {right - width, row.y, width, row.h}};
}

void drawRow(AppState& state, Column& column, std::string_view name, Bytes a, Bytes b, Type type,
             std::optional<Rgb> mark) {
  const Palette& p = colors();
  const Rect row = column.take(theme().row);
  Places at = placesOf(row);
  if (mark) {
    fill({at.name.x, row.middleY() - 4, 9, 9}, *mark, 2);
    at.name.x += 16;
    at.name.w -= 16;
  }
  drawTextIn(at.name, type, p.text, name);
  const auto amount = [&](const Rect& place, Bytes bytes) {
    const bool none = bytes == Bytes(0);
    drawTextIn(place, type, none ? p.muted : p.text, none ? "\u2013" : state.amount(bytes),
               Align::kRight);
  };
  amount(at.a, a);
  amount(at.b, b);
  const auto change = static_cast<std::int64_t>(b.value()) - static_cast<std::int64_t>(a.value());
  const std::string shown =
      change == 0 ? std::string("\u2013") : formatSigned(change, state.units(), state.numbers());
  drawTextIn(at.change, type,
             change > 0   ? p.bad
             : change < 0 ? p.good
                          : p.muted,
             shown, Align::kRight);
  hairline(row.x, row.bottom() - 1, row.w);
}

// The settings in which the two differ.
void drawSettings(Column& column, const Query& a, const Query& b) {
  const Palette& p = colors();
  for (const Field& field : fields()) {
    if (field.kind == Kind::kDocument || field.group == Group::kPage) continue;
    const std::string left = valueText(a, field);
    const std::string right = valueText(b, field);
    if (left == right) continue;
    const Rect row = column.take(theme().row);
    const std::string change = cat(valueShown(field, left), " \u2192 ", valueShown(field, right));
    const float width = std::min(textWidth(kLabel, change), row.w * 0.66f);
    const float x = row.right() - 6 - width;
    drawTextIn({row.x + 6, row.y, x - row.x - 18, row.h}, kLabel, p.muted, labelOf(field.key));
    drawTextIn({x, row.y, width, row.h}, kLabel, p.text, change, Align::kRight);
    hairline(row.x, row.bottom() - 1, row.w);
  }
}

Band needOf(const Answer& answer) {
  return answer.fit ? answer.fit->need : answer.report.perDevice;
}

// One of the two: its answer and its bar, both on one scale.
void drawSide(AppState& state, Column& column, std::string_view name, const Answer& answer,
              double scale) {
  const Palette& p = colors();
  const Rect row = column.take(28);
  drawTextIn({row.x + 6, row.y, 20, row.h}, kHeading, p.muted, name);
  const Band need = needOf(answer);
  const std::string amount = state.amount(need.expected);
  drawTextIn({row.x + 28, row.y, row.w - 34, row.h}, kHeading, p.text, amount);
  if (answer.fit) {
    const Mood mood = moodOf(answer.fit->verdict);
    const float x = row.x + 28 + textWidth(kHeading, amount) + 18;
    drawIcon(moodIcon(mood), x, row.middleY(), 10, moodColor(mood));
    drawTextIn({x + 12, row.y, row.right() - x - 18, row.h}, kLabelBold, moodColor(mood),
               verdictText(state, *answer.fit));
  }
  stackedBar({row.x + 28, column.y, row.w - 34, 14}, barParts(answer.report.ledger),
             need.low.toDouble(), need.high.toDouble(), 0, scale);
  column.gap(28);
}

}  // namespace

void drawCompare(AppState& state, Column& column) {
  const Palette& p = colors();
  column.gap(14);
  const Answer* kept = state.kept();
  if (kept == nullptr) {
    column.gap(
        drawParagraph(column.x, column.y, column.w, kLabel, p.muted, say(Text::kCompareHint)));
    column.gap(8);
  }
  const std::string_view keep = say(Text::kCompareKeep);
  const Rect row = column.take(theme().control);
  const float keepWidth = textWidth(kBody, keep) + 32;
  if (button("keep", {row.x, row.y, keepWidth, row.h}, keep)) state.keep();
  if (kept == nullptr) return;
  const std::string_view swap = say(Text::kCompareSwap);
  const float swapWidth = textWidth(kBody, swap) + 32;
  if (button("swap", {row.x + keepWidth + 8, row.y, swapWidth, row.h}, swap)) state.swapKept();
  column.gap(16);

  const Report& a = kept->report;
  const Report& b = state.answer()->report;
  const double scale = max(needOf(*kept).high, needOf(*state.answer()).high).toDouble();
  drawSide(state, column, "A", *kept, scale);
  drawSide(state, column, "B", *state.answer(), scale);
  drawSettings(column, *state.keptQuery(), state.query);
  column.gap(12);

  const Rect head = column.take(theme().row);
  const Places at = placesOf(head);
  drawTextIn(at.name, kSmall, p.muted, say(Text::kColumnComponent));
  drawTextIn(at.a, kSmallBold, p.muted, "A", Align::kRight);
  drawTextIn(at.b, kSmallBold, p.muted, "B", Align::kRight);
  drawTextIn(at.change, kSmall, p.muted, say(Text::kCompareChange), Align::kRight);
  hairline(head.x, head.bottom() - 1, head.w);
  for (std::size_t i = 0; i < kComponentCount; ++i) {
    const auto component = static_cast<Component>(i);
    const Bytes left = a.ledger.total(component).expected;
    const Bytes right = b.ledger.total(component).expected;
    if (left == Bytes(0) && right == Bytes(0)) continue;
    drawRow(state, column, nameOf(component), left, right, kLabel, p.of(component));
  }
  drawRow(state, column, say(Text::kTotal), a.perDevice.expected, b.perDevice.expected, kLabelBold,
          std::nullopt);
}

}  // namespace memfit::app
