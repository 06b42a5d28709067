// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ask.h"
#include "memory/adapters.h"
#include "memory/estimate.h"
#include "memory/training_activations.h"
#include "memory/training_state.h"
#include "model/catalogue.h"
#include "query/query_io.h"

namespace memfit {
namespace {

constexpr double kGib = 1073741824.0;

double allocated(std::string_view text) {
  const Report report = reportFor(text);
  return report.training ? gib(report.training->allocated.expected) : 0;
}
double steady(std::string_view text) {
  const Report report = reportFor(text);
  return report.training ? gib(report.training->steady) : 0;
}

// --- whole runs: fms-acceleration scripts/benchmarks/refs, A100-80GB, rows of 4096 tokens, 2024

// fms-liger-*: Mistral-7B and Llama-3-8B, full fine-tuning in pure bf16: 10.00 bytes a weight at
// the step (2 + 2 + 4 + the foreach temporary's 2), 6.00 idle.
TEST(Training, FullBf16TakesTenBytesAWeight) {
  const std::string query =
      "task=full&recipe=bf16&seq=4096&batch=4&checkpointing=full&loss=fused&kernels=norms&step="
      "foreach";
  EXPECT_NEAR(allocated("model=mistralai/Mistral-7B-v0.1&" + query), 67.46, 0.05);
  EXPECT_NEAR(steady("model=mistralai/Mistral-7B-v0.1&" + query), 40.48, 0.05);
  EXPECT_NEAR(allocated("model=meta-llama/Meta-Llama-3-8B&" + query), 74.80, 0.05);
  EXPECT_NEAR(steady("model=meta-llama/Meta-Llama-3-8B&" + query), 44.89, 0.05);
  EXPECT_EQ(reportFor("model=mistralai/Mistral-7B-v0.1&" + query).phases.back().name, "step");
}

// Full sharding over 2 with the Trainer's mixed precision: 20.00 bytes a weight over 2, 16.0 idle.
TEST(Training, FsdpKeepsShardsIn32Bits) {
  const std::string query =
      "model=mistralai/Mistral-7B-v0.1&task=full&seq=4096&batch=4&kernels=norms&loss=fused&dp=2"
      "&zero=3&step=foreach";
  EXPECT_NEAR(allocated(query), 67.46, 0.1);
  EXPECT_NEAR(steady(query), 53.97, 0.1);
}

// QLoRA, nf4 double-quantized, rank 16 on q, k, v, o, dropout 0.1: idle 4.01 GiB, and a slope of
// 65 hidden tensors a row of the batch with the fused linear cross entropy: 32 checkpoints and 33
// of one layer (Mistral's flash attention repeats keys and values, Llama's does not: 31.5).
TEST(Training, QloraCountsOneLayersTensors) {
  const std::string query =
      "task=qlora&seq=4096&rank=16&targets=q,k,v,o&lora_dropout=0.1&kernels=norms&loss=fused";
  const std::string mistral = "model=mistralai/Mistral-7B-v0.1&" + query;
  EXPECT_NEAR(steady(mistral), 4.01, 0.02);
  EXPECT_NEAR(allocated(mistral + "&batch=8"), 20.27, 0.05);
  EXPECT_NEAR(allocated(mistral + "&batch=32"), 69.03, 0.1);
  const std::string llama = "model=meta-llama/Meta-Llama-3-8B&" + query;
  EXPECT_NEAR(allocated(llama + "&batch=8"), 21.36, 0.05);
  EXPECT_NEAR(allocated(llama + "&batch=32"), 69.00, 0.1);
  // With the fused cross entropy that writes over the logits, 8 bytes a token and entry, the loss
  // sets the peak: fms-liger Llama-3-8B, 25.39 and 45.29 GiB.
  const std::string inPlace =
      "model=meta-llama/Meta-Llama-3-8B&task=qlora&seq=4096&rank=16&targets=q,k,v,o"
      "&lora_dropout=0.1&kernels=norms&loss=in-place";
  EXPECT_NEAR(allocated(inPlace + "&batch=4"), 25.39, 0.1);
  EXPECT_NEAR(allocated(inPlace + "&batch=8"), 45.29, 0.1);
}

// The plain loss of Transformers: 14 bytes a token and entry. fms-base Mistral QLoRA: 15.25 and
// 26.46 GiB; with prepare_model_for_kbit_training's 32-bit residual stream 19.25 and 34.46.
TEST(Training, PlainLossAndTheUpcast) {
  const std::string query =
      "model=mistralai/Mistral-7B-v0.1&task=qlora&seq=4096&rank=16&targets=q,k,v,o"
      "&lora_dropout=0.1&kernels=plain";
  EXPECT_NEAR(allocated(query + "&batch=4"), 15.25, 0.1);
  EXPECT_NEAR(allocated(query + "&batch=8"), 26.46, 0.1);
  EXPECT_NEAR(allocated(query + "&batch=4&upcast=on"), 19.25, 0.6);
  EXPECT_NEAR(allocated(query + "&batch=8&upcast=on"), 34.46, 1.0);
}

// Full sharding over a frozen base holds every layer's gradient: 3.0 GiB a row instead of 2.06.
// fms-liger Mistral LoRA over 2 devices: 19.76 and 55.78 GiB.
TEST(Training, FsdpLoraHoldsGradientsToTheEnd) {
  const std::string query =
      "model=mistralai/Mistral-7B-v0.1&task=lora&seq=4096&rank=16&targets=q,k,v,o"
      "&lora_dropout=0.1&kernels=norms&loss=fused&dp=2&zero=3";
  EXPECT_NEAR(allocated(query + "&batch=4"), 19.76, 0.2);
  EXPECT_NEAR(allocated(query + "&batch=16"), 55.78, 0.3);
  const Report report = reportFor(query + "&batch=16");
  EXPECT_GT(report.ledger.total(Component::kCommunication).expected, Bytes(0));
}

// litgpt resource-tables.md, Llama-2-7B, LoRA r 8 on q and v, rows of 1304 tokens, no
// checkpointing: 19.84 and 27.07 GiB.
TEST(Training, LitgptWithoutCheckpointing) {
  const std::string query =
      "model=meta-llama/Llama-2-7b-hf&task=lora&trainer=litgpt&recipe=bf16&seq=1304&rank=8"
      "&targets=q,v&lora_dropout=0.05&checkpointing=none&attention=sdpa";
  EXPECT_NEAR(allocated(query + "&batch=1"), 19.84, 0.3);
  EXPECT_NEAR(allocated(query + "&batch=2"), 27.07, 0.3);
}

// SimuMax on Megatron-LM and B200, Llama-3-70B cut to 12 layers, tp 2, dp 4: 60.68 GiB.
TEST(Training, MegatronWithSequenceParallelism) {
  const std::string query =
      "model=simumax/llama3-70b-12layers&task=full&trainer=megatron&seq=4096&batch=1"
      "&accumulation=4&checkpointing=none&loss=in-place";
  EXPECT_NEAR(allocated(query + "&tp=2&dp=4&zero=1"), 60.68, 1.5);
  EXPECT_NEAR(allocated(query + "&tp=8&zero=1"), 28.29, 0.8);
  // Sequence parallelism cuts norms and residuals too.
  EXPECT_LT(allocated(query + "&tp=8&zero=1"),
            allocated(query + "&tp=8&zero=1&sequence_parallel=off"));
}

// --- adapters: numbers of trainable parameters that trainers print

Count adapterWeights(std::string_view text) {
  const Query query = ask(text);
  const auto model = catalogueModel(query.text(Key::kModel));
  EXPECT_TRUE(model.ok()) << text;
  if (!model) return 0;
  Notices notices;
  return adapterElements(trainingSetup(query, **model, notices));
}

TEST(Adapters, CountsEqualThePublishedOnes) {
  // Lightning-AI/litgpt tutorials/resource-tables.md.
  EXPECT_EQ(adapterWeights("task=lora&model=meta-llama/Llama-2-7b-hf&rank=8&targets=q,v").value(),
            4194304u);
  EXPECT_EQ(adapterWeights("task=lora&model=meta-llama/Llama-2-13b-hf&rank=8&targets=q,v").value(),
            6553600u);
  EXPECT_EQ(adapterWeights("task=lora&model=microsoft/phi-1_5&rank=8&targets=q,v").value(),
            1572864u);
  EXPECT_EQ(adapterWeights("task=lora&model=stabilityai/stablelm-base-alpha-3b&rank=8&targets=q,v")
                .value(),
            2097152u);
  // huggingface/peft method_comparison/MetaMathQA.
  EXPECT_EQ(adapterWeights("task=lora&model=llama-3.2-3b&rank=32&targets=q_proj,v_proj").value(),
            9175040u);
  EXPECT_EQ(adapterWeights("task=lora&model=llama-3.2-3b&rank=64&targets=q,v").value(), 18350080u);
  EXPECT_EQ(adapterWeights("task=lora&model=llama-3.2-3b&rank=10&targets=gate,up,down").value(),
            9461760u);
}

TEST(Adapters, DoraAddsAMagnitudeAnOutput) {
  // 28 layers of q 3072 and v 1024 outputs.
  EXPECT_EQ(adapterWeights("task=lora&model=llama-3.2-3b&rank=32&targets=q,v&dora=true").value(),
            9175040u + 28u * (3072u + 1024u));
}

TEST(Adapters, UnknownTargetIsANotice) {
  Query query = ask("task=lora&model=llama-3.2-3b");
  query.setText(Key::kTargets, "q,nonsense");
  const Result<Report> report = estimate(query);
  ASSERT_TRUE(report.ok());
  bool found = false;
  for (const Notice& notice : report->notices) {
    found = found || (notice.field == "targets" && notice.code == NoticeCode::kUnknownValue);
  }
  EXPECT_TRUE(found);
}

// modules_to_save: the frozen original, and a 32-bit copy with gradient and Adam state, 18 bytes.
TEST(Adapters, SavedModulesAreTrainedWhole) {
  const std::string query = "task=lora&model=meta-llama/Llama-2-7b-hf&seq=512&targets=q,v&rank=8";
  const double more =
      steady(query + "&save_modules=embed-head") - steady(query + "&save_modules=none");
  // Embedding and head, 32000 x 4096 each: 4 bytes and two moments of 4.
  EXPECT_NEAR(more, 2 * 32000.0 * 4096 * 12 / kGib, 0.01);
}

// --- optimizers

TEST(Optimizers, BytesOfAMatrix) {
  const auto bytes = [](Optimizer optimizer, Count rows, Count cols, bool embedding = false) {
    return optimizerBytes(optimizerRule(optimizer), rows, cols, 1, 4, true, embedding).value();
  };
  EXPECT_EQ(bytes(Optimizer::kAdamW, 1024, 1024), 8u * 1024 * 1024);
  EXPECT_EQ(bytes(Optimizer::kSgd, 1024, 1024), 0u);
  EXPECT_EQ(bytes(Optimizer::kMomentum, 1024, 1024), 4u * 1024 * 1024);
  EXPECT_EQ(bytes(Optimizer::kLion, 1024, 1024), 4u * 1024 * 1024);
  EXPECT_EQ(bytes(Optimizer::kMuon, 1024, 1024), 4u * 1024 * 1024);
  // bitsandbytes: two 8-bit values, and a 32-bit scale each 256 of them; 32-bit below 4096 elements
  // and, under Transformers' Trainer, for embeddings.
  EXPECT_EQ(bytes(Optimizer::kAdamW8bit, 1024, 1024), 2u * (1024 * 1024 + 4096 * 4));
  EXPECT_EQ(bytes(Optimizer::kAdamW8bit, 1, 4095), 8u * 4095);
  EXPECT_EQ(bytes(Optimizer::kAdamW8bit, 1024, 1024, true), 8u * 1024 * 1024);
  // Adafactor: a row and a column of sums; vectors whole.
  EXPECT_EQ(bytes(Optimizer::kAdafactor, 1000, 2000), 4u * 3000);
  EXPECT_EQ(bytes(Optimizer::kAdafactor, 1, 2000), 4u * 2000);
}

// --- one layer: stas00/ml-engineering training/performance/README.md, forward with autograd in
// bf16 over SDPA, in copies of the hidden state (b s h x 2 bytes)

double copies(std::string_view model) {
  Query query = ask("task=full&recipe=bf16&attention=sdpa&checkpointing=none");
  const auto found = catalogueModel(model);
  EXPECT_TRUE(found.ok()) << model;
  if (!found) return 0;
  Notices notices;
  const TrainingSetup setup = trainingSetup(query, **found, notices);
  const LayerActivations one = layerActivations(setup, (*found)->architecture.layer(0));
  return (one.kept() + one.output).toDouble() / (*found)->architecture.hidden.toDouble() / 2;
}

TEST(LayerActivations, CopiesOfTheHiddenStateAsMeasured) {
  EXPECT_NEAR(copies("llama-3.1-8b"), 28.0, 0.1);
  EXPECT_NEAR(copies("mistralai/Mistral-7B-Instruct-v0.3"), 28.0, 0.1);
  EXPECT_NEAR(copies("HuggingFaceTB/SmolLM2-360M"), 24.0, 0.8);
  EXPECT_NEAR(copies("qwen3-4b"), 38.0, 0.5);
  EXPECT_NEAR(copies("google/gemma-1.1-2b-it"), 48.0, 2.2);
}

// Korthikanti et al. 2022 and Megatron-LM issue 965: unfused attention keeps tensors of heads x s x
// s; flash attention none.
TEST(LayerActivations, EagerAttentionKeepsScores) {
  const auto found = catalogueModel("llama-3.1-8b");
  ASSERT_TRUE(found.ok());
  Notices notices;
  const auto scores = [&](std::string_view text) {
    const TrainingSetup setup = trainingSetup(ask(text), **found, notices);
    return layerActivations(setup, (*found)->architecture.layer(0)).scores.value();
  };
  EXPECT_EQ(scores("task=full&attention=eager"), 32u * 6);
  EXPECT_EQ(scores("task=full&attention=flash"), 0u);
  EXPECT_EQ(scores("task=full&attention=eager&tp=4"), 8u * 6);
}

// --- losses

Bytes logits(std::string_view text) {
  const Report report = reportFor(text);
  for (const Phase& phase : report.phases) {
    if (phase.name == "loss") return phase.ledger.total(Component::kLogits).expected;
  }
  return 0;
}

// apple/ml-cross-entropy README, 8192 tokens over Gemma 2's 256,000 entries: 28,000 MB plain,
// 16,000 MB compiled, none for cut cross entropy (MB = 2^20 there: one 32-bit tensor is 8,000).
TEST(Losses, BytesOfTheLogits) {
  const std::string query = "model=gemma-2-2b&task=full&seq=8192&batch=1";
  EXPECT_EQ(logits(query).value(), 28000ull * 1048576);
  EXPECT_EQ(logits(query + "&loss=compiled").value(), 16000ull * 1048576);
  EXPECT_EQ(logits(query + "&loss=in-place").value(), 16000ull * 1048576);
  EXPECT_EQ(logits(query + "&loss=cut").value(), 0u);
  // TRL's chunks of 256 tokens.
  EXPECT_EQ(logits(query + "&loss=chunked").value(), 14u * 256 * 256000);
  // Liger: chunks of next_pow2(8192 / ceil(256000 / 2304)) = 128 tokens.
  EXPECT_EQ(logits(query + "&loss=fused").value(), 6u * 128 * 256000);
}

// --- what holds for every query

constexpr std::string_view kQueries[] = {
    "task=full&model=llama-3.1-8b",
    "task=full&model=llama-3.1-8b&recipe=autocast&checkpointing=none&attention=eager&seq=2048",
    "task=full&model=qwen3-30b-a3b&trainer=megatron&tp=2&pp=2&ep=4&dp=8&zero=1&batch=2",
    "task=full&model=llama-3.1-8b&dp=8&zero=3&optimizer=adamw-8bit&loss=chunked",
    "task=full&model=llama-3.1-8b&trainer=deepspeed&dp=4&zero=2&offload=optimizer",
    "task=full&model=llama-3.1-8b&trainer=deepspeed&dp=4&zero=3&offload=all",
    "task=full&model=llama-3.1-8b&trainer=torchtune&optimizer=paged-adamw-8bit&step=backward",
    "task=full&model=llama-3.1-8b&cp=4&seq=100001&batch=3&loss=cut&checkpointing=selective",
    "task=full&model=gemma-2-2b&optimizer=adafactor&recipe=fp32&dp=2",
    "task=full&model=qwen2.5-7b&optimizer=muon&trainer=megatron",
    "task=lora&model=llama-3.1-8b&targets=all-linear&rank=64&dora=true&lora_dropout=0.05",
    "task=lora&model=deepseek-v3&trainer=torchtune&checkpointing=offloaded&dp=64&zero=3",
    "task=lora&model=falcon-mamba-7b",
    "task=qlora&model=llama-3.1-70b&upcast=on&save_modules=embed-head&device=80GB",
    "task=qlora&model=mixtral-8x7b&double_quant=off&quant_experts=on&loss=fused&kernels=fused",
    "task=qlora&model=gpt-oss-20b&trainer=unsloth&weights=gptq4&accumulation=8",
    "task=qlora&model=llama-3.2-3b&trainer=mlx&weights=int8&packing=off",
    "task=full&params=7&seq=2048",
};

TEST(Training, EveryFormulaGivesItsBytes) {
  for (const std::string_view text : kQueries) {
    const Report report = reportFor(text);
    std::vector<const Ledger*> ledgers = {&report.ledger};
    for (const Phase& phase : report.phases) ledgers.push_back(&phase.ledger);
    for (const Ledger* ledger : ledgers) {
      for (const Entry& entry : ledger->entries()) {
        const double value = evaluateFormula(entry.formula, entry.inputs.items());
        const double bytes = entry.bytes.expected.toDouble();
        EXPECT_NEAR(value, bytes, std::max(bytes * 0.001, 4096.0))
            << text << ": " << entry.formula << " (" << entry.note << ")";
        EXPECT_FALSE(entry.source.empty()) << text << ": " << entry.formula;
        EXPECT_LE(entry.bytes.low, entry.bytes.expected) << entry.formula;
        EXPECT_LE(entry.bytes.expected, entry.bytes.high) << entry.formula;
      }
    }
  }
}

TEST(Training, ThePeakIsTheLargestPhaseAndTheFiguresGrow) {
  for (const std::string_view text : kQueries) {
    const Report report = reportFor(text);
    ASSERT_TRUE(report.training) << text;
    const TrainingFigures& figures = *report.training;
    Bytes largest;
    for (const Phase& phase : report.phases) {
      largest = max(largest, phase.ledger.total(Where::kDevice).expected);
    }
    EXPECT_EQ(figures.allocated.expected.value(), largest.value()) << text;
    EXPECT_LE(figures.steady, figures.allocated.expected) << text;
    EXPECT_LE(figures.allocated.expected, figures.reserved.expected) << text;
    EXPECT_LE(figures.reserved.expected, figures.driver.expected) << text;
    EXPECT_EQ(figures.driver, report.perDevice) << text;
  }
}

TEST(Training, OffloadMovesStateToTheHost) {
  const std::string query = "task=full&model=llama-3.1-8b&trainer=deepspeed&dp=4&zero=2&seq=1024";
  const Report none = reportFor(query);
  const Report optimizer = reportFor(query + "&offload=optimizer");
  EXPECT_EQ(none.host.expected, Bytes(0));
  // 32-bit copy and two moments of 8.03e9 weights over 4.
  EXPECT_NEAR(gib(optimizer.host.expected), 8.030261248e9 * 12 / 4 / kGib, 0.01);
  EXPECT_LT(optimizer.perDevice.expected, none.perDevice.expected);
}

TEST(Training, ShardingNeverAddsState) {
  const std::string query = "task=full&model=llama-3.1-8b&trainer=deepspeed&seq=512&dp=8&zero=";
  double last = 1e9;
  for (const char stage : {'0', '1', '2', '3'}) {
    const double idle = steady(query + stage);
    EXPECT_LE(idle, last) << stage;
    last = idle;
  }
}

// A learned position table ends a row: gpt_bigcode-santacoder has 2048 positions.
TEST(Training, LearnedPositionsEndARow) {
  const std::string query = "model=bigcode/gpt_bigcode-santacoder&task=full&recipe=bf16&batch=4";
  EXPECT_EQ(allocated(query + "&seq=4096"), allocated(query + "&seq=2048"));
}

TEST(Training, DegenerateQueriesAreErrorsOrSmall) {
  EXPECT_GT(allocated("task=lora&model=llama-3.2-1b&seq=1&batch=1"), 2.0);
  const Result<Report> huge =
      estimate(ask("task=full&model=llama-3.1-8b&seq=100000000&batch=1000000"));
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.error().code, ErrorCode::kOverflow);
}

TEST(Training, PreparedEqualsTheReport) {
  for (const std::string_view text : kQueries) {
    Query query = ask(text);
    Notices notices;
    const Report first = reportFor(text);
    const PreparedTraining prepared(query, first.model);
    for (const std::int64_t seq : {1, 511, 4096, 65536}) {
      for (const std::int64_t batch : {1, 3, 64}) {
        query.set(Key::kSeq, seq);
        query.set(Key::kBatch, batch);
        const Result<Report> report = estimate(query);
        if (!report) continue;
        EXPECT_EQ(prepared.perDevice(batch, seq), report->perDevice) << text << " " << seq;
      }
    }
  }
}

// A model of 80 layers that all differ in width, 256 to 20,480, as Nemotron-NAS writes them.
std::string nasConfig(bool widestFirst) {
  std::string blocks;
  for (int i = 0; i < 80; ++i) {
    blocks += blocks.empty() ? "" : ",";
    blocks += R"({"attention":{"n_heads_in_group":4},"ffn":{"intermediate_size":)" +
              std::to_string((widestFirst ? 80 - i : i + 1) * 256) + "}}";
  }
  return R"({"model_type":"nemotron-nas","hidden_size":1024,"num_hidden_layers":80,)"
         R"("num_attention_heads":8,"vocab_size":1000,"block_configs":[)" +
         blocks + "]}";
}

Bytes gathered(const std::string& config) {
  Query query = ask("task=full&dp=2&zero=3&seq=128&batch=1");
  query.setText(Key::kConfig, config);
  const Result<Report> report = estimate(query);
  EXPECT_TRUE(report.ok()) << report.error().message;
  if (!report) return 0;
  for (const Phase& phase : report->phases) {
    if (phase.name == "backward") {
      return phase.ledger.total(Component::kCommunication).expected;
    }
  }
  return 0;
}

TEST(Training, GatheredWeightsDoNotDependOnTheOrderOfManyKindsOfLayer) {
  // The widest layer: q and o 2 x 1024 x 1024, k and v 2 x 256 x 1024, feed-forward 3 x 1024 x
  // 20,480, norms 2,048; of 2 bytes, twice. The root: 2 x 1000 x 1024 and a norm of 1,024.
  const Bytes widest = Bytes(65538048) * 2 * 2 + Bytes(2049024) * 2;
  EXPECT_EQ(gathered(nasConfig(true)), widest);
  EXPECT_EQ(gathered(nasConfig(false)), widest);
}

// The modelling code of a wrapper's language model is the wrapper's: its model_type ends in _text.
TEST(Training, HabitsOfAFamilyAreThoseOfItsTextModelToo) {
  for (const char* id : {"qwen3.5-122b-a10b", "gemma-4-26b-a4b", "llama-4-scout"}) {
    const auto model = catalogueModel(id);
    ASSERT_TRUE(model.ok()) << id;
    EXPECT_TRUE(familyHabits((*model)->architecture.family).stackedExperts) << id;
  }
}

}  // namespace
}  // namespace memfit
