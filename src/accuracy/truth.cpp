// memfit - SPDX-License-Identifier: Apache-2.0
#include "accuracy/truth.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <optional>
#include <utility>

#include "accuracy/figure.h"
#include "base/json.h"
#include "base/text.h"
#include "bindings/json_api.h"
#include "bindings/json_writer.h"

namespace memfit::accuracy {

namespace {

using Value = rapidjson::Value;

std::string_view viewOf(const Value& string) {
  return {string.GetString(), string.GetStringLength()};
}

std::string asText(const Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

const Value* member(const Value& object, const char* name) {
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

// The member's text; empty where it is absent or no text.
std::string textOf(const Value& object, const char* name) {
  const Value* value = member(object, name);
  return value != nullptr && value->IsString() ? std::string(viewOf(*value)) : std::string();
}

// Notices that say the query was answered for something else than it asked.
bool isOtherThanAsked(std::string_view code) {
  constexpr std::string_view kCodes[] = {"unknown-key", "unknown-value", "out-of-range",
                                         "not-applicable"};
  for (const std::string_view each : kCodes) {
    if (each == code) return true;
  }
  return false;
}

// Why the answer is none to the query; empty where it is one.
std::string refusalOf(const Value& reply) {
  if (const Value* error = member(reply, "error")) return textOf(*error, "message");
  for (const Value& notice : member(*member(reply, "ok"), "notices")->GetArray()) {
    if (isOtherThanAsked(textOf(notice, "code"))) return textOf(notice, "message");
  }
  return {};
}

void add(std::vector<FigureSamples>& figures, std::string_view name, const Sample& sample) {
  for (FigureSamples& each : figures) {
    if (each.figure == name) {
      each.samples.push_back(sample);
      return;
    }
  }
  figures.push_back({std::string(name), {sample}});
}

std::vector<FigureSamples>& figuresOfTool(Tally& tally, std::string_view tool) {
  for (ToolSamples& each : tally.byTool) {
    if (each.tool == tool) return each.figures;
  }
  tally.byTool.push_back({std::string(tool), {}});
  return tally.byTool.back().figures;
}

// Who measured: the row says so, or its query does.
std::string toolOf(const Value& row, const Value& query, const Value& answer) {
  std::string tool = textOf(row, "tool");
  if (tool.empty()) tool = textOf(query, "engine");
  if (tool.empty()) tool = textOf(query, "trainer");
  if (tool.empty()) tool = textOf(answer, "engine");
  return tool;
}

// How much a printed figure may lie above the exact one, where the row says so.
double roundingOf(const Value& row, std::string_view figure) {
  const Value* rounding = member(row, "rounding");
  if (rounding == nullptr) return 0;
  const Value* value = member(*rounding, std::string(figure).c_str());
  return value == nullptr ? 0 : value->GetDouble();
}

void ask(const Value& row, std::string id, Tally& tally) {
  const Value& query = *member(row, "query");
  rapidjson::Document reply;
  if (!parseJson(callJson(cat("{\"fn\":\"estimate\",\"args\":[", asText(query), "]}")), reply)) {
    tally.cannot.push_back({std::move(id), "The answer is no JSON."});
    return;
  }
  if (std::string why = refusalOf(reply); !why.empty()) {
    tally.cannot.push_back({std::move(id), std::move(why)});
    return;
  }
  ++tally.asked;
  const Value& answer = *member(reply, "ok");
  const std::string tool = toolOf(row, query, answer);
  for (const auto& [name, measured] : member(row, "measured")->GetObject()) {
    const std::string_view figure = viewOf(name);
    const FigureRead read = readFigure(answer, figure);
    if (!read.why.empty()) {
      tally.missing.push_back({id, std::string(figure), read.why});
      continue;
    }
    // The printed figure is within the band where the exact one may be.
    const Sample sample{id, read.expected, read.high + roundingOf(row, figure),
                        measured.GetDouble()};
    add(tally.figures, figure, sample);
    add(figuresOfTool(tally, tool), figure, sample);
  }
}

bool isNumbers(const Value* object) {
  if (object == nullptr || !object->IsObject()) return false;
  for (const auto& [name, value] : object->GetObject()) {
    if (!value.IsNumber()) return false;
  }
  return true;
}

// What keeps a line from being a row; empty where it is one.
std::string_view faultOf(const Value& row) {
  if (!row.IsObject()) return "is no object";
  if (textOf(row, "id").empty()) return "has no \"id\"";
  if (member(row, "rounding") != nullptr && !isNumbers(member(row, "rounding"))) {
    return "has a \"rounding\" that is no object of numbers";
  }
  if (member(row, "cannot") != nullptr) {
    return textOf(row, "cannot").empty() ? "has a \"cannot\" that gives no reason" : "";
  }
  const Value* query = member(row, "query");
  if (query == nullptr || !query->IsObject()) return "has neither a \"query\" nor \"cannot\"";
  const Value* measured = member(row, "measured");
  if (!isNumbers(measured)) return "has no \"measured\" of numbers";
  if (measured->MemberCount() == 0) return "has a \"measured\" without a figure";
  return {};
}

void number(JsonWriter& json, std::string_view key, double value) {
  json.key(key);
  // Four decimals are enough of a percentage, and keep the file readable.
  json.raw(value == std::floor(value) ? formatFixed(value, 0) : formatFixed(value, 4));
}

void text(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  json.text(value);
}

void count(JsonWriter& json, std::string_view key, std::size_t value) {
  json.key(key);
  json.count(Count(value));
}

void writeFigures(JsonWriter& json, const std::vector<FigureSamples>& figures) {
  json.beginObject();
  for (const FigureSamples& each : figures) {
    const Statistics s = statisticsOf(each.samples);
    json.key(each.figure);
    json.beginObject();
    count(json, "n", s.n);
    number(json, "median_abs_pct", s.medianAbsPercent);
    number(json, "p90_abs_pct", s.p90AbsPercent);
    number(json, "bias_pct", s.biasPercent);
    number(json, "within_1_pct", s.within1Percent);
    number(json, "covered_by_high_pct", s.coveredByHighPercent);
    json.key("worst");
    json.beginList();
    for (const Sample& sample : s.worst) {
      json.beginObject();
      text(json, "id", sample.id);
      number(json, "predicted", sample.predicted);
      number(json, "measured", sample.measured);
      json.endObject();
    }
    json.endList();
    json.endObject();
  }
  json.endObject();
}

}  // namespace

Result<std::size_t> addTruth(std::string_view jsonLines, std::string_view file, Tally& tally) {
  std::size_t rows = 0;
  for (std::size_t line = 1; !jsonLines.empty(); ++line) {
    const std::size_t end = jsonLines.find('\n');
    const std::string_view current = trim(jsonLines.substr(0, end));
    jsonLines.remove_prefix(end == std::string_view::npos ? jsonLines.size() : end + 1);
    if (current.empty()) continue;
    const auto bad = [&](std::string_view what) {
      return Error{ErrorCode::kBadFile, std::string(file),
                   cat(file, ", line ", line, ": the row ", what, ".")};
    };
    rapidjson::Document row;
    if (!parseJson(current, row)) {
      return bad(cat("is no JSON: it breaks off at byte ", row.GetErrorOffset()));
    }
    if (const std::string_view fault = faultOf(row); !fault.empty()) return bad(fault);
    ++rows;
    ++tally.rows;
    if (std::string why = textOf(row, "cannot"); !why.empty()) {
      tally.cannot.push_back({textOf(row, "id"), std::move(why)});
    } else {
      ask(row, textOf(row, "id"), tally);
    }
  }
  return rows;
}

std::string tallyJson(const Tally& tally) {
  JsonWriter json;
  json.beginObject();
  count(json, "rows", tally.rows);
  count(json, "asked", tally.asked);
  json.key("cannot");
  json.beginList();
  for (const Refused& row : tally.cannot) {
    json.beginObject();
    text(json, "id", row.id);
    text(json, "why", row.why);
    json.endObject();
  }
  json.endList();
  json.key("missing");
  json.beginList();
  for (const MissingFigure& each : tally.missing) {
    json.beginObject();
    text(json, "id", each.id);
    text(json, "figure", each.figure);
    text(json, "why", each.why);
    json.endObject();
  }
  json.endList();
  json.key("figures");
  writeFigures(json, tally.figures);
  json.key("by");
  json.beginObject();
  for (const ToolSamples& each : tally.byTool) {
    json.key(each.tool);
    writeFigures(json, each.figures);
  }
  json.endObject();
  json.endObject();
  return json.take();
}

}  // namespace memfit::accuracy
