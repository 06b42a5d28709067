// memfit - SPDX-License-Identifier: Apache-2.0
#include "accuracy/statistics.h"

#include <gtest/gtest.h>

#include "accuracy/section.h"

namespace memfit::accuracy {
namespace {

TEST(Statistics, OfFourSamples) {
  const std::vector<Sample> samples = {
      {"a", 100, 100, 100}, {"b", 110, 120, 100}, {"c", 95, 99, 100}, {"d", 100.5, 101, 100}};
  const Statistics s = statisticsOf(samples);
  EXPECT_EQ(s.n, 4u);
  EXPECT_EQ(s.exact, 1u);
  EXPECT_DOUBLE_EQ(s.medianAbsPercent, 2.75);  // of 0, 0.5, 5, 10
  EXPECT_DOUBLE_EQ(s.p90AbsPercent, 10);
  EXPECT_DOUBLE_EQ(s.biasPercent, (0 + 10 - 5 + 0.5) / 4);
  EXPECT_DOUBLE_EQ(s.within1Percent, 50);
  EXPECT_DOUBLE_EQ(s.coveredByHighPercent, 75);  // c's upper end is below what was measured
  ASSERT_EQ(s.worst.size(), 3u);
  EXPECT_EQ(s.worst[0].id, "b");
  EXPECT_EQ(s.worst[2].id, "d");
}

TEST(Statistics, OfNoneAndOfZero) {
  EXPECT_EQ(statisticsOf({}).n, 0u);
  EXPECT_EQ((Sample{"", 0, 0, 0}).errorPercent(), 0);
  EXPECT_EQ((Sample{"", 5, 5, 0}).errorPercent(), 100);
  EXPECT_EQ((Sample{"", 0, 0, 5}).errorPercent(), -100);
}

TEST(Sections, ConfigsSayWhatCouldNotBeReadAndWhatIsOff) {
  const Result<Section> section = configsRows(
      "{\"id\":\"good\",\"config\":{\"model_type\":\"llama\",\"hidden_size\":64,"
      "\"num_attention_heads\":4,\"intermediate_size\":128,\"num_hidden_layers\":2,"
      "\"vocab_size\":100},\"params_total\":95040,\"kv_elems_per_token\":257}\n"
      "\n"
      "{\"id\":\"bad\",\"config\":{}}\n"
      "{\"id\":\"none\"}\n");
  ASSERT_TRUE(section.ok()) << section.error().message;
  EXPECT_EQ(section->rows, 3u);
  EXPECT_EQ(section->mapped, 1u);
  ASSERT_EQ(section->unmapped.size(), 2u);
  EXPECT_EQ(section->unmapped[0].id, "bad");
  EXPECT_EQ(section->unmapped[1].why, "The row has no config.");
  ASSERT_EQ(section->inexact.size(), 1u);
  EXPECT_EQ(
      section->inexact[0].why,
      "kv_elems_per_token: 256 is read from the config, 257 is in the row (no source given).");
  const std::pair<std::string, Section> named("configs", *section);
  const std::string json = reportJson({&named, 1});
  EXPECT_NE(json.find("\"median_abs_pct\": 0"), std::string::npos) << json;
}

TEST(Sections, ALineThatIsNoJsonIsAnError) {
  const Result<Section> section = configsRows("{}\nnot json\n");
  ASSERT_FALSE(section.ok());
  EXPECT_NE(section.error().message.find("The configs, line 2"), std::string::npos);
}

}  // namespace
}  // namespace memfit::accuracy
