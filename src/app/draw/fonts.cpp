// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/draw/fonts.h"

#include <cstring>
#include <string>

#include "app/draw/font_data.h"
#include "app/platform/host.h"
#include "base/text.h"
#include "imgui.h"
#include "imgui_internal.h"

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

// Faces are scaled by ascent plus descent: 1.21 em in Inter, 1.448 em in Noto Sans CJK. Merged with
// this ratio of sizes, both stand at the same em; a little less, for East Asian signs fill theirs.
constexpr float kFaceSize = 16;
constexpr float kCjkSize = kFaceSize * 1.448f / 1.21f * 0.96f;

ImFont* addEmbedded(const FontData& data) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  // Const in ImGui's eyes as well: the atlas does not own it, so it never writes.
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(data.bytes),
                                                    data.size, kFaceSize, &config);
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
  if (language == "en") return;
  const std::string entry = cat(",", language);
  if (state().asked.find(entry) != std::string::npos) return;
  state().asked += entry;
  host::loadLanguage(language);
}

void addLanguageFont(std::string_view, std::string_view bytes) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  for (ImFont* font : {state().fonts.regular, state().fonts.semibold}) {
    // AddFont() takes the last font to be the one merged into, whatever DstFont says, and asserts
    // it (1.92.2).
    atlas->Fonts.find_erase(font);
    atlas->Fonts.push_back(font);
    void* copy = IM_ALLOC(bytes.size());
    std::memcpy(copy, bytes.data(), bytes.size());
    ImFontConfig config;
    config.MergeMode = true;
    config.DstFont = font;
    atlas->AddFontFromMemoryTTF(copy, static_cast<int>(bytes.size()), kCjkSize, &config);
  }
  // Sizes that are rasterized already know nothing of the new signs: they are made anew.
  ImFontAtlasBuildDiscardBakes(atlas, 0);
}

}  // namespace memfit::app
