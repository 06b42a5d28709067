#include "base/text.h"

#include <gtest/gtest.h>

namespace memfit {
namespace {

TEST(Text, GroupsDigits) {
  EXPECT_EQ(groupDigits(0), "0");
  EXPECT_EQ(groupDigits(999), "999");
  EXPECT_EQ(groupDigits(1000), "1,000");
  EXPECT_EQ(groupDigits(69196455936), "69,196,455,936");
}

TEST(Text, ParsesDecimalsExactly) {
  EXPECT_EQ(parseScaled("0.92", 1000000), 920000);
  EXPECT_EQ(parseScaled("7", 1000000000), 7000000000);
  EXPECT_EQ(parseScaled(" 0.5 ", 1000000000), 500000000);
  EXPECT_EQ(parseScaled("1e3", 1), 1000);
  EXPECT_EQ(parseScaled("1.5E-3", 10000), 15);
  EXPECT_EQ(parseScaled("-2.5", 1), -3);
  EXPECT_EQ(parseScaled(".5", 10), 5);
  EXPECT_EQ(parseScaled("0.0000000000000000000001", 1000), 0);
  EXPECT_EQ(parseScaled("8.030261248", 1000000000), 8030261248);
}

TEST(Text, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", "-", ".", "1x", "x1", "1e", "1e+", "1.2.3", "0x10", "1,000", "inf"}) {
    EXPECT_FALSE(parseScaled(text, 1).has_value()) << text;
  }
  EXPECT_FALSE(parseScaled("1e30", 1).has_value());
  EXPECT_FALSE(parseScaled("9999999999999", 1000000000).has_value());
}

TEST(Text, FormatsWhatItParses) {
  EXPECT_EQ(formatScaled(920000, 1000000), "0.92");
  EXPECT_EQ(formatScaled(7000000000, 1000000000), "7");
  EXPECT_EQ(formatScaled(500000000, 1000000000), "0.5");
  EXPECT_EQ(formatScaled(1, 1000000), "0.000001");
  EXPECT_EQ(formatScaled(-15, 10), "-1.5");
  EXPECT_EQ(formatScaled(INT64_MIN, 1), "-9223372036854775808");
}

TEST(Text, ListsAndQuotes) {
  const std::string_view words[] = {"a", "b", "c"};
  EXPECT_EQ(listOf(words), "a, b or c");
  EXPECT_EQ(listOf(std::span(words).first(1)), "a");
  EXPECT_EQ(quoted("abc"), "\"abc\"");
  EXPECT_EQ(quoted("abcdef", 3), "\"abc...\"");
  EXPECT_EQ(quoted("a\nb"), "\"a?b\"");
  EXPECT_EQ(quoted("ab\xE3\x81\x82", 4), "\"ab...\"");  // never half a character
}

TEST(Text, FormatsFixedDecimals) {
  EXPECT_EQ(formatFixed(18.8, 1), "18.8");
  EXPECT_EQ(formatFixed(0, 2), "0.00");
}

TEST(Text, MeasuresJsonDepthOutsideStrings) {
  EXPECT_EQ(jsonDepth(""), 0u);
  EXPECT_EQ(jsonDepth("{\"a\":[1,[2]],\"b\":{}}"), 3u);
  EXPECT_EQ(jsonDepth("{\"a\":\"[[[\\\"[[\"}"), 1u);
  EXPECT_EQ(jsonDepth("]]]["), 1u);
}

}  // namespace
}  // namespace memfit
