// memfit - SPDX-License-Identifier: Apache-2.0
#include "accuracy/statistics.h"

#include <gtest/gtest.h>

namespace memfit::accuracy {
namespace {

TEST(Statistics, OfFourSamples) {
  const std::vector<Sample> samples = {
      {"a", 100, 100, 100}, {"b", 110, 120, 100}, {"c", 95, 99, 100}, {"d", 100.5, 101, 100}};
  const Statistics s = statisticsOf(samples);
  EXPECT_EQ(s.n, 4u);
  EXPECT_EQ(s.exact, 1u);
  EXPECT_DOUBLE_EQ(s.medianAbsPercent, 2.75);  // of 0, 0.5, 5, 10
  EXPECT_DOUBLE_EQ(s.p90AbsPercent, 10);
  EXPECT_DOUBLE_EQ(s.biasPercent, (0 + 10 - 5 + 0.5) / 4);
  EXPECT_DOUBLE_EQ(s.within1Percent, 50);
  EXPECT_DOUBLE_EQ(s.coveredByHighPercent, 75);  // c's upper end is below what was measured
  ASSERT_EQ(s.worst.size(), 3u);
  EXPECT_EQ(s.worst[0].id, "b");
  EXPECT_EQ(s.worst[2].id, "d");
}

TEST(Statistics, WhatLiesBetweenTheExpectedAndTheHighEndIsCovered) {
  const std::vector<Sample> samples = {{"a", 90, 110, 100}, {"b", 90, 99, 100}};
  EXPECT_DOUBLE_EQ(statisticsOf(samples).coveredByHighPercent, 50);
}

TEST(Statistics, OfNoneAndOfZero) {
  EXPECT_EQ(statisticsOf({}).n, 0u);
  EXPECT_EQ((Sample{"", 0, 0, 0}).errorPercent(), 0);
  EXPECT_EQ((Sample{"", 5, 5, 0}).errorPercent(), 100);
  EXPECT_EQ((Sample{"", 0, 0, 5}).errorPercent(), -100);
}

}  // namespace
}  // namespace memfit::accuracy
