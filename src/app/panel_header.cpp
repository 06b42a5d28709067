// memfit - SPDX-License-Identifier: Apache-2.0
//
// The bar at the top: name, units, language, theme, link.
#include "app/fonts.h"
#include "app/host.h"
#include "app/state.h"
#include "app/widgets.h"
#include "base/text.h"
#include "imgui.h"

namespace memfit::app {
namespace {

void drawLanguages(AppState& state, const Rect& rect) {
  std::string code;
  for (const char c : languageInUse().code) code += static_cast<char>(c - 'a' + 'A');
  if (button("language", rect, code)) ImGui::OpenPopup("languages");
  tipOfLast(say(Text::kLanguageTip));
  ImGui::SetNextWindowPos(ImVec2(rect.right(), rect.bottom() + 4), ImGuiCond_Always, ImVec2(1, 0));
  ImGui::SetNextWindowSizeConstraints(ImVec2(180, 0), ImVec2(180, 400));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(4, 4));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  if (ImGui::BeginPopup("languages", ImGuiWindowFlags_NoMove)) {
    int value = 0;
    for (const LanguageName& language : languageNames()) {
      ++value;
      needLanguage(language.code);  // its own name needs its signs
      const std::string id(language.code);
      if (option(id.c_str(), language.name, language.code == languageInUse().code)) {
        state.query.set(Key::kLang, value);
      }
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

void drawCopy(AppState& state, const Rect& rect) {
  const double now = ImGui::GetTime();
  const bool copied = now < state.look.copiedUntil;
  if (button("copy", rect, say(copied ? Text::kCopied : Text::kCopyLink), ButtonKind::kAccent)) {
    host::copyText(host::pageUrl());
    state.look.copiedUntil = now + 2;
  }
}

}  // namespace

void drawHeader(AppState& state, const Rect& rect) {
  const Palette& p = colors();
  fill(rect, p.surface);
  hairline(rect.x, rect.bottom() - 1, rect.w);

  const float middle = rect.middleY();
  const float height = theme().control > 40 ? 40 : 33;
  const float top = std::round(middle - height / 2);
  const float copyWidth = std::round(std::max(textWidth(kBodyBold, say(Text::kCopyLink)),
                                              textWidth(kBodyBold, say(Text::kCopied))) +
                                     24);
  float x = rect.right() - 20 - copyWidth;
  drawCopy(state, {x, top, copyWidth, height});

  const float gap = rect.w < 480 ? 8 : 14;
  x -= 38 + gap;
  if (iconButton("theme", {x, top, 38, height}, Icon::kHalfCircle)) {
    state.query.set(Key::kTheme, theme().dark ? Theme::kLight : Theme::kDark);
  }
  tipOfLast(say(Text::kThemeTip));
  x -= 45 + gap;
  drawLanguages(state, {x, top, 45, height});
  x -= 45 + gap;
  const bool gb = state.units() == Units::kGb;
  if (button("units", {x, top, 45, height}, gigabyteName(state.units(), state.numbers()))) {
    state.query.set(Key::kUnits, gb ? Units::kGib : Units::kGb);
  }
  tipOfLast(say(Text::kUnitsTip));

  const float baseline = std::round(middle + kBrand.size * 0.36f);
  const float after = drawText(20, baseline, kBrand, p.text, "memfit");
  const float room = x - after - 14 - 16;
  if (room >= textWidth(kBody, say(Text::kTagline))) {
    drawText(after + 14, baseline, kBody, p.muted, say(Text::kTagline));
  }
}

}  // namespace memfit::app
