// memfit - SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a safetensors header (the length is put in front, so that JSON is what is varied)
// and as an index.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/read_model.h"
#include "model/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memfit;
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  std::string file;
  for (int i = 0; i < 8; ++i) file += static_cast<char>(std::uint64_t{size} >> (8 * i) & 0xFF);
  file += json;
  (void)readModel(file, "model.safetensors");
  (void)readModel(json, "model.safetensors.index.json");
  const Result<SafetensorsHeader> header = readSafetensorsHeader(file);
  if (header.ok() && header->bytes.overflowed()) std::abort();
  return 0;
}
