// memfit - SPDX-License-Identifier: Apache-2.0
//
// Nothing that the estimator says stays English for who reads another language: names, options and
// what is cited excepted.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "app/said.h"
#include "app/words/texts.h"

namespace memfit::app {
namespace {

// Whether the table has words for a text; some words are the same in both languages.
bool isTranslated(std::string_view english) {
  if (sentence(english) != english) return true;
  for (const Sentence& own : languageInUse().sentences) {
    if (own.english == english) return true;
  }
  return false;
}

// A text without what it quotes: titles of papers, and what was given.
std::string unquoted(std::string_view text) {
  std::string out = " ";
  bool inside = false;
  for (const char c : text) {
    if (c == '"') inside = !inside;
    if (!inside) out += c == ',' || c == ';' || c == '.' || c == '(' ? ' ' : c;
  }
  return out + " ";
}

constexpr std::string_view kEnglishWords[] = {
    " the ",   " of ",     " and ",   " is ",   " are ", " with ",  " to ",
    " from ",  " read ",   " in ",    " its ",  " has ", " runs ",  " logs ",
    " layer ", " device ", " bytes ", " that ", " not ", " model ", " step "};

// The first word that only English has.
std::string_view englishWordIn(std::string_view text) {
  const std::string bare = unquoted(text);
  for (const std::string_view word : kEnglishWords) {
    if (bare.find(word) != std::string::npos) return word;
  }
  return {};
}

class Sentences : public testing::TestWithParam<const LanguageTable*> {
 protected:
  void SetUp() override { useLanguage(*GetParam()); }
  void TearDown() override { useLanguage(englishTable()); }

  void expectSaid(std::string_view english) {
    EXPECT_TRUE(isTranslated(english)) << GetParam()->code << ": " << english;
    const std::string said = sentence(english);
    EXPECT_EQ(englishWordIn(said), "") << GetParam()->code << ": " << said;
    EXPECT_EQ(said.find('{'), std::string::npos) << said;
  }
};

TEST_P(Sentences, NotesReasonsPricesAndAssumptionsAreTranslated) {
  const std::string_view names[] = {"Architecture", "Alibaba Cloud PAI", "KARAKURI LM"};
  EXPECT_GT(everythingSaid().sentences.size(), 200u);
  for (const std::string& text : everythingSaid().sentences) {
    if (std::find(std::begin(names), std::end(names), text) == std::end(names)) expectSaid(text);
  }
}

TEST_P(Sentences, ErrorsAreTranslated) {
  EXPECT_GT(everythingSaid().errors.size(), 20u);
  for (const std::string& text : everythingSaid().errors) expectSaid(text);
}

// A repository, its file and a year are cited as they are.
TEST_P(Sentences, SourcesAreTranslatedAroundWhatTheyCite) {
  for (const std::string& text : everythingSaid().sources) {
    EXPECT_EQ(englishWordIn(sentence(text)), "") << GetParam()->code << ": " << sentence(text);
  }
}

TEST_P(Sentences, SymbolsOfFormulasAreTranslated) {
  // Letters stand for themselves; these are names.
  const std::string_view names[] = {"ceil", "max", "min", "pad",  "GB",
                                    "GiB",  "MiB", "cp",  "nccl", "ffn"};
  for (const std::string& symbol : everythingSaid().symbols) {
    if (symbol.size() == 1 ||
        std::find(std::begin(names), std::end(names), symbol) != std::end(names))
      continue;
    EXPECT_TRUE(isTranslated(symbol)) << GetParam()->code << ": " << symbol;
    // A minus within a symbol could not be told from one between two.
    EXPECT_EQ(sentence(symbol).find('-'), std::string::npos) << sentence(symbol);
  }
}

TEST_P(Sentences, EveryFieldHasItsHelp) {
  for (const Field& field : fields()) {
    EXPECT_NE(helpOf(field.key), field.help) << GetParam()->code << ": " << field.name;
  }
}

TEST_P(Sentences, NoPatternIsOnlyAPlace) {
  for (const Sentence& own : GetParam()->sentences) {
    const std::size_t open = own.english.find('{');
    if (open == std::string_view::npos) continue;
    EXPECT_GT(own.english.size(), 8u) << own.english;
    // Each place stands once, with words between it and the next.
    EXPECT_EQ(own.english.find("}{"), std::string_view::npos) << own.english;
  }
}

std::span<const LanguageTable* const> translations() { return languageTables().subspan(1); }
INSTANTIATE_TEST_SUITE_P(All, Sentences, testing::ValuesIn(translations()),
                         [](const auto& info) { return std::string(info.param->code); });

TEST(Sentence, EnglishStaysAsItIs) {
  EXPECT_EQ(sentence("The total passes 2^53 - 1 bytes."), "The total passes 2^53 - 1 bytes.");
  EXPECT_EQ(sentence(""), "");
}

TEST(Sentence, SaysWhatStandsInItsPlaces) {
  useLanguage(frenchTable());
  EXPECT_EQ(sentence("The model has 2050 learned positions; longer rows are cut there."),
            "Le modèle a 2050 positions apprises\u202f; les lignes plus longues y sont tronquées.");
  // Numbers as the language writes them, words in its own.
  EXPECT_EQ(sentence("The files hold 8,030,261,248 parameters, the config describes 1,000."),
            "Les fichiers contiennent 8\u202f030\u202f261\u202f248 paramètres, la configuration en "
            "décrit 1\u202f000.");
  EXPECT_EQ(sentence("hidden_size is an object; a whole number from 0 to 2^40 is accepted."),
            "hidden_size vaut un objet\u202f; un nombre entier de 0 à 2^40 est accepté.");
  // One pattern within another.
  EXPECT_EQ(sentence("GGUF, byte 4: the version is 7; 2 and 3 are accepted."),
            "GGUF, octet 4\u00a0: la version est 7\u202f; 2 et 3 sont acceptées.");
  EXPECT_EQ(sentence("Nobody says this."), "Nobody says this.");
  useLanguage(englishTable());
}

}  // namespace
}  // namespace memfit::app
