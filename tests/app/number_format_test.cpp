// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/number_format.h"

#include <gtest/gtest.h>

#include "app/words/texts.h"

namespace memfit::app {
namespace {

const NumberStyle& english() { return englishTable().numbers; }

// The style of French, by its rules: decimal comma, narrow no-break space, octets.
constexpr NumberStyle kFrench = {.decimal = ",",
                                 .group = "\u202f",
                                 .kb = "ko",
                                 .mb = "Mo",
                                 .gb = "Go",
                                 .tb = "To",
                                 .kib = "Kio",
                                 .mib = "Mio",
                                 .gib = "Gio",
                                 .tib = "Tio",
                                 .bytes = "octets"};

TEST(NumberFormat, AmountsKeepThreeFigures) {
  const auto gb = [](std::uint64_t bytes) {
    return formatBytes(Bytes(bytes), Units::kGb, english()).whole();
  };
  EXPECT_EQ(gb(18800000000), "18.8\u00a0GB");
  EXPECT_EQ(gb(140000000), "0.14\u00a0GB");
  EXPECT_EQ(gb(14000000), "14.0\u00a0MB");
  EXPECT_EQ(gb(131072), "0.13\u00a0MB");
  EXPECT_EQ(gb(2048), "2.0\u00a0KB");
  EXPECT_EQ(gb(12), "12\u00a0bytes");
  EXPECT_EQ(gb(0), "0.0\u00a0GB");
  EXPECT_EQ(gb(1342000000000), "1,342\u00a0GB");
  EXPECT_EQ(gb(12500000000000), "12.5\u00a0TB");
}

TEST(NumberFormat, GibibytesAreLabelled) {
  // 24,202 MiB, what CUDA calls an RTX 4090's total (device catalogue).
  const Bytes bytes = kMiB * 24202;
  EXPECT_EQ(formatBytes(bytes, Units::kGib, english()).whole(), "23.6\u00a0GiB");
  EXPECT_EQ(formatBytes(bytes, Units::kGb, english()).whole(), "25.4\u00a0GB");
  EXPECT_EQ(formatBytes(kKiB * 128, Units::kGib, english()).whole(), "0.12\u00a0MiB");
}

TEST(NumberFormat, FrenchWritesACommaAndOctets) {
  EXPECT_EQ(formatBytes(Bytes(18800000000), Units::kGb, kFrench).whole(), "18,8\u00a0Go");
  EXPECT_EQ(formatBytes(Bytes(1342000000000), Units::kGib, kFrench).whole(), "1\u202f250\u00a0Gio");
  EXPECT_EQ(formatWhole(1234567, kFrench), "1\u202f234\u202f567");
}

TEST(NumberFormat, SignsAreTrueOnes) {
  EXPECT_EQ(formatSigned(7800000000, Units::kGb, english()), "+7.8\u00a0GB");
  EXPECT_EQ(formatSigned(-1700000000, Units::kGb, english()), "\u22121.7\u00a0GB");
  EXPECT_EQ(formatWhole(-4096, english()), "\u22124,096");
}

TEST(NumberFormat, ParametersAreSaidShort) {
  EXPECT_EQ(formatParameters(8030261248, english()), "8.03\u00a0B");
  EXPECT_EQ(formatParameters(7000000000, english()), "7\u00a0B");
  EXPECT_EQ(formatParameters(671026419200, english()), "671\u00a0B");
  EXPECT_EQ(formatParameters(27400000000, english()), "27.4\u00a0B");
  EXPECT_EQ(formatParameters(124439808, english()), "124\u00a0M");
  EXPECT_EQ(formatParameters(12, english()), "12");
  EXPECT_EQ(formatParameters(8030261248, kFrench), "8,03\u00a0B");
}

TEST(NumberFormat, TokensAreSaidInPowersOfTwo) {
  EXPECT_EQ(formatTokens(512), "512");
  EXPECT_EQ(formatTokens(4096), "4K");
  EXPECT_EQ(formatTokens(1 << 20), "1M");
  EXPECT_EQ(formatTokens(5000), "5000");
}

TEST(NumberFormat, FormulaInputsAreExactOrShort) {
  EXPECT_EQ(formatInput(7000000000.0, english()), "7,000,000,000");
  EXPECT_EQ(formatInput(0.01, english()), "0.01");
  EXPECT_EQ(formatInput(0.5625, english()), "0.5625");
  EXPECT_EQ(formatInput(2.5, kFrench), "2,5");
}

}  // namespace
}  // namespace memfit::app
