// memfit - SPDX-License-Identifier: Apache-2.0
//
// The subject of an estimate: the model that a query means.
#pragma once

#include <memory>

#include "base/result.h"
#include "model/model.h"
#include "query/query.h"

namespace memfit {

struct Subject {
  std::shared_ptr<const Model> model;  // exact, or a typical shape when only sizes are known
  Count parameters;  // the query's when only sizes are known, else the inventory's
  Count activeParameters;
  bool sizeOnly = false;
};

// In this order: `config` (a config.json), `model` (catalogue id or alias, the id of a kept file,
// or "custom"), `params` alone, else the default model; each with the query's architecture keys on
// top. An unknown model is a notice and the default model; a config that cannot be read, or a
// custom shape with a part missing, is an error that names the field. The last models are kept:
// asking again costs nothing.
Result<Subject> subjectOf(const Query& query, Notices& notices);

}  // namespace memfit
