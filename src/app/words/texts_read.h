// memfit - SPDX-License-Identifier: Apache-2.0
//
// A language table out of its file (texts-LANGUAGE.json, as textsJson() wrote it): the page's
// module holds English alone and fetches the others when they are chosen.
#pragma once

#include <string_view>

#include "app/words/texts.h"

namespace memfit::app {

// The table lives as long as the program. nullptr where the file is not of this build: no JSON, or
// another number of texts or components.
const LanguageTable* readTable(std::string_view json);

}  // namespace memfit::app
