// memfit - SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <iterator>

namespace memfit {

std::string_view errorCodeName(ErrorCode code) {
  constexpr std::string_view kNames[] = {"bad-json", "bad-file", "missing",    "out-of-range",
                                         "overflow", "unknown",  "unsupported"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(ErrorCode::kCount));
  return kNames[static_cast<std::size_t>(code)];
}

}  // namespace memfit
