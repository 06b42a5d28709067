// memfit - SPDX-License-Identifier: Apache-2.0
//
// All methods on the same question, side by side, and why they differ.
#include "app/draw/widgets.h"
#include "app/state.h"
#include "imgui.h"
#include "memory/methods.h"

namespace memfit::app {
namespace {

const Difference* differenceOf(const Comparisons& comparisons, Method method) {
  for (const Difference& difference : comparisons.differences) {
    if (difference.method == method) return &difference;
  }
  return nullptr;
}

std::string_view methodWord(Method method) {
  return wordOf(fieldOf(Key::kMethod), static_cast<std::size_t>(method));
}

void drawMethod(AppState& state, Column& column, const Comparison& comparison, double scale,
                const Comparisons& comparisons) {
  const Palette& p = colors();
  const Method method = comparison.method->method;
  const bool chosen = state.answer()->report.method == method;
  const float top = column.y;
  float y = top + 12;
  ImGui::PushID(static_cast<int>(method));

  // A press takes the method; its height is that of the frame before, so it is laid first by width.
  const Rect head{column.x, top + 2, column.w, 44};
  const Touch touch = comparison.covers ? pressable("method", head) : Touch{};
  if (touch.hovered && !chosen) fill(head, p.surface, 6);
  if (touch.pressed && !chosen) state.query.set(Key::kMethod, method);

  const Type nameType = chosen ? kBodyBold : kBody;
  const std::string_view name = methodWord(method);
  drawTextIn({column.x + 6, y, column.w * 0.6f, 24}, nameType, comparison.covers ? p.text : p.muted,
             name);
  const std::string said = comparison.covers ? state.amount(comparison.report.perDevice.expected)
                                             : std::string(say(Text::kMethodNotCovered));
  const Type saidType = comparison.covers ? kHeading : kSmall;
  drawTextIn({column.x, y, column.w - 6, 24}, saidType, comparison.covers ? p.text : p.muted, said,
             Align::kRight);
  // What it is called in full, and which one is in use.
  const float after = column.x + 6 + textWidth(nameType, name) + 10;
  const float room = column.x + column.w - 18 - textWidth(saidType, said) - after;
  std::string aside(chosen ? say(Text::kMethodChosen) : std::string_view());
  if (!chosen) aside = sentence(comparison.method->title);
  if (room > 40 && aside != name) {
    drawTextIn({after, y, room, 24}, kSmall, chosen ? p.accent : p.muted, aside);
  }
  if (comparison.covers) {
    y += 34;
    const Band& band = comparison.report.perDevice;
    stackedBar({column.x + 6, y, column.w - 12, 14}, barParts(comparison.report.ledger),
               band.low.toDouble(), band.high.toDouble(), 0, scale);
    y += 22;
    if (const Difference* difference = differenceOf(comparisons, method)) {
      Method first = method;
      for (const Comparison& other : comparisons.methods) {
        if (other.covers) {
          first = other.method->method;
          break;
        }
      }
      const std::string text =
          say(Text::kDifference,
              {methodWord(method), nameOf(difference->component), state.amount(difference->here),
               state.amount(difference->there), methodWord(first)}) +
          sentence(difference->reason);
      y += drawParagraph(column.x + 6, y, column.w - 12, kLabel, p.muted, text);
    }
  }
  if (!comparison.covers) y += 24;
  column.y = y + 12;
  tip({column.x, top, column.w, column.y - top},
      say(Text::kSource, {sentence(comparison.method->source)}));
  hairline(column.x, column.y, column.w);
  column.gap(1);
  ImGui::PopID();
}

}  // namespace

void drawMethods(AppState& state, Column& column) {
  const Comparisons& comparisons = *state.comparisons();
  double scale = 1;
  for (const Comparison& comparison : comparisons.methods) {
    if (comparison.covers) scale = std::max(scale, comparison.report.perDevice.high.toDouble());
  }
  for (const Comparison& comparison : comparisons.methods) {
    drawMethod(state, column, comparison, scale, comparisons);
  }
}

}  // namespace memfit::app
