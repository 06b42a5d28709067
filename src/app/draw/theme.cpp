// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/draw/theme.h"

#include <algorithm>

#include "app/draw/fonts.h"
#include "imgui_internal.h"

namespace memfit::app {
namespace {

Style& current() {
  static Style style{.colors = &palette(false)};
  return style;
}

// Dear ImGui sizes a face by ascent plus descent, type is given by the em: 1.21 of it in Inter.
constexpr float kFaceHeight = 1.21f;

ImFont* fontOf(Type type) { return type.bold ? fonts().semibold : fonts().regular; }

const char* end(std::string_view text) { return text.data() + text.size(); }

// Calls line(text) for each line of `text` wrapped to `width`. Latin text breaks at spaces, East
// Asian text between signs, but not before closing punctuation.
template <typename Line>
void wrap(float width, Type type, std::string_view text, Line line) {
  ImFont* font = fontOf(type);
  ImFontBaked* baked = font->GetFontBaked(faceSize(type));
  const char* start = text.data();
  const char* const stop = end(text);
  while (start < stop) {
    const char* at = start;
    const char* lastBreak = nullptr;  // where the next line may begin
    float x = 0;
    unsigned previous = 0;
    const char* lineEnd = stop;
    while (at < stop) {
      unsigned sign = 0;
      const int bytes = ImTextCharFromUtf8(&sign, at, stop);
      if (sign == '\n') {
        lineEnd = at;
        break;
      }
      const bool east = sign >= 0x2e80;
      constexpr unsigned kClosing[] = {0x3001, 0x3002, 0xff0c, 0xff09, 0xff1a, 0xff1b,
                                       0x300d, 0x30fc, 0x201d, ')',    ',',    '.'};
      const bool closing =
          std::find(std::begin(kClosing), std::end(kClosing), sign) != std::end(kClosing);
      if (at > start && !closing &&
          ((east && previous != 0xff08) || previous == ' ' ||
           (previous >= 0x2e80 && previous != 0xff08))) {
        lastBreak = at;
      }
      const float advance = baked->GetCharAdvance(static_cast<ImWchar>(sign));
      if (x + advance > width && sign != ' ' && at > start) {
        lineEnd = lastBreak != nullptr ? lastBreak : at;
        break;
      }
      x += advance;
      previous = sign;
      at += bytes;
    }
    std::string_view piece(start, static_cast<std::size_t>(lineEnd - start));
    while (!piece.empty() && piece.back() == ' ') piece.remove_suffix(1);
    line(piece);
    start = lineEnd;
    if (start < stop && *start == '\n') ++start;
  }
}

}  // namespace

const Style& theme() { return current(); }

void useTheme(bool dark, bool coarsePointer, bool reducedMotion) {
  Style& t = current();
  t.colors = &palette(dark);
  t.dark = dark;
  t.control = coarsePointer ? 44 : 36;
  t.chip = coarsePointer ? 44 : 28;
  t.row = coarsePointer ? 44 : 32;
  t.header = coarsePointer ? 60 : 52;
  t.reducedMotion = reducedMotion;

  const Palette& p = *t.colors;
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowPadding = ImVec2(0, 0);
  style.WindowBorderSize = 0;
  style.WindowMinSize = ImVec2(1, 1);
  style.PopupRounding = 8;
  style.PopupBorderSize = 1;
  style.ChildRounding = 0;
  style.ChildBorderSize = 0;
  style.FrameRounding = 6;
  style.FrameBorderSize = 0;
  style.FramePadding = ImVec2(12, (t.control - faceSize(kBody)) / 2);
  style.ItemSpacing = ImVec2(8, 8);
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.HoverStationaryDelay = 0.2f;
  style.AntiAliasedLinesUseTex = true;
  style.TouchExtraPadding = coarsePointer ? ImVec2(2, 2) : ImVec2(0, 0);

  const auto set = [&style](ImGuiCol slot, Rgb rgb, float alpha = 1) {
    style.Colors[slot] = colorVec(rgb, alpha);
  };
  set(ImGuiCol_Text, p.text);
  set(ImGuiCol_TextDisabled, p.muted);
  set(ImGuiCol_WindowBg, p.background);
  set(ImGuiCol_ChildBg, p.surface, 0);
  set(ImGuiCol_PopupBg, p.surface);
  set(ImGuiCol_Border, p.line);
  set(ImGuiCol_FrameBg, p.raised);
  set(ImGuiCol_FrameBgHovered, p.hover);
  set(ImGuiCol_FrameBgActive, p.raised);
  set(ImGuiCol_ScrollbarBg, p.surface, 0);
  set(ImGuiCol_ScrollbarGrab, p.line);
  set(ImGuiCol_ScrollbarGrabHovered, p.muted);
  set(ImGuiCol_ScrollbarGrabActive, p.muted);
  set(ImGuiCol_TextSelectedBg, p.accent, 0.3f);
  set(ImGuiCol_NavCursor, p.accent);
  set(ImGuiCol_InputTextCursor, p.text);
  set(ImGuiCol_ModalWindowDimBg, 0x000000, 0.3f);
}

ImU32 color(Rgb rgb, float alpha) {
  return IM_COL32(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255,
                  static_cast<ImU32>(alpha * 255 + 0.5f));
}

ImVec4 colorVec(Rgb rgb, float alpha) {
  ImVec4 vec = ImGui::ColorConvertU32ToFloat4(color(rgb));
  vec.w = alpha;
  return vec;
}

float faceSize(Type type) { return type.size * kFaceHeight; }

float textWidth(Type type, std::string_view text) {
  if (text.empty()) return 0;  // a null pointer would be measured as a C string
  return fontOf(type)->CalcTextSizeA(faceSize(type), 1e9f, 0, text.data(), end(text)).x;
}

float lineHeight(Type type) { return std::round(type.size * 1.45f); }

float ascent(Type type) { return fontOf(type)->GetFontBaked(faceSize(type))->Ascent; }

float drawText(float x, float baseline, Type type, Rgb rgb, std::string_view text) {
  if (text.empty()) return x;
  const float top = std::round(baseline - ascent(type));
  canvas()->AddText(fontOf(type), faceSize(type), ImVec2(std::round(x), top), color(rgb),
                    text.data(), end(text));
  return x + textWidth(type, text);
}

std::string shortened(Type type, std::string_view text, float width) {
  if (textWidth(type, text) <= width + 0.5f) return std::string(text);
  const float room = width - textWidth(type, "\u2026");
  const char* remaining = nullptr;
  fontOf(type)->CalcTextSizeA(faceSize(type), std::max(room, 0.0f), 0, text.data(), end(text),
                              &remaining);
  std::string cut(text.data(), static_cast<std::size_t>(remaining - text.data()));
  while (!cut.empty() && cut.back() == ' ') cut.pop_back();
  return cut + "\u2026";
}

void drawTextIn(const Rect& box, Type type, Rgb rgb, std::string_view text, Align align) {
  if (text.empty() || isHidden(box)) return;
  std::string cut;
  float width = textWidth(type, text);
  if (width > box.w + 0.5f) {
    cut = shortened(type, text, box.w);
    text = cut;
    width = textWidth(type, text);
  }
  float x = box.x;
  if (align == Align::kCenter) x = box.x + (box.w - width) / 2;
  if (align == Align::kRight) x = box.right() - width;
  // Middle of the capital letters (0.727 em in Inter) on the middle of the box.
  drawText(x, std::round(box.middleY() + type.size * 0.3636f), type, rgb, text);
}

float drawParagraph(float x, float y, float width, Type type, Rgb rgb, std::string_view text) {
  const float step = lineHeight(type);
  const float first = y + step / 2 + type.size * 0.3636f;
  int lines = 0;
  wrap(width, type, text, [&](std::string_view line) {
    drawText(x, first + step * static_cast<float>(lines), type, rgb, line);
    ++lines;
  });
  return step * static_cast<float>(lines);
}

float paragraphHeight(float width, Type type, std::string_view text) {
  int lines = 0;
  wrap(width, type, text, [&](std::string_view) { ++lines; });
  return lineHeight(type) * static_cast<float>(lines);
}

ImDrawList* canvas() { return ImGui::GetWindowDrawList(); }

void fill(const Rect& rect, Rgb rgb, float radius, float alpha) {
  canvas()->AddRectFilled(ImVec2(rect.x, rect.y), ImVec2(rect.right(), rect.bottom()),
                          color(rgb, alpha), radius);
}

void stroke(const Rect& rect, Rgb rgb, float radius, float thickness) {
  canvas()->AddRect(ImVec2(rect.x, rect.y), ImVec2(rect.right(), rect.bottom()), color(rgb), radius,
                    0, thickness);
}

void hairline(float x, float y, float width) {
  canvas()->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + 1), color(colors().line));
}

bool isHidden(const Rect& rect) {
  return !ImGui::IsRectVisible(ImVec2(rect.x, rect.y), ImVec2(rect.right(), rect.bottom()));
}

}  // namespace memfit::app
