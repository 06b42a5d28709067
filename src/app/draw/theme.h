// memfit - SPDX-License-Identifier: Apache-2.0
//
// What everything is drawn with: colours, type, measures; and text set by it.
#pragma once

#include <string>
#include <string_view>

#include "app/draw/layout.h"
#include "app/draw/palette.h"
#include "imgui.h"

namespace memfit::app {

struct Type {
  float size;
  bool bold = false;
};
inline constexpr Type kDisplay{44, true};
inline constexpr Type kUnitType{20};
inline constexpr Type kBrand{18, true};
inline constexpr Type kHeading{16, true};
inline constexpr Type kBody{14};
inline constexpr Type kBodyBold{14, true};
inline constexpr Type kLabel{13};
inline constexpr Type kLabelBold{13, true};
inline constexpr Type kSmall{12};
inline constexpr Type kSmallBold{12, true};

struct Style {
  const Palette* colors = nullptr;
  bool dark = false;
  float control = 36;  // height of a control: 44 under fingers
  float chip = 28;
  float row = 32;  // of a table
  float header = 52;
  bool reducedMotion = false;
};
const Style& theme();
// Sets the theme and Dear ImGui's style from it (popups, text fields, scroll bars).
void useTheme(bool dark, bool coarsePointer, bool reducedMotion);

inline const Palette& colors() { return *theme().colors; }
ImU32 color(Rgb rgb, float alpha = 1);
ImVec4 colorVec(Rgb rgb, float alpha = 1);

enum class Align { kLeft, kCenter, kRight };

// What Dear ImGui calls the size of a face set in this type.
float faceSize(Type type);
float textWidth(Type type, std::string_view text);
float lineHeight(Type type);
// Distance from the top of a line to its baseline.
float ascent(Type type);
// At a baseline; gives the x after the last sign.
float drawText(float x, float baseline, Type type, Rgb rgb, std::string_view text);
// The text, or as much of its beginning as fits, with an ellipsis.
std::string shortened(Type type, std::string_view text, float width);
// In the middle of a box; shortened where it does not fit.
void drawTextIn(const Rect& box, Type type, Rgb rgb, std::string_view text,
                Align align = Align::kLeft);
// Wrapped to a width; gives the height. East Asian text breaks between signs.
float drawParagraph(float x, float y, float width, Type type, Rgb rgb, std::string_view text);
float paragraphHeight(float width, Type type, std::string_view text);

// The window's list: everything is drawn there.
ImDrawList* canvas();
void fill(const Rect& rect, Rgb rgb, float radius = 0, float alpha = 1);
void stroke(const Rect& rect, Rgb rgb, float radius = 0, float thickness = 1);
void hairline(float x, float y, float width);
// Nothing of it can be seen: drawing may be skipped.
bool isHidden(const Rect& rect);

}  // namespace memfit::app
