// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/texts_json.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cstdlib>
#include <string>

#include "app/draw/palette.h"
#include "app/words/twin_texts.h"

namespace memfit::app {
namespace {

TEST(TextsJson, HoldsWhatTheTwinSays) {
  for (const LanguageTable* table : languageTables()) {
    rapidjson::Document document;
    const std::string text = textsJson(*table);
    ASSERT_FALSE(document.Parse(text.c_str()).HasParseError()) << text;
    EXPECT_EQ(document["code"].GetString(), std::string(table->code));
    EXPECT_EQ(document["numbers"]["GB"].GetString(), std::string(table->numbers.gb));
    for (const Field& field : fields()) {
      const std::string name(field.name);
      EXPECT_STRNE(document["labels"][name.c_str()].GetString(), "") << name;
      EXPECT_STRNE(document["helps"][name.c_str()].GetString(), "") << name;
      if (field.values.empty()) continue;
      EXPECT_EQ(document["words"][name.c_str()].MemberCount(), field.values.size()) << name;
    }
    EXPECT_NE(std::string(document["texts"]["perDevice"].GetString()).find("{0}"),
              std::string::npos);
    EXPECT_EQ(document["components"].MemberCount(), static_cast<std::size_t>(Component::kCount));
  }
  EXPECT_EQ(languageInUse().code, "en") << "the language in use is left as it was";
}

// A text's places are the same in every language, or numbers would go missing.
TEST(TextsJson, EveryLanguageFillsTheSamePlaces) {
  for (const TwinText& text : twinTexts()) {
    for (const char* place : {"{0}", "{1}", "{2}"}) {
      const bool inEnglish = text.en.find(place) != std::string_view::npos;
      for (const char* language : {"ja", "fr", "zh"}) {
        EXPECT_EQ(text.in(language).find(place) != std::string_view::npos, inEnglish)
            << text.id << " " << language << " " << place;
      }
    }
  }
}

// WCAG 2.1, 1.4.11: what outlines a control stands out 3 to 1 from what is around it.
TEST(TextsJson, TheEdgesOfControlsCanBeSeen) {
  for (const bool dark : {false, true}) {
    const std::string css = paletteCss(dark);
    const std::size_t at = css.find("--edge:#");
    ASSERT_NE(at, std::string::npos);
    const auto edge = static_cast<Rgb>(std::strtoul(css.substr(at + 8, 6).c_str(), nullptr, 16));
    EXPECT_GE(contrast(edge, palette(dark).surface), 3.0);
  }
}

}  // namespace
}  // namespace memfit::app
