// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_sharding.h"

namespace memfit {

namespace {

constexpr Phases kBackwards = kInHead | kInBackward | kInEnd;
constexpr Phases kForwardBackward = kInLoss | kBackwards;

Term buffer(Phases phases, Span span, Bytes bytes, std::string_view formula, Inputs inputs,
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
void fsdp(const TrainingSetup& s, const TrainingState& state, Terms& terms) {
  constexpr std::string_view kSource =
      "pytorch FSDP units; intercepts of fms-acceleration FSDP runs, 2024";
  const Bytes root = state.rootBytes;
  const Bytes layer = state.layerBytes;
  addTerm(terms,
          buffer(kForwardBackward, Span::kShared, root, "root", {{"root", root.toDouble()}},
                 kSource, "The gathered root unit: embedding, head and what lies outside layers."));
  addTerm(terms,
          buffer(kInBackward, Span::kShared, layer * 2, "2 * layer", {{"layer", layer.toDouble()}},
                 kSource, "Gathered weights of the layer at work and of the next."));
  addTerm(terms, buffer(kInEnd, Span::kOwn, layer, "layer", {{"layer", layer.toDouble()}}, kSource,
                        "Gathered weights of the layer at work."));
  if (!s.adapters) {
    const Bytes gradient = state.layerTrained * s.computeBytes;
    addTerm(terms,
            buffer(kInEnd, Span::kOwn, gradient, "P * bytes",
                   {{"P", state.layerTrained.toDouble()}, {"bytes", s.computeBytes.toDouble()}},
                   kSource, "One layer's gradients before they are reduced."));
  }
}

// DeepSpeed's defaults (docs/_pages/config-json.md): buckets of 5e8 elements, at most 1e9 live
// parameters in stage 3.
void deepspeed(const TrainingSetup& s, const TrainingState& state, Terms& terms) {
  constexpr std::string_view kSource = "microsoft/DeepSpeed docs/_pages/config-json.md, 2025";
  constexpr std::uint64_t kBucket = 500000000;
  Count all, trained;
  for (const HeldShare& share : state.shares) {
    trained += share.withGradients();
    all += share.withGradients() + share.frozen.elements + share.packed.elements;
  }
  const Count bucket = min(trained, kBucket);
  if (s.spread.zero >= 1) {
    addTerm(terms, buffer(kBackwards, Span::kShared, bucket * 2, "2 * min(P, bucket)",
                          {{"P", trained.toDouble()}, {"bucket", kBucket}}, kSource,
                          "The bucket in which gradients are reduced."));
  }
  if (s.spread.zero == 1 || s.spread.zero == 2) {
    addTerm(terms, buffer(kInStep, Span::kOwn, bucket * 2, "2 * min(P, bucket)",
                          {{"P", trained.toDouble()}, {"bucket", kBucket}}, kSource,
                          "The bucket in which updated weights are gathered."));
  }
  if (s.spread.zero == 3) {
    const Count live = min(all, Count(2) * kBucket);
    addTerm(terms, buffer(kForwardBackward, Span::kShared, live * 2, "2 * min(P, live)",
                          {{"P", all.toDouble()}, {"live", 2.0 * kBucket}}, kSource,
                          "Gathered parameters: at most stage3_max_live_parameters."));
  }
}

}  // namespace

void addGathered(const TrainingSetup& s, const TrainingState& state, Terms& terms) {
  if (s.shards == Count(1)) return;
  if (s.fsdp) {
    fsdp(s, state, terms);
  } else if (s.habits->sharding == Sharding::kDeepspeed) {
    deepspeed(s, state, terms);
  } else if (s.spread.zero == 0 && !s.habits->gradientBuffer) {
    // DDP: buckets beside the gradients (gradient_as_bucket_view is off by default).
    Bytes gradients;
    for (const HeldShare& share : state.shares) {
      gradients += share.trained.elements * s.gradBytes + share.adapters.elements * s.adapterBytes;
    }
    addTerm(terms,
            buffer(kInEvery, Span::kPersistent, gradients, "gradients",
                   {{"gradients", gradients.toDouble()}}, "pytorch DistributedDataParallel, 2024",
                   "Buckets of DDP beside the gradients."));
  }
}

}  // namespace memfit
