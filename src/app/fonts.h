// memfit - SPDX-License-Identifier: Apache-2.0
//
// The page's text faces: Inter Regular and SemiBold, subset at build time (web/subset_fonts.py) and
// embedded. Their digits are the tabular ones, so numbers align without OpenType shaping.
// Japanese and Chinese are merged into both when the language is first chosen.
#pragma once

#include <string_view>

struct ImFont;

namespace memfit::app {

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* semibold = nullptr;
};

// Adds the faces to the current ImGui context's atlas; the first is the default font. Sizes are
// given where text is drawn: ImGui::PushFont(fonts().semibold, 28.0f).
void loadFonts();
const Fonts& fonts();

// For "ja" and "zh" the signs of that language; asks the page for them once, and draws again when
// they are there. Other languages need nothing.
void needLanguage(std::string_view language);

// The page's answer: one face's file. Keeps its own copy.
void addLanguageFont(std::string_view language, std::string_view bytes);

}  // namespace memfit::app
