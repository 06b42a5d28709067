// memfit - SPDX-License-Identifier: Apache-2.0
//
// A model as JSON: what memfit.readModel and the page's "what is in it" give.
#pragma once

#include "bindings/json_writer.h"
#include "model/model.h"

namespace memfit {

// The model with its inventory by role: {role, part, shape, layers, count, parameters, bytes}.
// `config` is what `query.config` takes to estimate with this very model.
void writeModelDetails(JsonWriter& json, const Model& model);

// The catalogue's listed models, popular ones first: {id, name, aliases, licence, release,
// parameters, activeParameters}.
void writeCatalogue(JsonWriter& json);

}  // namespace memfit
