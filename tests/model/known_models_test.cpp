// memfit - SPDX-License-Identifier: Apache-2.0
//
// Every config of tests/data/model_configs.jsonl against what is known of its model; each row keeps
// its source. These are the totals of safetensors files, or formulas that gave such totals exactly.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "base/text.h"
#include "model/checkpoint.h"
#include "model/config_view.h"
#include "model/model.h"

namespace memfit {
namespace {

std::string dataFile(const char* name) {
  const std::string path = cat(MEMFIT_TEST_DATA, "/", name);
  std::string text;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return text;
  char buffer[65536];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  std::fclose(file);
  return text;
}

TEST(KnownModels, ParametersAndCacheElementsAreExactAndCheckpointsOfTheSizeThatIsKnown) {
  const std::string text = dataFile("model_configs.jsonl");
  std::size_t parameters = 0;
  std::size_t active = 0;
  std::size_t cache = 0;
  std::size_t nextTokens = 0;
  std::size_t checkpoints = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (trim(line).empty()) continue;
    const Result<ConfigDocument> document = ConfigDocument::parse(line, "row");
    ASSERT_TRUE(document.ok()) << document.error().message;
    const ConfigView row = document->root();
    const std::string id(row.text({"id"}).value_or(""));
    const Result<Model> model = modelFromConfig(row.child("config").json(), id);
    ASSERT_TRUE(model.ok()) << id << ": " << model.error().message;
    if (const auto known = row.number({"params_total"})) {
      EXPECT_EQ(model->parameters().toDouble(), *known) << id;
      ++parameters;
    }
    if (const auto known = row.number({"params_active"})) {
      // Some rows count the vision tower into it.
      const Count vision = model->inventory.parameters(Part::kVision);
      EXPECT_TRUE(model->activeParameters().toDouble() == *known ||
                  (model->activeParameters() + vision).toDouble() == *known)
          << id << " " << model->activeParameters().value();
      ++active;
    }
    if (const auto known = row.number({"kv_elems_per_token"})) {
      EXPECT_EQ(kvElementsPerToken(model->architecture).toDouble(), *known) << id;
      ++cache;
    }
    if (const auto known = row.number({"checkpoint_bytes"})) {
      // Buffers that no config mentions are in a file too: 12 MB of DeepSeek-V3's 689 GB.
      EXPECT_NEAR(checkpointBytes(*model).toDouble(), *known, *known * 2e-5) << id;
      ++checkpoints;
    }
    const auto known = row.child("params_parts").number({"mtp"});
    // Qwen3-Next's checkpoint has a layer that its config does not mention.
    if (known && !model->architecture.nextTokens.layers.empty()) {
      Count own = model->inventory.parameters(Part::kNextTokens);
      // The rows count a layer without its copies of embedding and head.
      if (model->architecture.nextTokens.ownEmbeddings) {
        own = own - model->architecture.vocab * model->architecture.hidden * 2;
      }
      EXPECT_EQ(own.toDouble(), *known) << id;
      ++nextTokens;
    }
  }
  EXPECT_EQ(parameters, 249u);
  EXPECT_EQ(active, 51u);
  EXPECT_EQ(cache, 252u);
  EXPECT_EQ(checkpoints, 15u);
  EXPECT_GT(nextTokens, 10u);
}

}  // namespace
}  // namespace memfit
