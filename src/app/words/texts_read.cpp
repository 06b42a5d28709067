// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/texts_read.h"

#include <rapidjson/document.h>

#include <memory>
#include <vector>

#include "base/json.h"

namespace memfit::app {
namespace {

using rapidjson::Value;

// A table's texts are views: into `document`, and into what lists them.
struct ReadTable {
  rapidjson::Document document;
  std::vector<Label> labels;
  std::vector<Label> helps;
  std::vector<ChoiceWord> words;
  std::vector<Sentence> units;
  std::vector<Sentence> sentences;
  LanguageTable table{};
};

std::string_view textOf(const Value& value) {
  if (!value.IsString()) return {};
  return {value.GetString(), value.GetStringLength()};
}

const Value& member(const Value& object, const char* name) {
  static const Value kNone;
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? kNone : found->value;
}

// Every member of the object under `name`.
template <typename Use>
void eachMember(const Value& object, const char* name, Use use) {
  const Value& members = member(object, name);
  if (!members.IsObject()) return;
  for (auto one = members.MemberBegin(); one != members.MemberEnd(); ++one) {
    use(textOf(one->name), one->value);
  }
}

bool read(ReadTable& to) {
  const Value& from = to.document;
  if (!from.IsObject()) return false;
  LanguageTable& table = to.table;
  table.code = textOf(member(from, "code"));
  table.name = textOf(member(from, "name"));

  const Value& numbers = member(from, "numbers");
  if (!numbers.IsObject()) return false;
  NumberStyle& style = table.numbers;
  const struct {
    const char* name;
    std::string_view& text;
  } kStyle[] = {{"decimal", style.decimal}, {"group", style.group}, {"KB", style.kb},
                {"MB", style.mb},           {"GB", style.gb},       {"TB", style.tb},
                {"KiB", style.kib},         {"MiB", style.mib},     {"GiB", style.gib},
                {"TiB", style.tib},         {"bytes", style.bytes}};
  for (const auto& one : kStyle) one.text = textOf(member(numbers, one.name));

  const Value& texts = member(from, "canvas");
  if (!texts.IsArray() || texts.Size() != kTextCount) return false;
  for (rapidjson::SizeType i = 0; i < kTextCount; ++i) table.texts[i] = textOf(texts[i]);

  std::size_t components = 0;
  eachMember(from, "components", [&](std::string_view, const Value& text) {
    if (components < table.components.size()) table.components[components] = textOf(text);
    ++components;
  });
  if (components != table.components.size()) return false;

  const auto labelsInto = [&from](const char* name, std::vector<Label>& labels) {
    eachMember(from, name, [&labels](std::string_view key, const Value& text) {
      if (const Field* field = findField(key)) labels.push_back({field->key, textOf(text)});
    });
  };
  labelsInto("labels", to.labels);
  labelsInto("helps", to.helps);
  eachMember(from, "words", [&to](std::string_view key, const Value& words) {
    const Field* field = findField(key);
    if (field == nullptr || !words.IsObject()) return;
    for (auto one = words.MemberBegin(); one != words.MemberEnd(); ++one) {
      to.words.push_back({field->key, textOf(one->name), textOf(one->value)});
    }
  });
  eachMember(from, "units", [&to](std::string_view key, const Value& text) {
    if (const Field* field = findField(key)) to.units.push_back({field->unit, textOf(text)});
  });
  eachMember(from, "sentences", [&to](std::string_view english, const Value& text) {
    to.sentences.push_back({english, textOf(text)});
  });
  table.labels = to.labels;
  table.helps = to.helps;
  table.words = to.words;
  table.units = to.units;
  table.sentences = to.sentences;
  return true;
}

}  // namespace

const LanguageTable* readTable(std::string_view json) {
  static std::vector<std::unique_ptr<ReadTable>> kept;
  auto made = std::make_unique<ReadTable>();
  if (!parseJson(json, made->document) || !read(*made)) return nullptr;
  kept.push_back(std::move(made));
  return &kept.back()->table;
}

}  // namespace memfit::app
