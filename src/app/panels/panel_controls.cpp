// memfit - SPDX-License-Identifier: Apache-2.0
//
// What is asked: the controls.
#include <algorithm>

#include "app/draw/fields_ui.h"
#include "app/draw/widgets.h"
#include "app/state.h"
#include "base/text.h"
#include "imgui.h"
#include "memory/parallelism.h"
#include "query/matters.h"

namespace memfit::app {
namespace {

void drawTask(AppState& state, Column& column) {
  const Field& field = fieldOf(Key::kTask);
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < field.values.size(); ++i) words.push_back(wordOf(field, i));
  const auto chosen = segmented("task", column.take(theme().control + 2), words,
                                static_cast<int>(state.query.number(Key::kTask)));
  if (!chosen) return;
  state.query.set(Key::kTask, std::int64_t{*chosen});
  // What the weights are held in follows the task unless it was set for it.
  state.query.clear(Key::kWeights);
}

void drawWeights(AppState& state, Column& column) {
  const Field& field = fieldOf(Key::kWeights);
  if (!matters(state.query, Key::kWeights)) return;
  drawLabel(column.take(24), Key::kWeights);
  // The ones that most take; "more" shows the table's rest.
  constexpr WeightFormat kCommon[] = {WeightFormat::kBf16, WeightFormat::kFp8,  WeightFormat::kInt8,
                                      WeightFormat::kQ4KM, WeightFormat::kAwq4, WeightFormat::kNf4};
  const auto current = state.query.choice<WeightFormat>(Key::kWeights);
  std::vector<WeightFormat> formats(std::begin(kCommon), std::end(kCommon));
  if (state.look.moreWeights) {
    for (std::size_t i = 0; i < field.values.size(); ++i) {
      const auto format = static_cast<WeightFormat>(i);
      if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
        formats.push_back(format);
      }
    }
  } else if (std::find(formats.begin(), formats.end(), current) == formats.end()) {
    formats.push_back(current);
  }
  std::vector<std::string_view> words;
  int chosen = -1;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    words.push_back(wordOf(field, static_cast<std::size_t>(formats[i])));
    if (formats[i] == current) chosen = static_cast<int>(i);
  }
  words.push_back(say(state.look.moreWeights ? Text::kLess : Text::kMore));
  if (const auto pressed = chips("weights", column, words, chosen)) {
    const auto index = static_cast<std::size_t>(*pressed);
    if (index == formats.size()) {
      state.look.moreWeights = !state.look.moreWeights;
    } else if (static_cast<std::int64_t>(formats[index]) == defaultOf(state.query, Key::kWeights)) {
      state.query.clear(Key::kWeights);
    } else {
      state.query.set(Key::kWeights, formats[index]);
    }
  }
  column.gap(16);
}

void drawLengths(AppState& state, Column& column) {
  const bool training = state.query.isTraining();
  if (matters(state.query, Key::kSeq)) {
    drawSlider(state, column, Key::kSeq, {128, 1 << 20, snapBinary},
               training ? std::string_view() : say(Text::kContext));
    column.gap(8);
  }
  if (matters(state.query, Key::kConcurrency)) {
    drawSlider(state, column, Key::kConcurrency, {1, 1024, snapBinary});
    column.gap(8);
  }
  if (matters(state.query, Key::kBatch)) {
    drawSlider(state, column, Key::kBatch, {1, 1024, snapBinary});
    column.gap(8);
  }
}

void drawDevice(AppState& state, Column& column) {
  const Rect row = column.take(fieldHeight());
  const float countWidth = std::min(120.0f, std::round(row.w * 0.32f));
  const Rect left{row.x, row.y, row.w - countWidth - 10, row.h};
  const Rect right{left.right() + 10, row.y, countWidth, row.h};

  drawLabel({left.x, left.y - 2, left.w, 22}, Key::kDevice);
  const std::string_view id = state.query.text(Key::kDevice);
  const std::optional<Device> device = id.empty() ? std::nullopt : findDevice(id);
  const std::string shown =
      device ? deviceName(state, *device) : std::string(id.empty() ? say(Text::kNoDevice) : id);
  const Rect select{left.x, left.y + 22, left.w, theme().control};
  if (beginSelect("device", select, shown, 340, 400)) {
    selectSearch(state.look.listSearch, say(Text::kSearchDevices));
    const std::string wanted = toLower(trim(state.look.listSearch));
    if (wanted.empty() && option("none", say(Text::kNoDevice), id.empty())) {
      state.query.clear(Key::kDevice);
    }
    const std::optional<Device> size = findDevice(wanted);
    if (size && size->deviceClass == DeviceClass::kCustom) {
      if (option("size", deviceName(state, *size), false)) {
        state.query.setText(Key::kDevice, wanted);
      }
    }
    Vendor vendor = Vendor::kOther;
    for (const Device& entry : devices()) {
      if (!wanted.empty() && toLower(entry.name).find(wanted) == std::string::npos &&
          entry.id.find(wanted) == std::string_view::npos) {
        continue;
      }
      if (entry.vendor != vendor) {
        vendor = entry.vendor;
        optionHeading(vendorName(vendor));
      }
      const std::string entryId(entry.id);
      const std::string detail = cat(entry.labelGb, "\u00a0", state.numbers().gb);
      if (option(entryId.c_str(), sentence(entry.name), entry.id == id, detail)) {
        state.query.setText(Key::kDevice, entry.id);
      }
    }
    endSelect();
  }

  drawLabel({right.x, right.y - 2, right.w, 22}, Key::kCount);
  const auto count = static_cast<std::int64_t>(devicesAsked(state.query).value());
  const auto given = stepper("count", {right.x, right.y + 22, right.w, theme().control}, count, 1,
                             1 << 20, formatWhole(count, state.numbers()));
  if (given && *given == 1) {
    state.query.clear(Key::kCount);
  } else if (given) {
    state.query.set(Key::kCount, *given);
  }
}

// The settings that have no place of their own on the canvas, in the order of the page. The model's
// shape is not set on the canvas.
std::vector<Key> settings(Shown shown) {
  std::vector<Key> keys;
  for (const Key key : pageOrder()) {
    const Field& field = fieldOf(key);
    const bool elsewhere = field.control == Control::kOwn || field.control == Control::kDoubling ||
                           field.group == Group::kShape;
    if (field.shown == shown && !elsewhere) keys.push_back(key);
  }
  return keys;
}

void drawMore(AppState& state, Column& column) {
  const float x = column.x + 14;
  const Rect rect = column.take(theme().control);
  const float labelWidth = textWidth(kLabel, say(Text::kMoreSettings));
  const Touch touch = pressable("more", {rect.x, rect.y, labelWidth + 16, rect.h});
  drawIcon(state.look.moreSettings ? Icon::kChevronDown : Icon::kChevronRight, column.x + 4,
           rect.middleY(), 9, colors().accent);
  drawTextIn({x, rect.y, labelWidth + 1, rect.h}, kLabel, colors().accent,
             say(Text::kMoreSettings));
  if (touch.pressed) state.look.moreSettings = !state.look.moreSettings;
  if (!state.look.moreSettings) return;
  column.gap(4);
  drawFields(state, column, settings(Shown::kMore));
}

}  // namespace

void drawControls(AppState& state, Column& column) {
  ImGui::PushID("controls");
  drawTask(state, column);
  column.gap(14);
  drawModelControl(state, column);
  column.gap(8);
  drawWeights(state, column);
  drawLengths(state, column);
  column.gap(4);
  drawFields(state, column, settings(Shown::kFirst));
  column.gap(14);
  drawDevice(state, column);
  column.gap(8);
  drawMore(state, column);
  column.gap(8);
  drawPresets(state, column);
  ImGui::PopID();
}

}  // namespace memfit::app
