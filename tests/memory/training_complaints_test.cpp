// memfit - SPDX-License-Identifier: Apache-2.0
//
// What people reported of other training estimates, as questions to ours. Each comment names the
// report.
#include <gtest/gtest.h>

#include "ask.h"
#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {
namespace {

// github.com/RahulSChand/gpu_poor issue 5: Llama-2-7B, rows of 500 tokens; rank 4 on q against rank
// 32 on q, k, v differ by about 100 MB of about 20 GB.
TEST(TrainingComplaints, TheRankHardlyMatters) {
  const std::string query =
      "task=lora&model=llama-2-7b&seq=500&trainer=torchtune&recipe=bf16&checkpointing=none&"
      "targets=";
  const Report small = reportFor(query + "q&rank=4");
  const Report large = reportFor(query + "q,k,v&rank=32");
  const double apart = gib(large.training->allocated.expected - small.training->allocated.expected);
  EXPECT_GT(apart, 0.02);
  EXPECT_LT(apart, 0.4);
}

// github.com/Dao-AILab/flash-attention issue 899, furiousteabag/vram-calculator issue 1: with flash
// attention nothing grows with the square of the length.
TEST(TrainingComplaints, FlashAttentionIsLinearInTheLength) {
  const std::string query = "task=lora&model=llama-3.1-8b&loss=fused&checkpointing=none&attention=";
  const auto grown = [&](std::string_view kernel) {
    const auto at = [&](std::string_view seq) {
      return reportFor(query + std::string(kernel) + "&seq=" + std::string(seq))
          .training->allocated.expected.toDouble();
    };
    return (at("32768") - at("16384")) / (at("16384") - at("8192"));
  };
  EXPECT_NEAR(grown("flash"), 2.0, 0.05);
  EXPECT_GT(grown("eager"), 3.0);
}

// github.com/NVIDIA/Megatron-LM pull request 1345: 2 bytes of weight, the gradient's own, and 12
// over the data-parallel devices.
TEST(TrainingComplaints, DistributedOptimizerOfMegatron) {
  const Report report = reportFor("task=full&model=llama-3.1-8b&trainer=megatron&dp=8&zero=1");
  EXPECT_NEAR(report.training->steady.toDouble() / 8.030261248e9, 2 + 4 + 12.0 / 8, 0.01);
}

// github.com/deepspeedai/DeepSpeed issue 5304: gradients and optimizer state of the adapters alone.
TEST(TrainingComplaints, FrozenWeightsHaveNoOptimizerState) {
  const Report report =
      reportFor("task=lora&model=llama-3.1-8b&trainer=deepspeed&dp=4&zero=3&targets=q,v&rank=8");
  EXPECT_LT(report.ledger.total(Component::kOptimizer).high, kMiB * 100);
}

// github.com/NVIDIA-NeMo/labs-molt pull request 121: 8,192 tokens over 248k entries are 8 GiB of
// logits in 32 bits alone.
TEST(TrainingComplaints, LogitsOfALargeVocabulary) {
  const Report report = reportFor("task=lora&model=qwen3.5-27b&seq=8192&batch=1");
  Bytes logits;
  for (const Phase& phase : report.phases) {
    if (phase.name == "loss") logits = phase.ledger.total(Component::kLogits).expected;
  }
  EXPECT_GT(gib(logits), 7.5);
}

// github.com/unslothai/unsloth pull request 10815: a 4-bit LoRA of Llama-3.1-8B takes 9 GB with the
// defaults (2 rows of 2,048), not 21.
TEST(TrainingComplaints, UnslothDefaultsAreNotOverestimated) {
  const Report report =
      reportFor("task=qlora&model=llama-3.1-8b&trainer=unsloth&loss=cut&seq=2048&batch=2&rank=16");
  EXPECT_GT(report.perDevice.expected.toDouble(), 6e9);
  EXPECT_LT(report.perDevice.expected.toDouble(), 11e9);
}

// github.com/artidoro/qlora issue 33: a 65B QLoRA does not fit 48 GB with the default script.
TEST(TrainingComplaints, AQloraOf65BNeedsMoreThan48GB) {
  const Report report = reportFor("task=qlora&params=65&seq=2048&batch=1&rank=64");
  EXPECT_GT(report.perDevice.high.toDouble(), 48e9);
}

}  // namespace
}  // namespace memfit
