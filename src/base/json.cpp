// memfit - SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

namespace memfit {

bool parseJson(std::string_view text, rapidjson::Document& document) {
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag |
                              rapidjson::kParseValidateEncodingFlag |
                              rapidjson::kParseNanAndInfFlag;
  document.Parse<kFlags>(text.data(), text.size());
  return !document.HasParseError();
}

}  // namespace memfit
