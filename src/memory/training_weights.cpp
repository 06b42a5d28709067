// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_weights.h"

namespace memfit {

namespace {

// What ZeRO leaves of a share from stage `from` on is one part in so many.
Count cutFrom(int from, const TrainingSetup& s, const HeldShare& share) {
  return s.spread.zero < from ? Count(1) : share.shards;
}

// Adapters in 32 bits do not fit the flat parameter of a quantized base: FSDP leaves them whole
// on every device (seen in fms-acceleration's idle figures over 2 and 4 devices).
Count adapterCutFrom(int from, const TrainingSetup& s, const HeldShare& share) {
  const bool whole = s.fsdp && s.quantized && s.adapterBytes == Count(4) && s.habits->shardsIn32;
  return whole ? Count(1) : cutFrom(from, s, share);
}

// Of what has gradients: adapters, or weights trained whole.
Count trainedCutFrom(int from, const TrainingSetup& s, const HeldShare& share) {
  return s.adapters ? adapterCutFrom(from, s, share) : cutFrom(from, s, share);
}

Where homeOfParameters(const TrainingSetup& s) {
  return s.offload == Offload::kAll ? Where::kHost : Where::kDevice;
}

void addWeightsOf(const HeldShare& share, const TrainingSetup& s, Terms& terms) {
  const Where where = homeOfParameters(s);
  const Count cut = cutFrom(3, s, share);
  constexpr std::string_view kShapes = "the model's tensor shapes";
  addPerElement(terms, {.where = where,
                        .steady = true,
                        .elements = share.trained.elements,
                        .bytes = share.trained.bytes,
                        .cut = cut,
                        .source = kShapes,
                        .note = share.experts ? "Trained expert weights." : "Trained weights."});
  addPerElement(
      terms, {.where = where,
              .steady = true,
              .elements = share.frozen.elements,
              .bytes = share.frozen.bytes,
              .cut = cut,
              .source = kShapes,
              .note = s.upcast ? "Frozen and not quantized: embeddings, head and norms, in 32 bits "
                                 "(prepare_model_for_kbit_training)."
                               : "Frozen weights that are not quantized."});
  addPerElement(terms, {.where = where,
                        .steady = true,
                        .elements = share.packed.elements,
                        .bytes = share.packed.bytes,
                        .cut = cut,
                        .source = "block formats: bitsandbytes functional.py, AutoGPTQ; 2025",
                        .note = "Frozen weights in their quantized format, scales included."});
  addPerElement(terms, {.component = Component::kAdapters,
                        .where = where,
                        .steady = true,
                        .elements = share.adapters.elements,
                        .bytes = share.adapters.bytes,
                        .cut = adapterCutFrom(3, s, share),
                        .source = s.habits->source,
                        .note = "Low-rank adapters: r (in + out) for each matrix."});
}

void addBlasWorkspaces(Terms& terms) {
  Term blas;
  blas.component = Component::kFramework;
  blas.phases = kInEvery;
  blas.steady = true;
  blas.fixed = kMiB * 65 / 4;
  blas.formula = "2 * 8.125 * MiB";
  blas.inputs = {{"MiB", 1048576.0}};
  blas.source = "pytorch CUBLAS_WORKSPACE_CONFIG :4096:2:16:8 on Ampere, 2024";
  blas.note = "Workspaces of cuBLAS, in the allocator.";
  addTerm(terms, blas);
}

// The optimizer's step runs inside the backward pass.
void addOneGradient(const TrainingSetup& s, const TrainingState& state, Terms& terms) {
  addPerElement(terms,
                {.component = Component::kGradients,
                 .phases = kInBackward | kInEnd,
                 .span = Span::kShared,
                 .elements = state.largestTrained,
                 .bytes = state.largestTrained * s.gradBytes,
                 .source = "pytorch tutorial on optimizer step in backward, 2024",
                 .note = "Each gradient is used and freed at once: the largest tensor's at most."});
}

}  // namespace

void addWeights(const TrainingSetup& s, const TrainingState& state, Terms& terms) {
  for (const HeldShare& share : state.shares) addWeightsOf(share, s, terms);
  addPerElement(
      terms, {.where = homeOfParameters(s),
              .steady = true,
              .elements = state.copies,
              .bytes = state.copies,
              .cut = cutFrom(3, s, state.shares[0]),
              .source = "huggingface/peft utils/other.py (ModulesToSaveWrapper), 2025",
              .note = "The frozen originals of modules_to_save stay beside the trained copies."});
  if (s.habits->cuda) addBlasWorkspaces(terms);
}

void addOptimizerState(const TrainingSetup& s, const TrainingState& state, Terms& terms) {
  const Where where = s.offload == Offload::kNone ? Where::kDevice : Where::kHost;
  const OptimizerRule& rule = optimizerRule(s.optimizer);
  for (const HeldShare& share : state.shares) {
    addPerElement(
        terms,
        {.component = Component::kMasterWeights,
         .where = where,
         .steady = true,
         .elements = share.trained.elements,
         .bytes = share.trained.elements * s.masterBytes,
         .cut = cutFrom(1, s, share),
         .source = s.habits->source,
         .note =
             s.weightBytes == Count(0)
                 ? "FSDP with mixed precision: 32-bit shards; 16-bit weights only while gathered."
                 : "32-bit copy of the trained weights."});
    if (rule.paged) continue;  // see managedState
    addPerElement(terms, {.component = Component::kOptimizer,
                          .where = where,
                          .steady = true,
                          .elements = share.withGradients(),
                          .bytes = share.optimizer,
                          .cut = trainedCutFrom(1, s, share),
                          .source = rule.source,
                          .note = rule.formula});
  }
}

void addGradients(const TrainingSetup& s, const TrainingState& state, Terms& terms) {
  if (s.step == StepKernel::kBackward) {
    addOneGradient(s, state, terms);
    return;
  }
  const Where where = homeOfParameters(s);
  const bool stay = s.gradientsStay;
  const Count each = s.adapters ? s.adapterBytes : s.gradBytes;
  for (const HeldShare& share : state.shares) {
    addPerElement(
        terms,
        {.component = Component::kGradients,
         .where = where,
         .phases = stay || where == Where::kHost ? kInEvery : Phases(kInEnd | kInStep),
         .span = stay ? Span::kPersistent : Span::kShared,
         .steady = stay || s.fsdp,  // full sharding keeps its gradient shards after the step
         .elements = share.withGradients(),
         .bytes = share.trained.elements * each + share.adapters.elements * s.adapterBytes,
         .cut = trainedCutFrom(2, s, share),
         .source = s.habits->source,
         .note = stay ? "Gradients live in a buffer through the whole step." : "All gradients."});
  }
  if (stay || where == Where::kHost) return;
  const Count first = state.headTrained + state.layerTrained;
  addPerElement(terms, {.component = Component::kGradients,
                        .phases = kInBackward,
                        .span = Span::kOwn,
                        .elements = first,
                        .bytes = first * (s.fsdp ? Count(2) : each),
                        .cut = cutFrom(2, s, state.shares[0]),
                        .source = s.habits->source,
                        .note = "Gradients so far: the head's and the last layer's."});
}

void addStepTemporary(const TrainingSetup& s, const TrainingState& state, Terms& terms) {
  if (s.offload != Offload::kNone || s.step != StepKernel::kForeach) return;
  if (!optimizerRule(s.optimizer).foreach) return;
  const Count wide = s.masterBytes > Count(0) ? s.masterBytes : s.weightBytes;
  for (const HeldShare& share : state.shares) {
    addPerElement(
        terms,
        {.component = Component::kOptimizer,
         .phases = kInStep,
         .span = Span::kOwn,
         .elements = share.withGradients(),
         .bytes = share.trained.elements * wide + share.adapters.elements * s.adapterBytes,
         .cut = trainedCutFrom(1, s, share),
         .source =
             "pytorch torch.optim foreach step; 10.00 bytes a weight in fms-acceleration, 2024",
         .note = "Temporary of the foreach step, as large as the weights."});
  }
}

Bytes managedState(const TrainingSetup& s, const TrainingState& state) {
  if (!optimizerRule(s.optimizer).paged || s.offload != Offload::kNone) return 0;
  Bytes managed;
  for (const HeldShare& share : state.shares) {
    managed += share.optimizer.ceilDiv(trainedCutFrom(1, s, share));
  }
  return managed;
}

}  // namespace memfit
