// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/kept_models.h"

#include <utility>
#include <vector>

#include "base/text.h"

namespace memfit {

namespace {

struct Kept {
  std::vector<std::shared_ptr<const Model>> models;  // oldest first
  std::uint64_t generation = 0;
};

Kept& kept() {
  thread_local Kept models;
  return models;
}

// Names become part of a query's text field, which takes 200 bytes.
constexpr std::size_t kMaxName = 120;

}  // namespace

std::shared_ptr<const Model> keepModel(Model model) {
  std::string name = quoted(model.name.empty() ? "model" : model.name, kMaxName);
  model.id = cat(kKeptPrefix, std::string_view(name).substr(1, name.size() - 2));
  auto& models = kept().models;
  std::erase_if(models, [&model](const auto& other) { return other->id == model.id; });
  if (models.size() == kMaxKeptModels) models.erase(models.begin());
  models.push_back(std::make_shared<const Model>(std::move(model)));
  ++kept().generation;
  return models.back();
}

std::shared_ptr<const Model> findKeptModel(std::string_view id) {
  for (const auto& model : kept().models) {
    if (model->id == id) return model;
  }
  return nullptr;
}

std::uint64_t keptModelsGeneration() { return kept().generation; }

}  // namespace memfit
