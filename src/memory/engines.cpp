// memfit - SPDX-License-Identifier: Apache-2.0
//
// The list of engines, and what every row answers in the same way.
#include <cmath>
#include <iterator>

#include "memory/engine.h"

namespace memfit {

// One a file, engine_NAME.cpp. In the order of the words of `engine`.
extern const EngineModel kTransformersModel, kVllmModel, kSglangModel, kLlamaCppModel, kMlxModel;

namespace {

const EngineModel* const kEngines[] = {&kTransformersModel, &kVllmModel, &kSglangModel,
                                       &kLlamaCppModel, &kMlxModel};
static_assert(std::size(kEngines) == static_cast<std::size_t>(Engine::kCount),
              "Every word of `engine` has a row in kEngines");

}  // namespace

const EngineModel& engineModel(Engine engine) {
  return *kEngines[static_cast<std::size_t>(engine)];
}

const EngineModel& engineOf(const Query& query) {
  return engineModel(query.choice<Engine>(Key::kEngine));
}

int releaseOf(const EngineModel& engine, const Query& query) {
  const Releases& releases = engine.releases;
  if (releases.read == nullptr || !query.has(Key::kRelease)) return releases.newest;
  return releases.read(query.text(Key::kRelease)).value_or(releases.newest);
}

std::string releaseName(const EngineModel& engine, const Query& query) {
  const std::string_view given = query.text(Key::kRelease);
  const bool known = engine.releases.read != nullptr && engine.releases.read(given).has_value();
  return std::string(known ? given : engine.releases.newestName);
}

double shareTaken(const EngineModel& engine, const Query& query, Bytes total) {
  if (engine.share == nullptr) return 0;
  if (query.has(Key::kUtilization)) {
    return static_cast<double>(query.number(Key::kUtilization)) / 1e6;
  }
  return engine.share(query, releaseOf(engine, query), total);
}

Bytes shareOf(Bytes total, double fraction) {
  return Bytes(static_cast<std::uint64_t>(std::floor(total.toDouble() * fraction)));
}

}  // namespace memfit
