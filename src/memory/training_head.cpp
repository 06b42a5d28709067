// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_head.h"

#include "memory/training_activations.h"

namespace memfit {

namespace {

void addFinalNorm(const TrainingSetup& s, const LossCost& loss, Terms& terms) {
  const Count norm = finalNormBytes(s);
  Term term;
  term.component = Component::kActivations;
  term.phases = kInLoss;
  term.span = Span::kOwn;
  term.perToken = norm + loss.perToken;
  term.formula = "ceil(b * s / cp) * (norm + gradient)";
  term.inputs = {{"norm", norm.toDouble()}, {"gradient", loss.perToken.toDouble()}};
  term.source = loss.source;
  term.note = "The last hidden state and its norm.";
  addTerm(terms, term);
}

// `bytes` for each entry of the vocabulary.
Term logits(const LossCost& loss, Count bytes, std::string_view note) {
  Term term;
  term.component = Component::kLogits;
  term.phases = kInLoss;
  term.span = Span::kOwn;
  term.perLive = loss.vocab * bytes;
  term.formula = "live * vocab * bytes";
  term.inputs = {{"vocab", loss.vocab.toDouble()}, {"bytes", bytes.toDouble()}};
  term.source = loss.source;
  term.note = note;
  return term;
}

// Back at the head: the logits' gradient in the compute type, and the weight gradient, which a
// trainer with a 32-bit buffer makes in 16 bits and widens before it adds it.
void addHeadBackward(const TrainingSetup& s, const LossCost& loss, const TrainingState& state,
                     Terms& terms) {
  Term gradient = logits(loss, s.computeBytes, "The gradient of the logits.");
  gradient.phases = kInHead;
  addTerm(terms, gradient);
  const Count bytes = s.habits->gradientBuffer ? Count(6) : s.fsdp ? Count(2) : s.gradBytes;
  addPerElement(terms,
                {.component = Component::kGradients,
                 .phases = kInHead,
                 .span = Span::kOwn,
                 .elements = state.headTrained,
                 .bytes = state.headTrained * bytes,
                 .source = "simumax runs of Llama-3 405B over 1 to 8 tensor-parallel devices, 2025",
                 .note = "The head's weight gradient as it is made."});
}

}  // namespace

void addHead(const TrainingSetup& s, const LossCost& loss, const TrainingState& state,
             Terms& terms) {
  const bool trained = state.headTrained > Count(0);
  addFinalNorm(s, loss, terms);
  addTerm(terms, logits(loss, loss.perLogit, loss.note));
  if (trained && !loss.headGradient) addHeadBackward(s, loss, state, terms);

  Term every = logits(loss, loss.everyLogit, "The 16-bit logits of all chunks.");
  every.perToken = every.perLive;
  every.perLive = 0;
  every.formula = "ceil(b * s / cp) * vocab * bytes";
  addTerm(terms, every);

  if (trained && loss.headGradient && s.step != StepKernel::kBackward && !s.gradientsStay) {
    addPerElement(terms, {.component = Component::kGradients,
                          .phases = kInLoss,
                          .span = Span::kShared,
                          .elements = state.headTrained,
                          .bytes = state.headTrained * 2,
                          .source = loss.source,
                          .note = "The head's gradient, made together with the loss."});
  }
}

}  // namespace memfit
