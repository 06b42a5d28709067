// memfit - SPDX-License-Identifier: Apache-2.0
//
// What C++ calls in the page: defined in web/host_library.js, which hands on to web/host.js.
#pragma once

#include <string_view>

extern "C" {
// Gives web/host.js access to the memory, before anything else.
void memfitHostAttach();
// Makes the canvas's WebGL 2 context the current one; 0 when there is none.
int memfitHostCreateContext();
void memfitHostWake();
void memfitHostContentHeight(float height);
void memfitHostQuery(const char* query);
void memfitHostReveal(float top, float bottom);
void memfitHostCopy(const char* text);
void memfitHostDownload(const char* name, const char* mime_type, const char* bytes, int size);
void memfitHostSavePicture(const char* name);
void memfitHostOpenLink(const char* url);
void memfitHostShowPlainView();
void memfitHostPageUrl(char* out, int capacity);
void memfitHostPushHistory();
void memfitHostSetLanguage(const char* language);
void memfitHostSetDark(int dark);
void memfitHostPickModelFile();
void memfitHostNeedModels();
void memfitHostNeedLanguage(const char* language);
}

namespace memfit::app {

// To the function that host::onModelFile was given.
void deliverModelFile(std::string_view name, std::string_view bytes);

}  // namespace memfit::app
