// memfit - SPDX-License-Identifier: Apache-2.0
#include "advice/variants.h"

#include <gtest/gtest.h>

#include "query/query_io.h"

namespace memfit {
namespace {

std::vector<std::uint64_t> totals(const char* url) {
  std::vector<std::uint64_t> bytes;
  const auto variants = variantsOf(decodeUrl(url).query);
  EXPECT_TRUE(variants.ok());
  for (const Variant& variant : *variants) {
    bytes.push_back(variant.answer.report.total.expected.value());
  }
  return bytes;
}

// The rows of the published calculator for 7B at 2,048 tokens (published_rules.md section 1).
TEST(Variants, AreTheRowsOfThePublishedCalculator) {
  EXPECT_EQ(totals("method=pai&params=7&seq=2048"),
            (std::vector<std::uint64_t>{18800000000, 11800000000, 8300000000}));
  EXPECT_EQ(totals("task=full&method=pai&params=7&seq=2048"),
            (std::vector<std::uint64_t>{87400000000, 18100000000, 11100000000, 7600000000}));
}

TEST(Variants, KnowWhichRowWasAsked) {
  const auto variants = variantsOf(decodeUrl("task=qlora&method=pai&params=7").query);
  ASSERT_EQ(variants->size(), 4u);
  EXPECT_FALSE((*variants)[2].asked);
  EXPECT_TRUE((*variants)[3].asked);
  EXPECT_EQ(encodeUrl((*variants)[0].query), "task=full&params=7&method=pai");
}

}  // namespace
}  // namespace memfit
