// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/block_format.h"

#include <gtest/gtest.h>

namespace memfit {
namespace {

TEST(BlockFormat, RowsAreWholeBlocks) {
  EXPECT_EQ(bytesOfRow(Format::kBf16, 4096).value(), 8192u);
  EXPECT_EQ(bytesOfRow(Format::kQ4_K, 4096).value(), 16u * 144);
  EXPECT_EQ(bytesOfRow(Format::kQ8_0, 4096).value(), 128u * 34);
  EXPECT_EQ(bytesOfRow(Format::kMxfp4, 2880).value(), 90u * 17);
  EXPECT_EQ(bytesOfRow(Format::kQ4_0, 33).value(), 2u * 18);
  EXPECT_EQ(bytesOfRow(Format::kQ4_0, 0).value(), 0u);
}

// Llama-2-7B's k cache of one layer in q8_0: 4096 elements a token are 4352 bytes (8.5 bits each).
TEST(BlockFormat, BytesOfRows) {
  EXPECT_EQ(bytesOf(Format::kQ8_0, 4096, 10).value(), 43520u);
  EXPECT_TRUE(bytesOf(Format::kFp32, Count(1) * 1000000000, Count(1) * 1000000000).overflowed());
}

TEST(BlockFormat, NamesAndIds) {
  EXPECT_EQ(formatNamed("Q4_K"), Format::kQ4_K);
  EXPECT_EQ(formatNamed("bfloat16"), Format::kBf16);
  EXPECT_EQ(formatNamed("F8_E4M3"), Format::kFp8);
  EXPECT_FALSE(formatNamed("q4_2").has_value());
  EXPECT_EQ(formatOfGgmlType(12), Format::kQ4_K);
  EXPECT_EQ(formatOfGgmlType(30), Format::kBf16);
  EXPECT_FALSE(formatOfGgmlType(4).has_value());  // Q4_2 was removed from ggml
  EXPECT_FALSE(formatOfGgmlType(31).has_value());
}

}  // namespace
}  // namespace memfit
