// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/catalogue.h"
#include "model/family/family.h"

namespace memfit {
namespace {

constexpr std::string_view kLlama31 =
    R"({"architectures":["LlamaForCausalLM"],"attention_bias":false,"hidden_size":4096,)"
    R"("intermediate_size":14336,"max_position_embeddings":131072,"model_type":"llama",)"
    R"("num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,)"
    R"("tie_word_embeddings":false,"torch_dtype":"bfloat16","vocab_size":128256})";

Model read(std::string_view config) {
  Result<Model> model = modelFromConfig(config, "test");
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.error().message);
  return model.ok() ? *model : Model();
}

// Hugging Face: meta-llama/Llama-3.1-8B, safetensors total 8,030,261,248.
TEST(Model, Llama31Has8030261248Parameters) {
  const Model model = read(kLlama31);
  EXPECT_EQ(model.parameters().value(), 8030261248u);
  EXPECT_EQ(model.activeParameters().value(), 8030261248u);
  EXPECT_EQ(kvElementsPerToken(model.architecture).value(), 65536u);
  EXPECT_EQ(model.architecture.layerCount(), 32u);
  EXPECT_EQ(model.architecture.kinds.size(), 1u);
  EXPECT_EQ(model.architecture.maxContext.value(), 131072u);
  EXPECT_EQ(model.checkpointFormat, Format::kBf16);
  EXPECT_TRUE(model.notices.empty());
  EXPECT_LE(model.inventory.groups().size(), 16u);
}

// Published rule 3: karakuri-lm-70b has 69,196,455,936 parameters; the cache of 50 tokens, 80
// layers of 8 heads of 128, is 15.625 MiB in 16 bits.
TEST(Model, KarakuriFromShapes) {
  const Model model =
      read(R"({"model_type":"llama","hidden_size":8192,"intermediate_size":28672,)"
           R"("num_attention_heads":64,"num_key_value_heads":8,"num_hidden_layers":80,)"
           R"("vocab_size":45416,"tie_word_embeddings":false})");
  EXPECT_EQ(model.parameters().value(), 69196455936u);
  EXPECT_EQ((kvElementsPerToken(model.architecture) * 2 * 50).value(), 16384000u);
}

// Hugging Face: mistralai/Mixtral-8x7B-Instruct-v0.1, safetensors total 46,702,792,704; two of
// eight experts active leave 12,879,925,248.
TEST(Model, MixtralActiveParameters) {
  const Model model =
      read(R"({"hidden_size":4096,"intermediate_size":14336,"max_position_embeddings":32768,)"
           R"("model_type":"mixtral","num_attention_heads":32,"num_experts_per_tok":2,)"
           R"("num_hidden_layers":32,"num_key_value_heads":8,"num_local_experts":8,)"
           R"("sliding_window":null,"tie_word_embeddings":false,"vocab_size":32000})");
  EXPECT_EQ(model.parameters().value(), 46702792704u);
  EXPECT_EQ(model.activeParameters().value(), 12879925248u);
}

TEST(Model, OverridesChangeOneThing) {
  ArchitectureOverrides overrides;
  Notices notices;
  overrides.layers = 16;
  overrides.tied = 1;
  const Result<Model> model = applyOverrides(read(kLlama31), overrides, notices);
  ASSERT_TRUE(model.ok());
  // Half of 32 x 218,112,000 and one of two 128256 x 4096 matrices less.
  EXPECT_EQ(model->parameters().value(), 8030261248u - 16u * 218112000u - 525336576u);
  EXPECT_EQ(kvElementsPerToken(model->architecture).value(), 32768u);
}

TEST(Model, OverridesOfTheWindow) {
  ArchitectureOverrides overrides;
  Notices notices;
  overrides.window = 1024;
  overrides.fullEvery = 4;
  const Result<Model> model = applyOverrides(read(kLlama31), overrides, notices);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->architecture.kinds.size(), 2u);
  EXPECT_EQ(cacheOf(model->architecture.layer(0))->window.value(), 1024u);
  EXPECT_EQ(cacheOf(model->architecture.layer(3))->window.value(), 0u);
  overrides = {};
  overrides.fullEvery = 4;
  const Result<Model> none = applyOverrides(read(kLlama31), overrides, notices);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().field, "window");
}

TEST(Model, OverridesOutOfRangeNameTheKey) {
  ArchitectureOverrides overrides;
  Notices notices;
  overrides.layers = 20000;
  const Result<Model> model = applyOverrides(read(kLlama31), overrides, notices);
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().field, "layers");
  EXPECT_EQ(model.error().message, "layers is 20000; 1 to 10000 is accepted.");
}

TEST(Model, CustomIsWhatItsKeysSay) {
  ArchitectureOverrides overrides;
  Notices notices;
  overrides.layers = 32;
  overrides.hidden = 4096;
  overrides.heads = 32;
  overrides.kvHeads = 8;
  overrides.intermediate = 14336;
  EXPECT_EQ(customModel(overrides, notices).error().field, "vocab");
  overrides.vocab = 128256;
  const Result<Model> model = customModel(overrides, notices);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->parameters().value(), 8030261248u);
  EXPECT_TRUE(model->notices.empty());
}

// A latent cache: 512 + 64 elements a token and layer, whatever the heads.
TEST(Model, CustomWithLatentAttention) {
  ArchitectureOverrides overrides;
  Notices notices;
  overrides.layers = 10;
  overrides.hidden = 2048;
  overrides.heads = 16;
  overrides.vocab = 1000;
  overrides.intermediate = 8192;
  overrides.kvLoraRank = 512;
  overrides.ropeHeadDim = 64;
  overrides.nopeHeadDim = 128;
  overrides.vHeadDim = 128;
  const Result<Model> model = customModel(overrides, notices);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(kvElementsPerToken(model->architecture).value(), 5760u);
}

TEST(Model, TypicalShapesAreOfTheSizeAsked) {
  for (const double billions : {0.002, 0.5, 1.0, 3.0, 7.0, 13.0, 34.0, 70.0, 180.0, 1000.0}) {
    const Count asked(static_cast<std::uint64_t>(billions * 1e9));
    const Result<Model> model = typicalModel(asked);
    ASSERT_TRUE(model.ok()) << billions;
    EXPECT_TRUE(model->typical);
    EXPECT_NEAR(model->parameters().toDouble() / asked.toDouble(), 1.0, 0.02) << billions;
  }
  const Result<Model> moe = typicalModel(Count(1) * 671000000000, Count(1) * 37000000000);
  ASSERT_TRUE(moe.ok());
  EXPECT_NEAR(moe->parameters().toDouble(), 671e9, 671e9 * 0.02);
  EXPECT_NEAR(moe->activeParameters().toDouble(), 37e9, 37e9 * 0.02);
  EXPECT_EQ(typicalModel(10).error().field, "params");
  EXPECT_EQ(typicalModel(Count(1) * 7000000000, Count(1) * 8000000000).error().field, "active");
}

TEST(Model, UnknownTypeIsReadLikeLlamaWithANotice) {
  const Model model = read(R"({"model_type":"brand-new","hidden_size":64,"intermediate_size":128,)"
                           R"("num_attention_heads":4,"num_hidden_layers":2,"vocab_size":100})");
  ASSERT_EQ(model.notices.size(), 1u);
  EXPECT_EQ(
      model.notices[0],
      "The model_type \"brand-new\" is not known: its shape is read as a Llama-like decoder's, "
      "from hidden_size, num_hidden_layers, num_attention_heads, intermediate_size, "
      "vocab_size.");
  // 2 x 100 x 64 + 2 (4 x 64 x 64 + 3 x 64 x 128 + 2 x 64) + 64.
  EXPECT_EQ(model.parameters().value(), 95040u);
}

TEST(Model, AnUnknownLanguageModelInAKnownWrapperIsNotReadSilently) {
  const Model model =
      read(R"({"model_type":"llava","text_config":{"model_type":"brand-new","n_embd":64,)"
           R"("ffn_dim":128,"n_head":4,"n_layer":2,"vocab_size":100}})");
  ASSERT_EQ(model.notices.size(), 1u);
  EXPECT_EQ(model.notices[0],
            "The model_type \"brand-new\" is not known: its shape is read by the rules of llava, "
            "which it stands in, from n_embd, n_layer, n_head, ffn_dim, vocab_size.");
  EXPECT_EQ(model.architecture.family, "brand-new");
}

// Tables of other layers (training's habits of modelling code) list the root's word.
TEST(Model, TheFamilyIsNamedAsTheTablesNameIt) {
  EXPECT_EQ((*catalogueModel("qwen3.5-122b-a10b"))->architecture.family, "qwen3_5_moe");
  EXPECT_EQ((*catalogueModel("gemma-4-26b-a4b"))->architecture.family, "gemma4");
  EXPECT_EQ((*catalogueModel("llama-4-scout"))->architecture.family, "llama4");
  EXPECT_EQ((*catalogueModel("kimi-vl-a3b"))->architecture.family, "deepseek_v3");
}

TEST(Model, NoModelTypeStandsInTwoRows) {
  std::vector<std::string_view> types;
  for (const Family* family : families()) {
    for (const std::string_view type : family->modelTypes) {
      if (!type.empty()) types.push_back(type);
    }
  }
  std::sort(types.begin(), types.end());
  EXPECT_EQ(std::adjacent_find(types.begin(), types.end()), types.end());
  EXPECT_GT(types.size(), 120u);
}

}  // namespace
}  // namespace memfit
