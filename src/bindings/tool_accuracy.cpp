// memfit - SPDX-License-Identifier: Apache-2.0
//
// memfit-accuracy: how well memfit agrees with measured rows.
//
//   memfit-accuracy FILE...
//
// Each FILE is JSON Lines of truth rows (accuracy/truth.h says what a row is, and
// tests/accuracy/README.md how one is added). Prints one JSON object. Exit status 1 when a file
// cannot be read or a line is no row, 2 without a file.
#include <cstdio>
#include <string>

#include "accuracy/truth.h"

namespace {

bool readFile(const char* path, std::string& text) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  char buffer[65536];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  const bool ok = std::ferror(file) == 0;
  std::fclose(file);
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace memfit;
  if (argc < 2) {
    std::fputs("usage: memfit-accuracy FILE...\n", stderr);
    return 2;
  }
  accuracy::Tally tally;
  for (int i = 1; i < argc; ++i) {
    std::string text;
    if (!readFile(argv[i], text)) {
      std::fprintf(stderr, "memfit-accuracy: %s cannot be read.\n", argv[i]);
      return 1;
    }
    const Result<std::size_t> rows = accuracy::addTruth(text, argv[i], tally);
    if (!rows) {
      std::fprintf(stderr, "memfit-accuracy: %s\n", rows.error().message.c_str());
      return 1;
    }
  }
  std::printf("%s\n", accuracy::tallyJson(tally).c_str());
  return 0;
}
