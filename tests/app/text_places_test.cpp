// memfit - SPDX-License-Identifier: Apache-2.0
//
// No text leaves its place: the whole page is laid out at a phone's and two desktops' widths, with
// every tab, in every language, for questions that make texts long; then each letter in Dear
// ImGui's draw data is looked at. A letter may not be cut at a side, may not come near the edges of
// the window, and may not lie on another. What is shortened on purpose ends in an ellipsis, whose
// letters are as whole as others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/theme.h"
#include "app/headless.h"
#include "app/state.h"
#include "base/text.h"

namespace memfit::app {
namespace {

struct Letter {
  unsigned sign = 0;  // 0: not a whole letter of any face, so cut when it was drawn
  Rect place;
  Rect clip;
};

// Where each letter of the rasterized faces lies in the texture.
using Corners = std::pair<ImVec2, ImVec2>;
struct Before {
  bool operator()(const Corners& a, const Corners& b) const {
    const auto key = [](const Corners& c) {
      return std::tuple(c.first.x, c.first.y, c.second.x, c.second.y);
    };
    return key(a) < key(b);
  }
};
using Glyphs = std::map<Corners, unsigned, Before>;

Glyphs glyphsOf(ImFontAtlas& atlas) {
  Glyphs glyphs;
  for (int i = 0; i < atlas.Builder->BakedPool.Size; ++i) {
    for (const ImFontGlyph& glyph : atlas.Builder->BakedPool[i].Glyphs) {
      glyphs[{ImVec2(glyph.U0, glyph.V0), ImVec2(glyph.U1, glyph.V1)}] = glyph.Codepoint;
    }
  }
  return glyphs;
}

// Quads that show a piece of the texture: letters, since nothing else does.
std::vector<Letter> lettersOf(const ImDrawList& list, const Glyphs& glyphs) {
  std::vector<Letter> letters;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback != nullptr) continue;
    const ImVec4& c = command.ClipRect;
    const auto vertex = [&](unsigned index) -> const ImDrawVert& {
      const ImDrawIdx at = list.IdxBuffer[static_cast<int>(command.IdxOffset + index)];
      return list.VtxBuffer[static_cast<int>(command.VtxOffset + at)];
    };
    for (unsigned i = 0; i + 6 <= command.ElemCount; ++i) {
      const ImDrawVert &a = vertex(i), &b = vertex(i + 1), &d = vertex(i + 2);
      const bool quad = &a == &vertex(i + 3) && &d == &vertex(i + 4) && a.pos.y == b.pos.y &&
                        b.pos.x == d.pos.x && a.uv.x < d.uv.x && a.uv.y < d.uv.y &&
                        b.uv.x == d.uv.x && a.uv.y == b.uv.y;
      if (!quad) continue;
      const auto found = glyphs.find({a.uv, d.uv});
      letters.push_back({found == glyphs.end() ? 0 : found->second,
                         {a.pos.x, a.pos.y, d.pos.x - a.pos.x, d.pos.y - a.pos.y},
                         {c.x, c.y, c.z - c.x, c.w - c.y}});
      i += 5;
    }
  }
  return letters;
}

std::string textAround(const std::vector<Letter>& letters, std::size_t at) {
  std::string text;
  for (std::size_t i = at > 12 ? at - 12 : 0; i < std::min(letters.size(), at + 12); ++i) {
    char utf8[5];
    ImTextCharToUtf8(utf8, letters[i].sign == 0 ? '#' : letters[i].sign);
    text += utf8;
  }
  return text;
}

float overlap(const Rect& a, const Rect& b) {
  const float w = std::min(a.right(), b.right()) - std::max(a.x, b.x);
  const float h = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  return w > 0 && h > 0 ? w * h : 0;
}

// What is wrong with the frame that was drawn last; at most a few of each list.
std::vector<std::string> faultsIn(const ImDrawData& data) {
  // No text of the page comes closer to the sides of the window than this.
  constexpr float kMargin = 4;
  // Letters of one text may touch: an italic f, a T before a point.
  constexpr float kShare = 0.4f;
  std::vector<std::string> faults;
  const Glyphs glyphs = glyphsOf(*ImGui::GetIO().Fonts);
  for (const ImDrawList* list : data.CmdLists) {
    const std::vector<Letter> letters = lettersOf(*list, glyphs);
    std::vector<std::size_t> order(letters.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return letters[a].place.y < letters[b].place.y;
    });
    for (std::size_t n = 0; n < order.size() && faults.size() < 4; ++n) {
      const Letter& letter = letters[order[n]];
      const Rect& place = letter.place;
      const auto fault = [&](std::string_view what) {
        faults.push_back(cat(what, " \"", textAround(letters, order[n]), "\" at ",
                             std::llround(place.x), ",", std::llround(place.y)));
      };
      // Above and below a text may go on: it scrolls.
      const bool whole =
          place.y > letter.clip.y + 0.5f && place.bottom() < letter.clip.bottom() - 0.5f;
      const bool seen = place.bottom() > letter.clip.y && place.y < letter.clip.bottom();
      if ((whole && letter.sign == 0) || (seen && (place.x < letter.clip.x - 0.5f ||
                                                   place.right() > letter.clip.right() + 0.5f))) {
        fault("cut:");
      } else if (place.x < kMargin || place.right() > data.DisplaySize.x - kMargin) {
        fault("outside:");
      }
      for (std::size_t m = n + 1; m < order.size(); ++m) {
        const Rect& other = letters[order[m]].place;
        if (other.y >= place.bottom()) break;
        const float least = std::min(place.w * place.h, other.w * other.h);
        if (overlap(place, other) > kShare * least) {
          fault(cat("on \"", textAround(letters, order[m]), "\":"));
          break;
        }
      }
    }
  }
  return faults;
}

// A face of the language's signs, subset for the tests as it is for the page.
void addFace(std::string_view language) {
  std::ifstream file(cat(MEMFIT_TEST_FONTS "/font-", language, ".otf"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  ASSERT_FALSE(bytes.empty()) << language;
  addLanguageFont(language, bytes);
}

constexpr const char* kQuestions[] = {
    "",
    "device=rtx-4090",
    ("model=deepseek-v3&device=h100-80-sxm&count=8&weights=fp8&engine=vllm&seq=131072&"
     "concurrency=64"),
    "task=qlora&model=llama-3.1-70b&device=rtx-4090&seq=2048&units=GiB",
    "task=lora&params=70&active=22&device=24GB&batch=4&zero=3&dp=8",
    "task=full&params=7&method=pai&device=h100-80-sxm&count=8",
    "params=7&method=karakuri&device=nonsense&bogus=1&seq=0",
    "params=1000000&seq=100000000&batch=1000000&concurrency=1000000&device=rtx-4090",
    "engine=llama.cpp&weights=q4_k_m&seq=16384&device=apple-m4-max-36&gpu_layers=12",
    "model=custom",
};
constexpr Tab kAllTabs[] = {Tab::kDevices, Tab::kBreakdown, Tab::kMap,    Tab::kMethods,
                            Tab::kAdvice,  Tab::kModel,     Tab::kCompare};

// Every question of kQuestions in one language.
class TextPlaces : public testing::TestWithParam<const char*> {};

TEST_P(TextPlaces, EveryTextIsWholeAndAlone) {
  Headless headless(1280, 800);
  addFace(GetParam() == std::string("zh") ? "zh" : "ja");
  for (const char* question : kQuestions) {
    AppState state;
    // A question to compare with: the page's own first one.
    state.read("device=rtx-4090");
    state.refresh();
    state.keep();
    state.read(cat(question, "&lang=", GetParam()));
    for (const ImVec2 size : {ImVec2(390, 844), ImVec2(1280, 800), ImVec2(1920, 1080)}) {
      for (const bool all : {false, true}) {
        for (const Tab tab : kAllTabs) {
          // All lines and settings once; a closed part of the page needs no second look at each
          // tab.
          if (all && tab != Tab::kDevices) continue;
          state.look.tab = tab;
          state.look.allNotices = state.look.moreSettings = state.look.moreWeights = all;
          Surface surface;
          surface.width = size.x;
          surface.height = size.y;
          surface.coarsePointer = size.x < kNarrow;
          const auto draw = [&] { return drawPage(state, surface); };
          headless.resize(size.x, size.y);
          // The whole of it, as tall as it is; twice, for new letters may move in the texture.
          surface.height = std::max(size.y, headless.frame(draw));
          headless.resize(size.x, surface.height);
          headless.frame(draw);
          headless.frame(draw);
          ASSERT_EQ(languageInUse().code, GetParam());
          const auto report = [&](const char* when) {
            for (const std::string& fault : faultsIn(*ImGui::GetDrawData())) {
              ADD_FAILURE() << size.x << " wide, tab " << static_cast<int>(tab) << ", " << question
                            << when << ": " << fault;
            }
          };
          report("");
          // Scrolled, the answer stays on top of a narrow page.
          surface.height = size.y;
          surface.scrollTop = 700;
          headless.resize(size.x, size.y);
          headless.frame(draw);
          headless.frame(draw);
          report(", scrolled");
        }
      }
    }
  }
  useLanguage(englishTable());
}

INSTANTIATE_TEST_SUITE_P(Languages, TextPlaces, testing::Values("en", "ja", "fr", "zh"),
                         [](const auto& info) { return std::string(info.param); });

// The test's own eyes: texts that are wrong on purpose.
class WrongText : public testing::Test {
 protected:
  template <typename Draw>
  std::vector<std::string> faultsOf(Draw draw) {
    const auto all = [&] {
      useTheme(false, false, false);
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(ImVec2(390, 200));
      ImGui::Begin("wrong", nullptr, ImGuiWindowFlags_NoDecoration);
      draw();
      ImGui::End();
      return true;
    };
    for (int i = 0; i < 3; ++i) headless_.frame(all);
    return faultsIn(*ImGui::GetDrawData());
  }
  Headless headless_{390, 200};
};

constexpr Rgb kInk = 0x101010;

TEST_F(WrongText, WholeAndAloneIsRight) {
  EXPECT_TRUE(faultsOf([] {
                drawText(20, 40, kBody, kInk, "Tafel, fjord: To. f");
                drawText(20, 64, kBodyBold, kInk, "below it");
                drawTextIn({20, 80, 60, 24}, kBody, kInk, "shortened with an ellipsis");
              }).empty());
}

TEST_F(WrongText, WiderThanThePage) {
  const auto faults = faultsOf([] {
    drawText(20, 40, kBody, kInk, "a text that nobody has measured, drawn on a narrow page");
  });
  ASSERT_FALSE(faults.empty());
}

TEST_F(WrongText, NearTheEdge) {
  const auto faults = faultsOf([] { drawText(386 - 30, 40, kBody, kInk, "edge"); });
  ASSERT_FALSE(faults.empty());
}

TEST_F(WrongText, OnAnother) {
  const auto faults = faultsOf([] {
    drawText(20, 40, kBody, kInk, "the first text");
    drawText(70, 42, kBody, kInk, "the second");
  });
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults[0].substr(0, 3), "on ");
}

TEST_F(WrongText, CutByItsField) {
  const auto faults = faultsOf([] {
    canvas()->PushClipRect(ImVec2(0, 0), ImVec2(60, 200), true);
    drawText(20, 40, kBody, kInk, "wwwwwwwwwwww");
    canvas()->PopClipRect();
  });
  ASSERT_FALSE(faults.empty());
}

TEST_F(WrongText, CutBeforeItIsDrawn) {
  // What a text field does with a hint that is too long.
  const auto faults = faultsOf([] {
    const ImVec4 fine(0, 0, 61, 200);
    canvas()->AddText(fonts().regular, faceSize(kBody), ImVec2(20, 40), color(kInk), "wwwwwwww",
                      nullptr, 0, &fine);
  });
  ASSERT_FALSE(faults.empty());
}

}  // namespace
}  // namespace memfit::app
