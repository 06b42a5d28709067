// memfit - SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

namespace memfit {

std::string_view errorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kBadJson: return "bad-json";
    case ErrorCode::kBadFile: return "bad-file";
    case ErrorCode::kMissing: return "missing";
    case ErrorCode::kOutOfRange: return "out-of-range";
    case ErrorCode::kOverflow: return "overflow";
    case ErrorCode::kUnknown: return "unknown";
    case ErrorCode::kUnsupported: return "unsupported";
  }
  return "unknown";
}

}  // namespace memfit
