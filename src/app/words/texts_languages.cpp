// memfit - SPDX-License-Identifier: Apache-2.0
//
// The tables of all languages. To add one: its file texts_XX.cpp, its word in the field `lang`, its
// line here and in texts.cpp.
#include "app/words/texts.h"

namespace memfit::app {

std::span<const LanguageTable* const> languageTables() {
  static const LanguageTable* const kTables[] = {&englishTable(), &japaneseTable(), &frenchTable(),
                                                 &chineseTable()};
  return kTables;
}

}  // namespace memfit::app
