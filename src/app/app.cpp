// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/app.h"

#include <algorithm>

#include "app/draw/fonts.h"
#include "app/draw/theme.h"
#include "app/draw/widgets.h"
#include "app/platform/host.h"
#include "app/state.h"
#include "app/words/report_text.h"
#include "bindings/json_report.h"
#include "bindings/json_writer.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "query/query_io.h"

namespace memfit::app {
namespace {

AppState& state() {
  static AppState state;
  return state;
}

bool isDark(const AppState& app) {
  const auto theme = app.query.choice<Theme>(Key::kTheme);
  return theme == Theme::kAuto ? app.surface.dark : theme == Theme::kDark;
}

void tellHost(bool dark) {
  static std::string_view told;
  static int toldDark = -1;
  const LanguageTable& table = languageInUse();
  if (told != table.code) {
    told = table.code;
    host::setLanguage(told);
  }
  if (toldDark != static_cast<int>(dark)) {
    toldDark = static_cast<int>(dark);
    host::setDark(dark);
  }
}

// The answer's side, top to bottom.
void drawAnswerSide(AppState& app, Column& column) {
  drawAnswer(app, column);
  drawNotices(app, column);
  drawVariants(app, column);
  drawTabs(app, column);
}

// Two columns: controls left, the answer right. Gives the height.
float drawWide(AppState& app, float width, float top) {
  const float controlsBottom = top + 1e5f;
  fill({0, top, kControlsWidth, controlsBottom}, colors().surface);
  fill({kControlsWidth - 1, top, 1, controlsBottom}, colors().line);
  Column controls{20, top + 18, kControlsWidth - 41};
  drawControls(app, controls);
  const float right = std::min(width - kControlsWidth - 48, 1560.0f);
  Column answer{kControlsWidth + 24, top + 24, right};
  drawAnswerSide(app, answer);
  return std::max(controls.y, answer.y) + 32;
}

// One column: the answer, the controls, then the tabs.
float drawNarrow(AppState& app, float width, float top) {
  Column answer{20, top + 16, width - 40};
  drawAnswer(app, answer);
  drawNotices(app, answer);
  answer.gap(20);
  // The controls' ground; their height is that of the frame before.
  static float controlsHeight = 400;
  fill({0, answer.y, width, controlsHeight}, colors().surface);
  hairline(0, answer.y, width);
  Column controls{20, answer.y + 18, width - 40};
  drawControls(app, controls);
  controls.gap(20);
  hairline(0, controls.y, width);
  controlsHeight = controls.y - answer.y;
  Column rest{20, controls.y + 20, width - 40};
  drawVariants(app, rest);
  drawTabs(app, rest);
  return rest.y + 32;
}

// The answer in one line, kept in sight on top of a narrow page that has scrolled.
void drawShortAnswer(AppState& app) {
  if (app.answer() == nullptr) return;
  const Palette& p = colors();
  const Rect rect{0, 0, app.surface.width, 44};
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImVec2(rect.w, rect.h));
  ImGui::Begin("short", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoScrollWithMouse);
  fill(rect, p.surface);
  hairline(0, rect.bottom() - 1, rect.w);
  const std::string need = app.amount(app.need().expected);
  drawTextIn(rect.inset(20, 0), kHeading, p.text, need);
  if (const auto& fit = app.answer()->fit) {
    const Mood mood = moodOf(fit->verdict);
    const float x = 20 + textWidth(kHeading, need) + 16;
    drawIcon(moodIcon(mood), x + 6, rect.middleY(), 11, moodColor(mood));
    drawTextIn({x + 20, 0, rect.w - x - 40, rect.h}, kLabelBold, moodColor(mood),
               verdictText(app, *fit));
  }
  ImGui::End();
}

}  // namespace

void start(std::string_view query) {
  state().read(query);
  host::onModelFile([](std::string_view name, std::string_view bytes) {
    state().readModelFile(name, bytes);
    host::requestFrames(3);
  });
  // A first visit looks at a card that many know; a link says its own.
  if (query.empty() || query == "?") state().query.setText(Key::kDevice, "rtx-4090");
}

void showTab(std::string_view name) { showTab(state(), name); }

void keepToCompare() { state().keep(); }

void setQuery(std::string_view query) {
  // The same text again: what it stands for may have changed (a model that only now is known), and
  // a pasted config.json, which no URL carries, stays.
  if (query == encodeUrl(state().query)) {
    state().recompute();
  } else {
    state().read(query);
  }
}

namespace {
void chooseLanguageOf(const AppState& app, std::string_view readers) {
  const std::string_view code = languageFor(app.query.choice<Language>(Key::kLang), readers);
  needLanguage(code);
  // Until its table is there, the page goes on in the language that it speaks.
  if (const LanguageTable* table = tableOf(code)) useLanguage(*table);
}
}  // namespace

void chooseLanguage(std::string_view readers) { chooseLanguageOf(state(), readers); }

float draw(const Surface& surface) { return drawPage(state(), surface); }

float drawPage(AppState& app, const Surface& surface) {
  app.surface = surface;
  chooseLanguageOf(app, surface.language);
  const bool dark = isDark(app);
  useTheme(dark, surface.coarsePointer, surface.reducedMotion);
  tellHost(dark);
  app.noteHand(ImGui::GetActiveID());
  app.refresh();

  // Its ground is what the frame is cleared to: to fill it again costs more than all the rest.
  static float height = 0;
  ImGui::SetNextWindowPos(ImVec2(0, -surface.scrollTop));
  ImGui::SetNextWindowSize(ImVec2(surface.width, std::max(height, surface.height)));
  ImGui::Begin("memfit", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
  const float origin = -surface.scrollTop;
  const float top = origin + theme().header;
  const float bottom = surface.width < kNarrow ? drawNarrow(app, surface.width, top)
                                               : drawWide(app, surface.width, top);
  drawHeader(app, {0, origin, surface.width, theme().header});
  if (!ImGui::GetIO().WantTextInput) {
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Z)) app.undo();
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Y) ||
        ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z)) {
      app.redo();
    }
  }
  ImGui::End();
  if (surface.width < kNarrow && surface.scrollTop > theme().header + 60) drawShortAnswer(app);

  app.refresh();
  if (bottom - origin != height) {
    height = bottom - origin;
    host::requestFrames(1);
  }
  return height;
}

std::string query() { return encodeUrl(state().query); }

std::string_view config() { return state().query.text(Key::kConfig); }

std::string report() {
  state().refresh();
  const Answer* shown = state().answer();
  if (shown == nullptr) return "{}";
  // With what reading the query had to say, as decode() and estimate() together.
  Answer answer = *shown;
  answer.report.notices = state().notices();
  JsonWriter json;
  writeAnswer(json, answer);
  return json.take();
}

}  // namespace memfit::app
