// memfit - SPDX-License-Identifier: Apache-2.0
#include "accuracy/inference_row.h"

#include "base/text.h"
#include "model/catalogue.h"

namespace memfit::accuracy {

std::shared_ptr<const Model> modelOfRow(std::string_view name) {
  Result<std::shared_ptr<const Model>> model = catalogueModel(name);
  return model ? *model : nullptr;
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

Sample sample(std::string_view id, const Band& band, double measured) {
  return {std::string(id), band.expected.toDouble(), band.high.toDouble(), measured};
}

}  // namespace memfit::accuracy
