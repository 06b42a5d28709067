// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/layer_facts.h"

#include <gtest/gtest.h>

#include "model/catalogue.h"
#include "model/model.h"

namespace memfit {
namespace {

Architecture shape(std::string_view id) {
  const Result<std::shared_ptr<const Model>> found = catalogueModel(id);
  EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message);
  return found.ok() ? (*found)->architecture : Architecture();
}

// Of the first layer's first mixer.
const Mixer& firstMixer(const Architecture& a) { return a.layer(0).mixers.front(); }

TEST(LayerFacts, AGateBesideTheQueryDoublesItsWidth) {
  const auto widths = attentionWidthsOf(shape("qwen3.6-27b").layer(3).mixers.front());
  ASSERT_TRUE(widths.has_value());
  EXPECT_EQ(widths->headDim, Count(256));
  EXPECT_EQ(widths->query, Count(512));
  EXPECT_EQ(widths->key, Count(256));
}

// DeepSeek-V3: 512 + 64, multiplied by each of 128 query heads.
TEST(LayerFacts, ALatentIsKeyAndValueOfAllHeads) {
  const auto widths = attentionWidthsOf(firstMixer(shape("deepseek-v3")));
  ASSERT_TRUE(widths.has_value());
  EXPECT_EQ(widths->heads, Count(128));
  EXPECT_EQ(widths->kvHeads, Count(0));
  EXPECT_EQ(widths->query, Count(576));
  EXPECT_EQ(widths->key, Count(576));
  EXPECT_EQ(widths->value, Count(0));
}

TEST(LayerFacts, WholeKeysAndValuesOfALatentAreThoseOfItsHeads) {
  const auto whole = wholeCacheOf(firstMixer(shape("deepseek-v3")));
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(whole->keyElements, Count(128 * (128 + 64)));
  EXPECT_EQ(whole->valueElements, Count(128 * 128));
  EXPECT_FALSE(whole->latent);
}

TEST(LayerFacts, AnEncoderIsNotCausalAndHasNoCacheButOneThatCouldBeKept) {
  const Architecture bert = shape("bert-large");
  EXPECT_FALSE(isCausal(firstMixer(bert)));
  EXPECT_FALSE(cacheOf(firstMixer(bert)).has_value());
  const auto whole = wholeCacheOf(firstMixer(bert));
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(whole->keyElements, Count(1024));
}

TEST(LayerFacts, ProjectedHeadsAreOfTheFirstMixerThatHasThem) {
  // Falcon-H1: attention and Mamba 2 in every layer.
  const auto heads = projectedHeadsOf(shape("falcon-h1-1.5b").layer(0));
  ASSERT_TRUE(heads.has_value());
  EXPECT_EQ(heads->heads, Count(8));
  EXPECT_EQ(heads->kvHeads, Count(2));
  EXPECT_FALSE(projectedHeadsOf(shape("mamba-130m").layer(0)).has_value());
}

TEST(LayerFacts, OnlyTheFamiliesThatSayItRotateWindowsByAnotherBase) {
  const Architecture gemma3 = shape("gemma-3-27b");
  EXPECT_TRUE(gemma3.windowedBase);
  EXPECT_EQ(gemma3.positionScale, Count(8));
  EXPECT_TRUE(rotationOf(firstMixer(gemma3))->windowed);
  EXPECT_EQ(shape("gemma-3-1b").positionScale, Count(1));  // 32,768 tokens: not scaled
  EXPECT_TRUE(shape("gemma-4-31b").windowedBase);
  EXPECT_EQ(shape("gemma-4-31b").positionScale, Count(1));
  EXPECT_FALSE(shape("gemma-2-9b").windowedBase);
  EXPECT_EQ(rotationOf(firstMixer(shape("deepseek-v3")))->width, Count(64));
}

TEST(LayerFacts, DiffusionIsAFactOfTheFamily) {
  EXPECT_TRUE(shape("dream-7b").diffusion);
  EXPECT_TRUE(shape("llada-moe-7b-a1b").diffusion);
  EXPECT_TRUE(shape("mmada-8b").diffusion);
  EXPECT_FALSE(shape("qwen2.5-7b").diffusion);
}

TEST(LayerFacts, DeltaNetsAskFor32BitStatesAndMambaDoesNot) {
  EXPECT_TRUE(recurrentStateOf(firstMixer(shape("qwen3.6-27b")), 5120)->wide);
  EXPECT_TRUE(recurrentStateOf(firstMixer(shape("kimi-linear-48b-a3b")), 2304)->wide);
  EXPECT_FALSE(recurrentStateOf(firstMixer(shape("mamba-130m")), 768)->wide);
}

TEST(LayerFacts, ExpertsHaveWidthsOfTheirOwn) {
  const FeedForwardWidths dense = widthsOf(DenseFfn{.intermediate = 14336});
  EXPECT_EQ(dense.intermediate, Count(14336));
  EXPECT_EQ(dense.experts, Count(0));
  const FeedForwardWidths experts =
      widthsOf(MoeFfn{.experts = 8, .perToken = 2, .intermediate = 768});
  EXPECT_EQ(experts.intermediate, Count(0));
  EXPECT_EQ(experts.experts, Count(8));
  EXPECT_EQ(experts.expertsPerToken, Count(2));
  EXPECT_EQ(experts.expertIntermediate, Count(768));
}

}  // namespace
}  // namespace memfit
