// memfit - SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

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

// U+FFFD for each maximal subpart: the examples of Unicode 16, tables 3-8 to 3-11, and the borders
// of table 3-7.
TEST(Text, BytesThatAreNoUtf8BecomeReplacementCharacters) {
  const std::string bad = "\xEF\xBF\xBD";
  const auto times = [&bad](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += bad;
    return text;
  };
  // Well-formed text stays: the first and last character of each length, and beside surrogates.
  for (const char* text :
       {"", "plain", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(asUtf8(text), text);
  }
  EXPECT_EQ(asUtf8("\xFF\xFE"), times(2));
  // Overlong forms (table 3-8), surrogates (3-9), beyond U+10FFFF and stray bytes (3-10).
  EXPECT_EQ(asUtf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), times(8) + "A");
  EXPECT_EQ(asUtf8("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), times(8) + "A");
  EXPECT_EQ(asUtf8("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), times(5) + "A" + times(2) + "B");
  // Truncated sequences are one each (3-11), at the end of the text too.
  EXPECT_EQ(asUtf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), times(4) + "A");
  EXPECT_EQ(asUtf8("a\xC3"), "a" + bad);
  EXPECT_EQ(asUtf8("a\xE2\x82"), "a" + bad);
  EXPECT_EQ(asUtf8("a\xF0\x9F\x98"), "a" + bad);
  EXPECT_EQ(asUtf8("\xC1\xBF"), times(2));
  EXPECT_EQ(asUtf8("\xF5\x80"), times(2));
  EXPECT_EQ(asUtf8("\xE2\x82\xAC"
                   "\x80"
                   "\xE2\x82\xAC"),
            "\xE2\x82\xAC" + bad + "\xE2\x82\xAC");
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
  EXPECT_EQ(formatFixed(0.125, 2), "0.12");  // a tie goes to the even digit
  EXPECT_EQ(formatFixed(0.375, 2), "0.38");
  EXPECT_EQ(formatFixed(2.5, 0), "2");
  EXPECT_EQ(formatFixed(3.5, 0), "4");
  EXPECT_EQ(formatFixed(9.996, 2), "10.00");
  EXPECT_EQ(formatFixed(1.005, 2), "1.00");      // the double is below 1.005
  EXPECT_EQ(formatFixed(0.00005, 4), "0.0001");  // and this one above
  EXPECT_EQ(formatFixed(-1234.5678, 3), "-1234.568");
  EXPECT_EQ(formatFixed(9007199254740991, 0), "9007199254740991");
  EXPECT_EQ(formatFixed(1e19, 0), "?");
  EXPECT_EQ(formatFixed(NAN, 1), "?");
  EXPECT_EQ(formatFixed(1, 10), "?");
}

// Against the C library, over sizes that estimates have.
TEST(Text, FormatsFixedDecimalsAsPrintfDoes) {
  double value = 1e-7;
  for (int i = 0; i < 20000; ++i) {
    for (const int decimals : {0, 1, 2, 4, 9}) {
      char expected[64];
      std::snprintf(expected, sizeof expected, "%.*f", decimals, value);
      ASSERT_EQ(formatFixed(value, decimals), expected);
      // Near ties of the decimals shown.
      const double tie = (std::floor(value * 100) + 0.5) / 100;
      std::snprintf(expected, sizeof expected, "%.*f", decimals, tie);
      ASSERT_EQ(formatFixed(tie, decimals), expected);
    }
    value *= 1.00171;
  }
}

TEST(Text, MeasuresJsonDepthOutsideStrings) {
  EXPECT_EQ(jsonDepth(""), 0u);
  EXPECT_EQ(jsonDepth("{\"a\":[1,[2]],\"b\":{}}"), 3u);
  EXPECT_EQ(jsonDepth("{\"a\":\"[[[\\\"[[\"}"), 1u);
  EXPECT_EQ(jsonDepth("]]]["), 1u);
}

}  // namespace
}  // namespace memfit
