// memfit - SPDX-License-Identifier: Apache-2.0
//
// A section of the accuracy report: one file of measured rows, compared component by component.
// Each kind of rows has a file of its own (configs_rows.cpp, ...) with one function that takes the
// text of the JSON Lines and gives a Section; sections.cpp lists them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/statistics.h"
#include "base/result.h"
#include "model/config_view.h"

namespace memfit::accuracy {

struct Unmapped {
  std::string id;
  std::string why;
};

struct Component {
  std::string name;
  std::vector<Sample> samples;
};

struct Section {
  std::size_t rows = 0;
  std::size_t mapped = 0;
  std::vector<Unmapped> unmapped;  // rows that nothing was predicted for, and why
  std::vector<Component> components;
  std::vector<Unmapped> inexact;  // of rows that should be exact: what the difference is

  void add(std::string_view component, Sample sample);
};

// A kind of rows: the command's option without dashes, and what reads them.
struct SectionKind {
  std::string_view option;
  Result<Section> (*read)(std::string_view jsonLines);
};
std::span<const SectionKind> sectionKinds();

// Calls `row` with each line that is not empty, parsed; stops at a line that is no JSON object.
Result<std::size_t> forEachRow(std::string_view jsonLines, std::string_view what,
                               const std::function<void(const ConfigView& row)>& row);

// The report as one JSON object: {"configs": {...}, ...}.
std::string reportJson(std::span<const std::pair<std::string, Section>> sections);

// One a file.
Result<Section> configsRows(std::string_view jsonLines);
Result<Section> llamacppRows(std::string_view jsonLines);
Result<Section> servingRows(std::string_view jsonLines);
Result<Section> trainingRows(std::string_view jsonLines);

}  // namespace memfit::accuracy
