// memfit - SPDX-License-Identifier: Apache-2.0
//
// The language tables and the palette for what is drawn in HTML: the plain twin. Written out while
// the site is built (words_main.cpp), so that the canvas and the twin say the same words in the
// same colours.
#pragma once

#include <string>

#include "app/words/texts.h"

namespace memfit::app {

// {"code","name","numbers":{...},"texts":{...},"labels":{field:...},"helps":{...},
//  "components":{...},"words":{field:{word:...}},"units":{...},"sentences":{english:...}};
// "canvas", the texts of the canvas in their order, for all but English: texts_read.h reads them.
std::string textsJson(const LanguageTable& table);

// CSS declarations of custom properties: "--text:#10141c;--weights:#4a78d0;..."
std::string paletteCss(bool dark);

}  // namespace memfit::app
