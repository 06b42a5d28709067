// memfit - SPDX-License-Identifier: Apache-2.0
//
// Draws the whole page without a page: Dear ImGui with no platform and no renderer. What is checked
// is that every panel draws, that no two things share an id, and that the page answers to input.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

#include "app/app.h"
#include "app/draw/fields_ui.h"
#include "app/draw/theme.h"
#include "app/headless.h"
#include "app/state.h"

namespace memfit::app {
namespace {

class Page : public testing::Test {
 protected:
  Page() {
    surface_.width = 1280;
    surface_.height = 2400;
    surface_.language = "en";
  }

  float frame() {
    return headless_.frame([&] { return draw(surface_); });
  }

  void clickAt(float x, float y) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(x, y);
    frame();
    io.AddMouseButtonEvent(0, true);
    frame();
    io.AddMouseButtonEvent(0, false);
    frame();
    frame();
  }

  Headless headless_{1280, 2400};
  Surface surface_;
};

constexpr const char* kQueries[] = {
    "",
    "params=7&seq=2048&method=pai",
    "task=full&params=7&method=pai&device=h100-80-sxm&count=8",
    "task=lora&params=70&active=22&device=24GB",
    "task=qlora&params=7&method=per-billion&units=GiB&theme=dark",
    "task=inference&params=7&method=karakuri&device=nonsense&bogus=1&seq=0",
    "params=1000000&seq=100000000&batch=1000000&concurrency=1000000&method=pai",
};

TEST_F(Page, EveryQueryDrawsAtEveryWidth) {
  for (const char* query : kQueries) {
    start(query);
    for (const float width : {320.0f, 390.0f, 768.0f, 1280.0f, 1920.0f}) {
      for (const bool coarse : {false, true}) {
        surface_.width = width;
        surface_.coarsePointer = coarse;
        ImGui::GetIO().DisplaySize = ImVec2(width, 2400);
        frame();
        const float height = frame();
        EXPECT_GT(height, 400) << query << " at " << width;
        EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 1000) << query << " at " << width;
      }
    }
  }
}

TEST_F(Page, EveryPanelDrawsForEveryQuery) {
  struct Panel {
    const char* name;
    void (*draw)(AppState&, Column&);
  };
  constexpr Panel kPanels[] = {{"devices", drawDevices}, {"breakdown", drawBreakdown},
                               {"map", drawMap},         {"methods", drawMethods},
                               {"advice", drawAdvice},   {"model", drawModel},
                               {"compare", drawCompare}};
  for (const char* query : kQueries) {
    AppState state;
    state.read(query);
    state.refresh();
    if (state.answer() == nullptr) continue;
    state.keep();
    for (const LanguageTable* table : languageTables()) {
      useLanguage(*table);
      for (const Panel& panel : kPanels) {
        for (const float width : {350.0f, 900.0f}) {
          useTheme(false, false, false);
          ImGui::NewFrame();
          ImGui::SetNextWindowPos(ImVec2(0, 0));
          ImGui::SetNextWindowSize(ImVec2(width, 4000));
          ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
          Column column{0, 0, width};
          panel.draw(state, column);
          EXPECT_GT(column.y, 20) << panel.name << " " << query;
          ImGui::End();
          ImGui::Render();
        }
      }
    }
  }
  useLanguage(englishTable());
}

TEST_F(Page, AChangeCanBeUndoneAndDoneAgain) {
  AppState state;
  state.read("params=7&method=pai");
  state.refresh();
  EXPECT_FALSE(state.canUndo());
  state.query.set(Key::kSeq, 8192);
  state.refresh();
  // Two values of one drag are one step.
  state.noteHand(7);
  state.query.set(Key::kBatch, 2);
  state.refresh();
  state.query.set(Key::kBatch, 3);
  state.refresh();
  state.noteHand(0);
  state.undo();
  state.refresh();
  EXPECT_EQ(state.query.number(Key::kBatch), 1);
  EXPECT_EQ(state.query.number(Key::kSeq), 8192);
  state.undo();
  state.refresh();
  EXPECT_EQ(state.query.number(Key::kSeq), 4096);
  EXPECT_FALSE(state.canUndo());
  state.redo();
  state.refresh();
  state.redo();
  state.refresh();
  EXPECT_EQ(state.query.number(Key::kBatch), 3);
  EXPECT_FALSE(state.canRedo());
}

TEST_F(Page, LooksAreNoStepAndStay) {
  AppState state;
  state.read("params=7&method=pai");
  state.refresh();
  state.query.set(Key::kUnits, Units::kGib);
  state.refresh();
  EXPECT_FALSE(state.canUndo());
  state.query.set(Key::kSeq, 8192);
  state.refresh();
  state.undo();
  EXPECT_EQ(state.units(), Units::kGib);
}

TEST_F(Page, TheMapIsMadeAgainWhenAModelHasBecomeKnown) {
  // A link names a model that is fetched: until it is there, answer and map are of the default one.
  AppState state;
  state.read("model=llama-3.1-70b&device=rtx-4090");
  state.refresh();
  state.map();
  const int version = state.mapVersion();
  state.map();
  EXPECT_EQ(state.mapVersion(), version);
  state.recompute();
  state.refresh();
  state.map();
  EXPECT_EQ(state.mapVersion(), version + 1);
}

TEST_F(Page, AFileOfTheReadersBecomesTheModel) {
  AppState state;
  // Its size and a shape of one's own belong to the model before.
  state.read("params=7&layers=3&seq=2048");
  state.refresh();
  // The shape of Llama 3.1 8B, as its config.json says it.
  state.readModelFile(
      "config.json",
      R"({"model_type":"llama","architectures":["LlamaForCausalLM"],"hidden_size":4096,)"
      R"("intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,)"
      R"("num_key_value_heads":8,"vocab_size":128256,"tie_word_embeddings":false,)"
      R"("torch_dtype":"bfloat16"})");
  state.refresh();
  ASSERT_NE(state.answer(), nullptr);
  EXPECT_EQ(state.answer()->report.parameters, Count(8030261248));
  EXPECT_EQ(state.query.number(Key::kSeq), 2048);

  state.readModelFile("notes.txt", "not a model");
  state.refresh();
  EXPECT_FALSE(state.notices().empty());
  EXPECT_EQ(state.answer()->report.parameters, Count(8030261248));
}

TEST_F(Page, NoTwoThingsShareAnId) {
  // Dear ImGui notices when the pointer is over the second of the two: visit the whole page.
  start("task=inference&params=7&method=pai&device=rtx-4090");
  frame();
  for (float y = 4; y < 1400; y += 12) {
    for (float x = 4; x < 1280; x += 24) {
      ImGui::GetIO().AddMousePosEvent(x, y);
      frame();
      ASSERT_EQ(ImGui::GetCurrentContext()->DebugDrawIdConflictsId, 0u) << x << ", " << y;
    }
  }
}

// What nobody reads as things stand has no control on the canvas.
TEST_F(Page, SettingsAreShownWhereSomebodyReadsThem) {
  constexpr Key kOfLlamaCpp[] = {Key::kGpuLayers, Key::kCpuMoe, Key::kUbatch};
  constexpr Key kOfAdapters[] = {Key::kRank, Key::kTargets, Key::kDora, Key::kDoubleQuant};
  const auto shown = [](std::string_view url, std::span<const Key> keys) {
    AppState state;
    state.read(url);
    return countThatMatter(state, keys);
  };
  EXPECT_EQ(shown("engine=llama.cpp", kOfLlamaCpp), 3);
  EXPECT_EQ(shown("engine=vllm", kOfLlamaCpp), 0);
  EXPECT_EQ(shown("task=full", kOfLlamaCpp), 0);
  EXPECT_EQ(shown("task=full", kOfAdapters), 0);
  EXPECT_EQ(shown("task=lora", kOfAdapters), 3);
  EXPECT_EQ(shown("task=lora&weights=nf4", kOfAdapters), 4);
  EXPECT_EQ(shown("task=qlora", kOfAdapters), 4);
}

TEST_F(Page, ATaskIsChosenWithThePointer) {
  start("params=7&method=pai");
  frame();
  EXPECT_EQ(query(), "params=7&method=pai");
  // The second of the four parts of the first control.
  clickAt(20 + 307 * 0.375f, 52 + 18 + 19);
  EXPECT_EQ(query(), "task=full&params=7&method=pai");
}

TEST_F(Page, TheQueryFromOutsideIsShownAndGivenBack) {
  start("params=7&method=pai");
  frame();
  setQuery("task=lora&params=13&method=pai&units=GiB");
  frame();
  EXPECT_EQ(query(), "task=lora&params=13&method=pai&units=GiB");
  EXPECT_NE(report().find("\"ledger\""), std::string::npos);
}

TEST_F(Page, AnAnswerThatCannotBeGivenSaysSo) {
  start("model=custom");
  frame();
  EXPECT_GT(frame(), 100);
  EXPECT_EQ(report(), "{}");
}

}  // namespace
}  // namespace memfit::app
