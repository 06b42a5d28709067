// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the engines' files share: sinks for entries, and the entries that all of them have.
#pragma once

#include <string_view>

#include "memory/inference.h"

namespace memfit {

// Where entries go. A sweep only wants the sum on the device; the reasons are then never made.
class SumSink {
 public:
  template <typename Explain>
  void add(Component, Where where, const Band& bytes, Explain&&) {
    if (where == Where::kDevice) sum_ += bytes;
  }
  const Band& sum() const { return sum_; }

 private:
  Band sum_;
};

class LedgerSink {
 public:
  explicit LedgerSink(Ledger& ledger) : ledger_(ledger) {}

  // explain(entry) sets formula, inputs, source and note.
  template <typename Explain>
  void add(Component component, Where where, const Band& bytes, Explain&& explain) {
    Entry entry;
    entry.component = component;
    entry.where = where;
    entry.bytes = bytes;
    explain(entry);
    ledger_.add(entry);
  }

 private:
  Ledger& ledger_;
};

// The two answers of a row from one rule: `Variable` is a type whose call adds the entries of a
// load to a sink of either kind.
template <typename Variable>
void ledgerOf(const InferencePlan& plan, const StagePlan& stage, const Load& load, Ledger& out) {
  LedgerSink sink(out);
  Variable()(plan, stage, load, sink);
}
template <typename Variable>
Band sumOf(const InferencePlan& plan, const StagePlan& stage, const Load& load) {
  SumSink sink;
  Variable()(plan, stage, load, sink);
  return sink.sum();
}

// A band around an amount: percent of it below and above.
inline Band around(Bytes expected, int lowPercent, int highPercent) {
  return {expected.scaled(lowPercent, 100), expected, expected.scaled(highPercent, 100)};
}

template <typename Sink>
void addCaches(const std::vector<CacheGroup>& groups, Count sequences, Count seq, Where where,
               std::string_view source, Sink& sink) {
  for (const CacheGroup& group : groups) {
    const Bytes bytes = sequences * group.bytesPerSequence(seq);
    sink.add(Component::kKvCache, where, Band::exact(bytes), [&](Entry& entry) {
      Count kept = group.entries > Count(0) ? group.entries : seq;
      if (group.entries == Count(0) && group.tokensPerEntry > Count(1)) {
        kept = kept.ceilDiv(group.tokensPerEntry);
      }
      const bool rounded = group.entries == Count(0);
      if (rounded && group.limit > Count(0)) kept = min(kept, group.limit);
      const bool plain = !rounded || (group.block == Count(1) && group.extraBlocks == Count(0));
      entry.formula = plain ? "sequences * layers * token * kept"
                            : "sequences * layers * token * block * (ceil(kept / block) + extra)";
      entry.inputs.add("sequences", sequences);
      entry.inputs.add("layers", group.slots);
      entry.inputs.add("token", group.perToken);
      entry.inputs.add("kept", kept);
      if (!plain) {
        entry.inputs.add("block", group.block);
        entry.inputs.add("extra", group.extraBlocks);
      }
      entry.source = source;
      entry.note = group.note;
    });
  }
}

// Nothing where a sequence has no state.
template <typename Sink>
void addState(Bytes perSequence, Count sequences, Count copies, Where where,
              std::string_view source, Sink& sink) {
  if (perSequence == Bytes(0)) return;
  sink.add(Component::kRecurrentState, where, Band::exact(perSequence * sequences * copies),
           [&](Entry& entry) {
             entry.formula = "state * sequences * copies";
             entry.inputs.add("state", perSequence);
             entry.inputs.add("sequences", sequences);
             entry.inputs.add("copies", copies);
             entry.source = source;
             entry.note = "Convolution columns and recurrent state, whatever the length.";
           });
}

// What libraries make of a forward pass's end: logits of the last token of each sequence, in `e`
// bytes and in 32 bits to sample from.
template <typename Sink>
void addLastLogits(const StageShape& s, Count sequences, std::uint32_t e, std::string_view source,
                   Sink& sink) {
  const Bytes logits = sequences * s.vocab * (e + 4);
  sink.add(Component::kLogits, Where::kDevice, around(logits, 50, 200), [&](Entry& entry) {
    entry.formula = "sequences * V * (e + 4)";
    entry.inputs.add("sequences", sequences);
    entry.inputs.add("V", s.vocab);
    entry.inputs.add("e", Count(e));
    entry.source = source;
    entry.note = "Of the last token, and in 32 bits to sample from.";
  });
}

// The entry of one stage's weights, with its parts as inputs.
Entry weightsEntry(const WeightBytes& bytes, Where where, std::string_view note);
// Draft and vision parts, where the query includes them.
void addOptionalParts(const InferencePlan& plan, StagePlan& stage);
// Weights, with embedding and head where the stage has them; the head of a tied model is counted
// once where both lie on the stage.
WeightBytes stageWeights(const InferencePlan& plan, const StagePlan& stage);
// Weights of a stage that a server keeps whole on the device: its tensors, and cosine and sine
// tables of rotary positions. Call before addOptionalParts.
void addServedWeights(const InferencePlan& plan, StagePlan& stage, std::string_view tablesSource);
// The recurrent state of a sequence, over the layers [first, last).
Bytes stateOf(const InferencePlan& plan, std::size_t first, std::size_t last);
// How an engine keeps caches: in blocks of so many tokens; a layer's window `windows` times over
// (0: windows are kept whole) with `slack` tokens more.
struct CacheLayout {
  Count block = 1;
  Count windows = 1;
  Count slack = 0;
};
// Cache groups of [first, last) that keep what each layer sees, no more.
std::vector<CacheGroup> plainCaches(const InferencePlan& plan, std::size_t first, std::size_t last,
                                    const CacheLayout& layout);
// Bytes that a forward pass holds for each token it works on, on one device: the widest of
// feed-forward and attention, in numbers of `width` bytes.
Bytes forwardPerToken(const StageShape& shape, std::uint32_t width);
// And the workspaces of a fused expert layer: for each of a token's experts gate and up, or the
// hidden vector where that is wider, and their product.
Bytes expertsPerToken(const StageShape& shape, std::uint32_t width);

// Formats with fewer bits that are published for servers, and what libraries make while they load.
inline constexpr WeightFormat kServedFormats[] = {WeightFormat::kFp8, WeightFormat::kAwq4};
inline constexpr WeightFormat kLibraryFormats[] = {WeightFormat::kInt8, WeightFormat::kNf4};

}  // namespace memfit
