// memfit - SPDX-License-Identifier: Apache-2.0
//
// Bytes a (token x vocabulary entry), where nothing else is said in 16-bit compute:
//
//   standard   2 + 4 + 4 + 4: the 16-bit logits, their 32-bit copy, log-softmax, its gradient
//              (apple/ml-cross-entropy README: 28,000 MB for 8192 x 256000)
//   compiled   8: one 32-bit tensor for the forward pass, its gradient (same README: 16,000 MB)
//   in-place   2 + 4 + 2: a fused kernel writes the gradient over the 32-bit logits
//              (fms-acceleration runs with its fused cross entropy)
//   chunked    as standard, for one chunk of tokens
//   fused      logits of one chunk in 16 and 32 bits, the gradient of the hidden state, and of the
//              head where it is trained (linkedin/Liger-Kernel ops/fused_linear_cross_entropy.py)
//   cut        no logits at all: gradients of hidden state and head (arXiv 2411.09009)
#include "memory/training_loss.h"

namespace memfit {

namespace {

// `standard` and `in-place` depend on who keeps the 16-bit logits.
Count standardBytes(const TrainingSetup& s) {
  if (s.computeBytes >= Count(4)) return 12;  // nothing to upcast: logits, log-softmax, gradient
  if (!s.habits->familyLoss) return s.habits->logitBytes * (s.plainIn32 ? 2 : 1);
  // Without an upcast of the model's own: logits, shifted copy, log-softmax and gradient in 16
  // bits; under autocast the last three in 32 bits, and accelerate returns the logits in 32 bits.
  if (s.family->noUpcast) return s.autocast ? 18 : 8;
  if (s.family->upcastReplaces) return 12;
  return s.habits->logitBytes;
}

Count inPlaceBytes(const TrainingSetup& s) {
  if (s.family->noUpcast && s.habits->familyLoss) return s.autocast ? 14 : 6;
  return 8;
}

}  // namespace

Count LossCost::liveTokens(Count tokens, Count hidden) const {
  switch (live) {
    case LiveTokens::kAll: return tokens;
    case LiveTokens::kChunk: return min(tokens, chunk);
    case LiveTokens::kParts: return tokens.ceilDiv(chunk);
    case LiveTokens::kByWidth: {
      const Count part = tokens.ceilDiv(vocab.ceilDiv(hidden));
      Count power = 1;
      while (power < part) power *= 2;
      return min(power, tokens);
    }
  }
  return tokens;
}

LossCost lossCost(const TrainingSetup& s) {
  LossCost cost;
  const Architecture& a = s.model->architecture;
  // Vocabulary-parallel head: the logits are cut with it.
  cost.vocab = a.vocab.ceilDiv(s.spread.tp);
  cost.source = s.habits->source;
  const Count hidden = a.hidden * s.computeBytes;
  switch (s.loss) {
    case Loss::kStandard:
    case Loss::kCount:
      cost.perLogit = standardBytes(s);
      cost.note = "Logits of every token: 16-bit and 32-bit copies, log-softmax, gradient.";
      return cost;
    case Loss::kCompiled:
      cost.perLogit = 8;
      cost.source = "apple/ml-cross-entropy README (torch.compile), 2024";
      return cost;
    case Loss::kInPlace:
      cost.perLogit = inPlaceBytes(s);
      cost.note = "A fused kernel writes the gradient over the 32-bit logits.";
      cost.source = "foundation-model-stack/fms-acceleration benchmark runs, 2024";
      return cost;
    case Loss::kChunked:
      cost.perLogit = standardBytes(s);
      if (s.habits->chunkTokens == Count(0)) {
        // torchtune's chunked loss gets all logits in 16 bits and upcasts a chunk at a time.
        cost.live = LiveTokens::kParts;
        cost.chunk = 8;
        cost.everyLogit = 2;
        if (s.kernels == Kernels::kCompiled) cost.perLogit = 8;
      } else {
        cost.live = LiveTokens::kChunk;
        cost.chunk = s.habits->chunkTokens;
      }
      cost.perToken = hidden;
      cost.headGradient = true;
      cost.note = "Logits of one chunk of tokens at a time, and the hidden state's gradient.";
      cost.source = "huggingface/trl pull request 5575, 2026; meta-pytorch/torchtune, 2025";
      return cost;
    case Loss::kFused:
      cost.perLogit = 6;
      cost.live = LiveTokens::kByWidth;
      cost.perToken = hidden;
      cost.headGradient = true;
      cost.note =
          "Logits of one chunk at a time, in 16 and 32 bits, and the hidden state's gradient.";
      cost.source =
          "linkedin/Liger-Kernel ops/fused_linear_cross_entropy.py and benchmark/data, 2024";
      return cost;
    case Loss::kCut:
      cost.perLogit = 0;
      cost.perToken = hidden;
      cost.headGradient = true;
      cost.source = "apple/ml-cross-entropy README (arXiv 2411.09009), 2024";
      return cost;
  }
  return cost;
}

}  // namespace memfit
