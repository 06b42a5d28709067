// memfit - SPDX-License-Identifier: Apache-2.0
#include "advice/advise.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {
namespace {

std::vector<Advice> adviceFor(std::string_view text) {
  Result<std::vector<Advice>> list = advise(decodeUrl(text).query);
  EXPECT_TRUE(list.ok()) << text << ": " << (list.ok() ? "" : list.error().message);
  return list.ok() ? std::move(*list) : std::vector<Advice>();
}

std::size_t placeOf(const std::vector<Advice>& list, std::string_view id) {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [id](const Advice& advice) { return advice.id == id; });
  return static_cast<std::size_t>(found - list.begin());
}

constexpr std::string_view kQueries[] = {
    "task=full&model=llama-3.1-8b&device=24GB",
    "task=full&model=llama-3.1-8b&checkpointing=none&attention=eager&seq=2048",
    "task=lora&model=qwen2.5-7b&device=16GB&batch=4",
    "task=qlora&model=llama-3.1-70b&device=40GB",
    "task=full&model=llama-3.1-8b&trainer=deepspeed&dp=4&zero=1&device=40GB",
    "task=full&params=7&device=24GB",
    "task=inference&model=llama-3.1-70b&engine=llama.cpp&weights=q8_0&device=24GB",
    "task=inference&model=llama-3.1-8b&engine=transformers&concurrency=64&seq=32768&device=24GB",
    "task=lora&model=llama-3.2-1b&device=80GB",
    // An engine that takes a share of the device is judged on that share.
    "task=inference&model=llama-3.1-8b&engine=vllm&utilization=0.5&seq=65536&device=24GB",
    "task=inference&model=llama-3.1-8b&engine=sglang&concurrency=64&seq=8192&device=24GB",
};

// Every change lowers what a device needs, and asking its query gives just that.
TEST(Advise, NeverMakesItWorse) {
  for (const std::string_view text : kQueries) {
    const Result<Answer> before = answer(decodeUrl(text).query);
    ASSERT_TRUE(before.ok()) << text;
    const Bytes now = before->report.perDevice.high;
    for (const Advice& advice : adviceFor(text)) {
      EXPECT_LT(advice.perDevice.high, now) << text << ": " << advice.id;
      EXPECT_EQ(advice.saved.value(), (now - advice.perDevice.high).value());
      EXPECT_FALSE(advice.changes.empty()) << text << ": " << advice.id;
      EXPECT_FALSE(advice.price.empty());
      const Result<Answer> after = answer(advice.query);
      ASSERT_TRUE(after.ok()) << text << ": " << advice.id;
      EXPECT_EQ(after->report.perDevice.high.value(), advice.perDevice.high.value())
          << text << ": " << advice.id;
      ASSERT_EQ(after->fit.has_value(), advice.fit.has_value()) << text << ": " << advice.id;
      EXPECT_EQ(after->fit && after->fit->holds(), advice.fits) << text << ": " << advice.id;
      if (!after->fit) continue;
      EXPECT_EQ(after->fit->verdict, advice.fit->verdict) << text << ": " << advice.id;
      EXPECT_EQ(after->fit->devicesNeeded, advice.fit->devicesNeeded) << text << ": " << advice.id;
    }
  }
}

// "Why training needs more memory than the download": shorter length, smaller batch, QLoRA,
// checkpointing, smaller model, LoRA instead of full. On a device that each of them fits.
TEST(Advise, KeepsThePublishedOrder) {
  const std::vector<Advice> list =
      adviceFor("task=full&model=llama-3.2-1b&checkpointing=none&seq=4096&batch=8&device=32GB");
  constexpr std::string_view kOrder[] = {"shorter",       "smaller-batch", "qlora",
                                         "checkpointing", "smaller-model", "lora"};
  std::size_t last = 0;
  for (const std::string_view id : kOrder) {
    const std::size_t at = placeOf(list, id);
    if (at == list.size() || !list[at].fits) continue;
    EXPECT_GE(at, last) << id;
    last = at;
  }
  EXPECT_LT(placeOf(list, "shorter"), list.size());
  EXPECT_LT(placeOf(list, "checkpointing"), list.size());
}

// What fits the device stands before what does not.
TEST(Advise, WhatFitsStandsFirst) {
  const std::vector<Advice> list = adviceFor("task=full&model=llama-3.1-8b&device=80GB");
  ASSERT_FALSE(list.empty());
  EXPECT_TRUE(list.front().fits);
  bool stillFitting = true;
  for (const Advice& advice : list) {
    if (!advice.fits) stillFitting = false;
    EXPECT_EQ(advice.fits, advice.fits && stillFitting) << advice.id;
  }
  EXPECT_LT(placeOf(list, "8-bit-optimizer"), list.size());
}

// Full fine-tuning with long rows and a large batch on a small card: one change is not enough.
TEST(Advise, SeveralTogetherWhereOneIsNotEnough) {
  const std::vector<Advice> list =
      adviceFor("task=full&model=llama-3.1-8b&seq=65536&batch=64&device=12GB");
  ASSERT_FALSE(list.empty());
  EXPECT_EQ(list.front().id, "together");
  EXPECT_TRUE(list.front().fits);
  EXPECT_GE(list.front().changes.size(), 2u);
}

TEST(Advise, NothingToSaveIsAnEmptyList) {
  for (const Advice& advice : adviceFor("task=inference&model=llama-3.2-1b&engine=llama.cpp"
                                        "&weights=q2_k&seq=1&kv=q4_0&gpu_layers=0&count=1")) {
    EXPECT_TRUE(advice.id == "more-devices" || advice.id == "smaller-model") << advice.id;
  }
}

}  // namespace
}  // namespace memfit
