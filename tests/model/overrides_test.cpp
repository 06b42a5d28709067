// memfit - SPDX-License-Identifier: Apache-2.0
//
// The architecture keys of a query on top of models of every family: each changes the model, or a
// notice or an error names it.
#include "model/overrides.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "memory/estimate.h"
#include "model/catalogue.h"
#include "model/model.h"
#include "query/query_io.h"

namespace memfit {
namespace {

Report asked(const std::string& url) {
  const DecodedQuery decoded = decodeUrl(url);
  for (const Notice& notice : decoded.notices) ADD_FAILURE() << url << ": " << notice.message;
  Result<Report> report = estimate(decoded.query, Bytes(0));
  EXPECT_TRUE(report.ok()) << url << ": " << (report.ok() ? "" : report.error().message);
  return report.ok() ? *std::move(report) : Report();
}
std::uint64_t parameters(const std::string& url) { return asked(url).parameters.value(); }

// T5's encoder and decoder: 2 x 32128 x 2048 embedding and head, 2 x 32 x 32 position buckets, two
// final norms of 2048; a layer of the encoder 4 x 2048 x 2048 + 3 x 2048 x 5120 + 2 x 2048, of the
// decoder 8 x 2048 x 2048 + 3 x 2048 x 5120 + 3 x 2048.
TEST(Overrides, LayersAreOfEachHalfOfAnEncoderDecoder) {
  EXPECT_EQ(parameters("model=t0-3b"), 2849757184u);
  EXPECT_EQ(parameters("model=t0-3b&layers=6"),
            131596288u + 2048u + 4096u + 6u * (48238592u + 65017856u));
}

// 40 layers: 12 experts of 3 x 6144 x 10752 less in each, and as many rows of 6144 of the router.
TEST(Overrides, ExpertsOfAFamilyWithKeysOfItsOwn) {
  const std::uint64_t whole = parameters("model=dbrx");
  EXPECT_EQ(whole, 131596523520u);
  EXPECT_EQ(parameters("model=dbrx&experts=4"), whole - 40u * 12 * (3ull * 6144 * 10752 + 6144));
  EXPECT_EQ(parameters("model=dbrx&moe_intermediate=5376"),
            whole - 40u * 16 * (3ull * 6144 * 5376));
}

TEST(Overrides, HeadsOfAFamilyWithKeysOfItsOwn) {
  EXPECT_EQ(parameters("model=dbrx&kv_heads=2"),
            parameters("model=dbrx") - 40u * 2 * 6 * 128 * 6144);
  // One head of 64 becomes eight, keys and values, in 32 layers of width 4544.
  EXPECT_EQ(parameters("model=falcon-7b&kv_heads=8"),
            parameters("model=falcon-7b") + 32u * 2 * 7 * 64 * 4544);
  EXPECT_EQ(parameters("model=starcoder&kv_heads=2"),
            parameters("model=starcoder") + 40u * 2 * 128 * (6144 + 1));
}

// Each block of Nemotron-NAS says how many query heads share a key: with 16 instead of 8 key-value
// heads of 128 the cache is twice as large.
TEST(Overrides, OneValueForAllLayersInsteadOfEachLayersOwn) {
  const Bytes own = asked("model=llama-3.3-nemotron-super-49b").kv.bytesPerToken;
  EXPECT_EQ(asked("model=llama-3.3-nemotron-super-49b&kv_heads=16").kv.bytesPerToken, own * 2);
  // MiMo lists its layers with experts, all but the first: three more become dense, of 3 x 4096 x
  // 16384, instead of 256 experts of 3 x 4096 x 2048, their router and its correction.
  EXPECT_EQ(parameters("model=mimo-v2-flash&dense_layers=4"),
            parameters("model=mimo-v2-flash") + 3u * 3ull * 4096 * 16384 -
                3u * 256ull * (3ull * 4096 * 2048 + 4096 + 1));
}

// Values are as wide as keys: 18 layers of 8 query heads, their outputs, a key and a value head,
// all of 128 instead of 256.
TEST(Overrides, ValuesAreAsWideAsTheKeysThatAreAskedFor) {
  EXPECT_EQ(parameters("model=gemma-2b&head_dim=128"),
            parameters("model=gemma-2b") - 18u * 128 * 2048 * (8 + 8 + 1 + 1));
  // T5 says a width of its own for both (d_kv, 64): 4 matrices of 2048 x 2048 in 24 layers of the
  // encoder and 8 in 24 of the decoder are half as large.
  EXPECT_EQ(parameters("model=t0-3b&head_dim=32"),
            parameters("model=t0-3b") - 24ull * (4 + 8) * 2048 * 1024);
}

// Qwen 3's own words for a shared expert mean nothing; a query's do.
TEST(Overrides, SharedExpertsAreOfTheWidthOfTheOthers) {
  EXPECT_EQ(parameters("model=qwen3-30b-a3b&shared_experts=2"),
            parameters("model=qwen3-30b-a3b") + 48u * 2 * 3ull * 2048 * 768);
}

// Qwen 1 writes twice its width in its files; who asks for a width means the width.
TEST(Overrides, AWidthThatIsAskedForIsNotPutThroughTheFamilysRule) {
  EXPECT_EQ(parameters("model=qwen-7b&intermediate=11008"), parameters("model=qwen-7b"));
  // 16 layers of 3 x 2048 x (8192 - 4096) less.
  EXPECT_EQ(parameters("model=lfm2-1.2b&intermediate=4096"),
            parameters("model=lfm2-1.2b&intermediate=8192") - 16u * 3 * 2048 * 4096);
  EXPECT_EQ(parameters("model=lfm2-1.2b&intermediate=8192"), parameters("model=lfm2-1.2b"));
}

// Ranges are those of the table of fields.
TEST(Overrides, WhatTheFieldsAcceptTheModelAccepts) {
  EXPECT_GT(parameters("model=llama-3.2-1b&hidden=2000000"), 0u);
  // The same 128 heads with keys of 128 + 64 and values of 128, in 61 layers.
  const Report whole = asked("model=deepseek-v3&kv_lora_rank=0&engine=transformers");
  EXPECT_EQ(whole.kv.bytesPerToken, Bytes(61u * 128 * (128 + 64 + 128) * 2));
}

TEST(Overrides, AWindowIsOfLatentAttentionToo) {
  const Report report = asked("model=deepseek-v3&window=512&seq=8192&engine=transformers");
  EXPECT_EQ(report.kv.bytesPerSequence, Bytes(61u * 576 * 2 * 512));
}

TEST(Overrides, WhatNoPartOfTheModelHasIsSaid) {
  const Report report = asked("model=mamba-130m&kv_heads=4");
  ASSERT_EQ(report.notices.size(), 1u);
  EXPECT_EQ(report.notices[0].code, NoticeCode::kNoEffect);
  EXPECT_EQ(report.notices[0].field, "kv_heads");
  EXPECT_EQ(report.notices[0].given, "4");
  EXPECT_EQ(report.notices[0].message,
            "\"kv_heads\" changes nothing: no part of \"Mamba 130M\" has it.");
}

TEST(Overrides, TheModelsOwnValueIsNoIdleKey) {
  EXPECT_TRUE(asked("model=llama-3.1-8b&layers=32&kv_heads=8&tied=false").notices.empty());
  EXPECT_TRUE(asked("model=gemma-3-1b&full_every=6").notices.empty());
  EXPECT_TRUE(asked("model=llama-3.1-8b&shared_experts=0&window=0").notices.empty());
}

TEST(Overrides, OfACustomModelAreHeldToTheSame) {
  const std::string custom = "model=custom&layers=2&hidden=64&heads=4&vocab=100&intermediate=128";
  EXPECT_EQ(parameters(custom), 95040u);
  const Report report = asked(custom + "&rope_head_dim=32");
  ASSERT_EQ(report.notices.size(), 1u);
  EXPECT_EQ(report.notices[0].field, "rope_head_dim");
}

TEST(Overrides, AFileOfAnUnknownModelTypeSaysSoInTheEstimate) {
  Query query;
  query.setText(Key::kConfig,
                R"({"model_type":"brand-new","hidden_size":64,"intermediate_size":128,)"
                R"("num_attention_heads":4,"num_hidden_layers":2,"vocab_size":100})");
  const Result<Report> report = estimate(query, Bytes(0));
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->notices.size(), 1u);
  EXPECT_EQ(report->notices[0].code, NoticeCode::kAssumption);
  EXPECT_EQ(report->notices[0].field, "config");
  EXPECT_EQ(
      report->notices[0].message,
      "The model_type \"brand-new\" is not known: its shape is read as a Llama-like decoder's, "
      "from hidden_size, num_hidden_layers, num_attention_heads, intermediate_size, "
      "vocab_size.");
}

// Every model of the catalogue and every key, with a value that no model has.
TEST(Overrides, EachChangesTheModelOrIsNamed) {
  const std::map<Key, std::int64_t> odd = {
      {Key::kLayers, 11},           {Key::kHidden, 1152},     {Key::kHeads, 18},
      {Key::kKvHeads, 3},           {Key::kHeadDim, 72},      {Key::kIntermediate, 4992},
      {Key::kVocab, 1009},          {Key::kExperts, 7},       {Key::kExpertsPerToken, 5},
      {Key::kMoeIntermediate, 832}, {Key::kSharedExperts, 9}, {Key::kDenseLayers, 4},
      {Key::kWindow, 768},          {Key::kFullEvery, 7},     {Key::kKvLoraRank, 320},
      {Key::kQLoraRank, 1344},      {Key::kNopeHeadDim, 88},  {Key::kRopeHeadDim, 24},
      {Key::kVHeadDim, 104},
  };
  std::set<std::string> families;
  for (const CatalogueEntry& entry : catalogue()) {
    const auto model = catalogueModel(entry.id);
    ASSERT_TRUE(model.ok()) << entry.id;
    const Model& own = **model;
    // One model a family is a spread of all of them.
    if (!families.insert(own.architecture.family).second) continue;
    for (const OverrideField& row : overrideFields()) {
      ArchitectureOverrides overrides;
      const auto value = odd.find(row.key);
      overrides.*row.member = value == odd.end() ? (own.architecture.tied ? 0 : 1) : value->second;
      Notices notices;
      const Result<Model> changed = applyOverrides(own, overrides, notices);
      if (!changed) {
        // Another key is needed with it, and is a key of a query.
        EXPECT_NE(findField(changed.error().field), nullptr)
            << entry.id << " " << row.name() << ": " << changed.error().message;
        continue;
      }
      const bool named = notices.size() == 1 && notices[0].field == row.name();
      const auto windows = [](const Architecture& a) {
        Count sum = 0;
        for (std::size_t i = 0; i < a.layerCount(); ++i) {
          for (const auto& cache : {cacheOf(a.layer(i))}) sum += cache ? cache->window : Count(0);
        }
        return sum;
      };
      const Architecture& a = own.architecture;
      const Architecture& b = changed->architecture;
      const bool counts = changed->parameters() != own.parameters() ||
                          changed->activeParameters() != own.activeParameters() ||
                          kvElementsPerToken(b) != kvElementsPerToken(a) ||
                          recurrentElementsPerSequence(b) != recurrentElementsPerSequence(a) ||
                          windows(b) != windows(a);
      // Query heads alone, where a head is H / heads wide, change scores and what devices cut.
      const bool headsOnly = row.key == Key::kHeads && !(b == a);
      EXPECT_NE(named, counts || headsOnly) << entry.id << " " << row.name();
    }
  }
  EXPECT_GT(families.size(), 80u);
}

}  // namespace
}  // namespace memfit
