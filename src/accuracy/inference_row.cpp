// memfit - SPDX-License-Identifier: Apache-2.0
#include "accuracy/inference_row.h"

#include "base/text.h"
#include "model/catalogue.h"

namespace memfit::accuracy {

namespace {

// Descriptions that stand where a name should: what a log's shape or its reader says the model is.
// Read from the top; the first whose text begins the name counts. An empty model: more than one,
// or none that is known.
struct Description {
  std::string_view begins;
  std::string_view model;
};
constexpr Description kDescriptions[] = {
    {"(Qwen3.5/3.6 27B class", "qwen3.6-27b"},
    {"(not named; hybrid 27B class)", "qwen3.6-27b"},
    {"27B (Q6_K_XL; Qwen3.6 class)", "qwen3.6-27b"},
    {"nvidia Qwen3.6-27B-NVFP4", "qwen3.6-27b"},
    {"(arch qwen4exp", "qwen3.8-flash-next"},
    {"(not named; same model as above)", "llama-3.2-3b"},
    {"(not named; shape of Llama-3.2-3B", "llama-3.2-3b"},
    {"(", ""},
    {"230B.A10B", "minimax-m2.7"},
    {"MiniMax-M2.5", "minimax-m2.7"},
    {"Bamba", "bamba-9b"},
    {"Command-R v01", "command-r"},
    {"Llama 70B", "llama-3.1-70b"},
    {"Llama-7B class", "llama-7b"},
    {"Llama-2-7B (Chinese", "chinese-llama-2-7b"},
    {"Llama-2-7B / ", ""},
    {"Mamba (24 layers, 130M class)", "mamba-130m"},
    {"Mamba 3B", "mamba-2.8b"},
    {"mamba hybrid", ""},
    {"Plano-Orchestrator-4B", "qwen3-4b"},
    {"Qwen3-Next (qwen3next", "qwen3-next-80b-a3b"},
    {"DeepSeek-V3/R1", "deepseek-v3"},
    {"gemma4 (24 KV layers)", "gemma-4-e4b"},
    {"GLM-4.5 family", ""},
    {"granite 4.2", ""},
};

std::shared_ptr<const Model> named(std::string_view name) {
  if (findModel(name) == nullptr) return nullptr;
  Result<std::shared_ptr<const Model>> model = catalogueModel(name);
  return model ? *model : nullptr;
}

}  // namespace

std::shared_ptr<const Model> modelOfRow(std::string_view name) {
  if (auto model = named(name)) return model;
  for (const Description& row : kDescriptions) {
    if (!name.starts_with(row.begins)) continue;
    return row.model.empty() ? nullptr : named(row.model);
  }
  // "GLM-4.7-Flash 30B.A3B Q8_0 (UD-Q8_K_XL)": what comes after the name describes a file or a run.
  std::string_view rest = name.substr(0, name.find(" ("));
  while (!rest.empty()) {
    if (auto model = named(rest)) return model;
    const std::size_t space = rest.rfind(' ');
    if (space == std::string_view::npos) break;
    rest = trim(rest.substr(0, space));
  }
  return nullptr;
}

std::optional<double> firstNumber(std::string_view text) {
  std::size_t from = 0;
  while (from < text.size() && (text[from] < '0' || text[from] > '9')) ++from;
  std::size_t to = from;
  while (to < text.size() && ((text[to] >= '0' && text[to] <= '9') || text[to] == '.')) ++to;
  while (to > from && text[to - 1] == '.') --to;
  if (from == to) return std::nullopt;
  const auto scaled = parseScaled(text.substr(from, to - from), 1000000);
  if (!scaled) return std::nullopt;
  return static_cast<double>(*scaled) / 1e6;
}

std::optional<double> numberIn(const ConfigView& view, std::string_view key) {
  if (!view.valid() || !view.has(key) || view.isList(key)) return std::nullopt;
  if (view.isText(key)) return firstNumber(view.text({key}).value_or(""));
  return view.number({key});
}

bool contains(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

StageSums sumsOf(const Report& report) {
  StageSums sums;
  for (const Entry& entry : report.ledger.entries()) {
    if (entry.where != Where::kDevice) continue;
    sums.total += entry.bytes;
    switch (entry.component) {
      case memfit::Component::kWeights: sums.weights += entry.bytes; break;
      case memfit::Component::kKvCache: sums.kv += entry.bytes; break;
      case memfit::Component::kRecurrentState: sums.state += entry.bytes; break;
      case memfit::Component::kComputeBuffer: sums.compute += entry.bytes; break;
      case memfit::Component::kActivations:
      case memfit::Component::kLogits: sums.activations += entry.bytes; break;
      default: sums.outside += entry.bytes; break;
    }
  }
  return sums;
}

Sample sample(std::string_view id, const Band& band, double measured, double rounding) {
  return {std::string(id), band.expected.toDouble(), band.high.toDouble() + rounding, measured};
}

}  // namespace memfit::accuracy
