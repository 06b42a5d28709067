// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/draw/palette.h"

#include <gtest/gtest.h>

#include <array>

namespace memfit::app {
namespace {

TEST(Palette, ContrastIsThatOfWcag) {
  // Black on white is 21 by definition; #767676 on white is the well-known 4.54 (WCAG 2 examples).
  EXPECT_NEAR(contrast(0x000000, 0xffffff), 21, 1e-9);
  EXPECT_NEAR(contrast(0x767676, 0xffffff), 4.54, 0.01);
  EXPECT_EQ(contrast(0x123456, 0x123456), 1);
}

TEST(Palette, DeuteranopesKeepGreysAndLoseRedFromGreen) {
  EXPECT_EQ(asDeuteranope(0xffffff), 0xffffffu);
  EXPECT_EQ(asDeuteranope(0x000000), 0x000000u);
  // The confusion of that eye: these two differ plainly for others.
  const Rgb red = 0xb05a3c;
  const Rgb green = 0x7c7a3a;
  EXPECT_LT(colorDistance(asDeuteranope(red), asDeuteranope(green)), colorDistance(red, green) / 2);
}

class Schemes : public testing::TestWithParam<bool> {};

TEST_P(Schemes, TextReadsWhereverItStands) {
  const Palette& p = palette(GetParam());
  struct Pair {
    const char* what;
    Rgb ink, ground;
  };
  const Pair pairs[] = {{"text on background", p.text, p.background},
                        {"text on surface", p.text, p.surface},
                        {"text on controls", p.text, p.raised},
                        {"text on hovered controls", p.text, p.hover},
                        {"text on a chosen row", p.text, p.accentSoft},
                        {"muted on background", p.muted, p.background},
                        {"muted on surface", p.muted, p.surface},
                        {"muted on controls", p.muted, p.raised},
                        {"muted on hovered controls", p.muted, p.hover},
                        {"muted on a chosen row", p.muted, p.accentSoft},
                        {"accent on background", p.accent, p.background},
                        {"accent on surface", p.accent, p.surface},
                        {"accent on its soft ground", p.accent, p.accentSoft},
                        {"on accent", p.onAccent, p.accent},
                        {"good pill", p.good, p.goodSoft},
                        {"tight pill", p.tight, p.tightSoft},
                        {"bad pill", p.bad, p.badSoft},
                        {"good on background", p.good, p.background},
                        {"tight on background", p.tight, p.background},
                        {"bad on background", p.bad, p.background},
                        {"good on a chosen row", p.good, p.accentSoft},
                        {"tight on a chosen row", p.tight, p.accentSoft},
                        {"bad on a chosen row", p.bad, p.accentSoft},
                        {"text on the map", p.text, p.mapFits},
                        {"text on the map", p.text, p.mapMore},
                        {"text on the map", p.text, p.mapMost},
                        {"text on the map", p.text, p.mapNone}};
  // WCAG 2 AA, normal text.
  for (const Pair& pair : pairs) EXPECT_GE(contrast(pair.ink, pair.ground), 4.5) << pair.what;
}

TEST_P(Schemes, BarsAndSlidersStandOut) {
  const Palette& p = palette(GetParam());
  // WCAG 2 AA, graphical objects.
  for (const Rgb ink : {p.good, p.tight, p.bad, p.accent}) {
    EXPECT_GE(contrast(ink, p.track), 3) << std::hex << ink;
  }
}

TEST_P(Schemes, ComponentsStayApartForEveryEye) {
  std::array<Rgb, kComponentCount> components{};
  for (std::size_t i = 0; i < components.size(); ++i) {
    components[i] = palette(GetParam()).of(static_cast<Component>(i));
    EXPECT_NE(components[i], 0u) << "no colour of its own: " << i;
  }
  for (std::size_t i = 0; i < components.size(); ++i) {
    for (std::size_t j = i + 1; j < components.size(); ++j) {
      // Just noticeable is 0.02; three times that tells two legend squares apart.
      EXPECT_GE(colorDistance(components[i], components[j]), 0.06) << i << " and " << j;
      EXPECT_GE(colorDistance(asDeuteranope(components[i]), asDeuteranope(components[j])), 0.06)
          << i << " and " << j << " under deuteranopia";
    }
  }
}

TEST_P(Schemes, TheMapsStepsStayApartForEveryEye) {
  const Palette& p = palette(GetParam());
  const Rgb steps[] = {p.mapFits, p.mapMore, p.mapMost, p.mapNone};
  for (std::size_t i = 0; i + 1 < std::size(steps); ++i) {
    EXPECT_GE(colorDistance(asDeuteranope(steps[i]), asDeuteranope(steps[i + 1])), 0.03) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(LightAndDark, Schemes, testing::Bool(), [](const auto& info) {
  return info.param ? std::string("Dark") : std::string("Light");
});

}  // namespace
}  // namespace memfit::app
