// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_sharding.h"

namespace memfit {

namespace {

constexpr std::uint8_t bit(TrainingPhase phase) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(phase));
}
constexpr std::uint8_t kForwardBackward =
    bit(TrainingPhase::kLoss) | bit(TrainingPhase::kHead) | bit(TrainingPhase::kBackward) |
    bit(TrainingPhase::kDequantize) | bit(TrainingPhase::kBackwardEnd);
constexpr std::uint8_t kBackwards = kForwardBackward & ~bit(TrainingPhase::kLoss);

Term buffer(std::uint8_t phases, Span span, Bytes bytes, std::string_view formula, Inputs inputs,
            std::string_view source, std::string_view note) {
  Term term;
  term.component = Component::kCommunication;
  term.phases = phases;
  term.span = span;
  term.fixed = bytes;
  term.formula = formula;
  term.inputs = inputs;
  term.source = source;
  term.note = note;
  return term;
}

// FSDP: the root unit (embedding, head, last norm) stays gathered from the forward pass to the end
// of the backward pass; of the layers the one at work and, in the backward pass, the next.
void fsdp(const TrainingSetup& s, const TrainingState& state, std::vector<Term>& terms) {
  constexpr std::string_view kSource =
      "pytorch FSDP units; intercepts of fms-acceleration FSDP runs, 2024";
  const Bytes root = state.rootBytes;
  const Bytes layer = state.layerBytes;
  terms.push_back(buffer(kForwardBackward, Span::kShared, root, "root", {{"root", root.toDouble()}},
                         kSource,
                         "The gathered root unit: embedding, head and what lies outside layers."));
  terms.push_back(buffer(bit(TrainingPhase::kBackward) | bit(TrainingPhase::kDequantize),
                         Span::kShared, layer * 2, "2 * layer", {{"layer", layer.toDouble()}},
                         kSource, "Gathered weights of the layer at work and of the next."));
  terms.push_back(buffer(bit(TrainingPhase::kBackwardEnd), Span::kOwn, layer, "layer",
                         {{"layer", layer.toDouble()}}, kSource,
                         "Gathered weights of the layer at work."));
  if (!s.adapters) {
    const Bytes gradient = state.layerTrained * s.computeBytes;
    terms.push_back(
        buffer(bit(TrainingPhase::kBackwardEnd), Span::kOwn, gradient, "P * bytes",
               {{"P", state.layerTrained.toDouble()}, {"bytes", s.computeBytes.toDouble()}},
               kSource, "One layer's gradients before they are reduced."));
  }
}

// DeepSpeed's defaults (docs/_pages/config-json.md): buckets of 5e8 elements, at most 1e9 live
// parameters in stage 3.
void deepspeed(const TrainingSetup& s, const TrainingState& state, std::vector<Term>& terms) {
  constexpr std::string_view kSource = "microsoft/DeepSpeed docs/_pages/config-json.md, 2025";
  constexpr std::uint64_t kBucket = 500000000;
  Count all, trained;
  for (std::size_t i = 0; i < 2; ++i) {
    trained += state.trained[i].elements + state.adapters[i].elements;
    all += state.trained[i].elements + state.frozen[i].elements + state.packed[i].elements +
           state.adapters[i].elements;
  }
  const Count bucket = min(trained, kBucket);
  if (s.spread.zero >= 1) {
    terms.push_back(buffer(kBackwards, Span::kShared, bucket * 2, "2 * min(P, bucket)",
                           {{"P", trained.toDouble()}, {"bucket", kBucket}}, kSource,
                           "The bucket in which gradients are reduced."));
  }
  if (s.spread.zero == 1 || s.spread.zero == 2) {
    terms.push_back(buffer(bit(TrainingPhase::kStep), Span::kOwn, bucket * 2, "2 * min(P, bucket)",
                           {{"P", trained.toDouble()}, {"bucket", kBucket}}, kSource,
                           "The bucket in which updated weights are gathered."));
  }
  if (s.spread.zero == 3) {
    const Count live = min(all, Count(2) * kBucket);
    terms.push_back(buffer(kForwardBackward, Span::kShared, live * 2, "2 * min(P, live)",
                           {{"P", all.toDouble()}, {"live", 2.0 * kBucket}}, kSource,
                           "Gathered parameters: at most stage3_max_live_parameters."));
  }
}

}  // namespace

std::vector<Term> gatherTerms(const TrainingSetup& s, const TrainingState& state) {
  std::vector<Term> terms;
  if (s.shards == Count(1)) return terms;
  if (s.fsdp) {
    fsdp(s, state, terms);
  } else if (s.habits->sharding == Sharding::kDeepspeed) {
    deepspeed(s, state, terms);
  } else if (s.spread.zero == 0 && !s.habits->gradientBuffer) {
    // DDP: buckets beside the gradients (gradient_as_bucket_view is off by default).
    Bytes gradients;
    for (std::size_t i = 0; i < 2; ++i) {
      gradients +=
          state.trained[i].elements * s.gradBytes + state.adapters[i].elements * s.adapterBytes;
    }
    terms.push_back(buffer((1u << kPhases) - 1, Span::kPersistent, gradients, "gradients",
                           {{"gradients", gradients.toDouble()}},
                           "pytorch DistributedDataParallel, 2024",
                           "Buckets of DDP beside the gradients."));
  }
  return terms;
}

}  // namespace memfit
