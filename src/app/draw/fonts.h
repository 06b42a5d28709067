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

// Asks the page once for what a language needs beside English: its table of texts, and for Japanese
// and Chinese its signs. Both come together, and the page draws again.
void needLanguage(std::string_view language);

// The page's answer: one face's file. Keeps its own copy.
void addLanguageFont(std::string_view language, std::string_view bytes);

}  // namespace memfit::app
