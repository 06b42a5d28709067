// memfit - SPDX-License-Identifier: Apache-2.0
//
// The bar at the top: name, units, language, theme, link.
#include <algorithm>
#include <cmath>

#include "app/draw/fonts.h"
#include "app/draw/widgets.h"
#include "app/platform/host.h"
#include "app/state.h"
#include "base/text.h"
#include "imgui.h"

namespace memfit::app {
namespace {

void drawLanguages(AppState& state, const Rect& rect) {
  std::string code;
  for (const char c : languageInUse().code) code += static_cast<char>(c - 'a' + 'A');
  const bool pressed = button("language", rect, code);
  tipOfLast(say(Text::kLanguageTip));
  if (!beginMenu("languages", rect, pressed, 180)) return;
  int value = 0;
  for (const LanguageName& language : languageNames()) {
    ++value;
    needLanguage(language.code);  // its own name needs its signs
    const std::string id(language.code);
    if (option(id.c_str(), language.name, language.code == languageInUse().code)) {
      state.query.set(Key::kLang, value);
    }
  }
  endSelect();
}

// "Copy link", and beside it what else can be taken along. With no room for words, by its sign.
void drawCopy(AppState& state, const Rect& rect, float moreWidth, bool words) {
  const Palette& p = colors();
  const bool copied = ImGui::GetTime() < state.look.copiedUntil;
  const Rect copy{rect.x, rect.y, rect.w - moreWidth, rect.h};
  const Rect more{copy.right(), rect.y, moreWidth, rect.h};
  fill(rect, p.accent, 6);
  const auto half = [&](const char* id, const Rect& place) {
    const Touch touch = pressable(id, place);
    if (touch.hovered) fill(place, theme().dark ? 0xffffff : 0x000000, 6, 0.12f);
    return touch.pressed;
  };
  if (half("copy", copy)) {
    host::copyText(host::pageUrl());
    state.look.copiedUntil = ImGui::GetTime() + 2;
  }
  if (!words) tipOfLast(say(Text::kCopyLink));
  const bool opened = half("more", more);
  fill({more.x, rect.y + 8, 1, rect.h - 16}, p.onAccent, 0, 0.4f);
  if (words) {
    drawTextIn(copy, kBodyBold, p.onAccent, say(copied ? Text::kCopied : Text::kCopyLink),
               Align::kCenter);
  } else {
    drawIcon(copied ? Icon::kCheck : Icon::kLink, copy.middleX(), copy.middleY(), 16, p.onAccent);
  }
  drawIcon(Icon::kChevronDown, more.middleX(), more.middleY(), 10, p.onAccent);
  drawShareMenu(state, more, opened);
}

}  // namespace

void drawHeader(AppState& state, const Rect& rect) {
  const Palette& p = colors();
  fill(rect, p.surface);
  hairline(rect.x, rect.bottom() - 1, rect.w);

  const float middle = rect.middleY();
  const bool coarse = theme().control > 40;
  const float height = coarse ? 44 : 33;
  const float top = std::round(middle - height / 2);
  const float gap = rect.w < 480 ? 6 : 14;
  const float side = coarse ? 44 : 40;  // of the square ones
  const float moreWidth = coarse ? 44 : 32;
  const float nameEnd = 20 + textWidth(kBrand, "memfit");

  float x = rect.right() - 20;
  const float wordsWidth = std::round(std::max(textWidth(kBodyBold, say(Text::kCopyLink)),
                                               textWidth(kBodyBold, say(Text::kCopied)))) +
                           (rect.w < 480 ? 16 : 24);
  const bool words = x - nameEnd - 12 > wordsWidth + moreWidth + 3 * (side + gap);
  const float copyWidth = (words ? wordsWidth : side) + moreWidth;
  x -= copyWidth;
  drawCopy(state, {x, top, copyWidth, height}, moreWidth, words);

  const auto place = [&] {
    x -= side + gap;
    return Rect{x, top, side, height};
  };
  if (iconButton("theme", place(), Icon::kHalfCircle)) {
    state.query.set(Key::kTheme, theme().dark ? Theme::kLight : Theme::kDark);
  }
  tipOfLast(say(Text::kThemeTip));
  drawLanguages(state, place());
  const bool gb = state.units() == Units::kGb;
  if (button("units", place(), gigabyteName(state.units(), state.numbers()))) {
    state.query.set(Key::kUnits, gb ? Units::kGib : Units::kGb);
  }
  tipOfLast(say(Text::kUnitsTip));

  const float baseline = std::round(middle + kBrand.size * 0.36f);
  if (nameEnd + 8 > x) return;
  drawText(20, baseline, kBrand, p.text, "memfit");
  if (nameEnd + 30 + textWidth(kBody, say(Text::kTagline)) <= x) {
    drawText(nameEnd + 14, baseline, kBody, p.muted, say(Text::kTagline));
  }
}

}  // namespace memfit::app
