// memfit - SPDX-License-Identifier: Apache-2.0
//
// What users reported of other calculators (tests/data/complaints.jsonl, inference rows): each
// whose right value follows from the model's layers, or was measured with its settings stated, is a
// test here, by its id. tests/accuracy/README.md lists the others and what they lack.
#include <gtest/gtest.h>

#include <string>

#include "ask.h"
#include "base/text.h"
#include "memory/estimate.h"
#include "memory/inference.h"
#include "query/query_io.h"

namespace memfit {
namespace {

double kvGib(const std::string& url) {
  return gib(reportFor(url).ledger.total(Component::kKvCache).expected);
}
double weightsGib(const Report& report) {
  return gib(report.ledger.total(Component::kWeights).expected) +
         gib(report.ledger.total(Component::kWeights, Where::kHost).expected);
}

// Layers that keep keys and values.
std::uint64_t cachedLayers(const std::string& url) {
  const Architecture& a = reportFor(url).model->architecture;
  std::uint64_t layers = 0;
  for (const CacheKindCount& kind : cacheKinds(a, 0, a.layerCount())) layers += kind.layers.value();
  return layers;
}

TEST(Complaints, C003LatentCacheOfDeepSeekV31) {
  EXPECT_NEAR(kvGib("model=deepseek-v3.1&seq=163840"), 10.72, 0.005);
}

TEST(Complaints, C006HeadSizeIsNotHiddenOverHeads) {
  EXPECT_NEAR(kvGib("model=qwen3-0.6b&seq=40960"), 4.375, 0.0005);
}

TEST(Complaints, C008TenOfFortyLayersCache) {
  EXPECT_EQ(cachedLayers("model=qwen3.6-35b-a3b"), 10u);
}

// 17.6 GiB allocated by llama.cpp: Q4_K_M, one slot of 65,536 in q8_0.
TEST(Complaints, C010HybridAt64k) {
  const Report report =
      reportFor("model=qwen3.6-27b&engine=llama.cpp&weights=q4_k_m&kv=q8_0&seq=65536");
  EXPECT_NEAR(gib(report.perDevice.expected), 17.6, 0.2);
  EXPECT_GE(gib(report.perDevice.high), 17.6);
}

// Before latent caches llama.cpp kept 128 heads of 192 and 128 elements.
TEST(Complaints, C018WholeKeysAndValuesOfDeepSeekV3) {
  for (const char* older : {"release=b5100", "latent=whole"}) {
    const Report report = reportFor(cat("model=deepseek-v3&engine=llama.cpp&seq=65536&", older));
    EXPECT_NEAR(gib(report.ledger.total(Component::kKvCache).expected), 305.0, 0.01) << older;
  }
}

TEST(Complaints, C021WindowsOnMlx) {
  EXPECT_NEAR(kvGib("model=gemma-3-1b&engine=mlx&seq=32768") * 1024, 139.0, 0.001);
}

// "33 GB, perfect fit" from its active parameters; all experts are resident: 70 to 75 GB.
TEST(Complaints, C032AllExpertsAreResident) {
  const Report report = reportFor("model=qwen3.5-122b-a10b&engine=llama.cpp&weights=q4_k_m");
  const double gb = weightsGib(report) * 1.073741824;
  EXPECT_GT(gb, 70);
  EXPECT_LT(gb, 75);
}

TEST(Complaints, C035AwqMixtureDoesNotFit12GB) {
  EXPECT_GT(gib(reportFor("model=qwen3-coder-next&engine=vllm&weights=awq4").perDevice.low), 40);
}

TEST(Complaints, C042CacheOfMistralSmall31) {
  EXPECT_NEAR(kvGib("model=mistral-small-3.1-24b&engine=llama.cpp&seq=4096") * 1024, 640.0, 0.001);
}

TEST(Complaints, C048VisionIsAPartOfItsOwn) {
  const Report without = reportFor("model=gemma-3-27b&engine=llama.cpp&weights=q4_0");
  const Report with = reportFor("model=gemma-3-27b&engine=llama.cpp&weights=q4_0&vision=include");
  // SigLIP of 0.42 B weights in 16 bits, and its projector.
  EXPECT_NEAR(gib(with.perDevice.expected) - gib(without.perDevice.expected), 0.80, 0.05);
}

// 1.8 GB said, 21.85 GB used: what vLLM takes is its share, not the need.
TEST(Complaints, C060NeedIsNotTheShare) {
  const Report report = reportFor("model=qwen3-0.6b&engine=vllm&seq=8192&utilization=0.9",
                                  Bytes(std::uint64_t{24144} * 1048576));  // 23.58 GiB
  EXPECT_LT(gib(report.perDevice.high), 6);
  ASSERT_TRUE(report.capacity.has_value());
  // With the context, which vLLM does not charge: 21.85 "GB" as the driver shows GiB.
  EXPECT_NEAR(gib(report.capacity->share) + 0.51, 21.85, 0.2);
}

TEST(Complaints, C091LatentCacheOfV2Lite) {
  EXPECT_NEAR(kvGib("model=deepseek-v2-lite&engine=vllm&seq=32768"), 0.949, 0.0005);
}

TEST(Complaints, C092SameBytesATokenInTwoEngines) {
  EXPECT_EQ(reportFor("model=qwen3-235b-a22b&engine=vllm&tp=4").kv.bytesPerToken.value(), 48128u);
  EXPECT_EQ(reportFor("model=qwen3-235b-a22b&engine=sglang&tp=4").kv.bytesPerToken.value(), 48128u);
}

TEST(Complaints, C103CacheOfAQwen3Of4B) {
  EXPECT_NEAR(kvGib("model=qwen3-4b&engine=llama.cpp&seq=8192") * 1024, 1152.0, 0.001);
}

// The panel of a tool that had read the file: KV 2.37 GiB, compute 2.14 GiB.
TEST(Complaints, C108Gemma4At256k) {
  const Report report =
      reportFor("model=gemma-4-12b&engine=llama.cpp&weights=q4_k_m&kv=q8_0&seq=262144");
  EXPECT_NEAR(gib(report.ledger.total(Component::kKvCache).expected), 2.37, 0.01);
  EXPECT_NEAR(gib(report.ledger.total(Component::kComputeBuffer).expected), 2.14, 0.2);
}

// "58 GB"; it runs in 24 GB. 40 layers of 1,024 tokens, 8 whole ones with one head of 512.
TEST(Complaints, C118HeadsDifferFromLayerToLayer) {
  const Report report =
      reportFor("model=gemma-4-12b&engine=llama.cpp&weights=q8_0&kv=q8_0&seq=131072");
  EXPECT_LT(gib(report.perDevice.high), 22);
}

// Ten slots of 8,192: 20.0 GiB.
TEST(Complaints, C120SlotsMultiplyTheContext) {
  EXPECT_NEAR(kvGib("model=qwen3-32b&engine=llama.cpp&seq=8192&concurrency=10"), 20.0, 0.001);
}

TEST(Complaints, C121CacheAt80000) {
  EXPECT_NEAR(kvGib("model=llama-3.1-8b&engine=llama.cpp&seq=80000"), 9.77, 0.02);
}

// Qwen's documents of 2023, generating 2,048 tokens: GiB in bf16, Int8, Int4. The high end covers.
TEST(Complaints, C137QwenInThreeFormats) {
  struct Row {
    const char* model;
    double bf16, int8, int4;
  };
  for (const Row& row : {Row{"qwen-1_8b", 4.23, 3.48, 2.91}, Row{"qwen-7b", 16.99, 11.20, 8.21},
                         Row{"qwen-14b", 30.15, 18.81, 13.01}}) {
    const auto check = [&](const char* weights, double measured) {
      const Report report = reportFor(cat("model=", row.model, "&weights=", weights, "&seq=2048"));
      EXPECT_GE(gib(report.perDevice.high), measured) << row.model << " " << weights;
      EXPECT_NEAR(gib(report.perDevice.expected) / measured, 1.0, 0.15) << row.model << weights;
    };
    check("bf16", row.bf16);
    check("gptq8", row.int8);
    check("gptq4", row.int4);
  }
}

// A state of 149.625 MiB, three times with two rollback copies: 448.88 MiB printed.
TEST(Complaints, C140StateOfQwen36) {
  const Report report = reportFor("model=qwen3.6-27b&engine=llama.cpp&seq=180224");
  EXPECT_NEAR(gib(report.ledger.total(Component::kRecurrentState).expected) * 1024 * 3, 448.88,
              0.01);
}

TEST(Complaints, C142Gemma3At128k) {
  EXPECT_NEAR(kvGib("model=gemma-3-27b&seq=131072"), 10.406, 0.001);
}

TEST(Complaints, C143SixteenOfSixtyFourLayersCache) {
  EXPECT_EQ(cachedLayers("model=qwen3.8-27b"), 16u);
}

// 237 KB a token were state snapshots; keys and values alone are 24 KiB: 12 layers, 2 heads of 256.
TEST(Complaints, C144KeysAndValuesOfFlashNext) {
  EXPECT_EQ(cachedLayers("model=qwen3.8-flash-next"), 12u);
  EXPECT_EQ(reportFor("model=qwen3.8-flash-next&engine=llama.cpp").kv.bytesPerToken.value() / 1024,
            24u);
}

}  // namespace
}  // namespace memfit
