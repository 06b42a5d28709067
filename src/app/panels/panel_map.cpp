// memfit - SPDX-License-Identifier: Apache-2.0
//
// The fit map: sequence length across, batch or concurrency up; its point is the query, and can be
// dragged.
#include <algorithm>
#include <cmath>

#include "app/draw/widgets.h"
#include "app/map/fit_map.h"
#include "app/map/fit_map_gpu.h"
#include "app/platform/host.h"
#include "app/state.h"
#include "base/text.h"
#include "imgui.h"

namespace memfit::app {
namespace {

constexpr float kLeft = 40;    // room for the numbers beside
constexpr float kBottom = 40;  // and below

// Powers of two or of four, whichever leaves room.
void drawTicks(const Rect& plot, const FitMap& map) {
  const Palette& p = colors();
  const auto ticks = [](const Axis& axis, float room) {
    std::vector<std::int64_t> values;
    const double octaves = std::log2(static_cast<double>(axis.to) / static_cast<double>(axis.from));
    int step = 1;
    while (octaves / step > room && step < 8) ++step;
    for (std::int64_t v = axis.from; v <= axis.to; v <<= step) values.push_back(v);
    return values;
  };
  for (const std::int64_t value : ticks(map.x, plot.w / 52)) {
    const float x = plot.x + plot.w * static_cast<float>(placeOn(map.x, value));
    fill({std::round(x), plot.bottom(), 1, 4}, p.line);
    // The last one ends with the plot.
    const std::string name = formatTokens(value);
    const float width = textWidth(kSmall, name);
    const float left = std::min(x - width / 2, plot.right() - width);
    drawTextIn({left, plot.bottom() + 4, width, 18}, kSmall, p.muted, name);
  }
  for (const std::int64_t value : ticks(map.y, plot.h / 36)) {
    const float y = plot.bottom() - plot.h * static_cast<float>(placeOn(map.y, value));
    fill({plot.x - 4, std::round(y), 4, 1}, p.line);
    drawTextIn({plot.x - 46, y - 9, 38, 18}, kSmall, p.muted, std::to_string(value), Align::kRight);
  }
}

std::string limitName(const AppState& state, const FitMap& map, std::size_t limit) {
  if (!map.hasDevice()) {
    return say(Text::kMapWithin, {state.amount(map.limits[limit])});
  }
  const auto& fit = state.answer()->fit;
  if (!fit) return {};
  return say(Text::kMapFits, {timesDevice(state, map.counts[limit], fit->device)});
}

void drawLegend(AppState& state, const FitMap& map, Column& column) {
  const Palette& p = colors();
  const Rgb grounds[] = {p.mapFits, p.mapMore, p.mapMost, p.mapNone};
  float x = column.x;
  float y = column.y;
  for (std::size_t i = 0; i <= kMapLimits; ++i) {
    const std::string name =
        i < kMapLimits ? limitName(state, map, i) : std::string(say(Text::kMapBeyond));
    const float width = 18 + textWidth(kSmall, name);
    if (x + width > column.x + column.w && x > column.x) {
      x = column.x;
      y += 20;
    }
    fill({x, y + 5, 11, 11}, grounds[i], 2);
    stroke({x, y + 5, 11, 11}, p.muted, 2);
    drawTextIn({x + 18, y, width, 20}, kSmall, p.muted, name);
    x += width + 16;
  }
  column.y = y + 24;
}

void setAxis(AppState& state, const Axis& axis, double place) {
  const std::int64_t value = std::clamp(snapBinary(valueAt(axis, place)), axis.from, axis.to);
  if (value == defaultOf(state.query, axis.key)) {
    state.query.clear(axis.key);
  } else {
    state.query.set(axis.key, value);
  }
}

// "8 x 8,192 . 25.9 GB"
std::string pointLabel(const AppState& state, double y, double x, double bytes) {
  const NumberStyle& n = state.numbers();
  return cat(formatWhole(std::llround(y), n), "\u00a0\u00d7\u00a0", formatWhole(std::llround(x), n),
             " \u00b7 ", state.amount(Bytes(static_cast<std::int64_t>(std::min(bytes, 9e15)))));
}

void drawLabel(const Rect& plot, float x, float y, std::string_view text) {
  const float width = textWidth(kSmallBold, text) + 12;
  float left = x + 12;
  if (left + width > plot.right() - 2) left = x - 12 - width;
  const Rect rect{std::max(left, plot.x + 2), std::clamp(y - 24, plot.y + 2, plot.bottom() - 22),
                  width, 20};
  fill(rect, colors().surface, 4, 0.92f);
  drawTextIn(rect, kSmallBold, colors().text, text, Align::kCenter);
}

}  // namespace

void drawMapIn(AppState& state, Column& column, float height) {
  const FitMap& map = state.map();
  const Palette& p = colors();
  const Text yTitle = map.y.key == Key::kBatch ? Text::kMapBatch : Text::kMapRequests;
  drawTextIn(column.take(24), kLabel, p.muted, say(Text::kMapTitle, {say(yTitle)}));
  const Rect all = column.take(height);
  const Rect plot{std::round(all.x + kLeft), std::round(all.y + 4), std::round(all.w - kLeft - 2),
                  std::round(all.h - kBottom)};
  if (!map.ok) {
    drawTextIn(plot, kLabel, p.muted, say(Text::kErrorTitle), Align::kCenter);
    return;
  }
  const Touch touch = pressable("map", plot);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double mx = (mouse.x - plot.x) / plot.w;
  const double my = (plot.bottom() - mouse.y) / plot.h;
  if (touch.held) {
    host::keepTouch();
    setAxis(state, map.x, mx);
    setAxis(state, map.y, my);
  }
  if (touch.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  // Keyboard: arrows move the point by a step when the map has the focus.
  if (ImGui::IsItemFocused() && ImGui::GetIO().KeyShift) {
    const auto nudge = [&](ImGuiKey key, const Axis& axis, double by) {
      if (!ImGui::IsKeyPressed(key)) return;
      setAxis(state, axis, placeOn(axis, state.query.number(axis.key)) + by);
    };
    nudge(ImGuiKey_LeftArrow, map.x, -0.05);
    nudge(ImGuiKey_RightArrow, map.x, 0.05);
    nudge(ImGuiKey_DownArrow, map.y, -0.06);
    nudge(ImGuiKey_UpArrow, map.y, 0.06);
  }

  paintFitMap(plot, map, state.mapVersion(), state.surface.glGeneration);
  stroke({plot.x - 0.5f, plot.y - 0.5f, plot.w + 1, plot.h + 1}, p.line);
  drawTicks(plot, map);
  drawTextIn({plot.x, plot.bottom() + 20, plot.w, 18}, kSmall, p.muted, say(Text::kMapTokens),
             Align::kCenter);

  // The lower left corner is where least is asked: what it is says what the border means.
  const double corner = ratioAt(map, 0, 0.08, 0.06);
  const bool pointIsNear = placeOn(map.y, state.query.number(map.y.key)) < 0.12;
  if (corner < 1 && !pointIsNear) {
    drawTextIn({plot.x + 10, plot.bottom() - 26, plot.w - 20, 20}, kSmall, p.text,
               limitName(state, map, 0));
  }

  const double px = placeOn(map.x, state.query.number(map.x.key));
  const double py = placeOn(map.y, state.query.number(map.y.key));
  const float x = plot.x + plot.w * static_cast<float>(px);
  const float y = plot.bottom() - plot.h * static_cast<float>(py);
  canvas()->AddCircleFilled(ImVec2(x, y), 8, color(p.surface), 32);
  canvas()->AddCircleFilled(ImVec2(x, y), 6, color(p.accent), 32);
  const bool pointing = touch.hovered && !touch.held;
  if (pointing) {
    fill({std::round(mouse.x), plot.y, 1, plot.h}, p.text, 0, 0.25f);
    fill({plot.x, std::round(mouse.y), plot.w, 1}, p.text, 0, 0.25f);
    const double vx = static_cast<double>(snapBinary(valueAt(map.x, mx)));
    const double vy = static_cast<double>(snapBinary(valueAt(map.y, my)));
    drawLabel(plot, mouse.x, mouse.y, pointLabel(state, vy, vx, needAt(map, mx, my)));
  } else {
    drawLabel(plot, x, y,
              pointLabel(state, static_cast<double>(state.query.number(map.y.key)),
                         static_cast<double>(state.query.number(map.x.key)),
                         state.need().high.toDouble()));
  }
  column.gap(4);
  drawLegend(state, map, column);
}

void drawMap(AppState& state, Column& column) {
  column.gap(12);
  drawMapIn(state, column, std::clamp(column.w * 0.6f, 280.0f, 480.0f));
  column.gap(4);
  column.gap(
      drawParagraph(column.x, column.y, column.w, kSmall, colors().muted, say(Text::kMapHint)));
}

}  // namespace memfit::app
