// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/subject.h"

#include <optional>
#include <utility>

#include "base/text.h"
#include "model/overrides.h"
#include "query/query_io.h"

namespace memfit {

namespace {

ArchitectureOverrides overridesOf(const Query& query) {
  ArchitectureOverrides overrides;
  for (const OverrideField& override : overrideFields()) {
    const Field* field = findField(override.key);
    if (field != nullptr && query.has(field->key)) {
      overrides.*(override.member) = query.number(field->key);
    }
  }
  return overrides;
}

Result<Subject> exact(Result<Model> model) {
  if (!model) return model.error();
  Subject subject;
  subject.parameters = model->parameters();
  subject.activeParameters = model->activeParameters();
  subject.model = std::make_shared<const Model>(std::move(*model));
  return subject;
}

Result<Subject> ofSize(const Query& query) {
  const Count parameters = query.count(Key::kParams);
  std::optional<Count> active;
  if (query.has(Key::kActive)) active = min(query.count(Key::kActive), parameters);
  Result<Model> model = typicalModel(parameters, active);
  if (!model) return model.error();
  Subject subject;
  subject.parameters = parameters;
  subject.activeParameters = active.value_or(parameters);
  subject.sizeOnly = true;
  subject.model = std::make_shared<const Model>(std::move(*model));
  return subject;
}

}  // namespace

Result<Subject> subjectOf(const Query& query, Notices& notices) {
  (void)notices;
  const ArchitectureOverrides overrides = overridesOf(query);
  if (query.has(Key::kConfig)) {
    Result<Model> model = modelFromConfig(query.text(Key::kConfig), "config");
    if (!model) return model.error();
    return exact(overrides.empty() ? std::move(model) : applyOverrides(*model, overrides));
  }
  if (query.text(Key::kModel) == "custom") return exact(customModel(overrides));
  return ofSize(query);
}

}  // namespace memfit
