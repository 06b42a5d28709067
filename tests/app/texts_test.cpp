// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/texts.h"

#include <gtest/gtest.h>

#include <set>

#include "memory/estimate.h"
#include "memory/training_plan.h"
#include "query/query_io.h"

namespace memfit::app {
namespace {

class Languages : public testing::TestWithParam<const LanguageTable*> {
 protected:
  void SetUp() override { useLanguage(*GetParam()); }
  void TearDown() override { useLanguage(englishTable()); }
};

std::set<char> placeholdersOf(std::string_view text) {
  std::set<char> found;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    if (text[i] == '{' && text[i + 2] == '}') found.insert(text[i + 1]);
  }
  return found;
}

TEST_P(Languages, NothingIsMissing) {
  const LanguageTable& table = *GetParam();
  for (std::size_t i = 0; i < kTextCount; ++i) EXPECT_FALSE(table.texts[i].empty()) << i;
  for (const Field& field : fields()) {
    EXPECT_NE(labelOf(field.key), field.name) << field.name << " has no label in " << table.code;
  }
  for (const std::string_view name : table.components) EXPECT_FALSE(name.empty());
  for (const Field& field : fields()) {
    EXPECT_FALSE(helpOf(field.key).empty()) << field.name;
    for (std::size_t i = 0; i < field.values.size(); ++i) {
      EXPECT_FALSE(wordOf(field, i).empty()) << field.name << " " << field.values[i];
    }
  }
}

TEST_P(Languages, PlaceholdersAreThoseOfEnglish) {
  const LanguageTable& table = *GetParam();
  for (std::size_t i = 0; i < kTextCount; ++i) {
    EXPECT_EQ(placeholdersOf(table.texts[i]), placeholdersOf(englishTable().texts[i]))
        << table.code << ": " << table.texts[i];
  }
}

TEST_P(Languages, WordsBelongToTheTableOfFields) {
  for (const ChoiceWord& word : GetParam()->words) {
    bool known = false;
    for (const std::string_view value : fieldOf(word.key).values) known |= value == word.word;
    EXPECT_TRUE(known) << word.word;
  }
}

// Words that a language must say itself: a reader does not know our keys.
TEST_P(Languages, SaysItsOwnWordsWhereEnglishDoes) {
  for (const ChoiceWord& english : englishTable().words) {
    bool own = false;
    for (const ChoiceWord& word : GetParam()->words) {
      own |= word.key == english.key && word.word == english.word;
    }
    EXPECT_TRUE(own) << GetParam()->code << ": " << english.word;
  }
}

// What the estimator says of itself for the published rules, in the language of the page.
TEST_P(Languages, TheRulesReasonsAreTranslated) {
  if (GetParam() == &englishTable()) return;
  for (const char* url : {"params=7&method=pai", "task=full&params=7&method=pai",
                          "task=lora&params=7&method=pai", "task=full&model=llama-3.1-8b"}) {
    const auto comparisons = compare(decodeUrl(url).query);
    ASSERT_TRUE(comparisons.ok());
    for (const Difference& difference : comparisons->differences) {
      EXPECT_NE(sentence(difference.reason), difference.reason) << GetParam()->code;
    }
  }
  for (const char* url : {"params=7&method=pai", "task=lora&params=7&method=pai"}) {
    const auto report = estimate(decodeUrl(url).query);
    ASSERT_TRUE(report.ok());
    for (const Entry& entry : report->ledger.entries()) {
      if (entry.note.empty()) continue;
      EXPECT_NE(sentence(entry.note), entry.note) << entry.note;
    }
  }
}

// Words such as paged-adamw are for links; readers see names.
TEST_P(Languages, ChoicesHaveNames) {
  for (const Field& field : fields()) {
    for (std::size_t i = 0; i < field.values.size(); ++i) {
      const std::string_view shown = wordOf(field, i);
      if (shown != field.values[i]) continue;
      EXPECT_EQ(shown.find_first_of("-_0123456789"), std::string_view::npos)
          << GetParam()->code << ": " << field.name << " " << shown;
    }
  }
}

TEST_P(Languages, SentencesStandOnceEach) {
  std::set<std::string_view> seen;
  for (const Sentence& own : GetParam()->sentences) {
    EXPECT_FALSE(own.text.empty()) << own.english;
    EXPECT_TRUE(seen.insert(own.english).second) << own.english;
  }
}

TEST_P(Languages, EveryMomentOfTrainingHasAName) {
  if (GetParam() == &englishTable()) return;
  for (std::size_t i = 0; i < kPhases; ++i) {
    const std::string_view name = phaseName(static_cast<TrainingPhase>(i));
    EXPECT_NE(phaseText(name), name);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Languages, testing::ValuesIn(languageTables()),
                         [](const auto& info) { return std::string(info.param->code); });

TEST(Texts, TheReadersLanguageDecidesWhereNoneIsGiven) {
  EXPECT_EQ(languageFor(Language::kAuto, "en-GB"), "en");
  EXPECT_EQ(languageFor(Language::kAuto, "fr-CA"), "fr");
  EXPECT_EQ(languageFor(Language::kAuto, "xx"), "en");
  EXPECT_EQ(languageFor(Language::kAuto, ""), "en");
  EXPECT_EQ(languageFor(Language::kEn, "ja"), "en");
  EXPECT_EQ(languageFor(Language::kZh, "ja"), "zh");
}

TEST(Texts, TheLanguagesThatCanBeChosenAreThoseOfTheTables) {
  ASSERT_EQ(languageNames().size(), languageTables().size());
  for (std::size_t i = 0; i < languageNames().size(); ++i) {
    EXPECT_EQ(languageNames()[i].code, languageTables()[i]->code);
    EXPECT_EQ(languageNames()[i].name, languageTables()[i]->name);
    // The field's words are the same, in the same order behind "auto".
    EXPECT_EQ(fieldOf(Key::kLang).values[i + 1], languageNames()[i].code);
  }
}

TEST(Texts, FillsIn) {
  EXPECT_EQ(fillIn("{1} of {0}{2}", {"a", "b"}), "b of a");
  EXPECT_EQ(fillIn("{0} {", {"x"}), "x {");
}

TEST(Texts, Lists) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b or c");
}

TEST(Texts, NamesOfFormatsAreThoseOfTheirFiles) {
  const Field& weights = fieldOf(Key::kWeights);
  EXPECT_EQ(wordOf(weights, static_cast<std::size_t>(WeightFormat::kQ4KM)), "Q4_K_M");
  EXPECT_EQ(wordOf(weights, static_cast<std::size_t>(WeightFormat::kBf16)), "BF16");
  const Field& optimizer = fieldOf(Key::kOptimizer);
  EXPECT_EQ(wordOf(optimizer, static_cast<std::size_t>(Optimizer::kAdamW)), "AdamW");
}

TEST(Texts, NoticesSayWhatWasGivenAndWhatIsAccepted) {
  const Notice notice{NoticeCode::kOutOfRange, "seq", "0", "1 to 100000000", "unused"};
  EXPECT_EQ(noticeText(notice), "Sequence length does not take 0; accepted: 1 to 100000000.");
}

TEST(Texts, NoticesSpeakTheLanguageInAllTheirParts) {
  useLanguage(japaneseTable());
  // Choices by their words, numbers and units as the language has them.
  EXPECT_EQ(
      noticeText({NoticeCode::kUnknownValue, "offload", "disk", "none, optimizer or all", ""}),
      "オフロード：「disk」は使えない。使える値：なし、オプティマイザー、または すべて。");
  const Notices refused = decodeUrl("gpu_layers=-1&theme=blue").notices;
  ASSERT_EQ(refused.size(), 2u);
  EXPECT_EQ(noticeText(refused[0]),
            "デバイス上のレイヤー：-1 は使えない。使える値：0～10,000 "
            "の整数（レイヤー数）、またはすべて。");
  EXPECT_EQ(noticeText(refused[1]),
            "テーマ：「blue」は使えない。使える値：自動、ライト、または ダーク。");
  useLanguage(englishTable());
}

TEST(Texts, AnIdleFieldSaysWhyInTheReadersLanguage) {
  const Notice byEngine{NoticeCode::kNoEffect, "graphs", "off", "", "", "mlx does not read it"};
  const Notice byTrainer{
      NoticeCode::kNoEffect, "accumulation", "8", "", "", "the trainer megatron does not read it"};
  const Notice byTask{NoticeCode::kNoEffect, "rank", "8", "", "", ""};
  EXPECT_EQ(noticeText(byEngine), "CUDA graphs = off changes nothing: mlx does not read it.");
  EXPECT_EQ(noticeText(byTask), "LoRA rank = 8 changes nothing for this task and method.");
  useLanguage(frenchTable());
  EXPECT_EQ(noticeText(byEngine), "Graphes CUDA = non ne change rien\u00a0: mlx ne le lit pas.");
  useLanguage(japaneseTable());
  EXPECT_EQ(noticeText(byTrainer),
            "勾配累積 = 8：結果に影響しない（学習ツール megatron はこの項目を使わない）。");
  useLanguage(chineseTable());
  EXPECT_EQ(noticeText(byTrainer), "梯度累积 = 8 没有影响：训练工具 megatron 不使用此项。");
  useLanguage(englishTable());
}

}  // namespace
}  // namespace memfit::app
