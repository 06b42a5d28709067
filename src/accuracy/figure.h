// memfit - SPDX-License-Identifier: Apache-2.0
//
// A figure of an answer by its name, as truth files write it: "parameters", "weights@host",
// "perDevice", "capacity.tokens", "devices[1].kv_cache", ...
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <string_view>

namespace memfit::accuracy {

struct FigureRead {
  double expected = 0;
  double high = 0;  // of its band; the same for an exact figure
  std::string why;  // why the answer has no such figure; empty where it has it
};

// `answer`: what estimate() gives, without the "ok" around it.
FigureRead readFigure(const rapidjson::Value& answer, std::string_view figure);

}  // namespace memfit::accuracy
