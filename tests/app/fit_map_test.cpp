// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/map/fit_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "query/query_io.h"

namespace memfit::app {
namespace {

Query queryOf(const char* url) { return decodeUrl(url).query; }

TEST(FitMap, TheBorderIsWhereTheNeedIsTheDevices) {
  // pai, 7B: 14 GB weights, activations and cache of 1.4 GB each at 2,048 tokens, 2 GB framework.
  // On 24 GB: 16 + 1.4 s/2048 (1 + C) = 24 at C = 1 gives s = 5851.
  const FitMap map = makeFitMap(queryOf("params=7&method=pai&device=24GB"));
  ASSERT_TRUE(map.ok);
  EXPECT_EQ(map.x.key, Key::kSeq);
  EXPECT_EQ(map.y.key, Key::kConcurrency);
  const double border = placeOn(map.x, 5851);
  EXPECT_LT(ratioAt(map, 0, border - 0.005, 0), 1);
  EXPECT_GT(ratioAt(map, 0, border + 0.005, 0), 1);
  EXPECT_NEAR(needAt(map, border, 0), 24e9, 0.1e9);
  // Twice the devices hold more, and four times more still.
  EXPECT_LT(ratioAt(map, 1, border + 0.005, 0), 1);
  EXPECT_EQ(map.counts[0], Count(1));
  EXPECT_EQ(map.counts[2], Count(4));
}

TEST(FitMap, WithoutADeviceTheLimitsAreSizes) {
  const FitMap map = makeFitMap(queryOf("params=7&method=pai"));
  ASSERT_TRUE(map.ok);
  EXPECT_FALSE(map.hasDevice());
  EXPECT_EQ(map.limits[0], kGB * 24);
  EXPECT_EQ(map.limits[2], kGB * 192);
}

TEST(FitMap, TrainingRunsOverTheBatch) {
  const FitMap map = makeFitMap(queryOf("task=lora&params=7&method=pai&device=24GB"));
  ASSERT_TRUE(map.ok);
  EXPECT_EQ(map.y.key, Key::kBatch);
}

TEST(FitMap, TheAxesReachWhatIsAsked) {
  const FitMap map = makeFitMap(queryOf("params=7&method=pai&seq=64&concurrency=4096&device=24GB"));
  ASSERT_TRUE(map.ok);
  EXPECT_LE(map.x.from, 64);
  EXPECT_GE(map.y.to, 4096);
}

TEST(FitMap, WhatCannotBeEstimatedHasNoMap) {
  EXPECT_FALSE(makeFitMap(queryOf("model=custom")).ok);
}

TEST(FitMap, PlacesAndValuesAreOneAnothersInverse) {
  const Axis axis{Key::kSeq, 512, 262144, 10};
  EXPECT_EQ(placeOn(axis, 512), 0);
  EXPECT_EQ(placeOn(axis, 262144), 1);
  EXPECT_EQ(placeOn(axis, 1), 0);
  EXPECT_NEAR(valueAt(axis, placeOn(axis, 8192)), 8192, 1e-6 * 8192);
}

}  // namespace
}  // namespace memfit::app
