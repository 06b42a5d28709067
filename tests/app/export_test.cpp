// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/export.h"

#include <gtest/gtest.h>

#include "app/words/texts.h"
#include "query/query_io.h"

namespace memfit::app {
namespace {

// The golden estimate of the published rule: 14 + 1.4 + 1.4 + 2 GB.
Answer golden() { return *answer(decodeUrl("params=7&seq=2048&method=pai&device=24GB").query); }

TEST(Export, CsvIsALineAnEntryInBytes) {
  const std::string csv = toCsv(golden());
  EXPECT_EQ(csv.find("component,where,low,expected,high,formula,inputs,source\r\n"), 0u);
  EXPECT_NE(csv.find("weights,device,14000000000,14000000000,14000000000,\"P * bits / 8\","
                     "\"P=7,000,000,000; bits=16\","),
            std::string::npos);
  // Quotes of a source are doubled (RFC 4180).
  EXPECT_NE(csv.find("\"Alibaba Cloud PAI, \"\"Estimate the GPU memory"), std::string::npos);
}

TEST(Export, MarkdownIsATableWithTheTotalAndTheLink) {
  useLanguage(englishTable());
  const std::string text = toMarkdown(golden(), Units::kGb, "https://example.org/?params=7");
  EXPECT_EQ(text.find("**18.8\u00a0GB** (likely 17.8\u00a0GB"), 0u);
  EXPECT_NE(
      text.find("| Weights | 14.0\u00a0GB | `P \u00d7 bits / 8` (P = 7,000,000,000, bits = 16) |"),
      std::string::npos);
  EXPECT_NE(text.find("| **Total** | **18.8\u00a0GB** | |"), std::string::npos);
  EXPECT_NE(text.find("<https://example.org/?params=7>"), std::string::npos);
}

TEST(Export, MarkdownSpeaksTheLanguageOfThePage) {
  useLanguage(frenchTable());
  const std::string text = toMarkdown(golden(), Units::kGb, "");
  useLanguage(englishTable());
  EXPECT_EQ(text.find("**18,8\u00a0Go**"), 0u);
  // The device, and (in a language that says them otherwise) the symbols of formulas.
  EXPECT_NE(text.find("GPU de 24,0\u00a0Go"), std::string::npos) << text;
  useLanguage(japaneseTable());
  const std::string japanese = toMarkdown(golden(), Units::kGb, "");
  useLanguage(englishTable());
  EXPECT_NE(japanese.find("`P \u00d7 ビット数 / 8` (P = 7,000,000,000, ビット数 = 16)"),
            std::string::npos)
      << japanese;
  EXPECT_NE(text.find("| Poids | 14,0\u00a0Go |"), std::string::npos);
}

}  // namespace
}  // namespace memfit::app
