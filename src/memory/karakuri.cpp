// memfit - SPDX-License-Identifier: Apache-2.0
//
// The method `karakuri`: count the layers.
//
// Source: "KARAKURI LM, #3: GPU use in LLM training" (about karakuri-lm-70b-v0.1, a Llama 2 70B
// with a vocabulary of 45,416), read 2026-11-29.
//
// P = all parameters from the shapes, b = sequences, s = tokens a sequence, 16-bit values:
//
//   weights    2 P
//   logits     2 b s vocab
//   KV cache   2 x 2 layers b s hidden: the hidden size for keys and for values
//   training   3 x 2 P (weight, gradient and one moment, 2 bytes each)
//              + 2 x 2 I b s, I = vocab + 2 hidden layers: each intermediate value and its gradient
//
// The hidden size is right for multi-head attention and too much for grouped attention, by heads
// over KV heads. Gradient and moment at 2 bytes leave 32-bit optimizer state out.
#include "memory/methods.h"

namespace memfit {

namespace {
constexpr std::string_view kSource =
    "\"KARAKURI LM, #3: GPU use in LLM training\", read 2026-11-29";
}  // namespace

Status runKarakuri(Report& report) {
  const Query& query = report.query;
  const Count p = report.parameters;
  const Count b = query.count(Key::kBatch);
  const Count s = query.count(Key::kSeq);
  const Count vocab = report.model->architecture.vocab;
  const Count hidden = report.model->architecture.hidden;
  const Count layers = report.model->architecture.layerCount();

  Ledger& ledger = report.ledger;
  const auto twoBytesEach = [&](Component component, std::string_view note) {
    ledger.add({.component = component,
                .bytes = Band::exact(p * 2),
                .formula = "2 * P",
                .inputs = {{"P", p.toDouble()}},
                .source = kSource,
                .note = note});
  };
  twoBytesEach(Component::kWeights, {});

  if (query.task() == Task::kInference) {
    ledger.add({.component = Component::kLogits,
                .bytes = Band::exact(b * s * vocab * 2),
                .formula = "2 * b * s * vocab",
                .inputs = {{"b", b.toDouble()}, {"s", s.toDouble()}, {"vocab", vocab.toDouble()}},
                .source = kSource});
    const Count bytesPerToken = layers * 2 * hidden * 2;
    ledger.add({.component = Component::kKvCache,
                .bytes = Band::exact(bytesPerToken * b * s),
                .formula = "2 * 2 * layers * hidden * b * s",
                .inputs = {{"layers", layers.toDouble()},
                           {"hidden", hidden.toDouble()},
                           {"b", b.toDouble()},
                           {"s", s.toDouble()}},
                .source = kSource,
                .note = "The rule takes the hidden size for keys and values."});
    report.kv = {bytesPerToken, bytesPerToken * s};
  } else {
    twoBytesEach(Component::kGradients, {});
    twoBytesEach(Component::kOptimizer, "One moment in 16 bits; no 32-bit state.");
    const Count intermediate = vocab + hidden * layers * 2;
    ledger.add({.component = Component::kActivations,
                .bytes = Band::exact(intermediate * b * s * 4),
                .formula = "2 * 2 * (vocab + 2 * hidden * layers) * b * s",
                .inputs = {{"vocab", vocab.toDouble()},
                           {"hidden", hidden.toDouble()},
                           {"layers", layers.toDouble()},
                           {"b", b.toDouble()},
                           {"s", s.toDouble()}},
                .source = kSource,
                .note = "Intermediate values, the logits among them, and their gradients."});
  }
  return Done{};
}

}  // namespace memfit
