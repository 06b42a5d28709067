// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/platform/host_web.h"

#include <string>

#include "app/draw/fonts.h"
#include "app/platform/host.h"
#include "app/platform/imgui_impl_web.h"

namespace memfit::app {
namespace {

void (*modelFileDone)(std::string_view name, std::string_view bytes) = nullptr;

}  // namespace

namespace host {

void copyText(std::string_view text) { memfitHostCopy(std::string(text).c_str()); }

void download(std::string_view name, std::string_view mimeType, std::string_view content) {
  memfitHostDownload(std::string(name).c_str(), std::string(mimeType).c_str(), content.data(),
                     static_cast<int>(content.size()));
}

void savePicture(std::string_view name) { memfitHostSavePicture(std::string(name).c_str()); }

void openLink(std::string_view url) { memfitHostOpenLink(std::string(url).c_str()); }

void showPlainView() { memfitHostShowPlainView(); }

std::string_view pageUrl() {
  static std::string url;
  url.resize(8192);
  memfitHostPageUrl(url.data(), static_cast<int>(url.size()));
  url.resize(url.find('\0') == std::string::npos ? 0 : url.find('\0'));
  return url;
}

void pushHistory() { memfitHostPushHistory(); }

void setLanguage(std::string_view language) {
  memfitHostSetLanguage(std::string(language).c_str());
}

void setDark(bool dark) { memfitHostSetDark(dark ? 1 : 0); }

void keepTouch() { ImGui_ImplWeb_KeepTouch(); }

void onModelFile(void (*done)(std::string_view name, std::string_view bytes)) {
  modelFileDone = done;
}

void pickModelFile() { memfitHostPickModelFile(); }

void needModels() { memfitHostNeedModels(); }

void loadLanguage(std::string_view language) {
  memfitHostNeedLanguage(std::string(language).c_str());
}

}  // namespace host

void deliverModelFile(std::string_view name, std::string_view bytes) {
  if (modelFileDone != nullptr) modelFileDone(name, bytes);
}

}  // namespace memfit::app
