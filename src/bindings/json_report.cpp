// memfit - SPDX-License-Identifier: Apache-2.0
#include "bindings/json_report.h"

#include <algorithm>

#include "base/text.h"
#include "query/query_io.h"

namespace memfit {

namespace {

void writeText(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  json.text(value);
}

void writeCount(JsonWriter& json, std::string_view key, Count value) {
  json.key(key);
  json.count(value);
}

void writeBand(JsonWriter& json, std::string_view key, const Band& band) {
  json.key(key);
  json.beginObject();
  writeCount(json, "low", band.low);
  writeCount(json, "expected", band.expected);
  writeCount(json, "high", band.high);
  json.endObject();
}

std::string_view choiceWord(Key key, std::size_t index) { return fieldOf(key).values[index]; }

template <typename Enum>
std::string_view choiceWord(Key key, Enum value) {
  return choiceWord(key, static_cast<std::size_t>(value));
}

void writeLedger(JsonWriter& json, const Ledger& ledger) {
  json.beginList();
  for (const Entry& entry : ledger.entries()) {
    json.beginObject();
    writeText(json, "component", componentName(entry.component));
    writeText(json, "where", entry.where == Where::kDevice ? "device" : "host");
    writeCount(json, "low", entry.bytes.low);
    writeCount(json, "expected", entry.bytes.expected);
    writeCount(json, "high", entry.bytes.high);
    writeText(json, "formula", entry.formula);
    json.key("inputs");
    json.beginObject();
    for (const Input& input : entry.inputs.items()) {
      json.key(input.symbol);
      json.number(input.value);
    }
    json.endObject();
    if (!entry.note.empty()) writeText(json, "note", entry.note);
    writeText(json, "source", entry.source);
    json.endObject();
  }
  json.endList();
}

void writeReportFields(JsonWriter& json, const Report& report) {
  json.key("query");
  json.raw(encodeJson(report.query));
  json.key("notices");
  writeNotices(json, report.notices);
  json.key("model");
  writeModel(json, report);
  writeText(json, "method", choiceWord(Key::kMethod, report.method));
  writeText(json, "engine", choiceWord(Key::kEngine, report.engine));
  if (!report.release.empty()) writeText(json, "release", report.release);

  writeBand(json, "perDevice", report.perDevice);
  writeBand(json, "host", report.host);
  writeBand(json, "total", report.total);
  writeCount(json, "devices", report.devices);

  const Parallelism& spread = report.parallelism;
  json.key("parallelism");
  json.beginObject();
  writeCount(json, "tp", spread.tp);
  writeCount(json, "pp", spread.pp);
  writeCount(json, "ep", spread.ep);
  writeCount(json, "cp", spread.cp);
  writeCount(json, "dp", spread.dp);
  json.key("zero");
  json.integer(spread.zero);
  json.endObject();

  json.key("kv");
  json.beginObject();
  writeCount(json, "bytesPerToken", report.kv.bytesPerToken);
  writeCount(json, "bytesPerSequence", report.kv.bytesPerSequence);
  json.endObject();

  if (report.capacity) {
    json.key("capacity");
    json.beginObject();
    writeCount(json, "pool", report.capacity->pool);
    writeCount(json, "tokens", report.capacity->tokens);
    writeCount(json, "sequences", report.capacity->sequences);
    json.key("fraction");
    json.number(report.capacity->fraction);
    writeCount(json, "share", report.capacity->share);
    writeCount(json, "needed", report.capacity->needed);
    json.endObject();
  }
  if (report.training) {
    json.key("training");
    json.beginObject();
    writeBand(json, "allocated", report.training->allocated);
    writeBand(json, "reserved", report.training->reserved);
    writeBand(json, "driver", report.training->driver);
    writeCount(json, "steady", report.training->steady);
    json.endObject();
  }
  if (!report.phases.empty()) {
    json.key("phases");
    json.beginList();
    for (const Phase& phase : report.phases) {
      json.beginObject();
      writeText(json, "name", phase.name);
      writeBand(json, "perDevice", phase.ledger.total(Where::kDevice));
      json.key("ledger");
      writeLedger(json, phase.ledger);
      json.endObject();
    }
    json.endList();
  }
  json.key("ledger");
  writeLedger(json, report.ledger);
}

std::string_view kindName(Kind kind) {
  switch (kind) {
    case Kind::kChoice: return "choice";
    case Kind::kInteger: return "integer";
    case Kind::kReal: return "real";
    case Kind::kFlag: return "flag";
    case Kind::kAmount: return "amount";
    case Kind::kText: return "text";
    case Kind::kDocument: return "document";
  }
  return "text";
}

// What a field changes the answer of: a method for a kind of task, or everything.
void writeEffects(JsonWriter& json, const Reads& reads) {
  json.key("effects");
  json.beginList();
  if (reads.always) json.text("always");
  for (std::size_t i = 0; i < static_cast<std::size_t>(Method::kCount); ++i) {
    const std::string_view name = fieldOf(Key::kMethod).values[i];
    if (reads.serving.has(static_cast<Method>(i))) json.text(cat(name, "-inference"));
    if (reads.training.has(static_cast<Method>(i))) json.text(cat(name, "-training"));
  }
  json.endList();
}

// The words of a set, where it leaves some out.
template <typename Enum>
void writeSet(JsonWriter& json, std::string_view name, Key key, SetOf<Enum> set) {
  if (set == SetOf<Enum>::all()) return;
  const std::span<const std::string_view> words = fieldOf(key).values;
  json.key(name);
  json.beginList();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (set.has(static_cast<Enum>(i))) json.text(words[i]);
  }
  json.endList();
}

void writeReads(JsonWriter& json, const Reads& reads) {
  json.key("reads");
  json.beginObject();
  writeSet(json, "tasks", Key::kTask, reads.tasks);
  writeSet(json, "engines", Key::kEngine, reads.engines);
  writeSet(json, "trainers", Key::kTrainer, reads.trainers);
  json.endObject();
}

}  // namespace

void writeError(JsonWriter& json, const Error& error) {
  json.beginObject();
  writeText(json, "code", errorCodeName(error.code));
  writeText(json, "field", error.field);
  writeText(json, "message", error.message);
  json.endObject();
}

void writeNotices(JsonWriter& json, const Notices& notices) {
  json.beginList();
  for (const Notice& notice : notices) {
    json.beginObject();
    writeText(json, "code", noticeCodeName(notice.code));
    writeText(json, "field", notice.field);
    writeText(json, "given", notice.given);
    writeText(json, "accepted", notice.accepted);
    writeText(json, "message", notice.message);
    if (!notice.reason.empty()) writeText(json, "reason", notice.reason);
    json.endObject();
  }
  json.endList();
}

void writeModel(JsonWriter& json, const Report& report) {
  json.beginObject();
  writeText(json, "id", report.model->id);
  writeText(json, "name", report.model->name);
  writeCount(json, "parameters", report.parameters);
  writeCount(json, "activeParameters", report.activeParameters);
  json.key("typical");
  json.flag(report.sizeOnly);
  json.endObject();
}

void writeAnswer(JsonWriter& json, const Answer& answer) {
  json.beginObject();
  writeReportFields(json, answer.report);
  if (answer.fit) {
    json.key("fit");
    writeFitRow(json, *answer.fit);
  }
  json.endObject();
}

void writeFitRow(JsonWriter& json, const FitRow& row) {
  json.beginObject();
  writeText(json, "device", row.device.id);
  writeText(json, "name", row.device.name);
  writeCount(json, "count", row.count);
  writeBand(json, "need", row.need);
  writeCount(json, "total", row.usable.total);
  writeCount(json, "usable", row.usable.bytes);
  writeText(json, "basis", basisName(row.usable.basis));
  json.key("headroom");
  json.integer(row.headroom);
  if (row.fraction > 0) {
    json.key("fraction");
    json.number(row.fraction);
  }
  writeText(json, "verdict", verdictText(row.verdict, row.devicesNeeded));
  writeText(json, "judgedOn", "high");
  json.key("devicesNeeded");
  if (row.devicesNeeded == Count(0)) {
    json.null();
  } else {
    json.count(row.devicesNeeded);
  }
  json.endObject();
}

void writeComparisons(JsonWriter& json, const Comparisons& comparisons) {
  json.beginObject();
  json.key("methods");
  json.beginList();
  for (const Comparison& comparison : comparisons.methods) {
    json.beginObject();
    writeText(json, "method", choiceWord(Key::kMethod, comparison.method->method));
    writeText(json, "title", comparison.method->title);
    writeText(json, "source", comparison.method->source);
    json.key("covers");
    json.flag(comparison.covers);
    if (comparison.covers) {
      writeBand(json, "perDevice", comparison.report.perDevice);
      writeBand(json, "total", comparison.report.total);
      json.key("components");
      json.beginObject();
      for (std::size_t i = 0; i < static_cast<std::size_t>(Component::kCount); ++i) {
        const auto component = static_cast<Component>(i);
        const Bytes bytes = comparison.report.ledger.total(component).expected;
        if (bytes != Bytes(0)) writeCount(json, componentName(component), bytes);
      }
      json.endObject();
    }
    json.endObject();
  }
  json.endList();
  json.key("differences");
  json.beginList();
  for (const Difference& difference : comparisons.differences) {
    json.beginObject();
    writeText(json, "method", choiceWord(Key::kMethod, difference.method));
    writeText(json, "component", componentName(difference.component));
    writeCount(json, "here", difference.here);
    writeCount(json, "there", difference.there);
    writeText(json, "reason", difference.reason);
    json.endObject();
  }
  json.endList();
  json.endObject();
}

void writeSolution(JsonWriter& json, const Solution& solution, Key vary) {
  const Field& field = fieldOf(vary);
  json.beginObject();
  writeText(json, "vary", field.name);
  json.key("value");
  if (solution.any) {
    json.raw(formatScaled(solution.value, field.scale));
  } else {
    json.null();
  }
  json.key("unbounded");
  json.flag(solution.unbounded);
  json.key("fit");
  writeFitRow(json, solution.fit);
  json.endObject();
}

void writeAdvice(JsonWriter& json, const std::vector<Advice>& list) {
  json.beginList();
  for (const Advice& advice : list) {
    json.beginObject();
    writeText(json, "id", advice.id);
    json.key("changes");
    json.beginList();
    for (const AdviceChange& change : advice.changes) {
      json.beginObject();
      writeText(json, "key", fieldOf(change.key).name);
      writeText(json, "from", change.from);
      writeText(json, "to", change.to);
      json.endObject();
    }
    json.endList();
    json.key("query");
    json.raw(encodeJson(advice.query));
    writeBand(json, "perDevice", advice.perDevice);
    writeCount(json, "saved", advice.saved);
    json.key("fits");
    json.flag(advice.fits);
    if (advice.fit) {
      json.key("fit");
      writeFitRow(json, *advice.fit);
    }
    writeText(json, "price", advice.price);
    json.endObject();
  }
  json.endList();
}

void writeFields(JsonWriter& json) {
  json.beginList();
  const Query defaults;
  for (const Field& field : fields()) {
    json.beginObject();
    writeText(json, "name", field.name);
    writeText(json, "kind", kindName(field.kind));
    const std::string fallback = valueText(defaults, field);
    json.key("default");
    if (fallback.empty()) {
      json.null();
    } else if (field.kind == Kind::kInteger && fallback != field.word) {
      json.raw(fallback);
    } else {
      json.text(fallback);
    }
    if (field.kind == Kind::kInteger || field.kind == Kind::kReal) {
      json.key("min");
      json.raw(formatScaled(field.min, field.scale));
      json.key("max");
      json.raw(formatScaled(field.max, field.scale));
    }
    if (!field.unit.empty()) writeText(json, "unit", field.unit);
    if (!field.values.empty()) {
      json.key("values");
      json.beginList();
      for (const std::string_view value : field.values) json.text(value);
      json.endList();
    }
    writeEffects(json, field.reads);
    writeReads(json, field.reads);
    writeText(json, "group", groupName(field.group));
    writeText(json, "control", controlName(field.control));
    writeText(json, "shown", shownName(field.shown));
    json.key("order");
    const auto at = std::find(pageOrder().begin(), pageOrder().end(), field.key);
    json.integer(at - pageOrder().begin());
    writeText(json, "help", field.help);
    json.endObject();
  }
  json.endList();
}

void writeDevices(JsonWriter& json) {
  json.beginList();
  const Query defaults;
  for (const Device& device : devices()) {
    const Usable usable = usableOf(device, defaults);
    json.beginObject();
    writeText(json, "id", device.id);
    writeText(json, "name", device.name);
    writeText(json, "vendor", vendorName(device.vendor));
    writeText(json, "class", deviceClassName(device.deviceClass));
    json.key("labelGB");
    json.integer(device.labelGb);
    writeCount(json, "usable", usable.bytes);
    writeText(json, "basis", basisName(usable.basis));
    json.key("measured");
    json.flag(device.measured);
    json.key("year");
    json.integer(device.year);
    writeText(json, "source", device.source);
    json.endObject();
  }
  json.endList();
}

}  // namespace memfit
