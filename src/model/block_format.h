// memfit - SPDX-License-Identifier: Apache-2.0
//
// How numbers lie in memory: the one table of storage formats. A format is `bytes` for every block
// of `elements` along a row, never a rounded "bits per weight". Scales that belong to a block are
// inside its bytes; scales on another grid (one for a whole tensor, one for a 128 x 128 tile) are
// not, and whoever uses such a scheme adds them.
//
// Source of the ggml rows: ggml-org/ggml d99724f (2026-08-21), include/ggml.h and
// src/ggml-common.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/count.h"

namespace memfit {

enum class Format : std::uint8_t {
  // Plain numbers.
  kFp32,
  kFp16,
  kBf16,
  kFp64,
  kFp8,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kBool,
  // ggml blocks.
  kQ4_0,
  kQ4_1,
  kQ5_0,
  kQ5_1,
  kQ8_0,
  kQ8_1,
  kQ2_K,
  kQ3_K,
  kQ4_K,
  kQ5_K,
  kQ6_K,
  kQ8_K,
  kIq2Xxs,
  kIq2Xs,
  kIq2S,
  kIq3Xxs,
  kIq3S,
  kIq1S,
  kIq1M,
  kIq4Nl,
  kIq4Xs,
  kTq1_0,
  kTq2_0,
  kMxfp4,
  kNvfp4,
  kQ1_0,
  kQ2_0,
  // Blocks of other libraries.
  kNf4,           // bitsandbytes: 64 elements and one fp32 absmax
  kNf4Double,     // the absmax values quantized to 8 bits in groups of 256, one fp32 a group
  kInt4Group128,  // GPTQ, AWQ: 4 bits, a 16-bit scale and a 4-bit zero point every 128 elements
  kInt8Group128,  // GPTQ 8 bits: a 16-bit scale and an 8-bit zero point every 128 elements
  kInt4Group32,   // compressed-tensors pack-quantized: 4 bits, a 16-bit scale every 32 elements
  kMlx4,          // MLX: 4 bits, a 16-bit scale and a 16-bit bias every 64 elements
  kMlx8,          // MLX: 8 bits, likewise
  kCount,
};

struct BlockFormat {
  Format format;
  std::string_view name;   // as in query keys, lower case
  std::uint32_t elements;  // a block
  std::uint32_t bytes;     // a block
  std::int32_t ggmlType;   // ggml's type id, -1 where it has none
};

std::span<const BlockFormat> blockFormats();
const BlockFormat& blockFormat(Format format);
inline std::string_view formatName(Format format) { return blockFormat(format).name; }

// By name, ASCII case ignored; the common other spellings (f32, float32, bfloat16, f8_e4m3, ...)
// too.
std::optional<Format> formatNamed(std::string_view name);
std::optional<Format> formatOfGgmlType(std::uint32_t type);

// Bytes of one row. A row that is no whole number of blocks takes its last block whole.
Bytes bytesOfRow(Format format, Count elements);
// Bytes of `rows` rows of `ne0` elements each.
Bytes bytesOf(Format format, Count ne0, Count rows);

}  // namespace memfit
