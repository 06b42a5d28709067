// memfit - SPDX-License-Identifier: Apache-2.0
//
// Two questions side by side: A, kept, and B, the one being asked.
#include <algorithm>

#include "app/state.h"
#include "app/value_text.h"
#include "app/widgets.h"
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
  drawTextIn(at.a, type, p.text, state.amount(a), Align::kRight);
  drawTextIn(at.b, type, p.text, state.amount(b), Align::kRight);
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
    if (field.kind == Kind::kDocument) continue;
    const std::string left = valueText(a, field);
    const std::string right = valueText(b, field);
    if (left == right) continue;
    const Rect row = column.take(theme().row);
    const Places at = placesOf(row);
    const auto shown = [&](std::string_view text) {
      return text.empty() ? std::string("\u2013") : valueShown(field, text);
    };
    drawTextIn(at.name, kLabel, p.muted, labelOf(field.key));
    drawTextIn(at.a, kLabel, p.text, shown(left), Align::kRight);
    drawTextIn(at.b, kLabel, p.text, shown(right), Align::kRight);
    hairline(row.x, row.bottom() - 1, row.w);
  }
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
  column.gap(8);

  const Rect head = column.take(theme().row);
  const Places at = placesOf(head);
  drawTextIn(at.a, kSmallBold, p.muted, "A", Align::kRight);
  drawTextIn(at.b, kSmallBold, p.muted, "B", Align::kRight);
  drawTextIn(at.change, kSmall, p.muted, say(Text::kCompareChange), Align::kRight);
  hairline(head.x, head.bottom() - 1, head.w);
  drawSettings(column, *state.keptQuery(), state.query);
  const Report& a = kept->report;
  const Report& b = state.answer()->report;
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
