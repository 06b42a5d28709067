// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/ledger.h"

#include <cmath>
#include <limits>

#include "base/text.h"

namespace memfit {

namespace {

struct ComponentRow {
  Component component;
  std::string_view name;
  Stay stay;
};
constexpr ComponentRow kComponents[] = {
    {Component::kWeights, "weights", Stay::kResident},
    {Component::kAdapters, "adapters", Stay::kResident},
    {Component::kKvCache, "kv_cache", Stay::kResident},
    {Component::kRecurrentState, "recurrent_state", Stay::kResident},
    {Component::kActivations, "activations", Stay::kTransient},
    {Component::kLogits, "logits", Stay::kTransient},
    {Component::kComputeBuffer, "compute_buffer", Stay::kTransient},
    {Component::kGradients, "gradients", Stay::kTransient},
    {Component::kOptimizer, "optimizer", Stay::kResident},
    {Component::kMasterWeights, "master_weights", Stay::kResident},
    {Component::kCommunication, "communication", Stay::kTransient},
    {Component::kFramework, "framework", Stay::kContext},
};
constexpr bool inOrder() {
  std::size_t at = 0;
  for (const ComponentRow& row : kComponents) {
    if (static_cast<std::size_t>(row.component) != at++) return false;
  }
  return at == static_cast<std::size_t>(Component::kCount);
}
static_assert(inOrder(), "kComponents is indexed by Component");

}  // namespace

std::string_view componentName(Component component) {
  return kComponents[static_cast<std::size_t>(component)].name;
}

Stay stayOf(Component component) { return kComponents[static_cast<std::size_t>(component)].stay; }

Band Ledger::total(Where where) const {
  Band sum;
  for (const Entry& entry : entries_) {
    if (entry.where == where) sum += entry.bytes;
  }
  return sum;
}

Band Ledger::total(Component component, Where where) const {
  Band sum;
  for (const Entry& entry : entries_) {
    if (entry.where == where && entry.component == component) sum += entry.bytes;
  }
  return sum;
}

const Entry* Ledger::overflowed() const {
  for (const Entry& entry : entries_) {
    if (entry.bytes.overflowed()) return &entry;
  }
  return nullptr;
}

namespace {

// Recursive descent over the grammar that ledger.h gives. A failure makes the value NaN, which
// stays.
class FormulaReader {
 public:
  FormulaReader(std::string_view text, std::span<const Input> inputs)
      : text_(text), inputs_(inputs) {}

  double read() {
    const double value = sum();
    return at_ == text_.size() ? value : kFailed;
  }

 private:
  static constexpr double kFailed = std::numeric_limits<double>::quiet_NaN();
  static constexpr int kMaxDepth = 32;

  void skipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    skipSpace();
    return true;
  }
  static bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  static bool isNumberPart(char c) { return (c >= '0' && c <= '9') || c == '.'; }

  double sum() {
    double value = product();
    while (true) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    double value = atom();
    while (true) {
      if (take('*')) {
        value *= atom();
      } else if (take('/')) {
        value /= atom();
      } else {
        return value;
      }
    }
  }

  double atom() {
    skipSpace();
    if (++depth_ > kMaxDepth || at_ >= text_.size()) return kFailed;
    double value = kFailed;
    if (take('(')) {
      value = sum();
      if (!take(')')) value = kFailed;
    } else if (isNumberPart(text_[at_])) {
      const std::size_t start = at_;
      while (at_ < text_.size() && isNumberPart(text_[at_])) ++at_;
      const auto scaled = parseScaled(text_.substr(start, at_ - start), 1000000);
      if (scaled) value = static_cast<double>(*scaled) / 1e6;
    } else if (isLetter(text_[at_])) {
      const std::size_t start = at_;
      while (at_ < text_.size() && (isLetter(text_[at_]) || isNumberPart(text_[at_]))) ++at_;
      value = named(text_.substr(start, at_ - start));
    }
    skipSpace();
    --depth_;
    return value;
  }

  double named(std::string_view name) {
    if (take('(')) {
      const double a = sum();
      if (name == "ceil") return take(')') ? std::ceil(a) : kFailed;
      const double b = take(',') ? sum() : kFailed;
      if (!take(')')) return kFailed;
      if (name == "min") return a < b ? a : b;
      if (name == "max") return a > b ? a : b;
      if (name == "pad") return std::ceil(a / b) * b;
      return kFailed;
    }
    for (const Input& input : inputs_) {
      if (input.symbol == name) return input.value;
    }
    return kFailed;
  }

  std::string_view text_;
  std::span<const Input> inputs_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

double evaluateFormula(std::string_view formula, std::span<const Input> inputs) {
  return FormulaReader(formula, inputs).read();
}

}  // namespace memfit
