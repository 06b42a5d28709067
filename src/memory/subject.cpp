// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/subject.h"

#include <optional>
#include <string>
#include <utility>

#include "base/recent.h"
#include "base/text.h"
#include "model/catalogue.h"
#include "model/kept_models.h"
#include "model/overrides.h"
#include "query/query_io.h"

namespace memfit {

namespace {

ArchitectureOverrides overridesOf(const Query& query) {
  ArchitectureOverrides overrides;
  for (const OverrideField& override : overrideFields()) {
    if (query.has(override.key)) overrides.*(override.member) = query.number(override.key);
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

// What the reader of a file could not tell. A catalogue's models are known; there the page of the
// model says what is not counted.
void tellAssumptions(const Model& model, std::string_view field, Notices& notices) {
  for (const std::string& text : model.notices) {
    notices.push_back({NoticeCode::kAssumption, std::string(field), "", "", text});
  }
}

Result<Subject> resolve(const Query& query, Notices& notices) {
  const ArchitectureOverrides overrides = overridesOf(query);
  if (query.has(Key::kConfig)) {
    Result<Model> model = modelFromConfig(query.text(Key::kConfig), "config");
    if (!model) return model.error();
    tellAssumptions(*model, fieldOf(Key::kConfig).name, notices);
    return exact(applyOverrides(*model, overrides, notices));
  }
  if (query.text(Key::kModel) == "custom") return exact(customModel(overrides, notices));
  if (!query.has(Key::kModel) && query.has(Key::kParams)) return ofSize(query);

  const std::string name =
      query.has(Key::kModel) ? std::string(query.text(Key::kModel)) : std::string(kDefaultModel);
  std::shared_ptr<const Model> kept = findKeptModel(name);
  Result<std::shared_ptr<const Model>> model =
      kept ? Result<std::shared_ptr<const Model>>(std::move(kept)) : catalogueModel(name);
  if (!model && model.error().code == ErrorCode::kUnknown) {
    notices.push_back({NoticeCode::kUnknownValue, "model", name, std::string(kDefaultModel),
                       cat(model.error().message, " The estimate is for ", kDefaultModel, ".")});
    model = catalogueModel(kDefaultModel);
  }
  if (!model) return model.error();
  if ((*model)->id.starts_with(kKeptPrefix)) {
    tellAssumptions(**model, fieldOf(Key::kModel).name, notices);
  }
  if (!overrides.empty()) return exact(applyOverrides(**model, overrides, notices));
  Subject subject;
  subject.parameters = (*model)->parameters();
  subject.activeParameters = (*model)->activeParameters();
  subject.model = *model;
  return subject;
}

// Everything of a query that says which model is meant, as one text.
std::string subjectKey(const Query& query) {
  // A name that was unknown may be known once the rest of the catalogue is there.
  std::string key = cat(catalogueIsComplete() ? "all&" : "popular&", keptModelsGeneration(), "&");
  for (const Field& field : fields()) {
    if (!saysWhichModel(field) || !query.has(field.key)) continue;
    key += field.name;
    key += '=';
    if (field.kind == Kind::kText || field.kind == Kind::kDocument) {
      key += query.text(field.key);
    } else {
      key += std::to_string(query.number(field.key));
    }
    key += '&';
  }
  return key;
}

}  // namespace

Result<Subject> subjectOf(const Query& query, Notices& notices) {
  struct Kept {
    Subject subject;
    Notices notices;
  };
  // The page asks about one model again and again.
  thread_local Recent<std::string, Kept, 4> recent;
  std::string key = subjectKey(query);
  if (const Kept* kept = recent.find(key)) {
    notices.insert(notices.end(), kept->notices.begin(), kept->notices.end());
    return kept->subject;
  }
  Notices mine;
  Result<Subject> subject = resolve(query, mine);
  if (!subject) return subject;
  notices.insert(notices.end(), mine.begin(), mine.end());
  recent.keep(std::move(key), {*subject, std::move(mine)});
  return subject;
}

}  // namespace memfit
