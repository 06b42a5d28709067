// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/config_view.h"

#include <cmath>
#include <limits>

#include "base/json.h"
#include "base/text.h"
#include "rapidjson/document.h"
#include "rapidjson/error/en.h"
#include "rapidjson/stringbuffer.h"
#include "rapidjson/writer.h"

namespace memfit {
namespace {

using Value = rapidjson::Value;

constexpr std::size_t kMaxText = std::size_t{4} << 20;
constexpr std::size_t kMaxList = 10000;
constexpr std::int64_t kMaxNumber = std::int64_t{1} << 40;
constexpr std::size_t kMaxErrors = 16;

const Value& valueOf(const void* node) { return *static_cast<const Value*>(node); }

const Value* memberOf(const void* node, std::string_view key) {
  if (node == nullptr) return nullptr;
  const Value& object = valueOf(node);
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(
      Value(rapidjson::StringRef(key.data(), static_cast<rapidjson::SizeType>(key.size()))));
  if (found == object.MemberEnd() || found->value.IsNull()) return nullptr;
  return &found->value;
}

// What an error says was given.
std::string shown(const Value& value) {
  if (value.IsString()) {
    return cat("the text ", quoted({value.GetString(), value.GetStringLength()}));
  }
  if (value.IsBool()) return value.GetBool() ? "true" : "false";
  if (value.IsArray()) return cat("a list of ", value.Size());
  if (value.IsObject()) return "an object";
  if (value.IsInt64()) return std::to_string(value.GetInt64());
  if (value.IsUint64()) return std::to_string(value.GetUint64());
  if (value.IsDouble()) {
    const double number = value.GetDouble();
    if (std::isnan(number)) return "NaN";
    if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
    if (std::fabs(number) < 1e15) return formatFixed(number, 4);
    return "a number beyond 1e15";
  }
  return "null";
}

// An integer that fits, from any of JSON's spellings of one (1024, 1024.0, 1.024e3).
std::optional<Count> integerOf(const Value& value) {
  if (value.IsUint64()) {
    const std::uint64_t number = value.GetUint64();
    if (number <= static_cast<std::uint64_t>(kMaxNumber)) return Count(number);
    return std::nullopt;
  }
  if (value.IsDouble()) {
    const double number = value.GetDouble();
    if (number >= 0 && number <= static_cast<double>(kMaxNumber) && number == std::floor(number)) {
      return Count(static_cast<std::uint64_t>(number));
    }
  }
  return std::nullopt;
}

}  // namespace

bool ConfigView::has(std::string_view key) const { return memberOf(node_, key) != nullptr; }

void ConfigView::refuse(std::string_view key, std::string message) const {
  if (errors_ == nullptr || errors_->found.size() >= kMaxErrors) return;
  errors_->found.push_back({ErrorCode::kOutOfRange, cat(path_, key), std::move(message)});
}

std::optional<Count> ConfigView::count(Keys keys) const {
  for (const std::string_view key : keys) {
    const Value* value = memberOf(node_, key);
    if (value == nullptr) continue;
    const std::optional<Count> number = integerOf(*value);
    if (!number) {
      refuse(key, cat(path_, key, " is ", shown(*value),
                      "; a whole number from 0 to 2^40 is accepted."));
    }
    return number;
  }
  return std::nullopt;
}

std::optional<double> ConfigView::number(Keys keys) const {
  for (const std::string_view key : keys) {
    const Value* value = memberOf(node_, key);
    if (value == nullptr) continue;
    if (value->IsNumber() && std::isfinite(value->GetDouble())) return value->GetDouble();
    refuse(key, cat(path_, key, " is ", shown(*value), "; a finite number is accepted."));
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<bool> ConfigView::flag(Keys keys) const {
  for (const std::string_view key : keys) {
    const Value* value = memberOf(node_, key);
    if (value == nullptr) continue;
    if (value->IsBool()) return value->GetBool();
    if (value->IsUint() && value->GetUint() <= 1) return value->GetUint() == 1;
    refuse(key, cat(path_, key, " is ", shown(*value), "; true or false is accepted."));
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string_view> ConfigView::text(Keys keys) const {
  for (const std::string_view key : keys) {
    const Value* value = memberOf(node_, key);
    if (value == nullptr) continue;
    if (value->IsString()) return std::string_view(value->GetString(), value->GetStringLength());
    refuse(key, cat(path_, key, " is ", shown(*value), "; a text is accepted."));
    return std::nullopt;
  }
  return std::nullopt;
}

ConfigView ConfigView::child(std::string_view key) const {
  const Value* value = memberOf(node_, key);
  if (value == nullptr) return {};
  if (!value->IsObject()) {
    refuse(key, cat(path_, key, " is ", shown(*value), "; an object is accepted."));
    return {};
  }
  return {value, errors_, cat(path_, key, ".")};
}

bool ConfigView::isList(std::string_view key) const {
  const Value* value = memberOf(node_, key);
  return value != nullptr && value->IsArray();
}

std::size_t ConfigView::listSize(std::string_view key) const {
  const Value* value = memberOf(node_, key);
  return value != nullptr && value->IsArray() ? value->Size() : 0;
}

bool ConfigView::isObject(std::string_view key) const {
  const Value* value = memberOf(node_, key);
  return value != nullptr && value->IsObject();
}

bool ConfigView::isText(std::string_view key) const {
  const Value* value = memberOf(node_, key);
  return value != nullptr && value->IsString();
}

std::vector<Count> ConfigView::counts(std::string_view key) const {
  std::vector<Count> list;
  const Value* value = memberOf(node_, key);
  if (value == nullptr || !value->IsArray()) return list;
  if (value->Size() > kMaxList) {
    refuse(key, cat(path_, key, " is a list of ", value->Size(), "; at most 10,000 are accepted."));
    return list;
  }
  list.reserve(value->Size());
  for (const Value& element : value->GetArray()) {
    const std::optional<Count> number =
        element.IsBool() ? Count(element.GetBool() ? 1 : 0) : integerOf(element);
    if (!number) {
      refuse(key, cat(path_, key, "[", list.size(), "] is ", shown(element),
                      "; a whole number from 0 to 2^40 is accepted."));
      return {};
    }
    list.push_back(*number);
  }
  return list;
}

std::vector<std::string_view> ConfigView::texts(std::string_view key) const {
  std::vector<std::string_view> list;
  const Value* value = memberOf(node_, key);
  if (value == nullptr || !value->IsArray()) return list;
  if (value->Size() > kMaxList) {
    refuse(key, cat(path_, key, " is a list of ", value->Size(), "; at most 10,000 are accepted."));
    return list;
  }
  list.reserve(value->Size());
  for (const Value& element : value->GetArray()) {
    if (!element.IsString()) {
      refuse(key,
             cat(path_, key, "[", list.size(), "] is ", shown(element), "; a text is accepted."));
      return {};
    }
    list.emplace_back(element.GetString(), element.GetStringLength());
  }
  return list;
}

std::vector<ConfigView> ConfigView::children(std::string_view key) const {
  std::vector<ConfigView> list;
  const Value* value = memberOf(node_, key);
  if (value == nullptr || !value->IsArray()) return list;
  if (value->Size() > kMaxList) {
    refuse(key, cat(path_, key, " is a list of ", value->Size(), "; at most 10,000 are accepted."));
    return list;
  }
  list.reserve(value->Size());
  for (const Value& element : value->GetArray()) {
    if (!element.IsObject()) {
      refuse(key, cat(path_, key, "[", list.size(), "] is ", shown(element),
                      "; an object is accepted."));
      return {};
    }
    list.push_back({&element, errors_, cat(path_, key, "[", list.size(), "].")});
  }
  return list;
}

std::vector<std::pair<std::string_view, ConfigView>> ConfigView::members() const {
  std::vector<std::pair<std::string_view, ConfigView>> list;
  if (node_ == nullptr || !valueOf(node_).IsObject()) return list;
  for (const auto& member : valueOf(node_).GetObject()) {
    if (!member.value.IsObject()) continue;
    const std::string_view name(member.name.GetString(), member.name.GetStringLength());
    list.emplace_back(name,
                      ConfigView(&member.value, errors_, cat(path_, name.substr(0, 40), ".")));
  }
  return list;
}

std::vector<std::string_view> ConfigView::keys() const {
  std::vector<std::string_view> list;
  if (node_ == nullptr || !valueOf(node_).IsObject()) return list;
  for (const auto& member : valueOf(node_).GetObject()) {
    list.emplace_back(member.name.GetString(), member.name.GetStringLength());
  }
  return list;
}

struct ConfigDocument::State {
  rapidjson::Document document;
  ConfigErrors errors;
};

ConfigDocument::ConfigDocument(std::unique_ptr<State> state) : state_(std::move(state)) {}
ConfigDocument::ConfigDocument(ConfigDocument&&) noexcept = default;
ConfigDocument& ConfigDocument::operator=(ConfigDocument&&) noexcept = default;
ConfigDocument::~ConfigDocument() = default;

Result<ConfigDocument> ConfigDocument::parse(std::string_view text, std::string_view what) {
  if (text.size() > kMaxText) {
    return Error{ErrorCode::kBadFile, "",
                 cat(what, " is ", text.size(), " bytes long; at most 4 MiB are accepted.")};
  }
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  if (trim(text).empty()) {
    return Error{ErrorCode::kBadJson, "", cat(what, " is empty; a JSON object is needed.")};
  }
  auto state = std::make_unique<State>();
  if (!parseJson(text, state->document)) {
    return Error{
        ErrorCode::kBadJson, "",
        cat(what, " is no JSON: ", rapidjson::GetParseError_En(state->document.GetParseError()),
            " At byte ", state->document.GetErrorOffset(), ".")};
  }
  if (!state->document.IsObject()) {
    return Error{ErrorCode::kBadJson, "",
                 cat(what, " holds ", shown(state->document), "; a JSON object is needed.")};
  }
  return ConfigDocument(std::move(state));
}

ConfigView ConfigDocument::root() const { return {&state_->document, &state_->errors, ""}; }
ConfigErrors& ConfigDocument::errors() const { return state_->errors; }

std::string ConfigDocument::text() const { return root().json(); }

std::string ConfigView::json() const {
  if (node_ == nullptr) return {};
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::UTF8<>,
                    rapidjson::CrtAllocator, rapidjson::kWriteNanAndInfFlag>
      writer(buffer);
  valueOf(node_).Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace memfit
