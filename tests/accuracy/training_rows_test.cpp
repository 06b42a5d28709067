// memfit - SPDX-License-Identifier: Apache-2.0
//
// The measured training runs of tests/data/measured_training.jsonl (each row keeps its source)
// against the targets of the accuracy report: median and 90th percentile of the error a group, and
// how often the upper end covers what was measured. NOTES_training.md explains the worst rows.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "accuracy/section.h"

namespace memfit::accuracy {
namespace {

struct Target {
  std::string_view component;
  std::size_t rows;  // at least
  double median, p90;
};
constexpr Target kTargets[] = {
    {"a_single_peak_allocated", 130, 4, 12},
    {"a_several_peak_allocated", 130, 7, 20},
    {"a_steady_allocated", 200, 2, 8},
    {"fms_nvidia_smi", 200, 10, 25},
    {"b_as_printed", 45, 10, 35},
};

TEST(TrainingRows, MeetTheirTargets) {
  std::ifstream file(std::string(MEMFIT_TEST_DATA) + "/measured_training.jsonl");
  ASSERT_TRUE(file.is_open());
  std::stringstream text;
  text << file.rdbuf();
  const Result<Section> section = trainingRows(text.str());
  ASSERT_TRUE(section.ok()) << section.error().message;
  EXPECT_EQ(section->rows, 496u);
  EXPECT_GE(section->mapped, 320u);
  for (const Unmapped& row : section->unmapped) EXPECT_FALSE(row.why.empty()) << row.id;

  for (const Target& target : kTargets) {
    bool found = false;
    for (const Component& component : section->components) {
      if (component.name != target.component) continue;
      found = true;
      const Statistics s = statisticsOf(component.samples);
      EXPECT_GE(s.n, target.rows) << target.component;
      EXPECT_LE(s.medianAbsPercent, target.median) << target.component;
      EXPECT_LE(s.p90AbsPercent, target.p90) << target.component;
    }
    EXPECT_TRUE(found) << target.component;
  }
  for (const Component& component : section->components) {
    if (component.name != "reserved_or_nvidia_smi") continue;
    EXPECT_GE(statisticsOf(component.samples).coveredByHighPercent, 95.0);
  }
}

TEST(TrainingRows, ARowThatSaysTooLittleIsListed) {
  const Result<Section> section = trainingRows(
      R"({"id":"a","framework":"HF Trainer","model":"Llama-3-8B","scope":"end_to_end",)"
      R"("quality":"A","settings":{"method":"lora","micro_batch":1,"gpus":1,"grad_ckpt":true},)"
      R"("measured":{"peak_allocated_gib":20}})"
      "\n"
      R"({"id":"b","framework":"HF Trainer","model":"no such model","scope":"end_to_end",)"
      R"("quality":"A","settings":{},"measured":{}})");
  ASSERT_TRUE(section.ok());
  EXPECT_EQ(section->mapped, 0u);
  ASSERT_EQ(section->unmapped.size(), 2u);
  EXPECT_NE(section->unmapped[0].why.find("tokens"), std::string::npos);
  EXPECT_NE(section->unmapped[1].why.find("no such model"), std::string::npos);
}

}  // namespace
}  // namespace memfit::accuracy
