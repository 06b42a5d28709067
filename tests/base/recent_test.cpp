// memfit - SPDX-License-Identifier: Apache-2.0
#include "base/recent.h"

#include <gtest/gtest.h>

#include <string>

namespace memfit {
namespace {

TEST(Recent, IsEmptyAtFirst) {
  Recent<int, std::string, 2> recent;
  EXPECT_EQ(recent.find(0), nullptr);
}

TEST(Recent, WhatWasAskedForLongestAgoMakesRoom) {
  Recent<int, std::string, 2> recent;
  recent.keep(1, "one");
  EXPECT_EQ(recent.keep(2, "two"), "two");
  ASSERT_NE(recent.find(1), nullptr);  // 2 is now the older one
  recent.keep(3, "three");
  EXPECT_EQ(recent.find(2), nullptr);
  ASSERT_NE(recent.find(1), nullptr);
  EXPECT_EQ(*recent.find(1), "one");
  EXPECT_EQ(*recent.find(3), "three");
}

}  // namespace
}  // namespace memfit
