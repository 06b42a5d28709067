// memfit - SPDX-License-Identifier: Apache-2.0
//
// What catalogue.cmake makes of catalogue/models.jsonl.
#pragma once

#include <string_view>

namespace memfit {

extern const std::string_view kCataloguePopular;  // the first lines
extern const std::string_view kCatalogueRest;     // the others; empty on the web

}  // namespace memfit
