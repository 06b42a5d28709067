// memfit - SPDX-License-Identifier: Apache-2.0
//
// What a tensor is for, by the name it has in a file.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/role.h"
#include "model/tensor_inventory.h"

namespace memfit {

struct NamedTensor {
  Role role = Role::kOther;
  Part part = Part::kMain;
  TensorKind kind = TensorKind::kMatrix;
  std::int32_t layer = -1;  // -1: outside the layers
  // What it holds besides parameters: a quantizer's scales and zero points, or a buffer that is
  // computed anew (rotary frequencies, masks, position ids).
  bool scale = false;
  bool buffer = false;
  bool packed = false;  // several quantized values in each stored element
};

// GGUF: "blk.3.attn_q.weight". Source: ggml-org/llama.cpp src/llama-arch.cpp (2026-08).
NamedTensor ggufTensor(std::string_view name);

// Hugging Face: "model.layers.3.self_attn.q_proj.weight", as transformers' modules spell it.
NamedTensor huggingFaceTensor(std::string_view name);

}  // namespace memfit
