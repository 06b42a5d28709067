// memfit - SPDX-License-Identifier: Apache-2.0
//
// Any bytes as URL parameters and as a request of the JSON API. A URL always gives a query, which
// written and read again asks the same; a request always gives an answer or an error, as one JSON
// object.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "bindings/json_api.h"
#include "query/query_io.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace memfit;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string url = encodeUrl(decodeUrl(text).query);
  if (encodeUrl(decodeUrl(url).query) != url) std::abort();
  const std::string answer = callJson(text);
  if (!answer.starts_with("{\"ok\":") && !answer.starts_with("{\"error\":")) std::abort();
  return 0;
}
