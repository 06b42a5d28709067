// memfit - SPDX-License-Identifier: Apache-2.0
//
// memfit-accuracy: how well memfit agrees with measured rows.
//
//   memfit-accuracy --configs FILE [--llamacpp FILE] [--serving FILE] [--training FILE]
//
// Prints one JSON object, a section for each option given. Exit status 1 when a file cannot be
// read, 2 when an option is not known.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "accuracy/section.h"
#include "base/text.h"

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

int usage() {
  std::string options;
  for (const memfit::accuracy::SectionKind& kind : memfit::accuracy::sectionKinds()) {
    options += memfit::cat(" [--", kind.option, " FILE]");
  }
  std::fprintf(stderr, "usage: memfit-accuracy%s\n", options.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace memfit;
  if (argc < 3 || argc % 2 == 0) return usage();
  std::vector<std::pair<std::string, accuracy::Section>> sections;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    const accuracy::SectionKind* kind = nullptr;
    for (const accuracy::SectionKind& each : accuracy::sectionKinds()) {
      if (option == cat("--", each.option)) kind = &each;
    }
    if (kind == nullptr) return usage();
    std::string text;
    if (!readFile(argv[i + 1], text)) {
      std::fprintf(stderr, "memfit-accuracy: %s cannot be read.\n", argv[i + 1]);
      return 1;
    }
    Result<accuracy::Section> section = kind->read(text);
    if (!section) {
      std::fprintf(stderr, "memfit-accuracy: %s\n", section.error().message.c_str());
      return 1;
    }
    sections.emplace_back(std::string(kind->option), *std::move(section));
  }
  std::printf("%s\n", accuracy::reportJson(sections).c_str());
  return 0;
}
