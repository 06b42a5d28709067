// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/block_format.h"

#include <string>

#include "base/text.h"

namespace memfit {
namespace {

constexpr BlockFormat kFormats[] = {
    {Format::kFp32, "fp32", 1, 4, 0},
    {Format::kFp16, "fp16", 1, 2, 1},
    {Format::kBf16, "bf16", 1, 2, 30},
    {Format::kFp64, "fp64", 1, 8, 28},
    {Format::kFp8, "fp8", 1, 1, -1},
    {Format::kInt8, "int8", 1, 1, 24},
    {Format::kInt16, "int16", 1, 2, 25},
    {Format::kInt32, "int32", 1, 4, 26},
    {Format::kInt64, "int64", 1, 8, 27},
    {Format::kBool, "bool", 1, 1, -1},
    {Format::kQ4_0, "q4_0", 32, 18, 2},
    {Format::kQ4_1, "q4_1", 32, 20, 3},
    {Format::kQ5_0, "q5_0", 32, 22, 6},
    {Format::kQ5_1, "q5_1", 32, 24, 7},
    {Format::kQ8_0, "q8_0", 32, 34, 8},
    {Format::kQ8_1, "q8_1", 32, 36, 9},
    {Format::kQ2_K, "q2_k", 256, 84, 10},
    {Format::kQ3_K, "q3_k", 256, 110, 11},
    {Format::kQ4_K, "q4_k", 256, 144, 12},
    {Format::kQ5_K, "q5_k", 256, 176, 13},
    {Format::kQ6_K, "q6_k", 256, 210, 14},
    {Format::kQ8_K, "q8_k", 256, 292, 15},
    {Format::kIq2Xxs, "iq2_xxs", 256, 66, 16},
    {Format::kIq2Xs, "iq2_xs", 256, 74, 17},
    {Format::kIq2S, "iq2_s", 256, 82, 22},
    {Format::kIq3Xxs, "iq3_xxs", 256, 98, 18},
    {Format::kIq3S, "iq3_s", 256, 110, 21},
    {Format::kIq1S, "iq1_s", 256, 50, 19},
    {Format::kIq1M, "iq1_m", 256, 56, 29},
    {Format::kIq4Nl, "iq4_nl", 32, 18, 20},
    {Format::kIq4Xs, "iq4_xs", 256, 136, 23},
    {Format::kTq1_0, "tq1_0", 256, 54, 34},
    {Format::kTq2_0, "tq2_0", 256, 66, 35},
    {Format::kMxfp4, "mxfp4", 32, 17, 39},
    {Format::kNvfp4, "nvfp4", 64, 36, 40},
    {Format::kQ1_0, "q1_0", 128, 18, 41},
    {Format::kQ2_0, "q2_0", 64, 18, 42},
    {Format::kNf4, "nf4", 64, 36, -1},
    {Format::kNf4Double, "nf4-double", 16384, 8192 + 256 + 4, -1},
    {Format::kInt4Group128, "int4-g128", 256, 133, -1},
    {Format::kInt8Group128, "int8-g128", 128, 131, -1},
    {Format::kInt4Group32, "int4-g32", 32, 18, -1},
    {Format::kMlx4, "mlx4", 64, 36, -1},
    {Format::kMlx8, "mlx8", 64, 68, -1},
};

constexpr bool inOrder() {
  std::size_t at = 0;
  for (const BlockFormat& row : kFormats) {
    if (static_cast<std::size_t>(row.format) != at++) return false;
  }
  return at == static_cast<std::size_t>(Format::kCount);
}
static_assert(inOrder(), "kFormats is indexed by Format");

struct Spelling {
  std::string_view name;
  Format format;
};
// Names that config.json (torch_dtype), safetensors headers and ggml use for the same thing.
constexpr Spelling kSpellings[] = {
    {"f32", Format::kFp32},        {"float32", Format::kFp32},
    {"float", Format::kFp32},      {"f16", Format::kFp16},
    {"float16", Format::kFp16},    {"half", Format::kFp16},
    {"bfloat16", Format::kBf16},   {"f64", Format::kFp64},
    {"float64", Format::kFp64},    {"double", Format::kFp64},
    {"f8_e4m3", Format::kFp8},     {"f8_e5m2", Format::kFp8},
    {"f8_e8m0", Format::kFp8},     {"float8_e4m3fn", Format::kFp8},
    {"float8_e5m2", Format::kFp8}, {"float8_e8m0fnu", Format::kFp8},
    {"f8_e4m3fn", Format::kFp8},   {"i8", Format::kInt8},
    {"u8", Format::kInt8},         {"uint8", Format::kInt8},
    {"i16", Format::kInt16},       {"u16", Format::kInt16},
    {"i32", Format::kInt32},       {"u32", Format::kInt32},
    {"i64", Format::kInt64},       {"u64", Format::kInt64},
};

}  // namespace

std::span<const BlockFormat> blockFormats() { return kFormats; }

const BlockFormat& blockFormat(Format format) { return kFormats[static_cast<std::size_t>(format)]; }

std::optional<Format> formatNamed(std::string_view name) {
  const std::string lower = toLower(name);
  for (const BlockFormat& row : kFormats) {
    if (row.name == lower) return row.format;
  }
  for (const Spelling& spelling : kSpellings) {
    if (spelling.name == lower) return spelling.format;
  }
  return std::nullopt;
}

std::optional<Format> formatOfGgmlType(std::uint32_t type) {
  for (const BlockFormat& row : kFormats) {
    if (row.ggmlType >= 0 && static_cast<std::uint32_t>(row.ggmlType) == type) return row.format;
  }
  return std::nullopt;
}

Bytes bytesOfRow(Format format, Count elements) {
  const BlockFormat& block = blockFormat(format);
  return elements.ceilDiv(block.elements) * block.bytes;
}

Bytes bytesOf(Format format, Count ne0, Count rows) { return bytesOfRow(format, ne0) * rows; }

}  // namespace memfit
