// memfit - SPDX-License-Identifier: Apache-2.0
#include "base/count.h"

#include <gtest/gtest.h>

namespace memfit {
namespace {

TEST(Count, ProductsAreExactUpToTwoToThe53) {
  EXPECT_EQ((Count(69196455936) * 2).value(), 138392911872u);
  EXPECT_EQ((Count(94906265) * 94906265).value(), 9007199136250225u);
  EXPECT_TRUE((Count(94906266) * 94906267).overflowed());
}

TEST(Count, ProductsEndAtTheLimit) {
  const auto power = [](int exponent) { return Count(std::uint64_t{1} << exponent); };
  EXPECT_TRUE((power(26) * power(27)).overflowed());
  EXPECT_EQ((power(26) * power(26)).value(), std::uint64_t{1} << 52);
  EXPECT_TRUE((power(32) * power(31)).overflowed());
  EXPECT_TRUE((power(32) * power(32)).overflowed());
  EXPECT_TRUE((Count(Count::kMax) * Count(Count::kMax)).overflowed());
  EXPECT_EQ((Count(Count::kMax) * 1).value(), Count::kMax);
  EXPECT_EQ((Count(Count::kMax) * 0).value(), 0u);
}

// Against arithmetic in 128 bits, at every pair of magnitudes.
TEST(Count, ProductsAndSharesAreThoseOfWideArithmetic) {
  using Wide = unsigned __int128;
  const auto expected = [](Wide wide) {
    return wide > Count::kMax ? Count::overflow() : Count(static_cast<std::uint64_t>(wide));
  };
  std::uint64_t random = 88172645463325252u;  // xorshift
  const auto next = [&random](int bits) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return random >> (64 - bits);
  };
  for (int i = 1; i <= 53; ++i) {
    for (int j = 1; j <= 53; ++j) {
      const std::uint64_t a = next(i), b = next(j), c = next(1 + (i + j) % 53) | 1;
      EXPECT_EQ(Count(a) * Count(b), expected(Wide{a} * b)) << a << " * " << b;
      EXPECT_EQ(Count(a).scaled(b, c), expected((Wide{a} * b + c / 2) / c))
          << a << " * " << b << " / " << c;
    }
  }
}

TEST(Count, OverflowSticks) {
  const Count overflowed = Count(Count::kMax) + 1;
  EXPECT_TRUE(overflowed.overflowed());
  EXPECT_TRUE((overflowed - Count(1)).overflowed());
  EXPECT_TRUE((overflowed * 0).overflowed());
  EXPECT_TRUE((Count(5) / overflowed).overflowed());
  EXPECT_TRUE(overflowed.scaled(1, 2).overflowed());
  EXPECT_EQ(overflowed.value(), Count::kMax);
}

TEST(Count, DivisionByZeroAndNegativesOverflow) {
  EXPECT_TRUE((Count(5) / 0).overflowed());
  EXPECT_TRUE(Count(5).ceilDiv(0).overflowed());
  EXPECT_TRUE(Count(5).scaled(1, 0).overflowed());
  EXPECT_TRUE(Count(-1).overflowed());
}

TEST(Count, SubtractionStopsAtZero) {
  EXPECT_EQ((Count(3) - Count(5)).value(), 0u);
  EXPECT_EQ((Count(5) - Count(3)).value(), 2u);
}

TEST(Count, RoundsUpToMultiples) {
  EXPECT_EQ(Count(0).roundUp(256).value(), 0u);
  EXPECT_EQ(Count(1).roundUp(256).value(), 256u);
  EXPECT_EQ(Count(256).roundUp(256).value(), 256u);
  EXPECT_EQ(Count(257).ceilDiv(256).value(), 2u);
}

TEST(Count, ScalesThroughA128BitProduct) {
  EXPECT_EQ(Count(7000000000).scaled(4, 8).value(), 3500000000u);
  EXPECT_EQ(Count(4503599627370496).scaled(1000000, 2000000).value(), 2251799813685248u);
  EXPECT_EQ(Count(1).scaled(1, 2).value(), 1u);  // halves round up
  EXPECT_EQ(Count(1).scaled(1, 3).value(), 0u);
}

TEST(Count, OrdersOverflowAboveEverything) {
  EXPECT_LT(Count(Count::kMax), Count::overflow());
  EXPECT_EQ(max(Count(1), Count::overflow()), Count::overflow());
}

}  // namespace
}  // namespace memfit
