// memfit - SPDX-License-Identifier: Apache-2.0
//
// The page's own controls. Each is given its place; its height is the caller's (theme().control).
// All take keyboard focus through Dear ImGui's navigation and show it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/icons.h"
#include "app/draw/layout.h"
#include "app/draw/palette.h"
#include "app/draw/theme.h"
#include "device/fit.h"

namespace memfit::app {

struct Touch {
  bool pressed = false;
  bool hovered = false;
  bool held = false;
};
// A place that can be pressed: the base of the others.
Touch pressable(const char* id, const Rect& rect);

enum class ButtonKind { kPlain, kAccent };
bool button(const char* id, const Rect& rect, std::string_view label,
            ButtonKind kind = ButtonKind::kPlain);
bool iconButton(const char* id, const Rect& rect, Icon icon, bool enabled = true);
// Text in the accent colour, as wide as it is; gives whether it was pressed.
bool link(const char* id, float x, float y, std::string_view label, Type type = kLabel);

// One of a few, side by side. The newly chosen index.
std::optional<int> segmented(const char* id, const Rect& rect,
                             std::span<const std::string_view> labels, int chosen);

// One of several, wrapped into rows. Takes its height from the column.
std::optional<int> chips(const char* id, Column& column, std::span<const std::string_view> labels,
                         int chosen);
float chipsHeight(float width, std::span<const std::string_view> labels);

// A logarithmic slider between two positive numbers. `snap` rounds to what the field takes.
using Snap = std::int64_t (*)(double);
std::optional<std::int64_t> logSlider(const char* id, const Rect& rect, std::int64_t value,
                                      std::int64_t min, std::int64_t max, Snap snap);
std::int64_t snapBinary(double value);   // 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, ...
std::int64_t snapDecimal(double value);  // two figures: 1.2, 13, 140

// A text that becomes a field when pressed. The new text when it changed.
std::optional<std::string> valueField(const char* id, const Rect& rect, std::string_view shown,
                                      std::string_view unit, std::string_view edited,
                                      bool boxed = false);
// A field that is always one.
bool textField(const char* id, const Rect& rect, std::string& text, std::string_view hint,
               bool search = false);

// A number with minus and plus beside it; a press of the number edits it.
std::optional<std::int64_t> stepper(const char* id, const Rect& rect, std::int64_t value,
                                    std::int64_t min, std::int64_t max, std::string_view shown);

// A list below `anchor`, or above it, that `open` opens. While it is open, true: fill it with
// option()s, then endSelect().
bool beginMenu(const char* id, const Rect& anchor, bool open, float width, float height = 0);
// A closed select. While its list is open, true: fill it with option()s, then endSelect().
bool beginSelect(const char* id, const Rect& rect, std::string_view shown, float listWidth = 0,
                 float listHeight = 0);
bool option(const char* id, std::string_view label, bool chosen, std::string_view detail = {},
            bool keepOpen = false);
void optionHeading(std::string_view label);
void endSelect();
// A search field at the top of an open select; focused when it opens.
bool selectSearch(std::string& text, std::string_view hint);

// In one row; as chips where that is too narrow for all.
std::optional<int> tabs(const char* id, Column& column, std::span<const std::string_view> labels,
                        int chosen);

enum class Mood { kGood, kTight, kBad, kNeutral };
Mood moodOf(Verdict verdict);
Rgb moodColor(Mood mood);
Rgb moodSoft(Mood mood);
Icon moodIcon(Mood mood);
// A verdict: sign, words and colour.
void pill(const Rect& rect, Mood mood, std::string_view text);
float pillWidth(std::string_view text);

struct BarPart {
  double amount;
  Rgb rgb;
};
// The parts of a ledger on the device, in the order of Component.
std::vector<BarPart> barParts(const Ledger& ledger);
// Parts laid end to end on a scale from 0 to `scale`, the uncertain end hatched from `low` to
// `high`, and a mark at `capacity` (none when 0).
void stackedBar(const Rect& rect, std::span<const BarPart> parts, double low, double high,
                double capacity, double scale);
// How full: need of usable.
void headroomBar(const Rect& rect, double share, Mood mood);

// On hover of a place, after a moment.
void tip(const Rect& rect, std::string_view text);
// Of the last pressable.
void tipOfLast(std::string_view text);

}  // namespace memfit::app
