// memfit - SPDX-License-Identifier: Apache-2.0
//
// Prints what the site's builder needs of the language tables and the palette as one JSON object:
// {"languages":[...],"light":"--text:...","dark":"..."}.
#include <cstdio>

#include "app/words/texts_json.h"

int main() {
  using namespace memfit::app;
  std::string out = "{\"languages\":[";
  for (const LanguageTable* table : languageTables()) {
    if (out.back() != '[') out += ',';
    out += textsJson(*table);
  }
  out += "],\"light\":\"" + paletteCss(false) + "\",\"dark\":\"" + paletteCss(true) + "\"}";
  std::puts(out.c_str());
  return 0;
}
