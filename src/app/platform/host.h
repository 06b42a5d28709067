// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the panels may ask of the page around them. In the browser these go to web/host.js
// (host_web.cpp); natively, in tests, they do nothing (host_null.cpp).
#pragma once

#include <string_view>

namespace memfit::app::host {

// To be called from the frame that a click or key caused: browsers refuse it otherwise. Where the
// browser refuses all the same, the page shows the text in a field, selected.
void copyText(std::string_view text);

// Saves a file: download("memfit.csv", "text/csv", text).
void download(std::string_view name, std::string_view mimeType, std::string_view content);

// The picture on the canvas, saved as PNG under this name.
void savePicture(std::string_view name);

// In a new tab.
void openLink(std::string_view url);

// The plain twin with the same query, in place of the canvas.
void showPlainView();

// The address of this estimate, the one that "copy link" copies.
std::string_view pageUrl();

// Draws `frames` more frames although nothing was touched. Input already brings its own.
void requestFrames(int frames);

// Starts a new entry of the tab's history (presets, undo); plain edits replace the current one.
void pushHistory();

// The page's language and direction for those who read it through the document: "en", "ja", ...
void setLanguage(std::string_view language);

// The colour scheme in force, so that the page around the canvas matches: dark or light.
void setDark(bool dark);

// The item in hand takes vertical touch drags too (the map): call each frame while it is active, or
// the page scrolls under the finger.
void keepTouch();

// The whole catalogue of models, not only the popular ones: call it when the reader opens the list
// or searches it; the page loads the rest once, and draws again.
void needModels();

// Asks the page for the texts and the face of a language; fonts.h has the call that panels want.
void loadLanguage(std::string_view language);

// A file from the reader's machine (config.json, *.gguf, *.safetensors), picked, dropped on the
// canvas or pasted: its head, as much as memfit reads, comes to the function registered here.
void onModelFile(void (*done)(std::string_view name, std::string_view bytes));

// Opens the browser's file dialog.
void pickModelFile();

}  // namespace memfit::app::host
