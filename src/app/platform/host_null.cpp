// memfit - SPDX-License-Identifier: Apache-2.0
//
// The page's services where there is no page: panels under a native test draw, and nothing happens.
#include "app/platform/host.h"

#include "app/words/texts.h"

namespace memfit::app::host {

void copyText(std::string_view) {}
void download(std::string_view, std::string_view, std::string_view) {}
void savePicture(std::string_view) {}
void openLink(std::string_view) {}
void showPlainView() {}
std::string_view pageUrl() { return {}; }
void requestFrames(int) {}
void pushHistory() {}
void setLanguage(std::string_view) {}
void setDark(bool) {}
void keepTouch() {}
void needModels() {}
void loadLanguage(std::string_view language) {
  for (const LanguageTable* table : languageTables()) {
    if (table->code == language) addTable(*table);
  }
}
void onModelFile(void (*)(std::string_view name, std::string_view bytes)) {}
void pickModelFile() {}

}  // namespace memfit::app::host
