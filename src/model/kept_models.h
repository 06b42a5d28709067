// memfit - SPDX-License-Identifier: Apache-2.0
//
// Models that were read from a reader's own files, kept so that a query can name them: "model"
// takes the id that keepModel gives. They live in this process only; nothing is stored, and a link
// with such an id means nothing elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "model/model.h"

namespace memfit {

inline constexpr std::string_view kKeptPrefix = "file:";
// The oldest is dropped when one more is kept.
inline constexpr std::size_t kMaxKeptModels = 8;

// Keeps the model under "file:" and its name; one of that id is replaced. Gives the model as kept,
// with the id in Model::id.
std::shared_ptr<const Model> keepModel(Model model);

// nullptr for an id that is not kept (any more).
std::shared_ptr<const Model> findKeptModel(std::string_view id);

// Changes whenever an id may mean another model than before.
std::uint64_t keptModelsGeneration();

}  // namespace memfit
