// memfit - SPDX-License-Identifier: Apache-2.0
//
// The ledger: an estimate as a list of entries, each with its reason. Totals are sums over entries
// and nothing else; what shows numbers (page, JSON, Markdown, tests) reads entries and nothing
// else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "base/count.h"

namespace memfit {

enum class Component : std::uint8_t {
  kWeights,         // as they lie in memory: format, replicas, padding
  kAdapters,        // LoRA matrices
  kKvCache,         // keys and values, or their latents: grows with the tokens
  kRecurrentState,  // fixed a sequence
  kActivations,     // what a forward pass keeps, and the transients beside it
  kLogits,          // rows of vocabulary, and what the loss or the sampler makes of them
  kComputeBuffer,   // an engine's reserved scratch
  kGradients,
  kOptimizer,
  kMasterWeights,  // 32-bit copies
  kCommunication,  // collective buckets, gathered shards, NCCL
  kFramework,      // context, libraries, allocator slack; what a rule calls "other"
  kCount
};
std::string_view componentName(Component component);  // "weights", "kv_cache", ... as in JSON

// How long the bytes of a component stay where they are.
enum class Stay : std::uint8_t {
  kResident,   // from loading to the end
  kTransient,  // of a step, or reserved for one
  kContext,    // the driver's, the libraries'
  kCount
};
Stay stayOf(Component component);

enum class Where : std::uint8_t { kDevice, kHost };

// An amount and how sure it is. Exact amounts have all three equal; verdicts are judged on `high`.
struct Band {
  Bytes low, expected, high;

  static Band exact(Bytes bytes) { return {bytes, bytes, bytes}; }

  Band& operator+=(const Band& other) {
    low += other.low;
    expected += other.expected;
    high += other.high;
    return *this;
  }
  bool overflowed() const { return high.overflowed() || expected.overflowed() || low.overflowed(); }
  bool isExact() const { return low == high; }
  friend bool operator==(const Band&, const Band&) = default;
};

// A number of a formula, by the symbol that stands for it.
struct Input {
  std::string_view symbol;  // a literal: [A-Za-z_][A-Za-z0-9_]*
  double value = 0;
};

// The inputs of one formula. Of fixed size: a sweep makes ledgers by the ten thousand.
class Inputs {
 public:
  static constexpr std::size_t kMax = 12;

  Inputs() = default;
  Inputs(std::initializer_list<Input> inputs) {
    for (const Input& input : inputs) add(input.symbol, input.value);
  }
  void add(std::string_view symbol, double value) {
    if (size_ < kMax) items_[size_++] = {symbol, value};
  }
  void add(std::string_view symbol, Count value) { add(symbol, value.toDouble()); }
  std::span<const Input> items() const { return {items_.data(), size_}; }

 private:
  std::array<Input, kMax> items_{};
  std::size_t size_ = 0;
};

// One amount with its reason. The texts are literals: entries are copied freely and cost nothing.
//
// `formula` is an expression over the inputs that a reader can check by hand and a test evaluates:
// it must give `bytes.expected`. It knows + - * / ( ), decimal numbers, symbols, and the functions
// min(a, b), max(a, b), ceil(x), pad(x, multiple). In words what it means is `note`.
struct Entry {
  Component component = Component::kWeights;
  Where where = Where::kDevice;
  Band bytes;
  std::string_view formula;
  Inputs inputs;
  std::string_view source;  // paper, repository and file, or log; and the date it was read or seen
  std::string_view note = {};  // one short English sentence where the formula needs it
};

class Ledger {
 public:
  // Entries of no bytes are left out: a reader looks for what is there.
  void add(const Entry& entry) {
    if (entry.bytes.high != Bytes(0)) entries_.push_back(entry);
  }
  std::span<const Entry> entries() const { return entries_; }
  // Entries that something computed later replaces, such as the parts of another phase.
  std::vector<Entry>& mutableEntries() { return entries_; }

  Band total(Where where) const;
  Band total(Component component, Where where = Where::kDevice) const;
  // An entry overflowed: the estimate is an error. nullptr when none did.
  const Entry* overflowed() const;

 private:
  std::vector<Entry> entries_;
};

// The value of a formula over inputs; not finite where it cannot be read. For tests and for showing
// a formula's numbers; estimates are computed in integers, beside it.
double evaluateFormula(std::string_view formula, std::span<const Input> inputs);

}  // namespace memfit
