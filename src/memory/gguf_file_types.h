// memfit - SPDX-License-Identifier: Apache-2.0
//
// GGUF file types as policies over tensor roles: which block format llama.cpp's quantizer gives
// each tensor of a file called Q4_K_M, IQ4_XS and so on. Files made by others under the same label
// (Unsloth's "UD-", files with f16 tensors kept) differ; where the file itself is at hand, its
// tensor list is used instead.
//
// Source: ggml-org/llama.cpp src/llama-quant.cpp, llama_tensor_get_type and
// tensor_type_fallback, read 2026; checked against the tensor counts that logs print.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/block_format.h"
#include "model/model.h"
#include "query/choices.h"

namespace memfit {

// Whether the word means a GGUF file type (a mix), not one format for all linear layers.
bool isGgufFileType(WeightFormat format);

// The word as llama.cpp prints it for a person ("Q4_K - Medium") or as file names have it
// ("Q4_K_M"), ASCII case ignored; nullopt for labels of forks and of other mixes.
std::optional<WeightFormat> ggufFileTypeNamed(std::string_view label);

class GgufRecipe {
 public:
  GgufRecipe(const Model& model, WeightFormat fileType);

  // The format of the group's tensor in `layer` (ignored outside the layers). A row that is no
  // whole number of blocks falls back, as the quantizer does.
  Format formatOf(const TensorGroup& group, std::uint16_t layer) const;

 private:
  std::size_t rankOf(const std::vector<std::uint16_t>& layers, std::uint16_t layer) const;

  WeightFormat fileType_;
  bool tied_ = false;
  std::size_t layers_ = 0;
  std::uint64_t experts_ = 0;
  std::uint64_t queryGroups_ = 1;  // query heads a key-value head, of the first attention layer
  bool sharesValues_ = false;      // "70B": 80 layers, 8 query heads to a value head
  std::vector<std::uint16_t> valueLayers_, downLayers_;  // that have such a tensor, ascending
};

}  // namespace memfit
