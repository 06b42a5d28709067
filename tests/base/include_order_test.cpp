// memfit - SPDX-License-Identifier: Apache-2.0
//
// The arrows between folders (DESIGN: the way of the data) go one way: a folder includes what
// stands to its left, and only bindings and app know Emscripten.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace memfit {
namespace {

struct Folder {
  std::string_view name;
  int rank;  // it includes folders of a lower rank, and itself
  bool emscripten = false;
};
constexpr Folder kFolders[] = {
    {"base", 0},      {"query", 1},    {"model", 2},  {"memory", 3},
    {"device", 4},    {"tools", 5},    {"advice", 6}, {"bindings", 7, true},
    {"app", 8, true}, {"accuracy", 8},  // truth files against the calculator: asks as JavaScript
                                        // does
};
// Programs for a shell: each may include what it runs.
constexpr Folder kPrograms = {"bindings/tool_", 9};

const Folder* folderOf(std::string_view path) {
  if (path.starts_with(kPrograms.name)) return &kPrograms;
  const std::string_view name = path.substr(0, path.find('/'));
  const auto* found = std::find_if(std::begin(kFolders), std::end(kFolders),
                                   [name](const Folder& folder) { return folder.name == name; });
  return found == std::end(kFolders) || path.find('/') == std::string_view::npos ? nullptr : found;
}

// What is wrong with `from` (a path below src/) including `header`; empty when nothing is.
std::string wrong(std::string_view from, std::string_view header) {
  const Folder* here = folderOf(from);
  if (here == nullptr) return "lies in a folder that has no place in the order";
  if (header.starts_with("emscripten")) return here->emscripten ? "" : "knows Emscripten";
  const Folder* there = folderOf(header);
  if (there == nullptr || there == here || there->rank < here->rank) return "";
  return "includes what stands beside it or to its right";
}

// The name in #include "..." or <...>; empty for other lines.
std::string_view included(std::string_view line) {
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string_view::npos || line[hash] != '#') return {};
  line.remove_prefix(hash + 1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with("include")) return {};
  const std::size_t open = line.find_first_of("\"<");
  if (open == std::string_view::npos) return {};
  const std::size_t close = line.find_first_of("\">", open + 1);
  return line.substr(open + 1, close - open - 1);
}

TEST(IncludeOrder, TellsGoodIncludesFromBadOnes) {
  EXPECT_EQ(included("#include \"base/text.h\""), "base/text.h");
  EXPECT_EQ(included("  # include <emscripten/val.h>  // why"), "emscripten/val.h");
  EXPECT_EQ(included("// #include \"base/text.h\""), "");
  EXPECT_EQ(included("#pragma once"), "");
  EXPECT_EQ(wrong("memory/ledger.h", "base/count.h"), "");
  EXPECT_EQ(wrong("memory/ledger.h", "memory/report.h"), "");
  EXPECT_EQ(wrong("memory/ledger.h", "vector"), "");
  EXPECT_EQ(wrong("tools/vllm.cpp", "device/device.h"), "");
  EXPECT_EQ(wrong("bindings/embind.cpp", "emscripten/bind.h"), "");
  EXPECT_EQ(wrong("app/app.cpp", "bindings/json_api.h"), "");
  EXPECT_EQ(wrong("bindings/tool_accuracy.cpp", "accuracy/section.h"), "");
  EXPECT_EQ(wrong("bindings/json_api.cpp", "accuracy/section.h"),
            "includes what stands beside it or to its right");
  EXPECT_EQ(wrong("memory/ledger.h", "device/device.h"),
            "includes what stands beside it or to its right");
  EXPECT_EQ(wrong("bindings/json_api.cpp", "app/app.h"),
            "includes what stands beside it or to its right");
  EXPECT_EQ(wrong("device/fit.h", "tools/vllm.h"),
            "includes what stands beside it or to its right");
  EXPECT_EQ(wrong("query/query.cpp", "emscripten.h"), "knows Emscripten");
  EXPECT_EQ(wrong("extra/new.h", "base/count.h"),
            "lies in a folder that has no place in the order");
}

TEST(IncludeOrder, HoldsInEveryFile) {
  const std::filesystem::path source = MEMFIT_SOURCE_DIR "/src";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cpp") continue;
    const std::string name = std::filesystem::relative(entry.path(), source).generic_string();
    ++files;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const std::string_view header = included(line);
      if (header.empty()) continue;
      const std::string fault = wrong(name, header);
      EXPECT_EQ(fault, "") << "src/" << name << " includes " << header;
    }
  }
  EXPECT_GT(files, 100u);
}

}  // namespace
}  // namespace memfit
