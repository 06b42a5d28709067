// memfit - SPDX-License-Identifier: Apache-2.0
//
// Safetensors: the header of a file (8 bytes of length, then JSON: names, dtypes, shapes, places)
// and model.safetensors.index.json (which file has which tensor, and the bytes of all). Source:
// huggingface/safetensors README, format section.
//
// Untrusted input: a header of at most 32 MiB with at most 262,144 tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/count.h"
#include "base/result.h"
#include "model/model.h"

namespace memfit {

struct SafetensorsTensor {
  std::string name;
  std::string dtype;  // "BF16", "F8_E4M3", "I32", ...
  std::vector<Count> shape;
  Bytes bytes;

  Count elements() const;
};

struct SafetensorsHeader {
  std::vector<SafetensorsTensor> tensors;
  Bytes bytes;  // of all tensors

  bool empty() const { return tensors.empty(); }
};

// How many bytes of the file's beginning hold its header: 8 + its length. The first 8 bytes are
// enough to ask.
Result<std::uint64_t> safetensorsHeaderSize(std::string_view beginning);

// The header. `beginning` holds at least safetensorsHeaderSize() bytes; what follows is ignored.
Result<SafetensorsHeader> readSafetensorsHeader(std::string_view beginning);

struct SafetensorsIndex {
  Bytes bytes;                       // metadata.total_size
  std::vector<std::string> tensors;  // names
  std::vector<std::string> files;    // each once
};
Result<SafetensorsIndex> readSafetensorsIndex(std::string_view json);

// What the headers of a checkpoint's files (all of them, or some: `complete`) hold. `quantization`
// says how many elements a packed tensor stands for; `layers` where next-token layers begin (0: not
// known); `tied` that a stored head is a copy of the embedding.
StoredTensors storedTensors(std::span<const SafetensorsHeader> headers, bool complete,
                            const Quantization& quantization, Count layers, bool tied);

// A model from headers alone: the shapes of tensors with Llama-like names give the architecture,
// with notices about what shapes cannot say (how wide a head is). An error when there are no such
// names.
Result<Model> modelFromSafetensors(std::span<const SafetensorsHeader> headers, bool complete,
                                   std::string_view name);

}  // namespace memfit
