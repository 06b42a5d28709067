// memfit - SPDX-License-Identifier: Apache-2.0
//
// What an engine's row says, and what follows from it.
#include "memory/engine.h"

#include <gtest/gtest.h>

#include "ask.h"
#include "base/text.h"

namespace memfit {
namespace {

Bytes bytesOf(const Report& report, Component component, Where where = Where::kDevice) {
  return report.ledger.total(component, where).expected;
}

constexpr Engine engineAt(std::size_t i) { return static_cast<Engine>(i); }

// A new word of `engine` answers here, or this test says what its row lacks.
TEST(Engines, EveryWordHasARowThatAnswers) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(Engine::kCount); ++i) {
    const std::string_view word = fieldOf(Key::kEngine).values[i];
    const EngineModel& engine = engineModel(engineAt(i));
    EXPECT_EQ(engine.engine, engineAt(i)) << word;
    EXPECT_FALSE(engine.seen.empty()) << word;
    EXPECT_TRUE(engine.prepare && engine.ledger && engine.sum) << word;
    EXPECT_FALSE(engine.smallerWeights.empty()) << word;
    for (const WeightFormat format : engine.smallerWeights) {
      const bool counted = engine.reads.has(format);
      // MLX quantizes by its own two words, which advice does not offer yet.
      EXPECT_TRUE(counted || engine.engine == Engine::kMlx) << word;
    }
    if (engine.share != nullptr) {
      EXPECT_TRUE(engine.shareCovers.has(Stay::kResident)) << word << " takes a share of nothing";
      const Report report = reportFor(cat("model=llama-3.1-8b&engine=", word), kGiB * 79);
      ASSERT_TRUE(report.capacity.has_value()) << word;
      EXPECT_GT(report.capacity->pool, kGiB * 20) << word;
      EXPECT_GT(report.capacity->tokens, Count(100000)) << word;
    }
    if (engine.releases.read != nullptr) {
      EXPECT_EQ(engine.releases.read(engine.releases.newestName), engine.releases.newest) << word;
    }
  }
}

TEST(Engines, SeveralDevicesAreSpreadAsTheRowSays) {
  EXPECT_EQ(reportFor("model=llama-3.1-8b&engine=vllm&count=4").parallelism.tp, Count(4));
  EXPECT_EQ(reportFor("model=llama-3.1-8b&engine=sglang&count=4").parallelism.tp, Count(4));
  EXPECT_EQ(reportFor("model=llama-3.1-8b&engine=llama.cpp&count=4").parallelism.pp, Count(4));
  EXPECT_EQ(reportFor("model=llama-3.1-8b&engine=transformers&count=4").parallelism.pp, Count(4));
}

TEST(Releases, AsVllmWritesThem) {
  const auto read = engineModel(Engine::kVllm).releases.read;
  EXPECT_EQ(read("0.19"), 19);
  EXPECT_EQ(read("v0.11.2"), 11);
  EXPECT_EQ(read("0.29.1rc1"), 29);
  for (const char* bad : {"", "0.", "1.2", "0.x", "19", "b9000", "0.0", "0.1000"}) {
    EXPECT_FALSE(read(bad).has_value()) << bad;
  }
}

TEST(Releases, AsLlamaCppWritesThem) {
  const auto read = engineModel(Engine::kLlamaCpp).releases.read;
  EXPECT_EQ(read("b9867"), 9867);
  EXPECT_EQ(read("5192"), 5192);
  EXPECT_EQ(read("5781 (ba3ef86c5)"), 5781);
  for (const char* bad : {"", "b", "445b7cef6", "0", "b1000001", "0.19", "-5"}) {
    EXPECT_FALSE(read(bad).has_value()) << bad;
  }
}

TEST(Releases, TheReportNamesOne) {
  EXPECT_EQ(reportFor("model=llama-3.1-8b&engine=vllm").release, "0.28");
  EXPECT_EQ(reportFor("model=llama-3.1-8b&engine=vllm&release=v0.11.2").release, "v0.11.2");
  EXPECT_EQ(reportFor("model=llama-3.1-8b&engine=mlx").release, "");
}

TEST(Releases, WhatIsNoneIsANoticeAndTheNewest) {
  const Report report = reportFor("model=llama-3.1-8b&engine=llama.cpp&release=445b7cef6");
  EXPECT_EQ(report.release, "b9867");
  ASSERT_EQ(report.notices.size(), 1u);
  EXPECT_EQ(report.notices[0].code, NoticeCode::kUnknownValue);
  EXPECT_EQ(report.notices[0].message,
            "\"release\" was given as \"445b7cef6\"; it accepts a build such as b9867. The default "
            "is used.");
}

// Gemma 3 1B: 26 layers of one key-value head of 256, 4 of them without a window of 512. In 16 bits
// a token costs 2 x 256 x 2 = 1,024 bytes a layer.
TEST(LlamaCpp, WindowsAreKeptWholeByOlderBuildsAndOnDemand) {
  const std::string query = "model=gemma-3-1b&engine=llama.cpp&seq=32768";
  const Bytes whole = Bytes(26) * 1024 * 32768;
  const Bytes windowed = Bytes(4) * 1024 * 32768 + Bytes(22) * 1024 * 1024;
  EXPECT_EQ(bytesOf(reportFor(query), Component::kKvCache), windowed);
  EXPECT_EQ(bytesOf(reportFor(query + "&release=b5400"), Component::kKvCache), windowed);
  EXPECT_EQ(bytesOf(reportFor(query + "&release=b5399"), Component::kKvCache), whole);
  EXPECT_EQ(bytesOf(reportFor(query + "&windows=full"), Component::kKvCache), whole);
}

// Four slots share a context: the cache of one, and of a window as many windows with one batch.
TEST(LlamaCpp, SlotsShareTheContext) {
  const std::string query = "model=gemma-3-1b&engine=llama.cpp&seq=32768";
  EXPECT_EQ(bytesOf(reportFor(query + "&slots=4"), Component::kKvCache),
            Bytes(4) * 1024 * 32768 + Bytes(22) * 1024 * (4 * 512 + 512));
  // Qwen3.5-9B logged 4 x 50.25 MiB of state for four slots.
  const std::string hybrid = "model=qwen3.6-27b&engine=llama.cpp&seq=32768";
  const Report one = reportFor(hybrid), four = reportFor(hybrid + "&slots=4");
  EXPECT_EQ(bytesOf(four, Component::kRecurrentState),
            bytesOf(one, Component::kRecurrentState) * 4);
  EXPECT_EQ(bytesOf(four, Component::kKvCache), bytesOf(one, Component::kKvCache));
  EXPECT_EQ(bytesOf(four, Component::kLogits, Where::kHost),
            bytesOf(one, Component::kLogits, Where::kHost) * 4);
}

// llama-server since June 2026 reserves 4 rows of 151,936 logits instead of 512.
TEST(LlamaCpp, LogitsASlotSinceJune2026) {
  const std::string query = "model=qwen2.5-0.5b&engine=llama.cpp&seq=512&slots=4";
  const Bytes older = bytesOf(reportFor(query + "&release=b9272"), Component::kComputeBuffer);
  EXPECT_EQ(older, (Count(512) * 151936 + Count(512) * 896) * 4);
  EXPECT_LT(bytesOf(reportFor(query), Component::kComputeBuffer), older / 4);
}

TEST(LlamaCpp, LatentsAreKeptWholeByOlderBuildsAndOnDemand) {
  const std::string query = "model=deepseek-v3&engine=llama.cpp&seq=4096";
  // 61 layers x (512 + 64) elements, or 128 heads x (192 + 128).
  const Bytes latent = Bytes(61) * 576 * 2 * 4096;
  const Bytes whole = Bytes(61) * 128 * (192 + 128) * 2 * 4096;
  EXPECT_EQ(bytesOf(reportFor(query), Component::kKvCache), latent);
  EXPECT_EQ(bytesOf(reportFor(query + "&release=b5149"), Component::kKvCache), whole);
  EXPECT_EQ(bytesOf(reportFor(query + "&release=b5149&latent=latent"), Component::kKvCache),
            latent);
  EXPECT_EQ(bytesOf(reportFor(query + "&latent=whole"), Component::kKvCache), whole);
}

TEST(LlamaCpp, EncodersHadACacheUntilJune2025) {
  const std::string query = "model=bge-small-en-v1.5&engine=llama.cpp&seq=512";
  EXPECT_EQ(bytesOf(reportFor(query), Component::kKvCache), Bytes(0));
  // 12 layers of 384 keys and values.
  EXPECT_EQ(bytesOf(reportFor(query + "&release=b5699"), Component::kKvCache),
            Bytes(12) * 2 * 384 * 2 * 512);
}

// Below 0.8 vLLM profiles a whole sequence (V0), before 0.17 its sampler took 37.7 bytes a logit,
// and since 0.21 graphs are charged to the share.
TEST(Vllm, ReleasesAreToldApart) {
  const std::string query = "model=llama-3.1-8b&engine=vllm&seq=16384";
  const auto activations = [&](std::string_view release) {
    return bytesOf(reportFor(cat(query, "&release=", release), kGiB * 79), Component::kActivations);
  };
  // V0: the forward pass of all 16,384 tokens, (3 x 14,336 + 2 x 4,096) x 2 bytes each; later 8,192
  // tokens, and sampling 1,024 rows is more.
  EXPECT_EQ(activations("0.7.3"), Count(16384) * (3 * 14336 + 2 * 4096) * 2 + kMiB * 123);
  EXPECT_EQ(activations("0.16"),
            (Count(1024) * 128256 * 377).ceilDiv(10) + Count(8192) * 4096 * 2 + kMiB * 123);
  EXPECT_EQ(activations("0.17"), Count(1024) * 128256 * 14 + Count(8192) * 4096 * 2 + kMiB * 123);
  const auto pool = [&](std::string_view release) {
    return reportFor(cat(query, "&utilization=0.9&release=", release), kGiB * 79).capacity->pool;
  };
  EXPECT_EQ(pool("0.20") - pool("0.21"), kMiB * (390 + 16 * 32));
}

}  // namespace
}  // namespace memfit
