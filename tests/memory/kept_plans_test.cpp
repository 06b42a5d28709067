// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/kept_plans.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ask.h"
#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {
namespace {

Bytes high(const Query& query, Bytes deviceTotal = 0) {
  const Result<Report> report = estimate(query, deviceTotal);
  return report ? report->perDevice.high : Bytes(0);
}

TEST(KeptPlans, AreOnePlanForEveryLoad) {
  const Query query = ask("model=llama-3.1-8b&engine=vllm&seq=4096");
  const auto model = estimate(query)->model;
  const auto first = inferencePlan(query, model, kGiB * 80);
  EXPECT_EQ(first, inferencePlan(ask("model=llama-3.1-8b&engine=vllm&seq=8192&concurrency=9"),
                                 model, kGiB * 80));
  EXPECT_NE(first, inferencePlan(query, model, kGiB * 24));
  EXPECT_NE(first, inferencePlan(ask("model=llama-3.1-8b&engine=vllm&kv=fp8"), model, kGiB * 80));
}

// More questions than are kept, forwards and then backwards: every answer is the one of before.
TEST(KeptPlans, ChangeNoNumber) {
  std::vector<Query> queries;
  for (const char* model : {"llama-3.1-8b", "gemma-3-27b", "deepseek-v3"}) {
    for (const char* rest : {"engine=vllm", "engine=vllm&kv=fp8", "engine=sglang&tp=2",
                             "engine=llama.cpp&weights=q4_k_m", "engine=transformers", "task=lora",
                             "task=full&zero=3&dp=8", "task=qlora&rank=64"}) {
      for (const char* seq : {"512", "4096", "65536"}) {
        queries.push_back(ask(std::string("model=") + model + "&" + rest + "&seq=" + seq));
      }
    }
  }
  ASSERT_GT(queries.size(), 64u);
  std::vector<Bytes> forwards;
  for (const Query& query : queries) forwards.push_back(high(query, kGiB * 80));
  for (std::size_t i = queries.size(); i-- > 0;) {
    ASSERT_GT(forwards[i], Bytes(0)) << i;
    EXPECT_EQ(high(queries[i], kGiB * 80), forwards[i]) << encodeUrl(queries[i]);
  }
}

// Two models that differ in their config.json alone: 2 and 4 layers of 16 KV heads of 64 numbers,
// 1,000 tokens of 2 bytes.
TEST(KeptPlans, BelongToTheirModel) {
  const auto ofLayers = [](int layers) {
    Query query = ask("engine=transformers&seq=1000");
    query.setText(Key::kConfig, R"({"model_type":"llama","hidden_size":1024,"vocab_size":1000,)"
                                R"("num_attention_heads":16,"intermediate_size":2048,)"
                                R"("num_hidden_layers":)" +
                                    std::to_string(layers) + "}");
    return estimate(query)->ledger.total(Component::kKvCache).expected;
  };
  EXPECT_EQ(ofLayers(2), Bytes(2 * 2 * 16 * 64 * 1000 * 2));
  EXPECT_EQ(ofLayers(4), Bytes(4 * 2 * 16 * 64 * 1000 * 2));
  EXPECT_EQ(ofLayers(2), Bytes(2 * 2 * 16 * 64 * 1000 * 2));
}

TEST(KeptPlans, TheirNoticesAreToldEachTime) {
  const Query query = ask("model=llama-3.1-8b&engine=vllm&kv=q4_0");
  const auto told = [&query] {
    const Result<Report> report = estimate(query);
    for (const Notice& notice : report->notices) {
      if (notice.field == "kv") return true;
    }
    return false;
  };
  EXPECT_TRUE(told());
  EXPECT_TRUE(told());
}

}  // namespace
}  // namespace memfit
