// memfit - SPDX-License-Identifier: Apache-2.0
//
// The one way that our readers parse JSON, so that the module holds one parser and not one a set of
// flags. Names RapidJSON's types: for .cpp files only.
#pragma once

#include <rapidjson/document.h>

#include <string_view>

namespace memfit {

// False where the text is no JSON or no UTF-8; the document then says what and where. Without
// recursion, however deep the text nests. Numbers of up to 15 digits are read to the last bit. NaN
// and Infinity are no JSON, but real files hold them (time_step_limit of Nemotron-H), so they are
// read: RapidJSON's writer refuses them.
bool parseJson(std::string_view text, rapidjson::Document& document);

}  // namespace memfit
