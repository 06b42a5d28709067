// memfit - SPDX-License-Identifier: Apache-2.0
#include "base/set_of.h"

#include <gtest/gtest.h>

namespace memfit {
namespace {

enum class Colour : unsigned char { kRed, kGreen, kBlue, kGrey, kCount };
using Colours = SetOf<Colour>;

TEST(SetOf, HasWhatItIsMadeOf) {
  constexpr Colours kTwo = Colours(Colour::kRed) | Colour::kBlue;
  EXPECT_TRUE(kTwo.has(Colour::kRed));
  EXPECT_FALSE(kTwo.has(Colour::kGreen));
  EXPECT_TRUE(kTwo.has(Colour::kBlue));
  EXPECT_FALSE(kTwo.has(Colour::kGrey));
  EXPECT_TRUE(Colours().empty());
  EXPECT_FALSE(kTwo.empty());
}

TEST(SetOf, AllWithoutSomeIsTheRest) {
  constexpr Colours kMiddle = Colours::range(Colour::kGreen, Colour::kBlue);
  EXPECT_EQ(kMiddle, Colours(Colour::kGreen) | Colour::kBlue);
  EXPECT_EQ(Colours::all().without(kMiddle), Colours(Colour::kRed) | Colour::kGrey);
  EXPECT_EQ(Colours::range(Colour::kGrey, Colour::kGrey), Colours(Colour::kGrey));
  EXPECT_EQ(Colours::range(Colour::kRed, Colour::kGrey), Colours::all());
}

}  // namespace
}  // namespace memfit
