// memfit - SPDX-License-Identifier: Apache-2.0
//
// What only the plain twin says, beside the texts of texts.h. One row a text, one column a
// language.
#pragma once

#include <span>
#include <string_view>

namespace memfit::app {

struct TwinText {
  std::string_view id;  // as web/twin/ asks for it
  std::string_view en, ja, fr, zh;

  std::string_view in(std::string_view language) const;
};

std::span<const TwinText> twinTexts();

}  // namespace memfit::app
