// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/said.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>
#include <vector>

#include "advice/advise.h"
#include "base/text.h"
#include "memory/estimate.h"
#include "memory/methods.h"
#include "model/catalogue.h"
#include "model/read_model.h"
#include "query/query_io.h"

namespace memfit::app {
namespace {

// The same queries in every run: xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
class Dice {
 public:
  std::size_t roll(std::size_t sides) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::size_t>(state_ % sides);
  }
  template <typename List>
  auto pick(const List& list) {
    return list[roll(std::size(list))];
  }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15;
};

void keep(std::set<std::string>& texts, std::string_view text) {
  if (!text.empty()) texts.emplace(text);
}

void keepNotices(Said& said, const Notices& notices) {
  for (const Notice& notice : notices) {
    // The others are said by their code, with what was given and what is accepted.
    if (notice.code == NoticeCode::kAssumption) keep(said.sentences, notice.message);
    keep(said.sentences, notice.reason);
  }
}

void keepLedger(Said& said, const Ledger& ledger) {
  for (const Entry& entry : ledger.entries()) {
    keep(said.sentences, entry.note);
    keep(said.sources, entry.source);
    const std::string_view formula = entry.formula;
    for (std::size_t i = 0; i < formula.size();) {
      const auto isSign = [&](std::size_t at) {
        const char c = formula[at];
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
      };
      std::size_t stop = i;
      while (stop < formula.size() && isSign(stop)) ++stop;
      if (stop > i && std::isdigit(static_cast<unsigned char>(formula[i])) == 0) {
        keep(said.symbols, formula.substr(i, stop - i));
      }
      i = std::max(stop, i + 1);
    }
  }
}

void keepError(Said& said, const Error& error) { keep(said.errors, error.message); }

void keepReport(Said& said, const Report& report) {
  keepNotices(said, report.notices);
  keepLedger(said, report.ledger);
  for (const Phase& phase : report.phases) keepLedger(said, phase.ledger);
  if (report.model) {
    for (const std::string& notice : report.model->notices) keep(said.sentences, notice);
  }
}

void ask(Said& said, const std::string& url, bool deep) {
  DecodedQuery decoded = decodeUrl(url);
  keepNotices(said, decoded.notices);
  const auto report = estimate(decoded.query, Bytes(80'000'000'000));
  if (!report) return keepError(said, report.error());
  keepReport(said, *report);
  if (!deep) return;
  if (const auto comparisons = compare(decoded.query)) {
    for (const Difference& difference : comparisons->differences) {
      keep(said.sentences, difference.reason);
    }
    for (const Comparison& comparison : comparisons->methods) {
      if (comparison.covers) keepReport(said, comparison.report);
    }
  }
  if (const auto advices = advise(decoded.query)) {
    for (const Advice& advice : *advices) keep(said.sentences, advice.price);
  }
}

// A value of a field as a URL gives it; some are out of its range.
std::string valueFor(const Field& field, Dice& dice) {
  constexpr std::int64_t kSome[] = {1, 2, 3, 4, 8, 16, 64, 512, 4096, 131072};
  switch (field.kind) {
    case Kind::kChoice: return std::string(dice.pick(field.values));
    case Kind::kInteger: return std::to_string(std::clamp(dice.pick(kSome), field.min, field.max));
    case Kind::kReal: {
      constexpr std::string_view kReals[] = {"0.05", "0.5", "0.9", "7", "70"};
      return std::string(dice.pick(kReals));
    }
    case Kind::kFlag: return dice.roll(2) == 0 ? "true" : "false";
    case Kind::kAmount: return "2GB";
    case Kind::kText: {
      if (field.key == Key::kTargets) {
        constexpr std::string_view kTargets[] = {"all-linear", "attention", "q,v", "embed,head"};
        return std::string(dice.pick(kTargets));
      }
      constexpr std::string_view kDevices[] = {"rtx-4090", "24GB", "h100-80-sxm", "m3-max-64"};
      return std::string(dice.pick(kDevices));
    }
    case Kind::kDocument: break;
  }
  return {};
}

void add(std::string& url, std::string_view key, std::string_view value) {
  if (!url.empty()) url += '&';
  url += cat(key, "=", value);
}

// Every field, each set now and then; what a query says depends on few of them at a time.
std::string anyQuery(Dice& dice) {
  std::string url;
  const bool training = dice.roll(2) == 0;
  constexpr std::string_view kTrainingTasks[] = {"full", "lora", "qlora"};
  if (training) add(url, "task", dice.pick(kTrainingTasks));
  if (dice.roll(8) == 0) {
    add(url, "params", dice.roll(2) == 0 ? "7" : "120");
    if (dice.roll(3) == 0) add(url, "active", "5");
  } else {
    add(url, "model", catalogue()[dice.roll(catalogue().size())].id);
  }
  const std::size_t often = 2 + dice.roll(10);
  for (const Field& field : fields()) {
    if (field.key == Key::kTask || saysWhichModel(field) || field.group == Group::kPage) continue;
    if (dice.roll(often) != 0) continue;
    // Settings of the other kind of task would only be named as without effect.
    const Reads& reads = field.reads;
    if (!reads.always && (training ? reads.training : reads.serving).empty()) continue;
    if (field.key == Key::kMethod && dice.roll(3) != 0) continue;
    add(url, field.name, valueFor(field, dice));
  }
  return url;
}

// What is wrong in files and in shapes that readers give.
void askWrongly(Said& said) {
  for (const std::string_view url :
       {"model=custom", "model=custom&layers=2&hidden=64&heads=4&vocab=100", "full_every=4",
        "params=7&active=70", "seq=100000000&batch=1000000", "model=custom&hidden=64",
        "model=nothing-of-the-kind", "model=llama-9", "model=mamba-130m&kv_heads=8"}) {
    ask(said, std::string(url), false);
  }
  struct File {
    std::string_view name;
    std::string bytes;
  };
  const std::string number("\0\0\0\0", 4);
  const File files[] = {
      {"config.json", ""},
      {"config.json", "{"},
      {"config.json", "[1]"},
      {"config.json", "{}"},
      {"config.json", R"({"model_type":"llama"})"},
      {"config.json", R"({"model_type":"unheard-of","hidden_size":64,"num_hidden_layers":2,
                          "num_attention_heads":4,"vocab_size":100,"intermediate_size":128})"},
      {"config.json", R"({"hidden_size":64,"num_hidden_layers":2,
                          "num_attention_heads":4,"vocab_size":100,"intermediate_size":128})"},
      {"config.json",
       R"({"model_type":"llava","text_config":{"model_type":"unheard-of","hidden_size":64,
                          "num_hidden_layers":2,"num_attention_heads":4,"vocab_size":100,
                          "intermediate_size":128}})"},
      {"config.json", R"({"model_type":"llama","hidden_size":"wide","num_hidden_layers":2})"},
      {"config.json", R"({"model_type":"llama","hidden_size":{},"num_hidden_layers":[]})"},
      {"config.json", R"({"model_type":"llama","hidden_size":1e300,"num_hidden_layers":-1})"},
      {"config.json", R"({"model_type":"llama","hidden_size":64,"num_hidden_layers":2000000,
                          "num_attention_heads":4,"vocab_size":100,"intermediate_size":128})"},
      {"notes.txt", "hello"},
      {"model.gguf", "GGUF"},
      {"model.gguf", cat("GGUF", std::string("\7\0\0\0", 4), std::string(64, '\0'))},
      {"model.gguf", cat("GGUF", std::string("\3\0\0\0", 4), std::string(64, '\0'))},
      {"model.safetensors", cat(std::string("\2\0\0\0\0\0\0\0", 8), "{}")},
      {"model.safetensors.index.json", R"({"weight_map":{"a":"b"}})"},
      {"model.safetensors.index.json", R"({"weight_map":{}})"},
      {"model.safetensors.index.json",
       R"({"metadata":{"total_size":16000000000},"weight_map":{"a":"b"}})"},
      {"hf_quant_config.json", R"({"quantization":{"quant_algo":"FP8"}})"},
  };
  for (const File& file : files) {
    const auto model = readModel(file.bytes, file.name);
    if (!model) {
      keepError(said, model.error());
      continue;
    }
    for (const std::string& notice : model->notices) keep(said.sentences, notice);
  }
}

Said askEverything() {
  Said said;
  Dice dice;
  for (const CatalogueEntry& entry : catalogue()) {
    for (const std::string_view rest : {"", "&vision=include&draft=include&engine=vllm&tp=2",
                                        "&engine=llama.cpp&gpu_layers=5&weights=q4_k_m&kv=q8_0"}) {
      ask(said, cat("model=", entry.id, rest), false);
    }
  }
  for (int i = 0; i < 12000; ++i) ask(said, anyQuery(dice), i % 60 == 0);
  for (const MethodInfo& method : methods()) {
    keep(said.sentences, method.title);
    keep(said.sources, method.source);
  }
  askWrongly(said);
  return said;
}

}  // namespace

const Said& everythingSaid() {
  static const Said said = askEverything();
  return said;
}

}  // namespace memfit::app
