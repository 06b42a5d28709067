// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/fonts.h"

#include <cstring>
#include <string>

#include "app/font_data.h"
#include "app/host.h"
#include "base/text.h"
#include "imgui.h"

namespace memfit::app {
namespace {

struct State {
  Fonts fonts;
  std::string asked;  // languages asked for, as ",ja,zh"
};

State& state() {
  static State state;
  return state;
}

ImFont* addEmbedded(const FontData& data) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  // Const in ImGui's eyes as well: the atlas does not own it, so it never writes.
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(data.bytes),
                                                    data.size, 0.0f, &config);
}

}  // namespace

void loadFonts() {
  state().asked.clear();
  state().fonts.regular = addEmbedded(kFontRegular);
  state().fonts.semibold = addEmbedded(kFontSemibold);
  ImGui::GetIO().FontDefault = state().fonts.regular;
}

const Fonts& fonts() { return state().fonts; }

void needLanguage(std::string_view language) {
  if (language != "ja" && language != "zh") return;
  const std::string entry = cat(",", language);
  if (state().asked.find(entry) != std::string::npos) return;
  state().asked += entry;
  host::loadLanguageFont(language);
}

void addLanguageFont(std::string_view, std::string_view bytes) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  for (ImFont* font : {state().fonts.regular, state().fonts.semibold}) {
    void* copy = IM_ALLOC(bytes.size());
    std::memcpy(copy, bytes.data(), bytes.size());
    ImFontConfig config;
    config.MergeMode = true;
    config.DstFont = font;
    atlas->AddFontFromMemoryTTF(copy, static_cast<int>(bytes.size()), 0.0f, &config);
  }
}

}  // namespace memfit::app
