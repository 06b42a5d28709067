// memfit - SPDX-License-Identifier: Apache-2.0
#include "bindings/json_writer.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <string>

#include "base/text.h"

namespace memfit {

struct JsonWriter::State {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer{buffer};
};

JsonWriter::JsonWriter() : state_(std::make_unique<State>()) {}
JsonWriter::~JsonWriter() = default;

void JsonWriter::beginObject() { state_->writer.StartObject(); }
void JsonWriter::endObject() { state_->writer.EndObject(); }
void JsonWriter::beginList() { state_->writer.StartArray(); }
void JsonWriter::endList() { state_->writer.EndArray(); }

void JsonWriter::key(std::string_view name) {
  state_->writer.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}

void JsonWriter::text(std::string_view value) {
  // Names in model files and members of a query are bytes that anybody wrote.
  const std::string text = asUtf8(value);
  state_->writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void JsonWriter::count(Count value) { state_->writer.Uint64(value.value()); }
void JsonWriter::integer(std::int64_t value) { state_->writer.Int64(value); }

void JsonWriter::number(double value) {
  if (!std::isfinite(value)) {
    state_->writer.Null();
  } else if (value == std::floor(value) && std::fabs(value) < 9e15) {
    state_->writer.Int64(static_cast<std::int64_t>(value));
  } else {
    state_->writer.Double(value);
  }
}

void JsonWriter::flag(bool value) { state_->writer.Bool(value); }
void JsonWriter::null() { state_->writer.Null(); }

void JsonWriter::raw(std::string_view json) {
  state_->writer.RawValue(json.data(), json.size(), rapidjson::kObjectType);
}

std::string JsonWriter::take() { return {state_->buffer.GetString(), state_->buffer.GetSize()}; }

}  // namespace memfit
