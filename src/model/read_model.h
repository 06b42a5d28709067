// memfit - SPDX-License-Identifier: Apache-2.0
//
// Any file that describes a model, told apart by what is in it: config.json, hf_quant_config.json,
// a GGUF head, a safetensors header, model.safetensors.index.json.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/model.h"

namespace memfit {

enum class FileKind : std::uint8_t {
  kConfig,
  kQuantConfig,
  kGguf,
  kSafetensors,
  kSafetensorsIndex,
  kUnknown,
};
// By the first bytes, and for JSON by its keys.
FileKind fileKindOf(std::string_view bytes);

struct NamedFile {
  std::string_view name;
  std::string_view bytes;  // of GGUF and safetensors the head is enough
};

// One file. Of an index without its config.json only the bytes are known: the shape is a typical
// one. Error::code is kBadFile for a head that is cut: the message says how many more bytes are
// wanted.
Result<Model> readModel(std::string_view bytes, std::string_view name);

// Files of one model together, in any order: a config.json with an index or headers, parts of a
// GGUF. The architecture is the config's, the bytes are the files'.
Result<Model> readModel(std::span<const NamedFile> files);

}  // namespace memfit
