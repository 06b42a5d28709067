// memfit - SPDX-License-Identifier: Apache-2.0
//
// The table of optimizers.
#include "memory/training_state.h"

namespace memfit {

namespace {

constexpr std::string_view kTorch = "pytorch/pytorch torch/optim, 2025";
constexpr std::string_view kBnb =
    "bitsandbytes-foundation/bitsandbytes optim/optimizer.py (blocks of 256), 2025";

// optimizer, states, bytes each, blockwise8, factored, hiddenMatricesOnly, foreach, formula, source
constexpr OptimizerRule kRules[] = {
    {Optimizer::kAdamW, 2, 0, false, false, false, true, "two moments", kTorch},
    {Optimizer::kAdam, 2, 0, false, false, false, true, "two moments", kTorch},
    {Optimizer::kSgd, 0, 0, false, false, false, true, "no state", kTorch},
    {Optimizer::kMomentum, 1, 0, false, false, false, true, "one moment", kTorch},
    {Optimizer::kRmsprop, 1, 0, false, false, false, true, "one squared average", kTorch},
    {Optimizer::kAdamW8bit, 2, 1, true, false, false, false, "two moments of 8 bits", kBnb},
    {Optimizer::kPagedAdamW8bit, 2, 1, true, false, false, false,
     "two moments of 8 bits in managed memory, which counts while the card has room", kBnb},
    {Optimizer::kAdamWBf16, 2, 2, false, false, false, false, "two moments of 16 bits",
     "pytorch/torchtitan docs/bf16_optimizer_states.md, 2025"},
    {Optimizer::kAdafactor, 1, 4, false, true, false, false, "row and column sums, no first moment",
     "huggingface/transformers optimization.py Adafactor, 2025"},
    {Optimizer::kLion, 1, 0, false, false, false, false, "one moment", "arXiv 2302.06675"},
    {Optimizer::kLion8bit, 1, 1, true, false, false, false, "one moment of 8 bits", kBnb},
    {Optimizer::kMuon, 1, 0, false, false, true, false,
     "one moment for hidden matrices, two for the rest",
     "deepspeedai/DeepSpeed blogs/muon-optimizer, 2025"},
    {Optimizer::kPagedAdamW, 2, 4, false, false, false, false,
     "two moments of 32 bits in managed memory", kBnb},
};

constexpr bool inOrder() {
  std::size_t at = 0;
  for (const OptimizerRule& row : kRules) {
    if (static_cast<std::size_t>(row.optimizer) != at++) return false;
  }
  return at == static_cast<std::size_t>(Optimizer::kCount);
}
static_assert(inOrder(), "kRules is indexed by Optimizer");

constexpr std::uint64_t kBlock = 256;      // 8-bit values that share a 32-bit scale
constexpr std::uint64_t kSmallest = 4096;  // tensors below it keep 32-bit state

}  // namespace

const OptimizerRule& optimizerRule(Optimizer optimizer) {
  return kRules[static_cast<std::size_t>(optimizer)];
}

Bytes optimizerBytes(const OptimizerRule& rule, Count rows, Count cols, Count count,
                     Count stateWidth, bool hiddenMatrix, bool embeddingIn32) {
  const Count elements = rows * cols;
  if (rule.states == 0) return 0;
  if (rule.factored) {
    // 4 (rows + cols); vectors whole.
    return (rows > 1 && cols > 1 ? rows + cols : elements) * count * 4;
  }
  if (rule.blockwise8) {
    if (elements < kSmallest || embeddingIn32) return elements * count * rule.states * 4;
    return (elements + elements.ceilDiv(kBlock) * 4) * count * rule.states;
  }
  const Count each = rule.bytesEach != 0 ? Count(rule.bytesEach) : stateWidth;
  const Count states = rule.hiddenMatricesOnly && !hiddenMatrix ? Count(2) : Count(rule.states);
  return elements * count * states * each;
}

}  // namespace memfit
