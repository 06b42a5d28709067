// memfit - SPDX-License-Identifier: Apache-2.0
//
// The estimator for JavaScript: names and conversions only. web/memfit_api.js puts the functions of
// DESIGN.md around it.
#include <emscripten/bind.h>

#include <string>
#include <vector>

#include "bindings/json_api.h"

namespace {

std::string call(const std::string& request) { return memfit::callJson(request); }

std::string readModel(const std::string& bytes, const std::string& name) {
  return memfit::readModelJson(bytes, name);
}

// A Float32Array of its own, or the error as JSON text.
emscripten::val sweep(const std::string& request) {
  std::string error;
  const std::vector<float> totals = memfit::sweepTotals(request, error);
  if (!error.empty()) return emscripten::val(error);
  return emscripten::val(emscripten::typed_memory_view(totals.size(), totals.data()))
      .call<emscripten::val>("slice");
}

std::string version() { return MEMFIT_VERSION; }

}  // namespace

EMSCRIPTEN_BINDINGS(memfit) {
  emscripten::function("call", &call);
  emscripten::function("readModel", &readModel);
  emscripten::function("sweep", &sweep);
  emscripten::function("version", &version);
}
