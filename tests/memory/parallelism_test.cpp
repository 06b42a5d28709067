// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/parallelism.h"

#include <gtest/gtest.h>

#include "query/query_io.h"

namespace memfit {
namespace {

Query queryOf(std::string_view url) { return decodeUrl(url).query; }

TEST(Parallelism, IsWhatPeopleDoFirstWhereNoneIsGiven) {
  EXPECT_EQ(parallelismOf(queryOf("count=4&engine=vllm")).tp, Count(4));
  EXPECT_EQ(parallelismOf(queryOf("count=4&engine=llama.cpp")).pp, Count(4));
  const Parallelism training = parallelismOf(queryOf("task=full&count=4"));
  EXPECT_EQ(training.dp, Count(4));
  EXPECT_EQ(training.zero, 3);
}

TEST(Parallelism, OfTrainingHasDataParallelismOverWhatIsLeft) {
  const Parallelism sharded = parallelismOf(queryOf("task=full&count=8&zero=1"));
  EXPECT_EQ(sharded.dp, Count(8));
  EXPECT_EQ(sharded.zero, 1);
  const Parallelism mixed = parallelismOf(queryOf("task=full&count=8&tp=2"));
  EXPECT_EQ(mixed.dp, Count(4));
  EXPECT_EQ(mixed.zero, 0);
  EXPECT_EQ(mixed.devices(), Count(8));
  // Given, or not divisible: left alone.
  EXPECT_EQ(parallelismOf(queryOf("task=full&count=8&dp=2&zero=3")).dp, Count(2));
  EXPECT_EQ(parallelismOf(queryOf("task=full&count=8&tp=3")).dp, Count(1));
  EXPECT_EQ(parallelismOf(queryOf("count=8&tp=2&engine=vllm")).dp, Count(1));
}

TEST(Parallelism, AsksAboutAsManyDevicesAsItTakes) {
  EXPECT_EQ(devicesAsked(queryOf("")), Count(1));
  EXPECT_EQ(devicesAsked(queryOf("count=4")), Count(4));
  EXPECT_EQ(devicesAsked(queryOf("tp=8")), Count(8));
  EXPECT_EQ(devicesAsked(queryOf("tp=2&pp=2&count=2")), Count(4));
  EXPECT_EQ(devicesAsked(queryOf("tp=2&count=8")), Count(8));
}

}  // namespace
}  // namespace memfit
