// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/kept_models.h"

#include <gtest/gtest.h>

#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {
namespace {

Model named(const char* name, Count parameters) {
  Result<Model> model = typicalModel(parameters);
  EXPECT_TRUE(model.ok());
  model->name = name;
  return *model;
}

TEST(KeptModels, AreNamedByQueries) {
  const auto kept = keepModel(named("mine.gguf", 7000000000));
  EXPECT_EQ(kept->id, "file:mine.gguf");
  Query query;
  query.setText(Key::kModel, kept->id);
  query.set(Key::kMethod, Method::kPai);
  const auto report = estimate(query);
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->notices.size(), 1u);
  EXPECT_EQ(report->notices[0].field, "model");
  EXPECT_EQ(report->notices[0].message,
            "Only the size is known: the shape is a typical one of that size, not a real model's.");
  EXPECT_EQ(report->parameters, kept->parameters());
}

TEST(KeptModels, TheSameNameMeansTheLastOne) {
  const auto first = keepModel(named("twice", 1000000000));
  Query query;
  query.setText(Key::kModel, first->id);
  query.set(Key::kMethod, Method::kPai);
  EXPECT_EQ(estimate(query)->parameters, first->parameters());
  const auto second = keepModel(named("twice", 3000000000));
  EXPECT_EQ(second->id, first->id);
  EXPECT_EQ(estimate(query)->parameters, second->parameters());
}

TEST(KeptModels, TheOldestGoes) {
  const std::string first = keepModel(named("first", 1000000000))->id;
  for (std::size_t i = 0; i < kMaxKeptModels; ++i) {
    keepModel(named(("more" + std::to_string(i)).c_str(), 1000000000));
  }
  EXPECT_EQ(findKeptModel(first), nullptr);
  EXPECT_NE(findKeptModel("file:more7"), nullptr);
  EXPECT_EQ(findKeptModel("more7"), nullptr);
}

TEST(KeptModels, LongOrOddNamesMakeIds) {
  EXPECT_EQ(keepModel(named("", 1000000000))->id, "file:model");
  const std::string id = keepModel(named(std::string(500, 'x').c_str(), 1000000000))->id;
  EXPECT_LT(id.size(), 200u);
  EXPECT_NE(findKeptModel(id), nullptr);
  EXPECT_EQ(keepModel(named("a\nb", 1000000000))->id, "file:a?b");
}

}  // namespace
}  // namespace memfit
