// memfit - SPDX-License-Identifier: Apache-2.0
//
// The ledger: every amount with its formula, the numbers put into it, and where it is from.
#include "app/draw/widgets.h"
#include "app/state.h"
#include "app/words/report_text.h"
#include "base/text.h"
#include "imgui.h"

#include <algorithm>

namespace memfit::app {
namespace {

void drawEntry(AppState& state, Column& column, const Entry& entry) {
  const Palette& p = colors();
  const bool narrow = column.w < 560;
  const float nameWidth = narrow ? column.w - 110 : 190;
  const float amountWidth = 100;
  const float top = column.y + 8;
  fill({column.x + 6, top + 6, 9, 9}, p.of(entry.component), 2);
  drawTextIn({column.x + 22, top, nameWidth - 22, 22}, kLabel, p.text, nameOf(entry.component));
  const float amountX = narrow ? column.x + column.w - amountWidth - 6 : column.x + nameWidth;
  const Quantity amount = formatBytes(entry.bytes.expected, state.units(), state.numbers());
  drawTextIn({amountX, top, amountWidth, 22}, kLabelBold, p.text, amount.whole(), Align::kRight);
  float leftBottom = top + 24;
  if (const std::string range = likelyText(state, entry.bytes); !range.empty()) {
    drawTextIn({amountX - 40, top + 20, amountWidth + 40, 18}, kSmall, p.muted, range,
               Align::kRight);
    leftBottom += 18;
  }

  const float x = narrow ? column.x + 22 : amountX + amountWidth + 24;
  const float width = column.x + column.w - x - 6;
  float y = narrow ? leftBottom : top;
  y += drawParagraph(x, y + 1, width, kLabel, p.text, typeset(entry.formula));
  const std::string filled = filledIn(entry, state.numbers());
  if (filled != typeset(entry.formula)) {
    y += drawParagraph(x, y + 1, width, kSmall, p.muted, "= " + filled);
  }
  if (!entry.note.empty()) {
    y += drawParagraph(x, y + 2, width, kSmall, p.muted, sentence(entry.note)) + 2;
  }
  if (entry.where == Where::kHost) {
    y += drawParagraph(x, y + 2, width, kSmall, p.muted, say(Text::kHostPart)) + 2;
  }
  const float bottom = std::max(y, leftBottom) + 6;
  tip({column.x, column.y, column.w, bottom - column.y},
      say(Text::kSource, {sentence(entry.source)}));
  column.y = bottom;
  hairline(column.x, column.y, column.w);
  column.gap(1);
}

// The moments of a training step, each with what is alive in it.
void drawPhases(AppState& state, Column& column) {
  const Report& report = state.answer()->report;
  if (report.phases.empty()) return;
  const Palette& p = colors();
  column.gap(20);
  drawTextIn(column.take(26), kBodyBold, p.text, say(Text::kPhasesTitle));
  double scale = 1;
  for (const Phase& phase : report.phases) {
    scale = std::max(scale, phase.ledger.total(Where::kDevice).high.toDouble());
  }
  const float nameWidth = std::min(150.0f, column.w * 0.34f);
  for (const Phase& phase : report.phases) {
    const Rect row = column.take(theme().row);
    drawTextIn({row.x + 6, row.y, nameWidth - 12, row.h}, kLabel, p.muted, phaseText(phase.name));
    const Band total = phase.ledger.total(Where::kDevice);
    stackedBar({row.x + nameWidth, row.middleY() - 6, row.w - nameWidth - 96, 12},
               barParts(phase.ledger), total.expected.toDouble(), total.expected.toDouble(), 0,
               scale);
    drawTextIn({row.right() - 90, row.y, 84, row.h}, kLabelBold, p.text,
               state.amount(total.expected), Align::kRight);
    hairline(row.x, row.bottom() - 1, row.w);
  }
}

}  // namespace

void drawBreakdown(AppState& state, Column& column) {
  const Palette& p = colors();
  const Report& report = state.answer()->report;
  const bool narrow = column.w < 560;
  const Rect head = column.take(theme().row);
  drawTextIn(head.inset(6, 0), kSmall, p.muted, say(Text::kColumnComponent));
  const float amountX = narrow ? head.right() - 106 : head.x + 190;
  drawTextIn({amountX, head.y, 100, head.h}, kSmall, p.muted, say(Text::kColumnAmount),
             Align::kRight);
  if (!narrow) {
    drawTextIn({amountX + 124, head.y, head.right() - amountX - 124, head.h}, kSmall, p.muted,
               say(Text::kColumnFormula));
  }
  hairline(head.x, head.bottom() - 1, head.w);
  for (const Entry& entry : report.ledger.entries()) drawEntry(state, column, entry);
  const Rect total = column.take(theme().row + 4);
  drawTextIn({total.x + 22, total.y, 168, total.h}, kLabelBold, p.text, say(Text::kTotal));
  drawTextIn({amountX, total.y, 100, total.h}, kLabelBold, p.text,
             state.amount(report.perDevice.expected), Align::kRight);
  if (!narrow) {
    drawTextIn({amountX + 124, total.y, total.right() - amountX - 130, total.h}, kSmall, p.muted,
               likelyText(state, report.perDevice));
  }
  if (report.kv.bytesPerToken > Bytes(0)) {
    column.gap(8);
    const std::string text = say(Text::kCacheCost, {state.amount(report.kv.bytesPerToken),
                                                    state.amount(report.kv.bytesPerSequence)});
    column.gap(drawParagraph(column.x + 6, column.y, column.w - 12, kLabel, p.muted, text));
  }
  drawPhases(state, column);
}

}  // namespace memfit::app
