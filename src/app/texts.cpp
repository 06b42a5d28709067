// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/texts.h"

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

const LanguageTable& tableFor(Language language, std::string_view readers) {
  if (language != Language::kAuto) {
    const auto index = static_cast<std::size_t>(language) - 1;
    return index < languageTables().size() ? *languageTables()[index] : englishTable();
  }
  const std::string lower = toLower(readers);
  for (const LanguageTable* table : languageTables()) {
    if (lower.starts_with(table->code)) return *table;
  }
  return englishTable();
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

std::string_view sentence(std::string_view english) {
  for (const Sentence& own : current->sentences) {
    if (own.english == english) return own.text;
  }
  return english;
}

std::string noticeText(const Notice& notice) {
  Text text = Text::kNoticeNoEffect;
  switch (notice.code) {
    case NoticeCode::kUnknownKey: text = Text::kNoticeUnknownKey; break;
    case NoticeCode::kUnknownValue: text = Text::kNoticeUnknownValue; break;
    case NoticeCode::kOutOfRange: text = Text::kNoticeOutOfRange; break;
    case NoticeCode::kNoEffect: text = Text::kNoticeNoEffect; break;
    case NoticeCode::kNotApplicable: text = Text::kNoticeNotApplicable; break;
    case NoticeCode::kAssumption: return std::string(sentence(notice.message));
  }
  return say(text, {notice.field, notice.given, notice.accepted});
}

std::string_view phaseText(std::string_view name) {
  struct Entry {
    std::string_view name;
    Text text;
  };
  constexpr Entry kPhases[] = {{"loss", Text::kPhaseLoss},
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
