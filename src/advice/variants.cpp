// memfit - SPDX-License-Identifier: Apache-2.0
#include "advice/variants.h"

#include <utility>

namespace memfit {

namespace {

struct Row {
  Task task;
  WeightFormat weights;
};
constexpr Row kInferenceRows[] = {{Task::kInference, WeightFormat::kBf16},
                                  {Task::kInference, WeightFormat::kInt8},
                                  {Task::kInference, WeightFormat::kNf4}};
constexpr Row kTrainingRows[] = {{Task::kFull, WeightFormat::kBf16},
                                 {Task::kLora, WeightFormat::kBf16},
                                 {Task::kQlora, WeightFormat::kInt8},
                                 {Task::kQlora, WeightFormat::kNf4}};

}  // namespace

Result<std::vector<Variant>> variantsOf(const Query& query) {
  const std::span<const Row> rows = query.isTraining() ? std::span<const Row>(kTrainingRows)
                                                       : std::span<const Row>(kInferenceRows);
  std::vector<Variant> variants;
  for (const Row& row : rows) {
    Variant variant;
    variant.query = query;
    variant.query.set(Key::kTask, row.task);
    variant.query.set(Key::kWeights, row.weights);
    variant.asked =
        query.task() == row.task && query.choice<WeightFormat>(Key::kWeights) == row.weights;
    Result<Answer> made = answer(variant.query);
    if (!made) return made.error();
    variant.answer = std::move(*made);
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace memfit
