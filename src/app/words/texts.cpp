// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/texts.h"

#include "base/text.h"

namespace memfit::app {
namespace {

// Names that all languages share; a language's own words come first.
struct SharedWord {
  std::string_view word;
  std::string_view text;
};
constexpr SharedWord kSharedWords[] = {
    // Formats.
    {"bf16", "BF16"},
    {"fp32", "FP32"},
    {"fp16", "FP16"},
    {"fp8", "FP8"},
    {"int8", "INT8"},
    {"int4", "INT4"},
    {"nf4", "NF4"},
    {"awq4", "AWQ"},
    {"gptq4", "GPTQ 4"},
    {"gptq8", "GPTQ 8"},
    {"mxfp4", "MXFP4"},
    {"nvfp4", "NVFP4"},
    {"mxfp4_moe", "MXFP4 MoE"},
    {"mlx4", "MLX 4-bit"},
    {"mlx8", "MLX 8-bit"},
    // Engines and trainers.
    {"transformers", "Transformers"},
    {"vllm", "vLLM"},
    {"sglang", "SGLang"},
    {"llama.cpp", "llama.cpp"},
    {"mlx", "MLX"},
    {"hf", "Hugging Face"},
    {"torchtune", "torchtune"},
    {"litgpt", "LitGPT"},
    {"megatron", "Megatron"},
    {"deepspeed", "DeepSpeed"},
    {"unsloth", "Unsloth"},
    // Optimizers.
    {"adamw", "AdamW"},
    {"adam", "Adam"},
    {"sgd", "SGD"},
    {"rmsprop", "RMSProp"},
    {"adamw-8bit", "AdamW 8-bit"},
    {"adamw-bf16", "AdamW BF16"},
    {"adafactor", "Adafactor"},
    {"lion", "Lion"},
    {"lion-8bit", "Lion 8-bit"},
    {"muon", "Muon"},
    {"lora", "LoRA"},
    {"qlora", "QLoRA"},
    {"flash", "Flash"},
    {"sdpa", "SDPA"},
    // Methods.
    {"pai", "PAI"},
    {"karakuri", "KARAKURI"},
    {"GB", "GB"},
    {"GiB", "GiB"},
};

const LanguageTable* current = &englishTable();

constexpr LanguageName kLanguages[] = {
    {"en", "English"}, {"ja", "日本語"}, {"fr", "Français"}, {"zh", "简体中文"}};
constexpr std::size_t kLanguageCount = std::size(kLanguages);

std::array<const LanguageTable*, kLanguageCount>& tablesAtHand() {
  static std::array<const LanguageTable*, kLanguageCount> tables{&englishTable()};
  return tables;
}

std::size_t languageIndex(std::string_view code) {
  std::size_t index = 0;
  while (index < kLanguageCount && kLanguages[index].code != code) ++index;
  return index;
}

// GGUF file types: Q4_K_M.
std::string_view upperName(std::string_view word) {
  constexpr std::size_t kMost = 64;
  static std::array<std::string, kMost> made;
  static std::size_t used = 0;
  std::string upper(word);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  for (std::size_t i = 0; i < used; ++i) {
    if (made[i] == upper) return made[i];
  }
  if (used == kMost) return word;
  made[used] = std::move(upper);
  return made[used++];
}

bool isQuantName(std::string_view word) {
  const bool letter = word.starts_with("q") || word.starts_with("iq") || word.starts_with("tq");
  return letter && word.find('_') != std::string_view::npos;
}

}  // namespace

std::span<const LanguageName> languageNames() { return kLanguages; }

std::string_view languageFor(Language language, std::string_view readers) {
  if (language != Language::kAuto) {
    const auto index = static_cast<std::size_t>(language) - 1;
    return kLanguages[index < kLanguageCount ? index : 0].code;
  }
  const std::string lower = toLower(readers);
  for (const LanguageName& one : kLanguages) {
    if (lower.starts_with(one.code)) return one.code;
  }
  return kLanguages[0].code;
}

const LanguageTable* tableOf(std::string_view code) {
  const std::size_t index = languageIndex(code);
  return index < kLanguageCount ? tablesAtHand()[index] : nullptr;
}

void addTable(const LanguageTable& table) {
  const std::size_t index = languageIndex(table.code);
  if (index < kLanguageCount) tablesAtHand()[index] = &table;
}

void useLanguage(const LanguageTable& table) { current = &table; }
const LanguageTable& languageInUse() { return *current; }

std::string_view say(Text text) { return current->texts[static_cast<std::size_t>(text)]; }

std::string fillIn(std::string_view pattern, std::initializer_list<std::string_view> values) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}') {
      const auto index = static_cast<std::size_t>(pattern[i + 1] - '0');
      if (index < values.size()) out += values.begin()[index];
      i += 2;
    } else {
      out += pattern[i];
    }
  }
  return out;
}

std::string say(Text text, std::initializer_list<std::string_view> values) {
  return fillIn(say(text), values);
}

namespace {
std::string_view entryOf(std::span<const Label> labels, Key key) {
  for (const Label& label : labels) {
    if (label.id == key) return label.text;
  }
  return {};
}
}  // namespace

std::string_view labelOf(Key key) {
  const std::string_view own = entryOf(current->labels, key);
  return own.empty() ? fieldOf(key).name : own;
}

std::string_view helpOf(Key key) {
  const std::string_view own = entryOf(current->helps, key);
  return own.empty() ? fieldOf(key).help : own;
}

std::string_view nameOf(Component component) {
  return current->components[static_cast<std::size_t>(component)];
}

std::string_view wordOf(const Field& field, std::size_t index) {
  const std::string_view word = field.values[index];
  for (const LanguageTable* table : {current, &englishTable()}) {
    for (const ChoiceWord& own : table->words) {
      if (own.key == field.key && own.word == word) return own.text;
    }
  }
  for (const SharedWord& shared : kSharedWords) {
    if (shared.word == word) return shared.text;
  }
  return isQuantName(word) ? upperName(word) : word;
}

std::string_view unitOf(const Field& field) {
  for (const Sentence& unit : current->units) {
    if (unit.english == field.unit) return unit.text;
  }
  return field.unit;
}

namespace {

constexpr std::size_t kMostPlaces = 8;
using Values = std::array<std::string_view, kMostPlaces>;

// Whether a text is the pattern with something in each of its places; gives what stands there.
bool fitsPattern(std::string_view pattern, std::string_view text, Values& values) {
  // Most differ in the first letter; texts are asked for in every frame.
  if (pattern.front() != '{' && pattern.front() != text.front()) return false;
  std::size_t open = pattern.find('{');
  if (open == std::string_view::npos || !text.starts_with(pattern.substr(0, open))) return false;
  text.remove_prefix(open);
  while (open != std::string_view::npos) {
    const auto place = static_cast<std::size_t>(pattern[open + 1] - '0');
    pattern.remove_prefix(open + 3);
    open = pattern.find('{');
    const std::string_view next = pattern.substr(0, open);
    // Up to the words that follow the place; the last ones end the text.
    const bool isLast = open == std::string_view::npos;
    if (isLast && !text.ends_with(next)) return false;
    const std::size_t end = isLast ? text.size() - next.size() : text.find(next);
    if (end == 0 || end == std::string_view::npos || place >= kMostPlaces) return false;
    values[place] = text.substr(0, end);
    text.remove_prefix(end + next.size());
  }
  return true;
}

// "8,030,261,248" and "0.25" as the language writes them; other texts as they are said.
std::string saidValue(std::string_view value) {
  std::string plain;
  std::size_t points = 0;
  for (const char c : value) {
    if (c == ',') continue;
    if (c == '.') ++points;
    if (c != '.' && (c < '0' || c > '9')) return sentence(value);
    plain += c;
  }
  constexpr std::size_t kYear = 4;  // digits that are not grouped
  if (points == 0 && (value.size() > kYear)) {
    if (const auto number = parseScaled(plain, 1)) return formatWhole(*number, current->numbers);
  }
  if (points == 1 && plain.front() != '.' && plain.back() != '.') {
    plain.replace(plain.find('.'), 1, current->numbers.decimal);
  }
  return plain;
}

}  // namespace

std::string sentence(std::string_view english) {
  for (const Sentence& own : current->sentences) {
    if (own.english == english) return std::string(own.text);
  }
  // A place leaves room for words around it.
  if (english.find(' ') == std::string_view::npos) return std::string(english);
  Values values;
  for (const Sentence& own : current->sentences) {
    if (!fitsPattern(own.english, english, values)) continue;
    std::array<std::string, kMostPlaces> said;
    for (std::size_t i = 0; i < kMostPlaces; ++i) {
      if (own.text.find(cat("{", i, "}")) != std::string_view::npos) said[i] = saidValue(values[i]);
    }
    return fillIn(own.text,
                  {said[0], said[1], said[2], said[3], said[4], said[5], said[6], said[7]});
  }
  return std::string(english);
}

namespace {

// What was given or is accepted: a choice's words as readers see them, other texts as they are
// said.
std::string saidFor(const Field* field, std::string_view text) {
  if (field == nullptr || field->kind != Kind::kChoice) return sentence(text);
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    // "a, b or c"
    std::size_t end = text.size(), next = end;
    for (const std::string_view between : {std::string_view(", "), std::string_view(" or ")}) {
      const std::size_t at = text.find(between, from);
      if (at < end) end = at, next = at + between.size();
    }
    const std::string_view word = text.substr(from, end - from);
    std::string_view shown = word;
    for (std::size_t i = 0; i < field->values.size(); ++i) {
      if (field->values[i] == word) shown = wordOf(*field, i);
    }
    out += shown;
    if (next < text.size()) {
      out += say(text[end] == ',' ? Text::kListComma : Text::kOr);
    }
    from = next;
  }
  return out;
}

}  // namespace

std::string noticeText(const Notice& notice) {
  Text text = Text::kNoticeNoEffect;
  switch (notice.code) {
    case NoticeCode::kUnknownKey: text = Text::kNoticeUnknownKey; break;
    case NoticeCode::kUnknownValue: text = Text::kNoticeUnknownValue; break;
    case NoticeCode::kOutOfRange: text = Text::kNoticeOutOfRange; break;
    case NoticeCode::kNoEffect: text = Text::kNoticeNoEffect; break;
    case NoticeCode::kNotApplicable: text = Text::kNoticeNotApplicable; break;
    case NoticeCode::kAssumption:
    case NoticeCode::kCount: return sentence(notice.message);
  }
  const Field* field = notice.code == NoticeCode::kUnknownKey ? nullptr : findField(notice.field);
  // What names could have been meant is said only by the sentence.
  const bool isName = field != nullptr && field->kind == Kind::kText;
  if (isName && notice.code == NoticeCode::kUnknownValue) return sentence(notice.message);
  if (field != nullptr && !notice.reason.empty()) {
    return say(Text::kNoticeIdle,
               {labelOf(field->key), saidFor(field, notice.given), sentence(notice.reason)});
  }
  return say(text, {field == nullptr ? notice.field : labelOf(field->key),
                    saidFor(field, notice.given), saidFor(field, notice.accepted)});
}

std::string_view phaseText(std::string_view name) {
  struct Entry {
    std::string_view name;
    Text text;
  };
  constexpr Entry kPhases[] = {{"loss", Text::kPhaseLoss},
                               {"head", Text::kPhaseHead},
                               {"backward", Text::kPhaseBackward},
                               {"dequantize", Text::kPhaseDequantize},
                               {"backward-end", Text::kPhaseBackwardEnd},
                               {"step", Text::kPhaseStep}};
  for (const Entry& entry : kPhases) {
    if (entry.name == name) return say(entry.text);
  }
  return name;
}

std::string listed(const std::vector<std::string>& items) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += say(i + 1 == items.size() ? Text::kOr : Text::kListComma);
    out += items[i];
  }
  return out;
}

}  // namespace memfit::app
