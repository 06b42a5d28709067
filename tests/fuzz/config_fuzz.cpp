// memfit - SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a config.json. Whatever comes out is a model whose numbers are finite, or an error
// with a message; overrides on top of it are the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/checkpoint.h"
#include "model/model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memfit;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Model> model = modelFromConfig(text, "fuzz");
  if (!model) {
    if (model.error().message.empty()) std::abort();
    return 0;
  }
  if (model->parameters().overflowed()) std::abort();
  (void)checkpointBytes(*model);
  (void)recurrentElementsPerSequence(model->architecture);
  for (const TensorGroup& group : model->inventory.groups()) {
    if (model->inventory.parametersOf(group).overflowed()) std::abort();
  }
  ArchitectureOverrides overrides;
  overrides.layers = 3;
  overrides.hidden = 64;
  overrides.window = 16;
  overrides.fullEvery = 2;
  Notices notices;
  (void)applyOverrides(*model, overrides, notices);
  return 0;
}
