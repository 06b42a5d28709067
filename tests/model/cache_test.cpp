// memfit - SPDX-License-Identifier: Apache-2.0
//
// Key-value cache and recurrent state, from configs, against figures that others measured or
// stated.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/catalogue.h"
#include "model/model.h"

namespace memfit {
namespace {

std::shared_ptr<const Model> model(std::string_view id) {
  const Result<std::shared_ptr<const Model>> found = catalogueModel(id);
  EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message);
  return found.ok() ? *found : std::make_shared<const Model>();
}

std::uint64_t elements(std::string_view id) {
  return kvElementsPerToken(model(id)->architecture).value();
}

// Elements of one sequence of `tokens`, windowed layers holding their window at most: the ideal,
// not an engine's allocation.
std::uint64_t sequenceElements(std::string_view id, std::uint64_t tokens) {
  const std::shared_ptr<const Model> found = model(id);
  Count sum = 0;
  for (std::size_t i = 0; i < found->architecture.layerCount(); ++i) {
    const auto cache = cacheOf(found->architecture.layer(i));
    if (!cache) continue;
    const Count kept = cache->window > 0 ? min(cache->window, tokens) : Count(tokens);
    sum += cache->elements() * kept;
  }
  return sum.value();
}

std::uint64_t layersWith(std::string_view id, bool windowed) {
  const std::shared_ptr<const Model> found = model(id);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < found->architecture.layerCount(); ++i) {
    const auto cache = cacheOf(found->architecture.layer(i));
    if (cache && (cache->window > 0) == windowed) ++count;
  }
  return count;
}

// Bytes a token on one device that vLLM, SGLang, TensorRT-LLM and LMDeploy printed, and the formula
// that agrees (serving_facts section 1, "verified exact"), at two bytes an element and tp 1.
TEST(Cache, BytesPerTokenAsServingEnginesPrintThem) {
  EXPECT_EQ(elements("codellama-7b") * 2, 524288u);
  EXPECT_EQ(elements("phi-2") * 2, 327680u);
  EXPECT_EQ(elements("llama-3.1-8b") * 2, 131072u);
  EXPECT_EQ(elements("llama-3.3-70b"), 163840u);  // tp 2 halves it: 163,840 bytes
  EXPECT_EQ(elements("qwen2.5-7b") * 2, 57344u);
  EXPECT_EQ(elements("qwen2.5-72b"), 163840u);  // tp 2
  EXPECT_EQ(elements("qwen3-8b") * 2, 147456u);
  EXPECT_EQ(elements("qwen3-14b") * 2, 163840u);
  EXPECT_EQ(elements("qwen3-30b-a3b") * 2, 98304u);
  EXPECT_EQ(elements("qwen3-235b-a22b") / 2, 48128u);  // tp 4
  EXPECT_EQ(elements("phi-4") * 2, 204800u);
  EXPECT_EQ(elements("mistral-small-3.1-24b") * 2, 163840u);
  EXPECT_EQ(elements("granite-3.1-8b") * 2, 163840u);
  EXPECT_EQ(elements("granite-3.1-2b") * 2, 81920u);
  EXPECT_EQ(elements("mixtral-8x7b"), 65536u);  // tp 2
  EXPECT_EQ(elements("gemma-2-2b") * 2, 106496u);
  EXPECT_EQ(elements("gemma-2-9b") * 2, 344064u);
  EXPECT_EQ(elements("gemma-2-27b") * 2, 376832u);
  EXPECT_EQ(elements("gemma-7b") * 2, 458752u);
  EXPECT_EQ(elements("gpt-oss-20b"), 24576u);        // tp 2
  EXPECT_EQ(elements("llama-4-scout") / 2, 49152u);  // tp 4
  EXPECT_EQ(elements("deepseek-v2-lite") * 2, 31104u);
  EXPECT_EQ(elements("kimi-vl-a3b") * 2, 31104u);
  EXPECT_EQ(elements("kimi-k2") * 2, 70272u);
  EXPECT_EQ(elements("minimax-m2.7"), 126976u);  // tp 2
  EXPECT_EQ(elements("qwen3.6-27b"), 16u * 2 * 4 * 256);
  EXPECT_EQ(elements("llama-7b") * 2, 524288u);
  // gemma-3 with vLLM's padding layers: 35, 48 and 70 slots; here the layers that there are.
  EXPECT_EQ(elements("gemma-3-4b") * 2, 34u * 4096);
  EXPECT_EQ(elements("gemma-3-12b") * 2, 48u * 8192);
  EXPECT_EQ(elements("gemma-3-27b") * 2, 62u * 8192);
}

// DeepSeek-V3.2 keeps an indexer key of 128 elements beside the latent in each of 61 layers.
TEST(Cache, IndexerKeys) {
  const std::shared_ptr<const Model> found = model("deepseek-v3.2");
  const auto cache = cacheOf(found->architecture.layer(0));
  ASSERT_TRUE(cache.has_value());
  EXPECT_EQ(cache->keyElements.value(), 576u);
  EXPECT_EQ(cache->valueElements.value(), 0u);
  EXPECT_EQ(cache->indexElements.value(), 128u);
  EXPECT_TRUE(cache->latent);
  // GLM-5.2 shares indexers: 21 of 78 layers own one.
  const std::shared_ptr<const Model> glm = model("glm-5.2");
  std::size_t own = 0;
  for (std::size_t i = 0; i < glm->architecture.layerCount(); ++i) {
    const auto each = cacheOf(glm->architecture.layer(i));
    own += each && each->indexElements > 0 ? 1 : 0;
  }
  EXPECT_EQ(own, 21u);
}

// field.md section 6: figures that users reported, rebuilt by layer arithmetic.
TEST(Cache, GoldenValuesOfTheField) {
  constexpr double kGiBytes = 1073741824.0;
  constexpr double kMiBytes = 1048576.0;
  const auto sixteenBit = [](std::string_view id, std::uint64_t tokens) {
    return static_cast<double>(sequenceElements(id, tokens) * 2);
  };
  EXPECT_NEAR(sixteenBit("gemma-3-27b", 131072) / kGiBytes, 10.406, 0.001);
  EXPECT_DOUBLE_EQ(static_cast<double>(elements("gemma-3-27b") * 2 * 131072) / kGiBytes, 62.0);
  EXPECT_DOUBLE_EQ(sixteenBit("gemma-3-1b", 32768) / kMiBytes, 139.0);
  EXPECT_DOUBLE_EQ(static_cast<double>(elements("gemma-3-1b") * 2 * 32768) / kMiBytes, 832.0);
  EXPECT_EQ(elements("gpt-oss-120b") * 2, 73728u);
  EXPECT_NEAR(sixteenBit("gpt-oss-20b", 8192) * 32 / kGiBytes, 6.094, 0.001);
  EXPECT_DOUBLE_EQ(static_cast<double>(elements("gpt-oss-20b") * 2 * 8192 * 32) / kGiBytes, 12.0);
  EXPECT_DOUBLE_EQ(sixteenBit("qwen3.6-27b", 262144) / kGiBytes, 16.0);
  EXPECT_DOUBLE_EQ(sixteenBit("qwen3-0.6b", 40960) / kGiBytes, 4.375);
  EXPECT_NEAR(sixteenBit("deepseek-v3", 163840) / kGiBytes, 10.723, 0.001);
  EXPECT_NEAR(sixteenBit("deepseek-v2-lite", 32768) / kGiBytes, 0.949, 0.001);
  EXPECT_DOUBLE_EQ(sixteenBit("qwen3-30b-a3b", 262144) / kGiBytes, 24.0);
  EXPECT_EQ(elements("mistral-small-3.1-24b") * 2, 163840u);
  EXPECT_NEAR(sixteenBit("llama-3.1-8b", 80000) / kGiBytes, 9.77, 0.005);
  // Quantized caches: 34 bytes for 32 elements, 18 bytes for 32.
  EXPECT_DOUBLE_EQ(static_cast<double>(sequenceElements("qwen2.5-7b", 262144)) / 32 * 34 / kMiBytes,
                   7616.0);
  EXPECT_NEAR(static_cast<double>(sequenceElements("qwen2.5-14b", 88000)) / 32 * 18 / kGiBytes,
              4.53, 0.005);
}

// The table says 983,040 bytes for gemma-4-31B uncapped, 60 layers x 2 x 16 heads x 256; its ten
// full layers have 4 heads of 512 instead (config: num_global_key_value_heads, global_head_dim),
// which the data row of the same model counts too: 450,560 elements.
TEST(Cache, Gemma4FullLayersHaveHeadsOfTheirOwn) {
  EXPECT_EQ(elements("gemma-4-31b"), 50u * 2 * 16 * 256 + 10 * 2 * 4 * 512);
  EXPECT_EQ(layersWith("gemma-4-31b", true), 50u);
  EXPECT_EQ(layersWith("gemma-4-31b", false), 10u);
}

TEST(Cache, WindowsLieOnTheLayersOfTheFamily) {
  EXPECT_EQ(layersWith("gemma-3-27b", true), 52u);
  EXPECT_EQ(layersWith("gemma-3-27b", false), 10u);
  EXPECT_EQ(layersWith("gemma-3-1b", true), 22u);
  EXPECT_EQ(layersWith("gemma-2-9b", true), 21u);
  EXPECT_EQ(layersWith("gpt-oss-120b", true), 18u);
  EXPECT_EQ(layersWith("command-r7b", true), 24u);
  EXPECT_EQ(layersWith("llama-4-scout", true), 36u);
  EXPECT_EQ(layersWith("mistral-7b-v0.1", true), 32u);
  // use_sliding_window is false: the window in the file means nothing.
  EXPECT_EQ(layersWith("qwen2.5-7b", true), 0u);
  // The last 15 of 35 layers read an earlier layer's cache.
  EXPECT_EQ(layersWith("gemma-3n-e4b", true) + layersWith("gemma-3n-e4b", false), 20u);
}

// llama.cpp prints of recurrent state, fp32, kernel - 1 columns (gguf_facts section 4.3, checked).
TEST(RecurrentState, AsLlamaCppPrintsIt) {
  const auto mebibytes = [](std::string_view id) {
    return recurrentElementsPerSequence(model(id)->architecture).toDouble() * 4 / 1048576;
  };
  EXPECT_DOUBLE_EQ(mebibytes("qwen3.6-27b"), 149.625);
  EXPECT_DOUBLE_EQ(mebibytes("qwen3-next-80b-a3b"), 75.375);
  EXPECT_DOUBLE_EQ(mebibytes("qwen3.5-9b"), 50.25);
  EXPECT_NEAR(mebibytes("falcon-h1-1.5b"), 72.98, 0.005);
  EXPECT_NEAR(mebibytes("mamba-130m"), 0.42 + 2.25, 0.005);
}

// vLLM, Qwen3.6-27B tp 1 (serving_facts section 3): a layer's state is 48 x 128 x 128 fp32 and its
// convolution 3 x 10,240 in 16 bits: 3,207,168 bytes.
TEST(RecurrentState, OfOneGatedDeltaNet) {
  const std::shared_ptr<const Model> found = model("qwen3.6-27b");
  const auto state = recurrentStateOf(found->architecture.layer(0), found->architecture.hidden);
  ASSERT_TRUE(state.has_value());
  EXPECT_EQ(state->stateElements.value() * 4 + state->convElements().value() * 2, 3207168u);
  EXPECT_FALSE(recurrentStateOf(found->architecture.layer(3), found->architecture.hidden));
}

TEST(RecurrentState, AHybridLayerMayHaveCacheAndState) {
  const std::shared_ptr<const Model> found = model("falcon-h1-1.5b");
  const Layer& layer = found->architecture.layer(0);
  EXPECT_TRUE(cacheOf(layer).has_value());
  EXPECT_TRUE(recurrentStateOf(layer, found->architecture.hidden).has_value());
}

}  // namespace
}  // namespace memfit
