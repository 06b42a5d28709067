// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/plain_view.h"

#include <initializer_list>
#include <vector>

#include "app/report_text.h"
#include "base/text.h"
#include "bindings/json_writer.h"
#include "query/query_io.h"

namespace memfit::app {
namespace {

void member(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key);
  json.text(text);
}

void option(JsonWriter& json, std::string_view value, std::string_view text) {
  json.beginObject();
  member(json, "value", value);
  member(json, "text", text);
  json.endObject();
}

std::string_view kindName(const Field& field) {
  switch (field.kind) {
    case Kind::kChoice:
    case Kind::kFlag: return "choice";
    case Kind::kInteger:
    case Kind::kReal: return "number";
    default: return "text";
  }
}

void writeField(JsonWriter& json, const AppState& state, const Field& field) {
  json.beginObject();
  member(json, "key", field.name);
  member(json, "label", labelOf(field.key));
  member(json, "help", helpOf(field.key));
  member(json, "kind", kindName(field));
  member(json, "unit", unitOf(field));
  const bool given = state.query.has(field.key);
  member(json, "value", given ? valueText(state.query, field) : std::string());
  // What stands while nothing is given.
  Query without = state.query;
  without.clear(field.key);
  const std::string fallback = valueText(without, field);
  if (field.kind == Kind::kChoice || field.kind == Kind::kFlag) {
    json.key("options");
    json.beginList();
    if (field.kind == Kind::kFlag) {
      option(json, "", say(Text::kAutomatic));
      option(json, "true", say(Text::kOn));
      option(json, "false", say(Text::kOff));
    }
    for (std::size_t i = 0; i < field.values.size(); ++i) {
      // The default is the one that leaves the field out.
      const bool standing = field.values[i] == fallback;
      option(json, standing ? std::string_view() : field.values[i], wordOf(field, i));
    }
    json.endList();
  } else {
    member(json, "fallback", fallback.empty() ? say(Text::kAutomatic) : std::string_view(fallback));
  }
  json.endObject();
}

// A table, built row by row.
class TableWriter {
 public:
  TableWriter(JsonWriter& json, std::string_view caption, std::initializer_list<Text> head)
      : json_(json) {
    json_.beginObject();
    member(json_, "caption", caption);
    json_.key("head");
    json_.beginList();
    for (const Text text : head) json_.text(say(text));
    json_.endList();
    json_.key("rows");
    json_.beginList();
  }
  ~TableWriter() {
    json_.endList();
    json_.endObject();
  }
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;

  void row(std::initializer_list<std::string_view> cells) {
    json_.beginList();
    for (const std::string_view cell : cells) json_.text(cell);
    json_.endList();
  }

 private:
  JsonWriter& json_;
};

std::string countText(const AppState& state, Count count) {
  return say(Text::kNeedsCount,
             {formatWhole(static_cast<std::int64_t>(count.value()), state.numbers())});
}

void writeLedger(JsonWriter& json, const AppState& state) {
  const Report& report = state.answer()->report;
  TableWriter table(json, say(Text::kTabBreakdown),
                    {Text::kColumnComponent, Text::kColumnAmount, Text::kColumnFormula});
  for (const Entry& entry : report.ledger.entries()) {
    std::string name(nameOf(entry.component));
    if (entry.where == Where::kHost) name += cat(", ", say(Text::kHostPart));
    std::string amount = state.amount(entry.bytes.expected);
    if (const std::string range = likelyText(state, entry.bytes); !range.empty()) {
      amount += cat(" (", range, ")");
    }
    std::string how = cat(typeset(entry.formula), " = ", filledIn(entry, state.numbers()), ". ");
    if (!entry.note.empty()) how += cat(sentence(entry.note), " ");
    how += say(Text::kSource, {entry.source});
    table.row({name, amount, how});
  }
  table.row({say(Text::kTotal), state.amount(report.perDevice.expected), ""});
}

void writeDevices(JsonWriter& json, AppState& state) {
  TableWriter table(json, say(Text::kTabDevices),
                    {Text::kColumnDevice, Text::kColumnUsable, Text::kColumnNeed,
                     Text::kColumnHeadroom, Text::kColumnNeeds});
  for (const FitRow& row : state.fitRows()) {
    const bool holds = row.verdict == Verdict::kFits || row.verdict == Verdict::kTight;
    const Count needed = holds ? row.count : row.devicesNeeded;
    table.row({row.device.name, state.amount(row.usable.bytes), state.amount(row.need.high),
               formatSigned(row.headroom, state.units(), state.numbers()),
               needed == Count(0) ? std::string(say(Text::kNeedsNone)) : countText(state, needed)});
  }
}

void writeMethods(JsonWriter& json, AppState& state) {
  const Field& methods = fieldOf(Key::kMethod);
  TableWriter table(json, say(Text::kTabMethods), {Text::kColumnMethod, Text::kTotal});
  for (const Comparison& comparison : state.comparisons()->methods) {
    const auto index = static_cast<std::size_t>(comparison.method->method);
    table.row({wordOf(methods, index), comparison.covers
                                           ? state.amount(comparison.report.total.expected)
                                           : std::string(say(Text::kMethodNotCovered))});
  }
}

}  // namespace

std::string plainView(AppState& state) {
  JsonWriter json;
  json.beginObject();
  member(json, "language", languageInUse().code);
  member(json, "title", say(Text::kTagline));
  json.key("fields");
  json.beginList();
  for (const Field& field : fields()) {
    // `view` says how much of the canvas is shown; a config.json is a file, not a line of text.
    const bool here = field.key != Key::kView && field.kind != Kind::kDocument;
    if (here && (state.hasEffect(field) || state.query.has(field.key))) {
      writeField(json, state, field);
    }
  }
  json.endList();
  json.key("notices");
  json.beginList();
  for (const Notice& notice : state.notices()) json.text(noticeText(notice));
  json.endList();
  if (const Error* error = state.error()) {
    member(json, "error", cat(say(Text::kErrorTitle), ": ", error->message));
  }
  json.key("tables");
  json.beginList();
  if (state.answer() != nullptr) {
    writeLedger(json, state);
    writeDevices(json, state);
    writeMethods(json, state);
  }
  json.endList();
  if (state.answer() != nullptr) {
    const Band need = state.need();
    const Quantity quantity = formatBytes(need.expected, state.units(), state.numbers());
    const FitRow* row = state.answer()->fit ? &*state.answer()->fit : nullptr;
    json.key("answer");
    json.beginObject();
    member(json, "need", cat(quantity.value, " ", say(Text::kPerDevice, {quantity.unit})));
    member(json, "verdict", row != nullptr ? verdictText(state, *row) : std::string());
    member(json, "range", likelyText(state, need));
    member(json, "more", moreText(state));
    json.endObject();
  }
  json.endObject();
  return json.take();
}

}  // namespace memfit::app
