// memfit - SPDX-License-Identifier: Apache-2.0
//
// memfit-json: one JSON request a line in, one JSON answer a line out, until the input ends.
#include <cstdio>
#include <string>

#include "bindings/json_api.h"

int main() {
  std::string line;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    std::puts(memfit::callJson(line).c_str());
    std::fflush(stdout);
    line.clear();
  }
  if (!line.empty()) std::puts(memfit::callJson(line).c_str());
  return 0;
}
