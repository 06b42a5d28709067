// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/differences.h"

#include "base/sort.h"

namespace memfit {

namespace {

// Where two methods part, and why. Read from the top, the first row that applies is the reason.
struct Reason {
  Method method;
  Component component;
  std::string_view text;
};
constexpr Reason kReasons[] = {
    {Method::kKarakuri, Component::kKvCache,
     "karakuri takes the hidden size for keys and values: right for multi-head attention, too much "
     "by the ratio of heads to KV heads where heads are grouped."},
    {Method::kKarakuri, Component::kOptimizer,
     "karakuri counts one moment of 2 bytes and no 32-bit optimizer state."},
    {Method::kKarakuri, Component::kActivations,
     "karakuri keeps two hidden vectors a layer and the logits, each with its gradient, and no "
     "checkpointing."},
    {Method::kKarakuri, Component::kLogits,
     "karakuri keeps the logits of every token of the sequence in 16 bits."},
    {Method::kKarakuri, Component::kWeights, "karakuri holds all weights in 16 bits."},
    {Method::kKarakuri, Component::kFramework, "karakuri leaves context and framework out."},
    {Method::kPerBillion, Component::kFramework,
     "per-billion puts activations and framework into one constant, whatever length and batch."},
    {Method::kPerBillion, Component::kActivations,
     "per-billion has no activations of its own: they are in its constant."},
    {Method::kPerBillion, Component::kLogits,
     "per-billion has no logits: they are in its constant."},
    {Method::kPerBillion, Component::kOptimizer,
     "per-billion counts two Adam moments of 4 bytes, whatever the optimizer."},
    {Method::kPerBillion, Component::kMasterWeights,
     "per-billion counts a 32-bit master copy only where the recipe says mixed."},
    {Method::kPerBillion, Component::kWeights,
     "per-billion counts bytes a parameter, with no look at what stays in 16 bits."},
    {Method::kPai, Component::kKvCache,
     "pai takes a tenth of the weights for the KV cache of 2,048 tokens, blind to layers, KV heads "
     "and windows."},
    {Method::kPai, Component::kActivations,
     "pai takes a tenth of the weights for the activations of 2,048 tokens, blind to hidden size, "
     "vocabulary and checkpointing."},
    {Method::kPai, Component::kLogits, "pai has no logits of its own."},
    {Method::kPai, Component::kOptimizer,
     "pai counts 4-byte optimizer values for 1 % of the parameters, or for all."},
    {Method::kPai, Component::kGradients,
     "pai counts 2-byte gradients for 1 % of the parameters, or for all."},
    {Method::kPai, Component::kWeights,
     "pai counts nominal bits a parameter, with no scales and nothing left in 16 bits."},
    {Method::kPai, Component::kMasterWeights,
     "pai counts no 32-bit copy of the weights; under the recipe mixed trainers keep one."},
    {Method::kPai, Component::kAdapters,
     "pai counts 1 % of the parameters as trained, with no weights of their own for adapters."},
    {Method::kPai, Component::kCommunication,
     "pai knows one device: nothing is gathered or reduced."},
    {Method::kPerBillion, Component::kGradients,
     "per-billion counts 2-byte gradients of all weights, alive at every moment."},
    {Method::kPerBillion, Component::kAdapters,
     "per-billion has adapters and their optimizer in its constant."},
    {Method::kPerBillion, Component::kCommunication,
     "per-billion knows one device: nothing is gathered or reduced."},
    {Method::kKarakuri, Component::kGradients,
     "karakuri counts 2-byte gradients of all weights, alive at every moment."},
    {Method::kKarakuri, Component::kMasterWeights,
     "karakuri counts no 32-bit copy of the weights; under the recipe mixed trainers keep one."},
    {Method::kPai, Component::kFramework,
     "pai counts 2 GB for context, input and framework, and no memory that the allocator keeps "
     "between the phases of a step."},
};
constexpr std::string_view kOtherReason = "The two count this component in different ways.";

std::string_view reasonOf(Method method, Method first, Component component) {
  for (const Method side : {method, first}) {
    for (const Reason& reason : kReasons) {
      if (reason.method == side && reason.component == component) return reason.text;
    }
  }
  return kOtherReason;
}

}  // namespace

void addDifferences(const Report& report, const Report& first, std::vector<Difference>& all) {
  std::vector<Difference> found;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Component::kCount); ++i) {
    const auto component = static_cast<Component>(i);
    const Bytes here = report.ledger.total(component).expected;
    const Bytes there = first.ledger.total(component).expected;
    if (here == there) continue;
    found.push_back(
        {report.method, component, here, there, reasonOf(report.method, first.method, component)});
  }
  sortStably(found.begin(), found.end(),
             [](const Difference& a, const Difference& b) { return a.apart() > b.apart(); });
  for (const Difference& difference : found) {
    const Bytes less = min(difference.here, difference.there);
    const bool twice = less > Bytes(0) && max(difference.here, difference.there) >= less * 2;
    if (&difference == &found.front() || twice) all.push_back(difference);
  }
}

}  // namespace memfit
