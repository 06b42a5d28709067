// memfit - SPDX-License-Identifier: Apache-2.0
#include "advice/solve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {
namespace {

Result<Solution> solved(const char* url, Key vary) { return solve(decodeUrl(url).query, vary); }

// pai, 7B in 16 bits: 14 + 2 GB fixed, 1.4 GB of activations and 1.4 GB of cache each 2,048 tokens.
TEST(Solve, LongestSequenceOfAPublishedRule) {
  const auto solution = solved("method=pai&params=7&device=24GB", Key::kSeq);
  ASSERT_TRUE(solution.ok());
  EXPECT_TRUE(solution->any);
  // 8 GB / (2 x 1.4 GB / 2048) = 5851.4
  EXPECT_EQ(solution->value, 5851);
  EXPECT_EQ(solution->fit.verdict, Verdict::kTight);
}

TEST(Solve, MostRequests) {
  // (24 - 16 - 2.8) GB / 2.8 GB of cache a request of 4,096 tokens
  EXPECT_EQ(solved("method=pai&params=7&device=24GB", Key::kConcurrency)->value, 1);
  EXPECT_EQ(solved("method=pai&params=7&device=48GB", Key::kConcurrency)->value, 10);
}

TEST(Solve, LargestModel) {
  // 12 P + 4 GB in 100 GB: P = 8e9
  const auto solution = solved("task=full&method=per-billion&device=100GB", Key::kParams);
  EXPECT_NEAR(static_cast<double>(solution->value), 8e9, 8e3);
  EXPECT_LE(solution->value, 8000000000);
}

TEST(Solve, NothingFitsOrEverythingDoes) {
  EXPECT_FALSE(solved("method=pai&params=7&device=8GB", Key::kSeq)->any);
  // per-billion knows no length: the largest that the field accepts.
  const auto all = solved("task=lora&method=per-billion&params=7&device=24GB", Key::kSeq);
  EXPECT_TRUE(all->unbounded);
  EXPECT_EQ(all->value, fieldOf(Key::kSeq).max);
}

TEST(Solve, NeedsADeviceAndANumberToVary) {
  EXPECT_EQ(solved("method=pai&params=7", Key::kSeq).error().field, "device");
  EXPECT_EQ(solved("params=7&device=24GB", Key::kEngine).error().field, "vary");
}

// The fast path of architecture, which makes no report.
TEST(Sweep, OfArchitectureIsTheEstimateAtEveryPoint) {
  for (const char* url : {"model=gemma-3-27b&engine=llama.cpp&weights=q4_k_m",
                          "model=qwen3-30b-a3b&engine=vllm&count=2", "model=llama-3.1-8b"}) {
    const Query query = decodeUrl(url).query;
    const Axis x{Key::kSeq, 512, 131072, 7};
    const Axis y{Key::kConcurrency, 1, 64, 4};
    const auto totals = sweep(query, x, y);
    ASSERT_TRUE(totals.ok());
    std::size_t at = 0;
    for (const std::int64_t concurrency : axisValues(y)) {
      for (const std::int64_t seq : axisValues(x)) {
        Query asked = query;
        asked.set(Key::kSeq, seq);
        asked.set(Key::kConcurrency, concurrency);
        EXPECT_EQ((*totals)[at++], static_cast<float>(estimate(asked)->perDevice.high.toDouble()))
            << url;
      }
    }
  }
}

TEST(Sweep, IsTheEstimateAtEveryPoint) {
  const Query query = decodeUrl("method=pai&params=7").query;
  const Axis x{Key::kSeq, 512, 131072, 9};
  const Axis y{Key::kConcurrency, 1, 64, 4};
  const auto totals = sweep(query, x, y);
  ASSERT_TRUE(totals.ok());
  ASSERT_EQ(totals->size(), 36u);
  const auto columns = axisValues(x);
  EXPECT_EQ(columns[0], 512);
  EXPECT_EQ(columns[1], 1024);
  EXPECT_EQ(columns[8], 131072);
  const auto rows = axisValues(y);
  EXPECT_EQ(rows[3], 64);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      Query point = query;
      point.set(Key::kSeq, columns[i]);
      point.set(Key::kConcurrency, rows[j]);
      EXPECT_EQ((*totals)[j * columns.size() + i],
                static_cast<float>(estimate(point)->perDevice.high.toDouble()));
    }
  }
}

TEST(Sweep, RefusesBadAxes) {
  const Axis good{Key::kSeq, 1, 10, 2};
  for (const Axis& bad : {Axis{Key::kTask, 1, 3, 2}, Axis{Key::kSeq, 10, 1, 2},
                          Axis{Key::kSeq, 0, 10, 2}, Axis{Key::kSeq, 1, 10, 0},
                          Axis{Key::kSeq, 1, 10, 1025}, Axis{Key::kSeq, 1, 1000000000, 2}}) {
    EXPECT_EQ(sweep(Query(), bad, good).error().field, "x");
    EXPECT_EQ(sweep(Query(), good, bad).error().field, "y");
  }
}

TEST(Sweep, OnePointAndOverflow) {
  const Query query = decodeUrl("method=pai&params=100000").query;
  const auto totals =
      sweep(query, {Key::kSeq, 100000000, 100000000, 1}, {Key::kBatch, 1000000, 1000000, 1});
  ASSERT_EQ(totals->size(), 1u);
  EXPECT_TRUE(std::isinf(totals->front()));
}

}  // namespace
}  // namespace memfit
