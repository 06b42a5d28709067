// memfit - SPDX-License-Identifier: Apache-2.0
//
// What can be taken along, and examples to start from.
#include "app/export.h"
#include "app/host.h"
#include "app/state.h"
#include "app/widgets.h"
#include "imgui.h"
#include "query/query_io.h"

namespace memfit::app {
namespace {

struct Preset {
  Text title;
  std::string_view url;
};
constexpr Preset kPresets[] = {
    {Text::kPresetChat, "engine=vllm&seq=8192&concurrency=16&device=l40s"},
    {Text::kPresetLong, "engine=vllm&weights=fp8&seq=131072&device=h100-80-sxm"},
    {Text::kPresetLora, "task=lora&batch=2&seq=2048&checkpointing=full&device=rtx-4090"},
    {Text::kPresetQlora70, "task=qlora&model=llama-3.1-70b&seq=2048&device=h100-80-sxm"},
    {Text::kPresetFull8, "task=full&batch=4&seq=4096&dp=8&zero=3&device=h100-80-sxm&count=8"},
    {Text::kPresetLaptop, "engine=llama.cpp&weights=q4_k_m&seq=16384&device=apple-m4-max-36"},
};

}  // namespace

void drawPresets(AppState& state, Column& column) {
  const Rect row = column.take(theme().control);
  const float side = row.h + 2;
  const Rect select{row.x, row.y, row.w - 2 * side - 12, row.h};
  if (beginSelect("presets", select, say(Text::kPresets), 300)) {
    for (std::size_t i = 0; i < std::size(kPresets); ++i) {
      const std::string id = std::to_string(i);
      if (option(id.c_str(), say(kPresets[i].title), false)) {
        const DecodedQuery decoded = decodeUrl(kPresets[i].url);
        state.apply(decoded.query);
        state.modelFile.clear();
        host::pushHistory();
      }
    }
    endSelect();
  }
  if (iconButton("undo", {select.right() + 6, row.y, side, row.h}, Icon::kUndo, state.canUndo())) {
    state.undo();
  }
  tipOfLast(state.canUndo() ? say(Text::kUndo) : std::string_view());
  if (iconButton("redo", {row.right() - side, row.y, side, row.h}, Icon::kRedo, state.canRedo())) {
    state.redo();
  }
  tipOfLast(state.canRedo() ? say(Text::kRedo) : std::string_view());
}

void drawShare(AppState& state, Column& column) {
  if (state.answer() == nullptr) return;
  column.gap(28);
  hairline(column.x, column.y, column.w);
  column.gap(12);
  ImGui::PushID("share");
  float x = column.x;
  float y = column.y;
  const float step = theme().control > 40 ? 44 : 24;
  const auto entry = [&](const char* id, Text text) {
    const float width = textWidth(kLabel, say(text));
    if (x + width > column.x + column.w && x > column.x) {
      x = column.x;
      y += step;
    }
    const bool pressed = link(id, x, y, say(text));
    x += width + 20;
    return pressed;
  };
  if (entry("markdown", Text::kCopyMarkdown)) {
    host::copyText(toMarkdown(*state.answer(), state.units(), host::pageUrl()));
  }
  if (entry("json", Text::kDownloadJson)) {
    host::download("memfit.json", "application/json", report());
  }
  if (entry("csv", Text::kDownloadCsv)) {
    host::download("memfit.csv", "text/csv", toCsv(*state.answer()));
  }
  if (entry("picture", Text::kSavePicture)) host::savePicture("memfit.png");
  if (entry("plain", Text::kPlainView)) host::showPlainView();
  ImGui::PopID();
  column.y = y + step;
}

}  // namespace memfit::app
