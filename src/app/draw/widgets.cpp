// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/draw/widgets.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/platform/host.h"
#include "base/text.h"
#include "imgui_internal.h"

namespace memfit::app {
namespace {

ImRect box(const Rect& rect) { return {rect.x, rect.y, rect.right(), rect.bottom()}; }

// What is being typed, by the id of its field.
struct Editing {
  ImGuiID id = 0;
  std::string text;
  bool focus = false;
};
Editing& editing() {
  static Editing editing;
  return editing;
}

int resizeText(ImGuiInputTextCallbackData* data) {
  auto& text = *static_cast<std::string*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    text.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = text.data();
  }
  return 0;
}

bool inputText(const char* id, const Rect& rect, std::string& text, std::string_view hint,
               ImGuiInputTextFlags flags, float padLeft, Type type) {
  ImGui::SetCursorScreenPos(ImVec2(rect.x, rect.y));
  ImGui::PushFont(nullptr, faceSize(type));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(padLeft, std::floor((rect.h - faceSize(type)) / 2)));
  ImGui::SetNextItemWidth(rect.w);
  const std::string hintText = shortened(type, hint, rect.w - padLeft - 12);
  const bool changed =
      ImGui::InputTextWithHint(id, hintText.c_str(), text.data(), text.capacity() + 1,
                               flags | ImGuiInputTextFlags_CallbackResize, resizeText, &text);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  return changed;
}

constexpr float kSelectRow = 36;

}  // namespace

Touch pressable(const char* id, const Rect& rect) {
  const ImGuiID key = ImGui::GetID(id);
  const ImRect bb = box(rect);
  // Only the place is ImGui's: layout is ours.
  Touch touch;
  if (!ImGui::ItemAdd(bb, key)) return touch;
  touch.pressed = ImGui::ButtonBehavior(bb, key, &touch.hovered, &touch.held);
  if (touch.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImGui::RenderNavCursor(bb, key, ImGuiNavRenderCursorFlags_None);
  return touch;
}

bool button(const char* id, const Rect& rect, std::string_view label, ButtonKind kind) {
  const Touch touch = pressable(id, rect);
  if (isHidden(rect)) return touch.pressed;
  const Palette& p = colors();
  if (kind == ButtonKind::kAccent) {
    fill(rect, p.accent, 6);
    if (touch.hovered) fill(rect, theme().dark ? 0xffffff : 0x000000, 6, 0.1f);
    drawTextIn(rect, kBodyBold, p.onAccent, label, Align::kCenter);
  } else {
    fill(rect, touch.hovered ? p.hover : p.raised, 6);
    stroke(rect, p.line, 6);
    drawTextIn(rect, kBody, p.text, label, Align::kCenter);
  }
  return touch.pressed;
}

bool iconButton(const char* id, const Rect& rect, Icon icon, bool enabled) {
  const Palette& p = colors();
  if (!enabled) {
    fill(rect, p.raised, 6);
    stroke(rect, p.line, 6);
    drawIcon(icon, rect.middleX(), rect.middleY(), 14, p.line);
    return false;
  }
  const Touch touch = pressable(id, rect);
  fill(rect, touch.hovered ? p.hover : p.raised, 6);
  stroke(rect, p.line, 6);
  drawIcon(icon, rect.middleX(), rect.middleY(), 14, p.text);
  return touch.pressed;
}

bool link(const char* id, float x, float y, std::string_view label, Type type) {
  const float height = lineHeight(type);
  const Rect rect{x, y, textWidth(type, label), height};
  // Fingers need more than the line.
  const float extra = std::max(0.0f, (theme().control - height) / 2);
  const Touch touch = pressable(id, theme().control > 40 ? rect.inset(-8, -extra) : rect);
  drawTextIn(rect.inset(-1, 0), type, colors().accent, label, Align::kCenter);
  if (touch.hovered) {
    fill({rect.x, rect.bottom() - 3, rect.w, 1}, colors().accent);
  }
  return touch.pressed;
}

std::optional<int> segmented(const char* id, const Rect& rect,
                             std::span<const std::string_view> labels, int chosen) {
  std::optional<int> result;
  const Palette& p = colors();
  fill(rect, p.raised, 8);
  ImGui::PushID(id);
  const int count = static_cast<int>(labels.size());
  for (int i = 0; i < count; ++i) {
    const Rect part = cell(rect.inset(3, 3), i, count, 0);
    ImGui::PushID(i);
    const Touch touch = pressable("part", part);
    ImGui::PopID();
    if (i == chosen) {
      if (!theme().dark) fill({part.x, part.y + 1, part.w, part.h}, 0x000000, 6, 0.10f);
      fill(part, theme().dark ? p.line : p.surface, 6);
    } else if (touch.hovered) {
      fill(part, p.hover, 6);
    }
    drawTextIn(part.inset(2, 0), i == chosen ? kBodyBold : kBody, i == chosen ? p.text : p.muted,
               labels[static_cast<std::size_t>(i)], Align::kCenter);
    if (touch.pressed && i != chosen) result = i;
  }
  ImGui::PopID();
  return result;
}

namespace {
// Calls place(index, rect) for each chip; gives the height of all.
template <typename Place>
float layChips(float x, float y, float width, std::span<const std::string_view> labels,
               Place place) {
  float left = x;
  float top = y;
  const float height = theme().chip;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float w = std::min(width, std::round(textWidth(kLabelBold, labels[i]) + 18));
    if (left + w > x + width + 0.5f && left > x) {
      left = x;
      top += height + 6;
    }
    place(static_cast<int>(i), Rect{left, top, w, height});
    left += w + 6;
  }
  return top + height - y;
}
}  // namespace

std::optional<int> chips(const char* id, Column& column, std::span<const std::string_view> labels,
                         int chosen) {
  std::optional<int> result;
  ImGui::PushID(id);
  const float height = layChips(column.x, column.y, column.w, labels, [&](int i, const Rect& rect) {
    ImGui::PushID(i);
    const Touch touch = pressable("chip", rect);
    ImGui::PopID();
    const Palette& p = colors();
    const bool on = i == chosen;
    if (on) {
      fill(rect, p.accentSoft, 6);
      stroke(rect, p.accent, 6);
    } else {
      fill(rect, touch.hovered ? p.hover : p.surface, 6);
      stroke(rect, p.line, 6);
    }
    drawTextIn(rect.inset(4, 0), on ? kLabelBold : kLabel, on ? p.accent : p.muted,
               labels[static_cast<std::size_t>(i)], Align::kCenter);
    if (touch.pressed) result = i;
  });
  ImGui::PopID();
  column.gap(height);
  return result;
}

float chipsHeight(float width, std::span<const std::string_view> labels) {
  return layChips(0, 0, width, labels, [](int, const Rect&) {});
}

std::int64_t snapBinary(double value) {
  if (value <= 8) return std::max<std::int64_t>(1, std::llround(value));
  const double octave = std::floor(std::log2(value));
  const double step = std::exp2(octave - 2);
  return std::llround(std::round(value / step) * step);
}

std::int64_t snapDecimal(double value) {
  if (value <= 10) return std::max<std::int64_t>(1, std::llround(value));
  const double step = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return std::llround(std::round(value / step) * step);
}

std::optional<std::int64_t> logSlider(const char* id, const Rect& rect, std::int64_t value,
                                      std::int64_t min, std::int64_t max, Snap snap) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiID key = ImGui::GetID(id);
  const ImRect bb = box(rect);
  if (!ImGui::ItemAdd(bb, key)) return std::nullopt;

  constexpr float kKnob = 7;
  const float left = rect.x + kKnob;
  const float span = rect.w - 2 * kKnob;
  const double lowest = std::log(static_cast<double>(min));
  const double range = std::log(static_cast<double>(max)) - lowest;
  const auto share = [&](std::int64_t v) {
    const double clamped = static_cast<double>(std::clamp(v, min, max));
    return static_cast<float>((std::log(clamped) - lowest) / range);
  };

  std::optional<std::int64_t> result;
  const bool hovered = ImGui::ItemHoverable(bb, key, g.LastItemData.ItemFlags);
  const bool clicked = hovered && ImGui::IsMouseClicked(0, ImGuiInputFlags_None, key);
  if (clicked || g.NavActivateId == key) {
    if (clicked) ImGui::SetKeyOwner(ImGuiKey_MouseLeft, key);
    ImGui::SetActiveID(key, g.CurrentWindow);
    ImGui::SetFocusID(key, g.CurrentWindow);
    ImGui::FocusWindow(g.CurrentWindow);
    g.ActiveIdUsingNavDirMask |= (1 << ImGuiDir_Left) | (1 << ImGuiDir_Right);
  }
  if (g.ActiveId == key) {
    if (g.ActiveIdSource == ImGuiInputSource_Mouse) {
      if (!g.IO.MouseDown[0]) {
        ImGui::ClearActiveID();
      } else if (span > 0) {
        const float at = std::clamp((g.IO.MousePos.x - left) / span, 0.0f, 1.0f);
        const double raw = std::exp(lowest + static_cast<double>(at) * range);
        result = std::clamp(snap(raw), min, max);
      }
    } else if (g.NavActivatePressedId == key && !g.ActiveIdIsJustActivated) {
      ImGui::ClearActiveID();
    } else {
      const bool up = ImGui::IsKeyPressed(ImGuiKey_RightArrow);
      const bool down = ImGui::IsKeyPressed(ImGuiKey_LeftArrow);
      if (up || down) {
        // The next value that snapping gives.
        double raw = static_cast<double>(value);
        for (int i = 0; i < 200 && snap(raw) == value; ++i) {
          raw = up ? raw * 1.02 + 0.02 : raw / 1.02 - 0.02;
          if (raw < 1) break;
        }
        result = std::clamp(snap(std::max(raw, 1.0)), min, max);
      }
    }
  }
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);

  const Palette& p = colors();
  const float knobX = left + share(result.value_or(value)) * span;
  const float y = std::round(rect.middleY());
  fill({rect.x, y - 1.5f, rect.w, 3}, p.line, 1.5f);
  fill({rect.x, y - 1.5f, knobX - rect.x, 3}, p.accent, 1.5f);
  const float radius = hovered || g.ActiveId == key ? kKnob + 1 : kKnob;
  canvas()->AddCircleFilled(ImVec2(knobX, y), radius + 2, color(p.surface), 32);
  canvas()->AddCircleFilled(ImVec2(knobX, y), radius, color(p.accent), 32);
  ImGui::RenderNavCursor(bb, key);
  if (result && *result == value) result.reset();
  return result;
}

std::optional<std::string> valueField(const char* id, const Rect& rect, std::string_view shown,
                                      std::string_view unit, std::string_view edited, bool boxed) {
  const ImGuiID key = ImGui::GetID(id);
  Editing& edit = editing();
  const Palette& p = colors();
  if (edit.id == key) {
    ImGui::PushID(id);
    if (edit.focus) {
      ImGui::SetKeyboardFocusHere();
      edit.focus = false;
      host::requestFrames(4);
    }
    inputText("##edit", rect, edit.text, "", ImGuiInputTextFlags_AutoSelectAll, boxed ? 12 : 8,
              kBody);
    stroke(rect, p.accent, 6);
    const bool done = ImGui::IsItemDeactivated();
    const bool given = ImGui::IsItemDeactivatedAfterEdit();
    ImGui::PopID();
    if (done) {
      edit.id = 0;
      if (given) return edit.text;
    }
    return std::nullopt;
  }
  const Touch touch = pressable(id, rect);
  if (touch.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (boxed) {
    fill(rect, touch.hovered ? p.hover : p.raised, 6);
    stroke(rect, p.line, 6);
    const float unitWidth = unit.empty() ? 0 : textWidth(kSmall, unit) + 8;
    const Rect inner = rect.inset(12, 0);
    const bool room = unitWidth < inner.w / 2;
    if (room) drawTextIn(inner, kSmall, p.muted, unit, Align::kRight);
    drawTextIn({inner.x, inner.y, inner.w - (room ? unitWidth : 0), inner.h}, kBody, p.text, shown);
  } else {
    if (touch.hovered) fill(rect, p.raised, 6);
    const float unitWidth = unit.empty() ? 0 : textWidth(kBody, unit) + 4;
    if (!unit.empty()) drawTextIn(rect, kBody, p.muted, unit, Align::kRight);
    drawTextIn({rect.x, rect.y, rect.w - unitWidth, rect.h}, kBodyBold, p.text, shown,
               Align::kRight);
  }
  if (touch.pressed) {
    edit = {key, std::string(edited), true};
    host::requestFrames(4);
  }
  return std::nullopt;
}

bool textField(const char* id, const Rect& rect, std::string& text, std::string_view hint,
               bool search) {
  const bool changed = inputText(id, rect, text, hint, 0, search ? 34 : 12, kBody);
  stroke(rect, ImGui::IsItemActive() ? colors().accent : colors().line, 6);
  if (search) drawIcon(Icon::kSearch, rect.x + 18, rect.middleY(), 13, colors().muted);
  return changed;
}

std::optional<std::int64_t> stepper(const char* id, const Rect& rect, std::int64_t value,
                                    std::int64_t min, std::int64_t max, std::string_view shown) {
  std::optional<std::int64_t> result;
  const Palette& p = colors();
  ImGui::PushID(id);
  fill(rect, p.raised, 6);
  stroke(rect, p.line, 6);
  const float side = std::min(rect.h, rect.w / 3);
  const Rect minus{rect.x, rect.y, side, rect.h};
  const Rect plus{rect.right() - side, rect.y, side, rect.h};
  const auto end = [&](const char* name, const Rect& place, Icon icon, bool can) {
    const Touch touch = pressable(name, place);
    if (touch.hovered && can) fill(place.inset(1, 1), p.hover, 5);
    drawIcon(icon, place.middleX(), place.middleY(), 10, can ? p.text : p.muted);
    return touch.pressed && can;
  };
  if (end("minus", minus, Icon::kMinus, value > min)) result = value - 1;
  if (end("plus", plus, Icon::kPlus, value < max)) result = value + 1;
  const Rect middle{rect.x + side, rect.y, rect.w - 2 * side, rect.h};
  if (editing().id == ImGui::GetID("value")) {
    const auto typed = valueField("value", middle, shown, "", shown);
    if (typed) {
      const auto parsed = parseScaled(trim(*typed), 1);
      if (parsed) result = std::clamp(*parsed, min, max);
    }
  } else {
    const Touch touch = pressable("value", middle);
    if (touch.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    drawTextIn(middle, kBodyBold, p.text, shown, Align::kCenter);
    if (touch.pressed) {
      editing() = {ImGui::GetID("value"), std::to_string(value), true};
      host::requestFrames(4);
    }
  }
  ImGui::PopID();
  if (result && *result == value) result.reset();
  return result;
}

bool beginMenu(const char* id, const Rect& anchor, bool open, float width, float height) {
  ImGui::PushID(id);
  if (open) ImGui::OpenPopup("list");
  // Below, or above where there is more room; always on the canvas.
  const ImVec2 view = ImGui::GetMainViewport()->Size;
  width = std::min(width, view.x - 16);
  const float below = view.y - anchor.bottom() - 12;
  const float above = anchor.y - 12;
  const bool up = below < 240 && above > below;
  const float room = std::max(up ? above : below, 120.0f);
  const float x = std::clamp(anchor.x, 8.0f, std::max(8.0f, view.x - width - 8));
  ImGui::SetNextWindowPos(ImVec2(x, up ? anchor.y - 4 : anchor.bottom() + 4), ImGuiCond_Always,
                          ImVec2(0, up ? 1.0f : 0.0f));
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, std::min(height, room)),
                                      ImVec2(width, std::min(room, 420.0f)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(4, 4));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const bool shownNow = ImGui::BeginPopup("list", ImGuiWindowFlags_NoMove);
  if (!shownNow) {
    ImGui::PopStyleVar(2);
    ImGui::PopID();
  }
  return shownNow;
}

bool beginSelect(const char* id, const Rect& rect, std::string_view shown, float listWidth,
                 float listHeight) {
  ImGui::PushID(id);
  const Touch touch = pressable("select", rect);
  const bool open = ImGui::IsPopupOpen("list");
  ImGui::PopID();
  const Palette& p = colors();
  fill(rect, touch.hovered || open ? p.hover : p.raised, 6);
  stroke(rect, open ? p.accent : p.line, 6);
  drawTextIn({rect.x + 12, rect.y, rect.w - 36, rect.h}, kBody, p.text, shown);
  drawIcon(Icon::kChevronDown, rect.right() - 16, rect.middleY(), 10, p.muted);
  return beginMenu(id, rect, touch.pressed, std::max(rect.w, listWidth), listHeight);
}

bool option(const char* id, std::string_view label, bool chosen, std::string_view detail,
            bool keepOpen) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const Rect rect{at.x, at.y, width, std::max(kSelectRow, theme().control)};
  const Touch touch = pressable(id, rect);
  const Palette& p = colors();
  if (chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  if (touch.hovered) {
    fill(rect, p.raised, 5);
  } else if (chosen) {
    fill(rect, p.accentSoft, 5);
  }
  const float detailWidth = detail.empty() ? 0 : textWidth(kSmall, detail) + 8;
  drawTextIn({rect.x + 10, rect.y, rect.w - 20 - detailWidth, rect.h}, chosen ? kBodyBold : kBody,
             p.text, label);
  if (!detail.empty()) {
    drawTextIn({rect.x, rect.y, rect.w - 10, rect.h}, kSmall, p.muted, detail, Align::kRight);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(width, rect.h));
  if (touch.pressed && !keepOpen) ImGui::CloseCurrentPopup();
  return touch.pressed;
}

void optionHeading(std::string_view label) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  drawTextIn({at.x + 10, at.y, width - 20, 28}, kSmallBold, colors().muted, label);
  ImGui::Dummy(ImVec2(width, 28));
}

void endSelect() {
  ImGui::EndPopup();
  ImGui::PopStyleVar(2);
  ImGui::PopID();
}

bool selectSearch(std::string& text, std::string_view hint) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  if (ImGui::IsWindowAppearing()) {
    text.clear();
    ImGui::SetKeyboardFocusHere();
    host::requestFrames(4);
  }
  const bool changed =
      textField("##search", {at.x, at.y, width, theme().control}, text, hint, true);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(width, theme().control + 4));
  return changed;
}

std::optional<int> tabs(const char* id, Column& column, std::span<const std::string_view> labels,
                        int chosen) {
  constexpr float kTabGap = 20;
  float all = -kTabGap;
  for (const std::string_view label : labels) all += textWidth(kBodyBold, label) + kTabGap;
  if (all > column.w) {
    const auto pressed = chips(id, column, labels, chosen);
    column.gap(8);
    return pressed;
  }
  std::optional<int> result;
  const Palette& p = colors();
  const float height = theme().control;
  ImGui::PushID(id);
  float x = column.x;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool on = static_cast<int>(i) == chosen;
    const float width = textWidth(kBodyBold, labels[i]);
    ImGui::PushID(static_cast<int>(i));
    const Touch touch = pressable("tab", {x - 6, column.y, width + 12, height});
    ImGui::PopID();
    const Rect rect{x, column.y, width, height};
    drawTextIn(rect, on ? kBodyBold : kBody, on || touch.hovered ? p.text : p.muted, labels[i],
               Align::kCenter);
    if (on) fill({x, rect.bottom() - 2, width, 2}, p.accent, 1);
    if (touch.pressed && !on) result = static_cast<int>(i);
    x += width + kTabGap;
  }
  ImGui::PopID();
  column.gap(height);
  hairline(column.x, column.y - 1, column.w);
  return result;
}

Mood moodOf(Verdict verdict) {
  if (verdict == Verdict::kFits) return Mood::kGood;
  return verdict == Verdict::kTight ? Mood::kTight : Mood::kBad;
}

Rgb moodColor(Mood mood) {
  switch (mood) {
    case Mood::kGood: return colors().good;
    case Mood::kTight: return colors().tight;
    case Mood::kBad: return colors().bad;
    case Mood::kNeutral: break;
  }
  return colors().muted;
}

Rgb moodSoft(Mood mood) {
  switch (mood) {
    case Mood::kGood: return colors().goodSoft;
    case Mood::kTight: return colors().tightSoft;
    case Mood::kBad: return colors().badSoft;
    case Mood::kNeutral: break;
  }
  return colors().raised;
}

Icon moodIcon(Mood mood) {
  switch (mood) {
    case Mood::kGood: return Icon::kCheck;
    case Mood::kTight: return Icon::kWarning;
    default: return Icon::kCross;
  }
}

float pillWidth(std::string_view text) { return textWidth(kLabelBold, text) + 42; }

void pill(const Rect& rect, Mood mood, std::string_view text) {
  fill(rect, moodSoft(mood), 14);
  drawIcon(moodIcon(mood), rect.x + 18, rect.middleY(), 10, moodColor(mood));
  drawTextIn({rect.x + 29, rect.y, rect.w - 41, rect.h}, kLabelBold, moodColor(mood), text);
}

namespace {
// Diagonal lines over a rectangle.
void hatch(const Rect& rect, Rgb rgb, float alpha) {
  if (rect.w < 1) return;
  canvas()->PushClipRect(ImVec2(rect.x, rect.y), ImVec2(rect.right(), rect.bottom()), true);
  constexpr float kStep = 7;
  const float start = std::floor((rect.x - rect.h) / kStep) * kStep;
  for (float x = start; x < rect.right(); x += kStep) {
    canvas()->AddLine(ImVec2(x, rect.y), ImVec2(x + rect.h, rect.bottom()), color(rgb, alpha),
                      1.6f);
  }
  canvas()->PopClipRect();
}
}  // namespace

std::vector<BarPart> barParts(const Ledger& ledger) {
  std::vector<BarPart> parts;
  for (std::size_t i = 0; i < kComponentCount; ++i) {
    const auto component = static_cast<Component>(i);
    const Bytes bytes = ledger.total(component).expected;
    if (bytes > Bytes(0)) parts.push_back({bytes.toDouble(), colors().of(component)});
  }
  return parts;
}

void stackedBar(const Rect& rect, std::span<const BarPart> parts, double low, double high,
                double capacity, double scale) {
  if (isHidden(rect.inset(0, -8)) || scale <= 0) return;
  const Palette& p = colors();
  const auto at = [&](double amount) {
    return rect.x + rect.w * static_cast<float>(std::clamp(amount / scale, 0.0, 1.0));
  };
  constexpr float kRadius = 8;
  canvas()->AddRectFilled(ImVec2(rect.x, rect.y), ImVec2(rect.right(), rect.bottom()),
                          color(p.track), kRadius);
  double sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const float left = at(sum);
    sum += parts[i].amount;
    const float right = at(sum);
    // A hair of background between two parts tells them apart whatever the eye.
    const bool last = i + 1 == parts.size();
    const float edge = last ? right : std::max(left, right - 1);
    ImDrawFlags corners = ImDrawFlags_RoundCornersNone;
    float radius = 0;
    if (left - rect.x < kRadius) {
      corners = ImDrawFlags_RoundCornersLeft;
      radius = std::min(kRadius, (edge - left));
    }
    if (edge - left > 0.2f) {
      canvas()->AddRectFilled(ImVec2(left, rect.y), ImVec2(edge, rect.bottom()),
                              color(parts[i].rgb), radius, corners);
    }
  }
  if (high > low) {
    hatch({at(low), rect.y, at(std::min(sum, high)) - at(low), rect.h}, 0x000000, 0.4f);
    hatch({at(sum), rect.y, at(high) - at(sum), rect.h}, p.muted, 0.75f);
  }
  if (capacity > 0) {
    fill({std::round(at(capacity)) - 1, rect.y - 6, 2, rect.h + 12}, p.text);
  }
}

void headroomBar(const Rect& rect, double share, Mood mood) {
  const float radius = rect.h / 2;
  fill(rect, colors().track, radius);
  const float width = rect.w * static_cast<float>(std::clamp(share, 0.0, 1.0));
  if (width > 0.5f)
    fill({rect.x, rect.y, std::max(width, rect.h), rect.h}, moodColor(mood), radius);
}

namespace {
void showTip(std::string_view text) {
  const float width = std::min(320.0f, textWidth(kLabel, text) + 1);
  const float height = paragraphHeight(width, kLabel, text);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(10, 8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 6);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  if (ImGui::BeginTooltip()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    drawParagraph(at.x, at.y, width, kLabel, colors().text, text);
    ImGui::Dummy(ImVec2(width, height));
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar(3);
}
}  // namespace

void tip(const Rect& rect, std::string_view text) {
  if (text.empty() || isHidden(rect)) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!rect.contains(mouse.x, mouse.y) || ImGui::IsMouseDown(0)) return;
  if (!ImGui::IsWindowHovered()) return;
  showTip(text);
}

void tipOfLast(std::string_view text) {
  if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) showTip(text);
}

}  // namespace memfit::app
