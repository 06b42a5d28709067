// The targets of the accuracy of inference, on the rows that are kept here (tests/data, copied with
// their sources). The same numbers as memfit-accuracy prints.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "accuracy/section.h"
#include "accuracy/statistics.h"

namespace memfit::accuracy {
namespace {

std::string dataFile(const char* name) {
  std::string text;
  std::FILE* file = std::fopen((std::string(MEMFIT_TEST_DATA) + "/" + name).c_str(), "rb");
  if (file == nullptr) return text;
  char buffer[65536];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  std::fclose(file);
  return text;
}

Statistics of(const Section& section, std::string_view name) {
  for (const Component& component : section.components) {
    if (component.name == name) return statisticsOf(component.samples);
  }
  ADD_FAILURE() << "no component " << name;
  return {};
}

struct Target {
  const char* component;
  std::size_t n;  // at least so many rows are compared
  double median, p90;
};

void expectTargets(const Section& section, std::span<const Target> targets) {
  for (const Target& target : targets) {
    const Statistics found = of(section, target.component);
    EXPECT_GE(found.n, target.n) << target.component;
    EXPECT_LE(found.medianAbsPercent, target.median) << target.component;
    EXPECT_LE(found.p90AbsPercent, target.p90) << target.component;
  }
  for (const Unmapped& row : section.unmapped) EXPECT_GT(row.why.size(), 20u) << row.id;
  EXPECT_EQ(section.mapped + section.unmapped.size(), section.rows);
}

TEST(InferenceRows, LlamaCpp) {
  const auto section = llamacppRows(dataFile("measured_llamacpp.jsonl"));
  ASSERT_TRUE(section.ok());
  EXPECT_EQ(section->rows, 119u);
  EXPECT_GE(section->mapped, 90u);
  constexpr Target kTargets[] = {{"kv_cache", 60, 0.1, 0.5},
                                 {"recurrent_state", 9, 0.1, 0.5},
                                 {"weights", 45, 0.2, 1.5},
                                 {"compute_buffer", 50, 5, 30}};
  expectTargets(*section, kTargets);
  EXPECT_GE(of(*section, "compute_buffer").coveredByHighPercent, 95);
}

TEST(InferenceRows, Serving) {
  const auto section = servingRows(dataFile("measured_serving.jsonl"));
  ASSERT_TRUE(section.ok());
  EXPECT_EQ(section->rows, 118u);
  EXPECT_GE(section->mapped, 84u);
  constexpr Target kTargets[] = {{"weights", 75, 0.5, 3},
                                 {"kv_bytes_per_token", 53, 0.1, 1},
                                 {"kv_tokens", 55, 3, 12},
                                 {"activations", 60, 8, 30},
                                 {"total", 55, 3, 6}};
  expectTargets(*section, kTargets);
  // The verdict uses `high`: it may lie below what was measured in one of twenty.
  EXPECT_GE(of(*section, "activations").coveredByHighPercent, 95);
  EXPECT_GE(of(*section, "total").coveredByHighPercent, 95);
}

TEST(InferenceRows, RefuseWhatIsNoJson) {
  EXPECT_FALSE(llamacppRows("{").ok());
  EXPECT_FALSE(servingRows("[1").ok());
  EXPECT_EQ(servingRows("\n\n")->rows, 0u);
  // A row that states nothing is listed, not guessed.
  const auto bare =
      servingRows("{\"id\": \"x\", \"engine\": \"vllm\", \"model\": \"(unnamed)\"}\n");
  ASSERT_TRUE(bare.ok());
  EXPECT_EQ(bare->unmapped.size(), 1u);
  EXPECT_EQ(bare->mapped, 0u);
}

}  // namespace
}  // namespace memfit::accuracy
