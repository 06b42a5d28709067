// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_activation_terms.h"

#include "memory/training_activations.h"

namespace memfit {

namespace {

constexpr std::string_view kCounted =
    "tensors that autograd saves, counted by role; checked against fms-acceleration runs, 2024";
constexpr Phases kUpToBackward = kInLoss | kInHead | kInBackward;

// Bytes a token, and bytes a pair of tokens where attention is eager.
struct PerToken {
  Where where = Where::kDevice;
  Phases phases = kInEvery;
  Span span = Span::kPersistent;
  Count bytes;
  Count scores = 0;
  std::string_view source = kCounted;
  std::string_view note;
};

void addPerToken(Terms& terms, const PerToken& amount) {
  Term term;
  term.component = Component::kActivations;
  term.where = amount.where;
  term.phases = amount.phases;
  term.span = amount.span;
  term.perToken = amount.bytes;
  term.perScore = amount.scores;
  term.formula = amount.scores == Count(0)
                     ? "ceil(b * s / cp) * bytes"
                     : "ceil(b * s / cp) * bytes + ceil(b * s * s / cp) * scores";
  term.inputs.add("bytes", amount.bytes);
  if (amount.scores != Count(0)) term.inputs.add("scores", amount.scores);
  term.source = amount.source;
  term.note = amount.note;
  addTerm(terms, term);
}

// The layers of a stage, in bytes a token.
struct StageLayers {
  Count count;
  Count input;            // of one layer: a checkpoint
  Count kept, selective;  // of all, without checkpointing and with selective checkpointing
  Count scores;           // of all, bytes a pair of tokens
  LayerActivations heaviest;
};

StageLayers layersOf(const TrainingSetup& s, const StageRange& range) {
  const Architecture& a = s.model->architecture;
  StageLayers layers;
  layers.count = range.last - range.first;
  layers.input = (a.hidden * s.residualBytes).ceilDiv(s.sequenceParallel ? s.spread.tp : Count(1));
  // A plain norm's 32-bit copy stands for the output of the layer before it.
  const bool copied = s.kernels == Kernels::kPlain && s.habits->normIn32;
  std::vector<LayerActivations> byKind;
  byKind.reserve(a.kinds.size());
  for (const Layer& kind : a.kinds) byKind.push_back(layerActivations(s, kind));
  for (std::size_t i = range.first; i < range.last && i < a.layers.size(); ++i) {
    const LayerActivations& one = byKind[a.layers[i]];
    layers.kept += one.kept() + (copied ? Count(0) : one.output);
    layers.selective += one.selective + layers.input;
    layers.scores += one.scores;
    if (one.kept() + one.transient >= layers.heaviest.kept() + layers.heaviest.transient) {
      layers.heaviest = one;
    }
  }
  return layers;
}

bool keepsEverything(const TrainingSetup& s) {
  return s.checkpointing == Checkpointing::kNone ||
         (s.checkpointing == Checkpointing::kSelective && s.habits->selectiveKeepsLayers);
}

void addEverything(const StageLayers& layers, Count inFlight, Terms& terms) {
  addPerToken(terms, {.phases = kUpToBackward,
                      .span = Span::kShared,
                      .bytes = layers.kept * inFlight,
                      .scores = layers.scores * inFlight,
                      .note = "What all layers keep for the backward pass."});
  addPerToken(terms, {.phases = kInEnd,
                      .span = Span::kOwn,
                      .bytes = layers.heaviest.kept(),
                      .scores = layers.heaviest.scores,
                      .note = "What the first layer keeps."});
}

void addSelected(const StageLayers& layers, Count inFlight, Terms& terms) {
  addPerToken(terms,
              {.phases = kUpToBackward,
               .span = Span::kShared,
               .bytes = layers.selective * inFlight,
               .source = "pytorch/torchtitan selective activation checkpointing per op, 2024",
               .note = "Kept of each layer: its input and the outputs of half its products."});
}

void addOffloaded(const StageLayers& layers, Count inFlight, Terms& terms) {
  constexpr std::string_view kSource = "meta-pytorch/torchtune activation offloading, 2025";
  addPerToken(terms, {.phases = kUpToBackward | kInEnd,
                      .span = Span::kShared,
                      .bytes = layers.input * 2,
                      .source = kSource,
                      .note = "Layer inputs on their way to and from the host: two."});
  addPerToken(terms, {.where = Where::kHost,
                      .bytes = layers.input * layers.count * inFlight,
                      .source = kSource,
                      .note = "The inputs of all layers."});
}

void addInputs(const TrainingSetup& s, const StageLayers& layers, Count inFlight, Terms& terms) {
  addPerToken(terms, {.phases = kUpToBackward,
                      .span = Span::kShared,
                      .bytes = layers.input * layers.count * inFlight,
                      .note = "Gradient checkpointing: the input of every layer."});
  if (s.fsdp && s.adapters && s.habits->holdsGradients && layers.count > Count(1)) {
    // Hooks on the inputs of frozen units keep each layer's output gradient alive, and with it
    // the checkpoint: 62 hidden tensors for 32 layers at the end of the backward pass.
    addPerToken(terms, {.phases = kInEnd,
                        .span = Span::kOwn,
                        .bytes = layers.input * (layers.count - 1) * 2,
                        .source = "fms-acceleration FSDP runs, a100_80gb_liger.csv, 2024",
                        .note = "Full sharding of a frozen base keeps every layer's input and "
                                "gradient to the end of the backward pass."});
  } else {
    addPerToken(terms, {.phases = kInEnd,
                        .span = Span::kOwn,
                        .bytes = layers.input,
                        .note = "The input of the first layer."});
  }
}

void addRecomputed(const LayerActivations& layer, Terms& terms) {
  Term term;
  term.component = Component::kActivations;
  term.phases = kInBackward | kInEnd;
  term.span = Span::kShared;
  term.perToken = layer.kept() + layer.output;
  term.perScore = layer.scores;
  term.formula = term.perScore == Count(0)
                     ? "ceil(b * s / cp) * (norms + mixers + ffn + adapters + output)"
                     : "ceil(b * s / cp) * (norms + mixers + ffn + adapters + output) + ceil(b "
                       "* s * s / cp) * scores";
  term.inputs = {{"norms", layer.norms.toDouble()},
                 {"mixers", layer.mixers.toDouble()},
                 {"ffn", layer.feedForward.toDouble()},
                 {"adapters", layer.adapters.toDouble()},
                 {"output", layer.output.toDouble()}};
  if (term.perScore != Count(0)) term.inputs.add("scores", layer.scores);
  term.source = kCounted;
  term.note = "One layer's tensors, bytes a token by part: recomputed for its backward pass.";
  addTerm(terms, term);
}

void addMergedAdapter(const TrainingSetup& s, const TrainingState& state, Terms& terms) {
  addPerElement(terms,
                {.component = Component::kComputeBuffer,
                 .phases = in(TrainingPhase::kBackward) | kInEnd | kInLoss,
                 .span = Span::kOwn,
                 .elements = state.largestAdapted,
                 .bytes = state.largestAdapted * s.adapterBytes * 2,
                 .source = "huggingface/peft tuners/lora/dora.py, 2025",
                 .note = "DoRA: the largest matrix with its adapter merged, for its norm, and that "
                         "product."});
}

void addUnpacked(const LayerActivations& layer, const TrainingState& state, Terms& terms) {
  // While one matrix is unpacked only the gradient before and after it are there.
  addPerToken(terms, {.phases = in(TrainingPhase::kDequantize),
                      .span = Span::kOwn,
                      .bytes = layer.transient.ceilDiv(2),
                      .note = "Gradients before and after one matrix."});
  addPerElement(terms, {.component = Component::kComputeBuffer,
                        .phases = in(TrainingPhase::kDequantize),
                        .span = Span::kOwn,
                        .elements = state.largestLinear,
                        .bytes = state.largestLinear,
                        .source = "bitsandbytes autograd/_functions.py, 2025",
                        .note = "The largest quantized matrix of a layer, unpacked to 16 bits."});
}

void addAutocastCopies(const TrainingSetup& s, const TrainingState& state, Phases phases,
                       Terms& terms) {
  const Count trained = state.shares[0].trained.elements + state.shares[1].trained.elements;
  addPerElement(terms, {.phases = phases,
                        .span = Span::kOwn,
                        .elements = trained,
                        .bytes = trained * 2,
                        .cut = s.spread.zero < 3 ? Count(1) : state.shares[0].shards,
                        .source = "pytorch autocast weight cache, 2024",
                        .note = "16-bit copies of the weights under autocast."});
}

}  // namespace

void addActivations(const TrainingSetup& s, const TrainingState& state, const StageRange& range,
                    Count inFlight, Terms& terms) {
  const StageLayers layers = layersOf(s, range);
  const LayerActivations& heaviest = layers.heaviest;
  const bool everything = keepsEverything(s);
  if (everything) {
    addEverything(layers, inFlight, terms);
  } else if (s.checkpointing == Checkpointing::kSelective) {
    addSelected(layers, inFlight, terms);
  } else if (s.checkpointing == Checkpointing::kOffloaded) {
    addOffloaded(layers, inFlight, terms);
  } else {
    addInputs(s, layers, inFlight, terms);
  }
  if (!everything) addRecomputed(heaviest, terms);
  addPerToken(terms, {.phases = in(TrainingPhase::kBackward) | kInEnd,
                      .span = Span::kOwn,
                      .bytes = heaviest.transient + (everything ? heaviest.output : Count(0)),
                      .scores = heaviest.scoresTransient,
                      .note = "Gradients inside one layer, at its largest moment."});
  if (s.dora && s.adapters) addMergedAdapter(s, state, terms);
  if (s.quantized) addUnpacked(heaviest, state, terms);
  if (s.recipe == Recipe::kAutocast && !s.adapters) {
    addAutocastCopies(s, state, everything ? kUpToBackward : kInLoss, terms);
  }
}

}  // namespace memfit
