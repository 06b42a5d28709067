// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/catalogue.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "base/text.h"

namespace memfit {
namespace {

// What a page does that has the popular models and fetched the rest.
void loadAll() {
  const std::string path = cat(MEMFIT_TEST_DATA, "/../../src/model/catalogue/models.jsonl");
  std::FILE* file = std::fopen(path.c_str(), "rb");
  ASSERT_NE(file, nullptr);
  std::string text;
  char buffer[65536];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  std::fclose(file);
  const Result<std::size_t> count = loadCatalogue(text);
  ASSERT_TRUE(count.ok()) << count.error().message;
  EXPECT_TRUE(catalogueIsComplete());
}

std::string idOf(std::string_view name) {
  const CatalogueEntry* entry = findModel(name);
  return entry == nullptr ? "" : entry->id;
}

TEST(Catalogue, TheDefaultModelIsFirstAndCompiledIn) {
  EXPECT_EQ(catalogue().front().id, "llama-3.1-8b");
  const Result<std::shared_ptr<const Model>> model = catalogueModel(kDefaultModel);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ((*model)->parameters().value(), 8030261248u);
  EXPECT_EQ((*model)->name, "Llama 3.1 8B");
  EXPECT_EQ((*model)->license, "llama3.1");
  // Read once.
  EXPECT_EQ(catalogueModel(kDefaultModel)->get(), model->get());
}

TEST(Catalogue, FindsByEveryNameThatPeopleUse) {
  loadAll();
  EXPECT_EQ(idOf("llama3.1:8b"), "llama-3.1-8b");
  EXPECT_EQ(idOf("meta-llama/Llama-3.1-8B-Instruct"), "llama-3.1-8b");
  EXPECT_EQ(idOf("Meta-Llama-3.1-8B"), "llama-3.1-8b");
  EXPECT_EQ(idOf("unsloth/Llama-3.1-8B-Instruct-GGUF"), "llama-3.1-8b");
  EXPECT_EQ(idOf("Llama 3.1 8B"), "llama-3.1-8b");
  EXPECT_EQ(idOf("Qwen/Qwen2.5-7B-Instruct-AWQ"), "qwen2.5-7b");
  EXPECT_EQ(idOf("google/gemma-3-27b-it"), "gemma-3-27b");
  EXPECT_EQ(idOf("openai/gpt-oss-120b"), "gpt-oss-120b");
  EXPECT_EQ(idOf("deepseek-r1:32b"), "deepseek-r1-distill-qwen-32b");
  EXPECT_EQ(idOf("no such model"), "");
  EXPECT_EQ(idOf(""), "");
}

TEST(Catalogue, EveryEntryReadsAndIdsAreUnique) {
  loadAll();
  std::set<std::string> ids;
  for (const CatalogueEntry& entry : catalogue()) {
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    EXPECT_EQ(entry.id, toLower(entry.id));
    EXPECT_EQ(entry.id.find_first_of(" _/:"), std::string::npos) << entry.id;
    EXPECT_EQ(idOf(entry.id), entry.id);
    const Result<std::shared_ptr<const Model>> model = catalogueModel(entry.id);
    ASSERT_TRUE(model.ok()) << entry.id << ": " << model.error().message;
    EXPECT_GT((*model)->parameters().value(), 1000000u) << entry.id;
  }
  EXPECT_GE(ids.size(), 250u);
}

// karakuri-lm-70b: published rule 3. The others: config_facts sections 3 and 5, and the model
// cards' rounded sizes where the config is from general knowledge.
TEST(Catalogue, KnownTotals) {
  loadAll();
  const auto total = [](std::string_view id) {
    const Result<std::shared_ptr<const Model>> model = catalogueModel(id);
    return model.ok() ? (*model)->parameters().value() : 0;
  };
  EXPECT_EQ(total("karakuri-lm-70b"), 69196455936u);
  EXPECT_EQ(total("dbrx"), 131596523520u);
  EXPECT_EQ(total("mistral-nemo-12b"), 12247782400u);
  EXPECT_NEAR(static_cast<double>(total("qwen3-coder-480b-a35b")), 480.2e9, 0.1e9);
  EXPECT_NEAR(static_cast<double>(total("command-r-plus")), 103.8e9, 0.1e9);
  EXPECT_NEAR(static_cast<double>(total("deepseek-v2")), 235.7e9, 0.1e9);
}

TEST(Catalogue, SearchFindsAnyPartPopularFirst) {
  loadAll();
  const std::vector<const CatalogueEntry*> llama = searchModels("llama 3", 5);
  ASSERT_EQ(llama.size(), 5u);
  EXPECT_EQ(llama[0]->id, "llama-3.1-8b");
  const std::vector<const CatalogueEntry*> coder = searchModels("CODER", 50);
  ASSERT_FALSE(coder.empty());
  for (const CatalogueEntry* entry : coder) EXPECT_NE(entry->id, "llama-3.1-8b");
  // A whole name goes before what only contains it.
  EXPECT_EQ(searchModels("phi-2", 3).front()->id, "phi-2");
  EXPECT_TRUE(searchModels("qwen llama gemma", 3).empty());
  for (const CatalogueEntry* entry : searchModels("", 1000)) EXPECT_FALSE(entry->unlisted);
}

TEST(Catalogue, AnUnknownNameOffersTheNearest) {
  loadAll();
  const Result<std::shared_ptr<const Model>> model = catalogueModel("gemma-3");
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().field, "model");
  EXPECT_EQ(
      model.error().message,
      "The catalogue has no model \"gemma-3\". Near it: gemma-3-4b, gemma-3-12b, gemma-3-27b.");
}

TEST(Catalogue, BadLinesSayWhichLineAndWhat) {
  EXPECT_EQ(loadCatalogue("{\"id\":\"a-b\"}").error().message,
            "Line 1 of the catalogue has no config.");
  EXPECT_EQ(loadCatalogue("\n{\"config\":{}}").error().message,
            "Line 2 of the catalogue has no id.");
  EXPECT_FALSE(loadCatalogue("[1]").ok());
  EXPECT_FALSE(loadCatalogue("{\"id\":1,\"config\":{}}").ok());
}

}  // namespace
}  // namespace memfit
