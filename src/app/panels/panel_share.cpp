// memfit - SPDX-License-Identifier: Apache-2.0
//
// What can be taken along, and examples to start from.
#include "app/draw/widgets.h"
#include "app/platform/host.h"
#include "app/state.h"
#include "app/words/export.h"
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

void drawShareMenu(AppState& state, const Rect& anchor, bool open) {
  if (!beginMenu("share", anchor, open, 200)) return;
  if (const Answer* answer = state.answer()) {
    if (option("markdown", say(Text::kCopyMarkdown), false)) {
      host::copyText(toMarkdown(*answer, state.units(), host::pageUrl()));
    }
    if (option("json", say(Text::kDownloadJson), false)) {
      host::download("memfit.json", "application/json", report());
    }
    if (option("csv", say(Text::kDownloadCsv), false)) {
      host::download("memfit.csv", "text/csv", toCsv(*answer));
    }
    if (option("picture", say(Text::kSavePicture), false)) host::savePicture("memfit.png");
  }
  if (option("plain", say(Text::kPlainView), false)) host::showPlainView();
  endSelect();
}

}  // namespace memfit::app
