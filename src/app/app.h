// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the page's platform half (app_main.cpp) asks of the drawing half (the panels): the whole of
// the seam between them. All lengths are CSS pixels; texts are UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace memfit::app {

// What the platform tells before each frame.
//
// The canvas shows a window onto the content: the page is as tall as the content and scrolls by
// itself (wheel, touch with its momentum, Page Down, scroll bar), the canvas stays in view and
// draws the part that shows. So the panels lay out one tall column from y = -scrollTop and scroll
// nothing themselves.
struct Surface {
  float width = 0;  // the canvas
  float height = 0;
  float scrollTop = 0;         // how much of the content lies above the canvas
  bool coarsePointer = false;  // fingers: controls 44 high in place of 36
  bool dark = false;           // prefers-color-scheme
  bool reducedMotion = false;  // prefers-reduced-motion
  std::string_view language;   // the reader's first language, a BCP 47 tag such as "fr-CA"
  // Grows when the GL context was lost and made anew. GL objects of an earlier generation are gone:
  // make them again, and do not delete the old names.
  int glGeneration = 0;
};

// Called once; the ImGui context and its fonts (fonts.h) exist. `query` is the text behind '?' in
// the URL.
void start(std::string_view query);

// The page's query has changed from outside: back and forward, the plain twin, the embedding page.
// URL text, or a JSON object of fields, which can hold a config.json.
void setQuery(std::string_view query);

// Speaks the language of the query, or the reader's (a BCP 47 tag) where it says none; asks the
// page for what that language needs. draw() does so as well: early, for the first frame to be in
// it.
void chooseLanguage(std::string_view readers);

// Brings a tab to the front: devices, breakdown, map, methods, advice, model or compare.
void showTab(std::string_view name);

// Keeps the question on show, to compare the next with it.
void keepToCompare();

// Draws one frame between NewFrame and Render; gives the content's height.
float draw(const Surface& surface);

// The current query as URL text, defaults left out: what the platform writes behind '?'.
std::string query();

// The config.json on show, which no URL carries; empty when there is none.
std::string_view config();

// What is on show as JSON, the Report of DESIGN.md: for the plain twin and the tests.
std::string report();

}  // namespace memfit::app
