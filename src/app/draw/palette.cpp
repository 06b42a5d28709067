// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/draw/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace memfit::app {
namespace {

// Neighbours of a bar differ in lightness as well as in hue (after Okabe and Ito).
struct ComponentColor {
  Component component;
  Rgb light, dark;
};
constexpr ComponentColor kComponents[] = {
    {Component::kWeights, 0x4274e4, 0x4375e5},
    {Component::kAdapters, 0x16326f, 0x2346a0},
    {Component::kKvCache, 0xe69a38, 0xe69a38},
    {Component::kRecurrentState, 0xf5d97a, 0xf5d97a},
    {Component::kActivations, 0x40a48a, 0x44a78e},
    {Component::kLogits, 0x14594d, 0x1c7263},
    {Component::kComputeBuffer, 0xa5d4f4, 0xa0d2f0},
    {Component::kGradients, 0xc2416b, 0xcc4670},
    {Component::kOptimizer, 0x8e62bd, 0x8e62bd},
    {Component::kMasterWeights, 0xc6a8e5, 0xc3a5e2},
    {Component::kCommunication, 0x6b4a2b, 0x8a6238},
    {Component::kFramework, 0x8a9bbc, 0x8f9bc0},
};
constexpr bool inOrder() {
  std::size_t at = 0;
  for (const ComponentColor& row : kComponents) {
    if (static_cast<std::size_t>(row.component) != at++) return false;
  }
  return at == static_cast<std::size_t>(Component::kCount);
}
static_assert(inOrder(), "kComponents has one row a Component, in its order");

constexpr Palette kLight = {.background = 0xf5f6f9,
                            .surface = 0xffffff,
                            .raised = 0xf0f1f5,
                            .hover = 0xe6e9ef,
                            .line = 0xdde1e8,
                            .track = 0xe9ecf1,
                            .text = 0x10141c,
                            .muted = 0x566070,
                            .accent = 0x0a66c2,
                            .onAccent = 0xffffff,
                            .accentSoft = 0xe7f1fb,
                            .good = 0x0d7550,
                            .goodSoft = 0xdcefe6,
                            .tight = 0x855300,
                            .tightSoft = 0xf8ecd2,
                            .bad = 0xb42824,
                            .badSoft = 0xf6dfde,
                            .mapFits = 0x8fcbb8,
                            .mapMore = 0xfaeccb,
                            .mapMost = 0xf6d3b8,
                            .mapNone = 0xeec3cc,
                            .dark = false};

constexpr Palette kDark = {.background = 0x0d1117,
                           .surface = 0x151b23,
                           .raised = 0x1f2630,
                           .hover = 0x2a323e,
                           .line = 0x2b333e,
                           .track = 0x1f2630,
                           .text = 0xe8edf3,
                           .muted = 0x98a3b3,
                           .accent = 0x4db3ff,
                           .onAccent = 0x04203a,
                           .accentSoft = 0x15293c,
                           .good = 0x3ccb91,
                           .goodSoft = 0x12312a,
                           .tight = 0xe8aa48,
                           .tightSoft = 0x352a14,
                           .bad = 0xf47a78,
                           .badSoft = 0x3b1c20,
                           .mapFits = 0x266f5e,
                           .mapMore = 0x55481f,
                           .mapMost = 0x55311f,
                           .mapNone = 0x3a1c28,
                           .dark = true};

struct Linear {
  double r, g, b;
};

double channelToLinear(unsigned value) {
  const double v = value / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

Linear toLinear(Rgb color) {
  return {channelToLinear(color >> 16 & 255), channelToLinear(color >> 8 & 255),
          channelToLinear(color & 255)};
}

Rgb channelFromLinear(double linear) {
  const double v = std::clamp(linear, 0.0, 1.0);
  const double encoded = v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
  return static_cast<Rgb>(encoded * 255 + 0.5);
}

double luminance(Rgb color) {
  const Linear c = toLinear(color);
  return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

struct Lab {
  double l, a, b;
};

// Ottosson, "A perceptual color space for image processing" (2020).
Lab toOklab(Rgb color) {
  const Linear c = toLinear(color);
  const double l = std::cbrt(0.4122214708 * c.r + 0.5363325363 * c.g + 0.0514459929 * c.b);
  const double m = std::cbrt(0.2119034982 * c.r + 0.6806995451 * c.g + 0.1073969566 * c.b);
  const double s = std::cbrt(0.0883024619 * c.r + 0.2817188376 * c.g + 0.6299787005 * c.b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

}  // namespace

const Palette& palette(bool dark) { return dark ? kDark : kLight; }

Rgb Palette::of(Component component) const {
  const ComponentColor& row = kComponents[static_cast<std::size_t>(component)];
  return dark ? row.dark : row.light;
}

double contrast(Rgb a, Rgb b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Rgb asDeuteranope(Rgb color) {
  const Linear c = toLinear(color);
  // The published matrices RGB -> LMS -> (M from L and S) -> RGB, multiplied out.
  const double rg = 0.29275 * c.r + 0.70725 * c.g;
  const double b = -0.02234 * c.r + 0.02234 * c.g + c.b;
  const Rgb yellow = channelFromLinear(rg);
  return yellow << 16 | yellow << 8 | channelFromLinear(b);
}

double colorDistance(Rgb a, Rgb b) {
  const Lab p = toOklab(a);
  const Lab q = toOklab(b);
  return std::sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) +
                   (p.b - q.b) * (p.b - q.b));
}

}  // namespace memfit::app
