// memfit - SPDX-License-Identifier: Apache-2.0
//
// The embedded faces; the definitions are generated (web/subset_fonts.py).
#pragma once

namespace memfit::app {

struct FontData {
  const unsigned char* bytes;
  int size;
};

extern const FontData kFontRegular;
extern const FontData kFontSemibold;

}  // namespace memfit::app
