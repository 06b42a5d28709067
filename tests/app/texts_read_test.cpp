// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/texts_read.h"

#include <gtest/gtest.h>

#include <string>

#include "app/words/texts_json.h"

namespace memfit::app {
namespace {

class ReadTables : public testing::TestWithParam<const LanguageTable*> {
 protected:
  void TearDown() override { useLanguage(englishTable()); }
};

// What the page fetches says what the table that is compiled in says.
TEST_P(ReadTables, AreWhatWasWritten) {
  const LanguageTable& own = *GetParam();
  const LanguageTable* table = readTable(textsJson(own));
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->code, own.code);
  EXPECT_EQ(table->name, own.name);
  EXPECT_EQ(table->numbers.decimal, own.numbers.decimal);
  EXPECT_EQ(table->numbers.group, own.numbers.group);
  EXPECT_EQ(table->numbers.kb, own.numbers.kb);
  EXPECT_EQ(table->numbers.gib, own.numbers.gib);
  EXPECT_EQ(table->numbers.bytes, own.numbers.bytes);
  EXPECT_EQ(table->texts, own.texts);
  EXPECT_EQ(table->components, own.components);
  ASSERT_EQ(table->sentences.size(), own.sentences.size());
  for (std::size_t i = 0; i < own.sentences.size(); ++i) {
    EXPECT_EQ(table->sentences[i].english, own.sentences[i].english);
    EXPECT_EQ(table->sentences[i].text, own.sentences[i].text);
  }
  for (const Field& field : fields()) {
    useLanguage(own);
    const std::string label(labelOf(field.key));
    const std::string help(helpOf(field.key));
    const std::string unit(unitOf(field));
    useLanguage(*table);
    EXPECT_EQ(labelOf(field.key), label);
    EXPECT_EQ(helpOf(field.key), help);
    EXPECT_EQ(unitOf(field), unit);
    for (std::size_t i = 0; i < field.values.size(); ++i) {
      useLanguage(own);
      const std::string word(wordOf(field, i));
      useLanguage(*table);
      EXPECT_EQ(wordOf(field, i), word) << field.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReadTables, testing::ValuesIn(languageTables().subspan(1)),
                         [](const auto& info) { return std::string(info.param->code); });

TEST(ReadTable, RefusesWhatIsNotATableOfThisBuild) {
  EXPECT_EQ(readTable(""), nullptr);
  EXPECT_EQ(readTable("[1, 2"), nullptr);
  EXPECT_EQ(readTable("{}"), nullptr);
  EXPECT_EQ(readTable(R"({"code":"fr","numbers":{},"canvas":["one"],"components":{}})"), nullptr);
  // English has its texts compiled in, so its file brings none.
  EXPECT_EQ(readTable(textsJson(englishTable())), nullptr);
}

}  // namespace
}  // namespace memfit::app
