#include "base/count.h"

#include <gtest/gtest.h>

namespace memfit {
namespace {

TEST(Count, ProductsAreExactUpToTwoToThe53) {
  EXPECT_EQ((Count(69196455936) * 2).value(), 138392911872u);
  EXPECT_EQ((Count(94906265) * 94906265).value(), 9007199136250225u);
  EXPECT_TRUE((Count(94906266) * 94906267).overflowed());
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
