// memfit - SPDX-License-Identifier: Apache-2.0
//
// The table of optimizers.
#include "memory/training_state.h"

namespace memfit {

namespace {

constexpr std::string_view kTorch = "pytorch/pytorch torch/optim, 2025";
constexpr std::string_view kBnb =
    "bitsandbytes-foundation/bitsandbytes optim/optimizer.py (blocks of 256), 2025";

constexpr OptimizerRule kRules[] = {
    {.optimizer = Optimizer::kAdamW,
     .states = 2,
     .foreach = true,
     .formula = "two moments",
     .source = kTorch},
    {.optimizer = Optimizer::kAdam,
     .states = 2,
     .foreach = true,
     .formula = "two moments",
     .source = kTorch},
    {.optimizer = Optimizer::kSgd,
     .states = 0,
     .foreach = true,
     .formula = "no state",
     .source = kTorch},
    {.optimizer = Optimizer::kMomentum,
     .states = 1,
     .foreach = true,
     .formula = "one moment",
     .source = kTorch},
    {.optimizer = Optimizer::kRmsprop,
     .states = 1,
     .foreach = true,
     .formula = "one squared average",
     .source = kTorch},
    {.optimizer = Optimizer::kAdamW8bit,
     .states = 2,
     .bytesEach = 1,
     .blockwise8 = true,
     .formula = "two moments of 8 bits",
     .source = kBnb},
    {.optimizer = Optimizer::kPagedAdamW8bit,
     .states = 2,
     .bytesEach = 1,
     .blockwise8 = true,
     .paged = true,
     .formula = "two moments of 8 bits in managed memory, which counts while the card has room",
     .source = kBnb},
    {.optimizer = Optimizer::kAdamWBf16,
     .states = 2,
     .bytesEach = 2,
     .formula = "two moments of 16 bits",
     .source = "pytorch/torchtitan docs/bf16_optimizer_states.md, 2025"},
    {.optimizer = Optimizer::kAdafactor,
     .states = 1,
     .bytesEach = 4,
     .factored = true,
     .formula = "row and column sums, no first moment",
     .source = "huggingface/transformers optimization.py Adafactor, 2025"},
    {.optimizer = Optimizer::kLion,
     .states = 1,
     .formula = "one moment",
     .source = "arXiv 2302.06675"},
    {.optimizer = Optimizer::kLion8bit,
     .states = 1,
     .bytesEach = 1,
     .blockwise8 = true,
     .formula = "one moment of 8 bits",
     .source = kBnb},
    {.optimizer = Optimizer::kMuon,
     .states = 1,
     .hiddenMatricesOnly = true,
     .formula = "one moment for hidden matrices, two for the rest",
     .source = "deepspeedai/DeepSpeed blogs/muon-optimizer, 2025"},
    {.optimizer = Optimizer::kPagedAdamW,
     .states = 2,
     .bytesEach = 4,
     .paged = true,
     .formula = "two moments of 32 bits in managed memory",
     .source = kBnb},
};

constexpr bool inOrder() {
  std::size_t at = 0;
  for (const OptimizerRule& row : kRules) {
    if (static_cast<std::size_t>(row.optimizer) != at++) return false;
  }
  return at == static_cast<std::size_t>(Optimizer::kCount);
}
static_assert(inOrder(), "kRules has one row an Optimizer, in the order of its words");

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
