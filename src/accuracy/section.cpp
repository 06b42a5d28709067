// memfit - SPDX-License-Identifier: Apache-2.0
#include "accuracy/section.h"

#include <cmath>

#include "base/text.h"
#include "rapidjson/prettywriter.h"
#include "rapidjson/stringbuffer.h"

namespace memfit::accuracy {
namespace {

constexpr SectionKind kKinds[] = {
    {"configs", configsRows},
    {"llamacpp", llamacppRows},
    {"serving", servingRows},
    {"training", trainingRows},
};

using Writer = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

void text(Writer& writer, std::string_view value) {
  writer.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
}
void key(Writer& writer, std::string_view name) {
  writer.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}
// Whole amounts as integers, everything else with four decimals.
void number(Writer& writer, double value) {
  if (value == std::floor(value) && std::fabs(value) < 9e15) {
    writer.Int64(static_cast<std::int64_t>(value));
  } else {
    const std::string digits = formatFixed(value, 4);
    writer.RawValue(digits.data(), digits.size(), rapidjson::kNumberType);
  }
}

void list(Writer& writer, const std::vector<Unmapped>& rows) {
  writer.StartArray();
  for (const Unmapped& row : rows) {
    writer.StartObject();
    key(writer, "id");
    text(writer, row.id);
    key(writer, "why");
    text(writer, row.why);
    writer.EndObject();
  }
  writer.EndArray();
}

void component(Writer& writer, const Component& component) {
  const Statistics s = statisticsOf(component.samples);
  writer.StartObject();
  key(writer, "n");
  writer.Uint64(s.n);
  key(writer, "exact");
  writer.Uint64(s.exact);
  key(writer, "median_abs_pct");
  number(writer, s.medianAbsPercent);
  key(writer, "p90_abs_pct");
  number(writer, s.p90AbsPercent);
  key(writer, "bias_pct");
  number(writer, s.biasPercent);
  key(writer, "within_1_pct");
  number(writer, s.within1Percent);
  key(writer, "covered_by_high_pct");
  number(writer, s.coveredByHighPercent);
  key(writer, "worst");
  writer.StartArray();
  for (const Sample& sample : s.worst) {
    writer.StartObject();
    key(writer, "id");
    text(writer, sample.id);
    key(writer, "predicted");
    number(writer, sample.predicted);
    key(writer, "measured");
    number(writer, sample.measured);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
}

}  // namespace

void Section::add(std::string_view name, Sample sample) {
  for (Component& existing : components) {
    if (existing.name == name) {
      existing.samples.push_back(std::move(sample));
      return;
    }
  }
  components.push_back({std::string(name), {std::move(sample)}});
}

std::span<const SectionKind> sectionKinds() { return kKinds; }

Result<std::size_t> forEachRow(std::string_view jsonLines, std::string_view what,
                               const std::function<void(const ConfigView& row)>& row) {
  std::size_t rows = 0;
  std::size_t line = 0;
  while (!jsonLines.empty()) {
    ++line;
    const std::size_t end = jsonLines.find('\n');
    const std::string_view current = trim(jsonLines.substr(0, end));
    jsonLines.remove_prefix(end == std::string_view::npos ? jsonLines.size() : end + 1);
    if (current.empty()) continue;
    Result<ConfigDocument> document = ConfigDocument::parse(current, cat(what, ", line ", line));
    if (!document) return document.error();
    row(document->root());
    ++rows;
  }
  return rows;
}

std::string reportJson(std::span<const std::pair<std::string, Section>> sections) {
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  writer.SetIndent(' ', 2);
  writer.StartObject();
  for (const auto& [name, section] : sections) {
    key(writer, name);
    writer.StartObject();
    key(writer, "rows");
    writer.Uint64(section.rows);
    key(writer, "mapped");
    writer.Uint64(section.mapped);
    key(writer, "unmapped");
    list(writer, section.unmapped);
    if (!section.inexact.empty()) {
      key(writer, "inexact");
      list(writer, section.inexact);
    }
    key(writer, "components");
    writer.StartObject();
    for (const Component& each : section.components) {
      key(writer, each.name);
      component(writer, each);
    }
    writer.EndObject();
    writer.EndObject();
  }
  writer.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace memfit::accuracy
