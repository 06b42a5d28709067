// memfit - SPDX-License-Identifier: Apache-2.0
//
// The canvas page's main program: wires the platform backend, the renderer and the panels together,
// and draws a frame when web/host.js asks for one. There is no main loop: the page is idle between
// events.

#include <emscripten/emscripten.h>

#include <string>
#include <string_view>

#include "app/app.h"
#include "app/draw/fonts.h"
#include "app/platform/host.h"
#include "app/platform/host_web.h"
#include "app/platform/imgui_impl_web.h"
#include "app/words/texts_read.h"
#include "backends/imgui_impl_opengl3.h"
#include "bindings/json_api.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "model/catalogue.h"
#include "query/query_io.h"

#include <GLES3/gl3.h>

namespace memfit::app {
namespace {

// ImGui settles within this many frames after an event (it lays out from the frame before).
constexpr int kSettleFrames = 3;

struct Main {
  Surface surface;
  std::string language;
  std::string shownQuery;
  std::string shownConfig;
  std::string answer;  // keeps what was last handed to JavaScript
  float contentHeight = 0;
  int framesWanted = 0;
  int framesDrawn = 0;
  ImGuiID navId = 0;
  bool running = false;
};

Main& app() {
  static Main main;
  return main;
}

const char* keep(std::string text) {
  app().answer = std::move(text);
  return app().answer.c_str();
}

// Keyboard focus may move to something that is scrolled away: the page follows it.
void revealNavigatedItem() {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (g.NavId == app().navId) return;
  app().navId = g.NavId;
  if (g.NavId == 0 || !g.NavCursorVisible || g.NavWindow == nullptr) return;
  const ImRect rect = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[g.NavLayer]);
  if (rect.Min.y < 0 || rect.Max.y > app().surface.height) memfitHostReveal(rect.Min.y, rect.Max.y);
}

// A query that names a model which is not compiled in needs the whole catalogue.
void needModelOf(std::string_view query) {
  const DecodedQuery decoded = decodeUrl(query);
  const std::string_view model = decoded.query.text(Key::kModel);
  if (!model.empty() && model != "custom" && !catalogueIsComplete() &&
      findModel(model) == nullptr) {
    host::needModels();
  }
}

}  // namespace

void host::requestFrames(int frames) {
  if (frames > app().framesWanted) app().framesWanted = frames;
  memfitHostWake();
}

// What web/host.js calls.
extern "C" {

EMSCRIPTEN_KEEPALIVE void memfitAttach() { memfitHostAttach(); }

EMSCRIPTEN_KEEPALIVE int memfitStart(const char* query, const char* language) {
  if (memfitHostCreateContext() == 0) return 0;
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  ImGui_ImplWeb_Init();
  if (!ImGui_ImplOpenGL3_Init("#version 300 es")) return 0;
  loadFonts();
  app().language = language;
  app().surface.language = app().language;
  app().shownQuery = query;
  start(query);
  chooseLanguage(app().language);
  app().shownConfig = config();
  needModelOf(query);
  app().running = true;
  return 1;
}

EMSCRIPTEN_KEEPALIVE void memfitStop() {
  if (!app().running) return;
  app().running = false;
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplWeb_Shutdown();
  ImGui::DestroyContext();
}

// Draws one frame; 1 when another is wanted without an event.
EMSCRIPTEN_KEEPALIVE int memfitFrame(double now, int settle) {
  auto& main = app();
  if (!main.running) return 0;
  if (settle != 0 && main.framesWanted < kSettleFrames) main.framesWanted = kSettleFrames;

  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplWeb_NewFrame(now);
  ImGui::NewFrame();
  const float height = draw(main.surface);
  ImGui::Render();
  const ImGuiIO& io = ImGui::GetIO();
  glViewport(0, 0, static_cast<int>(io.DisplaySize.x * io.DisplayFramebufferScale.x + 0.5f),
             static_cast<int>(io.DisplaySize.y * io.DisplayFramebufferScale.y + 0.5f));
  const ImVec4 background = ImGui::GetStyleColorVec4(ImGuiCol_WindowBg);
  glClearColor(background.x, background.y, background.z, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  main.framesDrawn++;

  if (height != main.contentHeight) {
    main.contentHeight = height;
    memfitHostContentHeight(height);
  }
  if (std::string current = query(); current != main.shownQuery || config() != main.shownConfig) {
    main.shownQuery = std::move(current);
    main.shownConfig = config();
    memfitHostQuery(main.shownQuery.c_str());
  }
  revealNavigatedItem();

  const bool wants = ImGui_ImplWeb_WantsFrame();
  if (main.framesWanted > 0) main.framesWanted--;
  return wants || main.framesWanted > 0 ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE int memfitFramesDrawn() { return app().framesDrawn; }

// The drawing buffer and everything in it is gone. The names are forgotten now, while the context
// takes every call and does nothing: after its return they would be another context's.
EMSCRIPTEN_KEEPALIVE void memfitContextLost() {
  if (app().running) ImGui_ImplOpenGL3_Shutdown();
}

EMSCRIPTEN_KEEPALIVE void memfitContextRestored() {
  if (!app().running || memfitHostCreateContext() == 0) return;
  ImGui_ImplOpenGL3_Init("#version 300 es");
  app().surface.glGeneration++;
}

EMSCRIPTEN_KEEPALIVE void memfitSetSurface(float scrollTop, int coarsePointer, int dark,
                                           int reducedMotion) {
  Surface& surface = app().surface;
  surface.scrollTop = scrollTop;
  surface.coarsePointer = coarsePointer != 0;
  surface.dark = dark != 0;
  surface.reducedMotion = reducedMotion != 0;
  ImGui_ImplWeb_SetReducedMotion(surface.reducedMotion);
}

EMSCRIPTEN_KEEPALIVE void memfitSetSize(float width, float height, int pixelWidth,
                                        int pixelHeight) {
  app().surface.width = width;
  app().surface.height = height;
  ImGui_ImplWeb_OnResize(width, height, pixelWidth, pixelHeight);
}

EMSCRIPTEN_KEEPALIVE void memfitSetQuery(const char* query) {
  app().shownQuery = query;
  setQuery(query);
  app().shownConfig = config();
  needModelOf(query);
}

EMSCRIPTEN_KEEPALIVE void memfitShowTab(const char* name) { showTab(name); }

EMSCRIPTEN_KEEPALIVE void memfitKeep() { keepToCompare(); }

EMSCRIPTEN_KEEPALIVE const char* memfitQuery() { return keep(query()); }

EMSCRIPTEN_KEEPALIVE const char* memfitConfig() { return keep(std::string(config())); }

EMSCRIPTEN_KEEPALIVE const char* memfitReport() { return keep(report()); }

// The functions of memfit.js over JSON, so that the plain twin needs no second module.
EMSCRIPTEN_KEEPALIVE const char* memfitCall(const char* request) { return keep(callJson(request)); }

// The text of models.json. The query may name a model that only now is known.
EMSCRIPTEN_KEEPALIVE void memfitModels(const char* jsonLines, int size) {
  const auto loaded = loadCatalogue(std::string_view(jsonLines, static_cast<std::size_t>(size)));
  if (loaded.ok()) setQuery(query());
}

// The text of texts-LANGUAGE.json.
EMSCRIPTEN_KEEPALIVE void memfitLanguage(const char* json, int size) {
  const auto* table = readTable(std::string_view(json, static_cast<std::size_t>(size)));
  if (table != nullptr) addTable(*table);
}

EMSCRIPTEN_KEEPALIVE void memfitLanguageFont(const char* language, const char* bytes, int size) {
  addLanguageFont(language, std::string_view(bytes, static_cast<std::size_t>(size)));
}

EMSCRIPTEN_KEEPALIVE void memfitModelFile(const char* name, const char* bytes, int size) {
  deliverModelFile(name, std::string_view(bytes, static_cast<std::size_t>(size)));
}

}  // extern "C"

}  // namespace memfit::app
