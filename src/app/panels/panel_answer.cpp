// memfit - SPDX-License-Identifier: Apache-2.0
//
// The answer: what a device needs, the verdict, the bar, and what fits.
#include <algorithm>

#include "app/draw/widgets.h"
#include "app/state.h"
#include "app/words/report_text.h"
#include "base/sort.h"
#include "base/text.h"

namespace memfit::app {
namespace {

void drawNumber(AppState& state, Column& column) {
  const Palette& p = colors();
  const Band need = state.need();
  const Quantity quantity = formatBytes(need.expected, state.units(), state.numbers());
  const bool narrow = column.w < kNarrow - 140;

  const float baseline = std::round(column.y + 46);
  float x = drawText(column.x - 2, baseline, kDisplay, p.text, quantity.value);
  x = drawText(x + 10, baseline, kUnitType, p.muted, say(Text::kPerDevice, {quantity.unit}));
  column.y = baseline + 12;

  const std::string range = likelyText(state, need);
  const FitRow* row = state.answer()->fit ? &*state.answer()->fit : nullptr;
  const float rangeWidth = textWidth(kBody, range);
  float middle = baseline - 7;
  if (row != nullptr) {
    const std::string verdict = verdictText(state, *row);
    const float width = std::min(pillWidth(verdict), column.w);
    if (narrow || x + 12 + width > column.x + column.w) {
      column.gap(6);
      x = column.x - 12;
      middle = column.y + 14;
      column.gap(28);
    }
    pill({x + 12, middle - 14, width, 28}, moodOf(row->verdict), verdict);
    x += 12 + width;
  }
  if (range.empty()) {
  } else if (x + 14 + rangeWidth <= column.x + column.w) {
    drawTextIn({x + 14, middle - 14, rangeWidth + 1, 28}, kBody, p.muted, range);
  } else {
    column.gap(row == nullptr ? 0 : 6);
    drawTextIn(column.take(22), kBody, p.muted, range);
  }

  const std::string more = moreText(state);
  if (!more.empty()) {
    column.gap(2);
    drawTextIn(column.take(22), kBody, p.muted, more);
  }
}

Bytes limitOf(const FitRow& row) {
  const std::int64_t limit = static_cast<std::int64_t>(row.need.high.value()) + row.headroom;
  return limit > 0 ? Bytes(limit) : Bytes(0);
}

struct Part {
  Component component;
  Bytes bytes;
};

// The parts of one device: the ledger's, scaled where a published rule's total is split.
std::vector<Part> partsOf(const AppState& state) {
  std::vector<Part> parts;
  const Report& report = state.answer()->report;
  const Bytes whole = report.perDevice.expected;
  const Bytes need = state.need().expected;
  for (std::size_t i = 0; i < kComponentCount; ++i) {
    const auto component = static_cast<Component>(i);
    Bytes bytes = report.ledger.total(component).expected;
    if (bytes == Bytes(0)) continue;
    if (need != whole) bytes = bytes.scaled(need, whole);
    parts.push_back({component, bytes});
  }
  return parts;
}

void drawBar(AppState& state, Column& column, std::span<const Part> parts) {
  const Palette& p = colors();
  const Band need = state.need();
  const FitRow* row = state.answer()->fit ? &*state.answer()->fit : nullptr;
  const double high = need.high.toDouble();
  // Where the verdict draws its line: an engine that takes a fraction of the device has less.
  const Bytes limit = row != nullptr ? limitOf(*row) : Bytes(0);
  const double usable = limit.toDouble();
  const double scale = std::max(high, usable) * 1.06;

  std::string mark;
  if (row != nullptr) {
    mark = say(Text::kUsableMark, {deviceName(state, row->device), state.amount(limit)});
    const float width = textWidth(kSmall, mark);
    const float at = column.x + column.w * static_cast<float>(usable / scale);
    const float x = std::clamp(at - width / 2, column.x, column.x + column.w - width);
    drawTextIn({x, column.y, width + 1, 18}, kSmall, p.muted, mark);
    column.gap(24);
  } else {
    column.gap(8);
  }
  std::vector<BarPart> bars;
  for (const Part& part : parts) bars.push_back({part.bytes.toDouble(), p.of(part.component)});
  const Rect rect = column.take(34);
  stackedBar(rect, bars, need.low.toDouble(), high, usable, scale);
  // What a part is, under the pointer.
  double sum = 0;
  for (const Part& part : parts) {
    const float left = rect.x + rect.w * static_cast<float>(sum / scale);
    sum += part.bytes.toDouble();
    const float right = rect.x + rect.w * static_cast<float>(sum / scale);
    tip({left, rect.y, right - left, rect.h},
        cat(nameOf(part.component), "  ", state.amount(part.bytes)));
  }
}

void drawLegend(AppState& state, Column& column, std::span<const Part> parts) {
  const Palette& p = colors();
  column.gap(8);
  float x = column.x;
  float y = column.y;
  constexpr float kRow = 24;
  for (const Part& part : parts) {
    const std::string_view name = nameOf(part.component);
    const Quantity quantity = formatBytes(part.bytes, state.units(), state.numbers());
    // The unit only where it is not the one of the large number.
    const bool same = quantity.unit == gigabyteName(state.units(), state.numbers());
    const std::string value = same ? quantity.value : quantity.whole();
    const float width = 15 + textWidth(kLabel, name) + 6 + textWidth(kLabelBold, value);
    if (x + width > column.x + column.w && x > column.x) {
      x = column.x;
      y += kRow;
    }
    fill({x, y + 8, 9, 9}, p.of(part.component), 2);
    const float baseline = y + kRow / 2 + 5;
    const float after = drawText(x + 15, baseline, kLabel, p.muted, name);
    drawText(after + 6, baseline, kLabelBold, p.text, value);
    x += width + 18;
  }
  column.y = y + kRow;
}

// "Fits 1 x RTX 5090, 1 x L40S or 2 x RTX 4090."
void drawSentence(AppState& state, Column& column) {
  std::vector<std::string> items;
  if (const auto& chosen = state.answer()->fit;
      chosen && chosen->devicesNeeded > Count(0) && chosen->verdict == Verdict::kNeeds) {
    items.push_back(timesDevice(state, chosen->devicesNeeded, chosen->device));
  }
  // The smallest that hold it on one, each once a class; then whatever needs fewest.
  std::vector<const FitRow*> rows;
  for (const FitRow& row : state.knownRows()) {
    if (row.holds()) rows.push_back(&row);
  }
  sortStably(rows.begin(), rows.end(),
             [](const FitRow* a, const FitRow* b) { return a->usable.bytes < b->usable.bytes; });
  std::vector<const FitRow*> needing;
  for (const FitRow& row : state.knownRows()) {
    if (row.verdict == Verdict::kNeeds) needing.push_back(&row);
  }
  sortStably(needing.begin(), needing.end(),
             [](const FitRow* a, const FitRow* b) { return a->devicesNeeded < b->devicesNeeded; });
  rows.insert(rows.end(), needing.begin(), needing.end());
  std::vector<std::string> found;
  for (const FitRow* row : rows) {
    if (found.size() + items.size() >= 3) break;
    const bool isChosen = state.answer()->fit && state.answer()->fit->device.id == row->device.id;
    if (isChosen) continue;
    found.push_back(timesDevice(state, max(row->devicesNeeded, 1), row->device));
  }
  items.insert(items.begin(), found.begin(), found.end());
  const std::string text =
      items.empty() ? std::string(say(Text::kFitsNothing)) : say(Text::kFitsOn, {listed(items)});
  column.gap(6);
  column.gap(drawParagraph(column.x, column.y, column.w, kLabel, colors().muted, text));
}

// What an engine that takes a fraction of the device has left for its cache.
void drawCapacity(AppState& state, Column& column) {
  const auto& capacity = state.answer()->report.capacity;
  if (!capacity) return;
  const NumberStyle& n = state.numbers();
  const auto whole = [&n](Count count) {
    return formatWhole(static_cast<std::int64_t>(count.value()), n);
  };
  const std::string text = say(
      Text::kCapacity, {state.amount(capacity->pool), whole(capacity->tokens),
                        whole(capacity->sequences), formatDecimal(capacity->fraction * 100, 0, n)});
  column.gap(4);
  column.gap(drawParagraph(column.x, column.y, column.w, kLabel, colors().muted, text));
}

// The same run on three meters.
void drawTraining(AppState& state, Column& column) {
  const auto& training = state.answer()->report.training;
  if (!training) return;
  column.gap(10);
  struct Meter {
    Text name;
    Bytes bytes;
    Text help;
  };
  const Meter meters[] = {
      {Text::kMeterAllocated, training->allocated.expected, Text::kMeterAllocatedHelp},
      {Text::kMeterReserved, training->reserved.expected, Text::kMeterReservedHelp},
      {Text::kMeterDriver, training->driver.expected, Text::kMeterDriverHelp},
      {Text::kMeterSteady, training->steady, Text::kMeterSteadyHelp}};
  const int across = column.w < 520 ? 2 : 4;
  constexpr float kRow = 44;
  const int count = static_cast<int>(std::size(meters));
  for (int i = 0; i < count; ++i) {
    const Meter& meter = meters[i];
    const int row = i / across;
    const Rect line{column.x, column.y + static_cast<float>(row) * kRow, column.w, kRow};
    const Rect rect = cell(line, i % across, across, 12);
    drawTextIn({rect.x, rect.y, rect.w, 20}, kSmall, colors().muted, say(meter.name));
    drawTextIn({rect.x, rect.y + 19, rect.w, 20}, kLabelBold, colors().text,
               state.amount(meter.bytes));
    tip(rect, say(meter.help));
  }
  const int rows = (count + across - 1) / across;
  column.gap(static_cast<float>(rows) * kRow);
}

}  // namespace

void drawAnswer(AppState& state, Column& column) {
  if (state.answer() == nullptr) {
    const Palette& p = colors();
    drawTextIn(column.take(32), kHeading, p.text, say(Text::kErrorTitle));
    if (const Error* error = state.error()) {
      column.gap(
          drawParagraph(column.x, column.y, column.w, kBody, p.bad, sentence(error->message)));
    }
    column.gap(16);
    // The way back, where there is one.
    if (state.canUndo()) {
      const Rect row = column.take(theme().control);
      const std::string_view undo = say(Text::kUndo);
      if (button("back", {row.x, row.y, textWidth(kBody, undo) + 32, row.h}, undo)) state.undo();
      column.gap(16);
    }
    return;
  }
  drawNumber(state, column);
  const std::vector<Part> parts = partsOf(state);
  column.gap(4);
  drawBar(state, column, parts);
  drawLegend(state, column, parts);
  drawSentence(state, column);
  drawCapacity(state, column);
  drawTraining(state, column);
}

}  // namespace memfit::app
