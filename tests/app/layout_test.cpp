// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/draw/layout.h"

#include <gtest/gtest.h>

namespace memfit::app {
namespace {

TEST(Layout, ACellStandsOnWholePixelsAndTheRowIsFilled) {
  const Rect row{20, 0, 307, 36};
  float right = 20;
  for (int i = 0; i < 4; ++i) {
    const Rect part = cell(row, i, 4, 8);
    EXPECT_EQ(part.x, std::round(part.x));
    EXPECT_EQ(part.right(), std::round(part.right()));
    if (i > 0) {
      EXPECT_NEAR(part.x - right, 8, 1);
    }
    right = part.right();
  }
  EXPECT_EQ(right, 327);
}

TEST(Layout, OneCellIsTheRow) {
  const Rect part = cell({3, 4, 100, 20}, 0, 1, 8);
  EXPECT_EQ(part.x, 3);
  EXPECT_EQ(part.w, 100);
}

TEST(Layout, AColumnMovesOnByWhatIsTaken) {
  Column column{10, 20, 300};
  const Rect first = column.take(36);
  column.gap(8);
  const Rect second = column.take(24);
  EXPECT_EQ(first.y, 20);
  EXPECT_EQ(second.y, 64);
  EXPECT_EQ(second.w, 300);
  EXPECT_EQ(column.y, 88);
}

TEST(Layout, ARectangleHoldsItsLeftEdgeAndNotItsRight) {
  const Rect rect{0, 0, 10, 10};
  EXPECT_TRUE(rect.contains(0, 0));
  EXPECT_FALSE(rect.contains(10, 5));
  EXPECT_EQ(rect.inset(2, 3).h, 4);
}

}  // namespace
}  // namespace memfit::app
