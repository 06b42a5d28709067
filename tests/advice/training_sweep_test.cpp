// memfit - SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "advice/solve.h"
#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {
namespace {

// A training sweep is prepared once; each of its points is what estimate says.
TEST(TrainingSweep, EqualsEstimatePointByPoint) {
  for (const std::string_view text :
       {"task=qlora&model=llama-3.1-8b&loss=fused", "task=full&model=gemma-2-2b&attention=eager",
        "task=full&model=deepseek-v3&trainer=megatron&tp=2&pp=4&ep=8&dp=8&zero=1",
        "task=lora&params=13"}) {
    const Query query = decodeUrl(text).query;
    const Axis x{Key::kSeq, 1, 100000000, 9};
    const Axis y{Key::kBatch, 1, 1000000, 5};
    const Result<std::vector<float>> totals = sweep(query, x, y);
    ASSERT_TRUE(totals.ok()) << text;
    const auto columns = axisValues(x);
    const auto rows = axisValues(y);
    ASSERT_EQ(totals->size(), columns.size() * rows.size());
    for (std::size_t j = 0; j < rows.size(); ++j) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        Query asked = query;
        asked.set(Key::kSeq, columns[i]);
        asked.set(Key::kBatch, rows[j]);
        const Result<Report> report = estimate(asked);
        const float point = (*totals)[j * columns.size() + i];
        if (report) {
          EXPECT_EQ(point, static_cast<float>(report->perDevice.high.toDouble()))
              << text << ", " << columns[i] << " x " << rows[j];
        } else {
          EXPECT_EQ(report.error().code, ErrorCode::kOverflow);
        }
      }
    }
  }
}

// The largest length and batch of a QLoRA on 24 GB fit, one more does not.
TEST(TrainingSolve, FindsTheBorder) {
  Query query = decodeUrl("task=qlora&model=llama-3.1-8b&loss=fused&device=24GB").query;
  for (const Key key : {Key::kSeq, Key::kBatch}) {
    const Result<Solution> solution = solve(query, key);
    ASSERT_TRUE(solution.ok());
    ASSERT_TRUE(solution->any);
    ASSERT_FALSE(solution->unbounded);
    Query more = query;
    more.set(key, solution->value + 1);
    const Result<Answer> above = answer(more);
    ASSERT_TRUE(above.ok());
    EXPECT_GT(above->report.perDevice.high, above->fit->usable.bytes);
    more.set(key, solution->value);
    const Result<Answer> at = answer(more);
    ASSERT_TRUE(at.ok());
    EXPECT_LE(at->report.perDevice.high, at->fit->usable.bytes);
  }
}

}  // namespace
}  // namespace memfit
