// memfit - SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a GGUF file, whole and in pieces (the first byte says how large): both end alike.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/gguf.h"
#include "model/read_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memfit;
  if (size == 0) return 0;
  const std::size_t piece = data[0] + std::size_t{1};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);

  GgufReader whole;
  const Result<std::uint64_t> wants = whole.feed(text);

  GgufReader pieces;
  bool failed = false;
  for (std::size_t at = 0; at < text.size() && !pieces.done() && !failed; at += piece) {
    failed = !pieces.feed(text.substr(at, piece)).ok();
  }
  if (failed == wants.ok()) std::abort();
  if (wants.ok() && whole.done() != pieces.done()) std::abort();
  if (whole.done()) {
    if (whole.head().dataOffset != pieces.head().dataOffset) std::abort();
    const GgufHead head = whole.head();
    const Result<Model> model = modelFromGguf({&head, 1}, "fuzz");
    if (model.ok() && model->stored->bytes.overflowed()) std::abort();
  }
  return 0;
}
