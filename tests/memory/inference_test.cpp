// memfit - SPDX-License-Identifier: Apache-2.0
//
// The method architecture for inference: every formula against its amount, and amounts that public
// logs print or that follow from a model's layers (sources beside each).
#include "memory/inference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ask.h"
#include "base/text.h"
#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {
namespace {

double mib(const Report& report, Component component, Where where = Where::kDevice) {
  return mib(report.ledger.total(component, where).expected);
}

// --- every entry's formula gives its bytes

void expectFormulas(const std::string& url) {
  const Report report = reportFor(url, kGiB * 80);
  EXPECT_EQ(report.method, Method::kArchitecture) << url;
  EXPECT_FALSE(report.ledger.entries().empty()) << url;
  for (const Entry& entry : report.ledger.entries()) {
    const double expected = entry.bytes.expected.toDouble();
    const double value = evaluateFormula(entry.formula, entry.inputs.items());
    EXPECT_NEAR(value, expected, std::max(expected * 1e-3, 8.0))
        << url << ": " << componentName(entry.component) << " = " << entry.formula;
    EXPECT_LE(entry.bytes.low, entry.bytes.expected) << url << ": " << entry.formula;
    EXPECT_LE(entry.bytes.expected, entry.bytes.high) << url << ": " << entry.formula;
    EXPECT_FALSE(entry.source.empty()) << url << ": " << entry.formula;
  }
}

TEST(Inference, EveryFormulaGivesItsBytes) {
  for (const char* model :
       {"llama-3.1-8b", "gemma-3-27b", "gemma-2-9b", "qwen3-30b-a3b", "deepseek-v3", "gpt-oss-20b",
        "qwen3.6-27b", "falcon-h1-1.5b", "mamba-1.4b", "deepseek-v4-flash", "llama-4-scout",
        "kimi-linear-48b-a3b", "bge-small-en-v1.5", "gemma-4-e4b", "rwkv-6-world-7b"}) {
    for (const char* engine : {"transformers", "vllm", "sglang", "llama.cpp", "mlx"}) {
      for (const char* rest :
           {"", "&weights=q4_k_m&seq=10000&concurrency=3", "&weights=nvfp4&kv=fp8&count=2",
            "&weights=awq4&batch=2&attention=eager&draft=include&vision=include",
            "&weights=stored&seq=131072&kv=q8_0&count=4"}) {
        expectFormulas(cat("model=", model, "&engine=", engine, rest));
      }
    }
  }
  for (const char* rest :
       {"&gpu_layers=10", "&gpu_layers=0&kv=q8_0", "&cpu_moe=20", "&ubatch=2048&attention=eager",
        "&pp=3&gpu_layers=20", "&weights=iq2_xxs", "&weights=mxfp4_moe&cpu_moe=48"}) {
    expectFormulas(cat("model=qwen3-30b-a3b&engine=llama.cpp", rest));
  }
  for (const char* rest : {"&tp=2&pp=3", "&tp=4&ep=4", "&tp=2&dp=4&ep=8", "&utilization=0.5",
                           "&batched_tokens=1024&max_seqs=16&graphs=off"}) {
    expectFormulas(cat("model=deepseek-v2-lite&engine=vllm", rest));
    expectFormulas(cat("model=deepseek-v2-lite&engine=sglang", rest));
  }
}

// --- weights of GGUF files

// Logs print the file's size in MiB: shared/facts/gguf_facts.md section 2.4 and the rows of
// truth/llamacpp.jsonl named beside each.
TEST(GgufWeights, AreTheSizesThatLogsPrint) {
  const auto device = [](const char* url) {
    return mib(reportFor(cat("engine=llama.cpp&", url)), Component::kWeights);
  };
  const auto host = [](const char* url) {
    return mib(reportFor(cat("engine=llama.cpp&", url)), Component::kWeights, Where::kHost);
  };
  // phi3-mini-4k-q4km-cuda: CUDA0 2228.82, CPU_Mapped 52.84.
  EXPECT_NEAR(device("model=phi-3-mini&weights=q4_k_m"), 2228.82, 0.01);
  EXPECT_NEAR(host("model=phi-3-mini&weights=q4_k_m"), 52.84, 0.01);
  // granite-3.0-8b-q4km-sycl, tied: SYCL0 4712.21, CPU_Mapped 157.51.
  EXPECT_NEAR(device("model=ibm-granite/granite-3.0-8b-instruct&weights=q4_k_m"), 4712.21, 0.01);
  EXPECT_NEAR(host("model=ibm-granite/granite-3.0-8b-instruct&weights=q4_k_m"), 157.51, 0.01);
  // gemma3-1b-q4km-cuda-jetson: 762.49 in all, the table of 306.00 twice; rows of 1152 are no
  // multiple of 256, so Q4_K falls back to Q5_0 and Q6_K to Q8_0.
  EXPECT_NEAR(device("model=gemma-3-1b&weights=q4_k_m"), 762.49, 0.01);
  EXPECT_NEAR(host("model=gemma-3-1b&weights=q4_k_m"), 306.00, 0.01);
  // openhermes-mistral-7b-q4km-cpu: 4165.38 in all.
  EXPECT_NEAR(device("model=teknium/OpenHermes-2.5-Mistral-7B&weights=q4_k_m") +
                  host("model=teknium/OpenHermes-2.5-Mistral-7B&weights=q4_k_m"),
              4165.38, 0.01);
  // llama-bench: Llama-2-7B Q4_0 3.56 GiB, Q8_0 6.67 GiB, F16 12.55 GiB.
  const auto all = [&](const char* url) { return (device(url) + host(url)) / 1024; };
  EXPECT_NEAR(all("model=llama-2-7b&weights=q4_0"), 3.56, 0.005);
  EXPECT_NEAR(all("model=llama-2-7b&weights=q8_0"), 6.67, 0.005);
  EXPECT_NEAR(all("model=llama-2-7b&weights=fp16"), 12.55, 0.005);
  // llama.cpp's quantize README of 2025-02: bits a weight of Llama-2-7B, with 6,738,415,616
  // weights.
  const auto bits = [&](const char* type) {
    return all(cat("model=llama-2-7b&weights=", type).c_str()) * 1073741824.0 * 8 / 6738415616.0;
  };
  EXPECT_NEAR(bits("q2_k"), 3.01, 0.005);
  EXPECT_NEAR(bits("q3_k_s"), 3.50, 0.005);
  EXPECT_NEAR(bits("q3_k_m"), 3.91, 0.005);
  EXPECT_NEAR(bits("q3_k_l"), 4.27, 0.005);
  EXPECT_NEAR(bits("q4_k_s"), 4.58, 0.005);
  EXPECT_NEAR(bits("q4_k_m"), 4.84, 0.005);
  EXPECT_NEAR(bits("q5_k_s"), 5.52, 0.005);
  EXPECT_NEAR(bits("q5_k_m"), 5.68, 0.005);
  EXPECT_NEAR(bits("q6_k"), 6.56, 0.005);
}

// --- weights of serving engines

// vLLM prints GiB a device; rows of truth/serving.jsonl named beside each.
TEST(ServedWeights, AreWhatVllmPrints) {
  const auto gib = [](const char* url) {
    return mib(reportFor(cat("engine=vllm&", url)), Component::kWeights) / 1024;
  };
  // llmd-v0190: 14.99, 7.51 (tp 2), 3.77 (tp 4); 131,072 positions of 128 elements beside the
  // weights.
  EXPECT_NEAR(gib("model=llama-3.1-8b"), 14.99, 0.006);
  EXPECT_NEAR(gib("model=llama-3.1-8b&tp=2"), 7.51, 0.006);
  EXPECT_NEAR(gib("model=llama-3.1-8b&tp=4"), 3.77, 0.006);
  EXPECT_NEAR(gib("model=llama-3.1-8b&weights=fp32"), 29.98, 0.006);
  EXPECT_NEAR(gib("model=llama-3.1-8b&weights=fp8"), 8.49, 0.006);
  // Four key-value heads; tp 4.
  EXPECT_NEAR(gib("model=qwen2.5-7b&tp=4"), 3.55, 0.03);
  EXPECT_NEAR(gib("model=qwen2.5-7b"), 14.25, 0.04);
  // llmd-v0110-gpt-oss-20b-tp1: 13.47 by Triton, whose kernels pad 2880 to 3072.
  EXPECT_NEAR(gib("model=gpt-oss-20b&weights=stored"), 13.47, 0.05);
}

TEST(ServedWeights, KeyValueHeadsAreReplicatedBeyondTheirNumber) {
  const Model& model = *reportFor("model=llama-3.1-8b").model;
  Split split;
  split.tp = 16;
  for (const TensorGroup& group : model.inventory.groups()) {
    const Slice slice = sliceOf(group, model.architecture, split);
    if (group.role == Role::kAttnQ) {
      EXPECT_EQ(slice.rows.value(), 4096u / 16);
    }
    if (group.role == Role::kAttnK) {
      EXPECT_EQ(slice.rows.value(), 128u);
    }  // one head of eight
    if (group.role == Role::kFfnDown) {
      EXPECT_EQ(slice.cols.value(), 14336u / 16);
    }
    if (group.role == Role::kNorm) {
      EXPECT_EQ(slice.cols.value(), 4096u);
    }
  }
}

TEST(ServedWeights, ExpertsLieOverTensorAndDataParallelDevices) {
  Parallelism spread;
  spread.tp = 2;
  spread.dp = 4;
  EXPECT_EQ(splitOf(spread, engineModel(Engine::kVllm)).expertDevices.value(), 1u);
  EXPECT_EQ(splitOf(spread, engineModel(Engine::kVllm)).expertSlices.value(), 2u);
  spread.ep = 8;
  EXPECT_EQ(splitOf(spread, engineModel(Engine::kVllm)).expertDevices.value(), 8u);
  EXPECT_EQ(splitOf(spread, engineModel(Engine::kVllm)).expertSlices.value(), 1u);
  spread.ep = 4;
  EXPECT_EQ(splitOf(spread, engineModel(Engine::kVllm)).expertSlices.value(), 2u);
  spread.ep = 64;  // more than there are devices
  EXPECT_EQ(splitOf(spread, engineModel(Engine::kVllm)).expertDevices.value(), 8u);
}

TEST(LinearSchemes, AreTheBytesOfTheirLayouts) {
  // 4096 x 4096 weights. AWQ: half a byte each, 2 + 0.5 bytes a group of 128; GPTQ 4 bytes a row
  // more.
  EXPECT_EQ(bytesOfLinear({.bits = 4, .group = 128, .groupBits = 20}, 4096, 4096).value(),
            8388608u + 131072 * 20 / 8);
  EXPECT_EQ(bytesOfLinear({.bits = 4, .group = 128, .groupBits = 20, .columnBytes = 4}, 4096, 4096)
                .value(),
            8388608u + 131072 * 20 / 8 + 16384);
  // fp8 in tiles of 128 x 128, a 32-bit scale each: DeepSeek-V3.
  EXPECT_EQ(bytesOfLinear({.bits = 8, .tileRows = 128, .tileCols = 128}, 4096, 4096).value(),
            16777216u + 32 * 32 * 4);
  // NF4, plain and with its scales quantized: 0.5 + 4/64, and 0.5 + 1/64 + 4/(64 x 256).
  EXPECT_EQ(bytesOfLinear({.bits = 4, .group = 64, .groupBits = 32}, 4096, 4096).value(),
            8388608u + 262144 * 4);
  EXPECT_EQ(bytesOfLinear({.bits = 4, .group = 64, .groupBits = 8, .groupsShared = 256}, 4096, 4096)
                .value(),
            8388608u + 262144 + 1024 * 4);
  EXPECT_EQ(bytesOfLinear({}, 3, 5).value(), 30u);
}

// --- caches

double kvMib(const char* url) { return mib(reportFor(url), Component::kKvCache); }

// shared/facts/field.md section 6: equal to figures that logs or papers give.
TEST(KvCache, GoldenValues) {
  const auto tokens = [](const char* url) { return reportFor(url).kv.bytesPerToken.value(); };
  // Every layer of Mistral 7B v0.1 has a window of 4,096: 32 x 2 x 8 x 128 x 2 bytes, full or not.
  EXPECT_EQ(tokens("model=mistral-7b-v0.1&seq=1024"), 131072u);
  EXPECT_EQ(tokens("model=mistral-7b-v0.1&seq=8192"), 131072u);
  EXPECT_EQ(tokens("model=mistralai/Mistral-Small-3.2-24B-Instruct-2506&engine=vllm"), 163840u);
  EXPECT_EQ(tokens("model=qwen3-235b-a22b&engine=vllm&tp=4"), 48128u);
  EXPECT_EQ(tokens("model=llama-3.1-8b&engine=vllm&kv=fp8"), 65536u);
  EXPECT_EQ(tokens("model=deepseek-v2-lite&engine=vllm&tp=2"), 31104u);  // a latent is not cut
  // DeepSeek-V3.2: 656 bytes of latent and 132 of indexer key in each of 61 layers.
  EXPECT_EQ(tokens("model=deepseek-v3.2&engine=sglang&kv=fp8"), 48068u);
  // Gemma-3-27B at 131,072: 10 whole layers, 52 of 1,024.
  EXPECT_NEAR(kvMib("model=gemma-3-27b&seq=131072") / 1024, 10.406, 0.001);
  EXPECT_NEAR(kvMib("model=gemma-3-1b&seq=32768"), 139.0, 0.001);
  EXPECT_NEAR(kvMib("model=qwen3.6-27b&seq=262144") / 1024, 16.0, 0.001);
  EXPECT_NEAR(kvMib("model=qwen3-0.6b&seq=40960") / 1024, 4.375, 0.001);
  EXPECT_NEAR(kvMib("model=deepseek-v3&seq=163840") / 1024, 10.723, 0.001);
  EXPECT_NEAR(kvMib("model=deepseek-v2-lite&seq=32768") / 1024, 0.949, 0.001);
  EXPECT_NEAR(kvMib("model=qwen3-30b-a3b&seq=262144") / 1024, 24.0, 0.001);
  EXPECT_NEAR(kvMib("model=qwen2.5-7b&seq=262144&kv=q8_0&engine=llama.cpp"), 7616, 0.5);
  EXPECT_NEAR(kvMib("model=qwen2.5-14b&seq=88000&kv=q4_0&engine=llama.cpp") / 1024, 4.53, 0.006);
  EXPECT_NEAR(kvMib("model=llama-3.1-8b&seq=80000") / 1024, 9.77, 0.005);
}

// llama.cpp rounds to 256 cells and keeps a window with a physical batch: 768 cells for gpt-oss's
// 128 (gpt-oss-20b-mxfp4-cann-131k: 3072.00 + 18.00 MiB).
TEST(KvCache, LlamaCppCellsAndWindows) {
  EXPECT_NEAR(kvMib("model=gpt-oss-20b&engine=llama.cpp&seq=131072"), 3090.0, 0.01);
  // ubatch 128: 256 cells.
  EXPECT_NEAR(kvMib("model=gpt-oss-20b&engine=llama.cpp&seq=131072&ubatch=128"), 3078.0, 0.01);
  // One token takes 256 cells.
  EXPECT_EQ(reportFor("model=llama-3.1-8b&engine=llama.cpp&seq=1")
                .ledger.total(Component::kKvCache)
                .expected.value(),
            256u * 131072);
  // Keys and values apart: qwen3-235b K q8_0, V f16, 8192 cells, 1151.50 MiB (ik-issues-389).
  EXPECT_NEAR(kvMib("model=qwen3-235b-a22b&engine=llama.cpp&seq=8192&kv_k=q8_0&kv_v=fp16"), 1151.5,
              0.01);
}

// vLLM fills groups of layers with padding: gemma-3-27B stores 70 layers, 573,440 bytes a token at
// a length that the tokens of a step cover (vLLM 0.19 printed 573,583).
TEST(KvCache, VllmPadsItsGroups) {
  const Report report = reportFor("model=gemma-3-27b&engine=vllm&seq=8192", kGiB * 79);
  Count slots = 0;
  for (const Entry& entry : report.ledger.entries()) {
    if (entry.component != Component::kKvCache) continue;
    for (const Input& input : entry.inputs.items()) {
      if (input.symbol == "layers") slots += static_cast<std::uint64_t>(input.value);
    }
  }
  EXPECT_EQ(slots.value(), 70u);
  // Blocks of 16, and one more for a window: 10 x 8192 + 60 x 8208 tokens of 8,192 bytes.
  EXPECT_EQ(report.ledger.total(Component::kKvCache).expected.value(),
            (10ull * 8192 + 60 * 8208) * 8192);
}

// One page size: Qwen3.6-27B's state of 3,207,168 bytes takes blocks of 784 tokens (LMCache PR
// 5079).
TEST(KvCache, VllmGrowsBlocksToHoldAState) {
  const Report report = reportFor("model=qwen3.6-27b&engine=vllm&seq=784", kGiB * 79);
  const auto tokens784 = report.ledger.total(Component::kKvCache).expected;
  EXPECT_EQ(tokens784.value(), 16u * 4096 * 784);
  EXPECT_EQ(reportFor("model=qwen3.6-27b&engine=vllm&seq=785", kGiB * 79)
                .ledger.total(Component::kKvCache)
                .expected.value(),
            2 * tokens784.value());
  // 48 layers in three groups of 16, a page of 784 tokens each.
  EXPECT_EQ(report.ledger.total(Component::kRecurrentState).expected.value(), 48u * 4096 * 784);
}

// --- recurrent state: llama.cpp prints R and S in MiB (shared/facts/gguf_facts.md section 4.3)

TEST(RecurrentState, IsWhatLlamaCppPrints) {
  const auto state = [](const char* url) {
    return mib(reportFor(cat("engine=llama.cpp&", url)), Component::kRecurrentState);
  };
  EXPECT_NEAR(state("model=qwen3.6-27b"), 149.625, 0.001);
  EXPECT_NEAR(state("model=qwen3.6-27b&concurrency=4"), 598.5, 0.001);
  EXPECT_NEAR(state("model=qwen3.5-9b&concurrency=4&seq=33792"), 201.0, 0.001);
  EXPECT_NEAR(state("model=qwen3-next-80b-a3b&concurrency=4"), 301.5, 0.001);
  EXPECT_NEAR(state("model=falcon-h1-1.5b"), 72.98, 0.005);
  EXPECT_NEAR(state("model=mamba-130m"), 2.67, 0.005);
  EXPECT_EQ(state("model=llama-3.1-8b"), 0);
  // Whatever the length and the cache's type.
  EXPECT_EQ(state("model=qwen3.6-27b&seq=100000&kv=q8_0"), state("model=qwen3.6-27b&seq=1"));
}

// --- llama.cpp: compute buffers, placement

// Device buffers of logs; rows of truth/llamacpp.jsonl named beside each.
TEST(LlamaCpp, ComputeBuffers) {
  const auto compute = [](const char* url) {
    return mib(reportFor(cat("engine=llama.cpp&", url)), Component::kComputeBuffer);
  };
  // Logits of a whole batch: 4 x 512 x (151936 + 2048).
  EXPECT_NEAR(compute("model=qwen3-30b-a3b&seq=4096"), 300.75, 0.01);
  // Scores: 4 x 256 x (32 x 8192 + 8192 + 4 x 4096), openhermes-mistral-7b-q4km-cpu.
  EXPECT_NEAR(
      compute("model=teknium/OpenHermes-2.5-Mistral-7B&seq=8192&ubatch=256&attention=eager"), 280.0,
      0.01);
  // granite-3.0-8b-q4km-sycl and llama31-405b-q4_0-rpc.
  EXPECT_NEAR(compute("model=ibm-granite/granite-3.0-8b-instruct&seq=4096&attention=eager"), 296.0,
              0.01);
  EXPECT_NEAR(compute("model=llama-3.1-405b&seq=4096&attention=eager"), 1160.0, 0.01);
  // A quantized cache of 262,144 is widened a layer at a time: unsloth-compute-qwen3-5-4b-262k.
  EXPECT_NEAR(compute("model=qwen3.5-4b&seq=262144&kv=q8_0"), 1330.0, 20.0);
  // Nothing offloaded: the head is staged, 821.95 MiB in Q6_K, beside 266.5 of logits;
  // llama3-70b-ngl0-512.
  EXPECT_NEAR(compute("model=llama-3-70b&seq=512&weights=q4_0&gpu_layers=0&attention=eager"),
              1088.45, 0.5);
}

TEST(LlamaCpp, HeadAndLayersFollowGpuLayers) {
  const auto at = [](int layers) {
    return reportFor(cat("model=llama-3.1-8b&engine=llama.cpp&weights=q4_k_m&gpu_layers=", layers));
  };
  const auto weights = [](const Report& report, Where where) {
    return report.ledger.total(Component::kWeights, where).expected;
  };
  const Report none = at(0), head = at(1), all = at(33), more = at(99);
  EXPECT_EQ(weights(none, Where::kDevice).value(), 0u);
  // 128,256 x 4,096 in Q6_K, and the last norm in 32 bits.
  EXPECT_EQ(weights(head, Where::kDevice).value(), 128256u * 16 * 210 + 4096 * 4);
  EXPECT_EQ(weights(all, Where::kDevice), weights(more, Where::kDevice));
  // The embedding in Q4_K stays.
  EXPECT_EQ(weights(all, Where::kHost).value(), 128256u * 16 * 144);
  // Device and host together are the file, wherever the border is.
  EXPECT_EQ((weights(none, Where::kHost)).value(),
            (weights(all, Where::kDevice) + weights(all, Where::kHost)).value());
  EXPECT_EQ((weights(at(17), Where::kDevice) + weights(at(17), Where::kHost)).value(),
            weights(none, Where::kHost).value());
  EXPECT_EQ(none.ledger.total(Component::kKvCache).expected.value(), 0u);
  EXPECT_GT(none.ledger.total(Component::kKvCache, Where::kHost).expected.value(), 0u);
}

TEST(LlamaCpp, ExpertsStayOnTheHost) {
  const Report all = reportFor("model=qwen3-30b-a3b&engine=llama.cpp&weights=q8_0");
  const Report kept = reportFor("model=qwen3-30b-a3b&engine=llama.cpp&weights=q8_0&cpu_moe=48");
  // 48 layers x 128 experts x 3 x 2048 x 768 weights in 34 bytes for 32.
  const std::uint64_t experts = 48ull * 128 * 3 * 2048 * 768 / 32 * 34;
  EXPECT_EQ(all.ledger.total(Component::kWeights).expected.value() -
                kept.ledger.total(Component::kWeights).expected.value(),
            experts);
  EXPECT_EQ(kept.ledger.total(Component::kWeights, Where::kHost).expected.value() -
                all.ledger.total(Component::kWeights, Where::kHost).expected.value(),
            experts);
}

// --- vLLM: activations, capacity

// Rows llmd-v0190 of truth/serving.jsonl: 8,192 tokens and 1,024 sequences a step on H100.
TEST(Vllm, ActivationPeaks) {
  const auto gib = [](const char* url) {
    return mib(reportFor(cat("engine=vllm&", url), kGiB * 79), Component::kActivations) / 1024;
  };
  EXPECT_NEAR(gib("model=llama-3.1-8b"), 1.89, 0.02);  // the sampler
  EXPECT_NEAR(gib("model=llama-3.1-8b&weights=fp32"), 2.21, 0.03);
  EXPECT_NEAR(gib("model=llama-3.1-8b&tp=4"), 1.89, 0.02);          // is not cut
  EXPECT_NEAR(gib("model=codellama/CodeLlama-7b-hf"), 0.77, 0.03);  // the feed-forward
  EXPECT_NEAR(gib("model=qwen3-30b-a3b"), 2.68, 0.2);               // with its experts
}

TEST(Vllm, CapacityIsWhatItsShareLeaves) {
  // llmd-v0190-meta-llama-llama-3-1-8b: 476,016 tokens at 0.95 of 79.19 GiB, before graphs were
  // charged; 0.9 GiB of graphs are 7,500 tokens fewer since 0.21.
  const Report report = reportFor("model=llama-3.1-8b&engine=vllm&seq=8192&utilization=0.95",
                                  Bytes(std::uint64_t{85029615206}));
  ASSERT_TRUE(report.capacity.has_value());
  EXPECT_NEAR(report.capacity->tokens.toDouble(), 476016 - 7400, 3000);
  EXPECT_EQ(report.capacity->tokens.value() % 16, 0u);
  EXPECT_EQ(report.capacity->sequences.value(), report.capacity->tokens.value() / 8192);
  EXPECT_DOUBLE_EQ(report.capacity->fraction, 0.95);
  // Too small a device: nothing is left.
  EXPECT_EQ(reportFor("model=llama-3.1-70b&engine=vllm", kGiB * 24).capacity->tokens.value(), 0u);
  // No device, no capacity; engines that take what they need have none.
  EXPECT_FALSE(reportFor("model=llama-3.1-8b&engine=vllm").capacity.has_value());
  EXPECT_FALSE(reportFor("model=llama-3.1-8b&engine=llama.cpp", kGiB * 24).capacity.has_value());
}

// SGLang's own defaults, server_args.py of 2026-07: an 80 GB class device with one card keeps
// 512 + 1.5 x 8192 + 2 x 256 + 1/8 x 1024 MiB; 24 GB keeps 512 + 1.5 x 2048 + 2 x 24 + 1/8 x 1024.
TEST(Sglang, DefaultFractions) {
  const Query query = decodeUrl("engine=sglang").query;
  const EngineModel& sglang = engineModel(Engine::kSglang);
  EXPECT_NEAR(shareTaken(sglang, query, kMiB * 81920), (81920 - 13440) / 81920.0, 1e-9);
  EXPECT_NEAR(shareTaken(sglang, query, kMiB * 24576), (24576 - 512 - 3072 - 48 - 128) / 24576.0,
              1e-9);
  const EngineModel& vllm = engineModel(Engine::kVllm);
  EXPECT_EQ(shareTaken(vllm, query, 0), 0.92);
  EXPECT_EQ(shareTaken(vllm, decodeUrl("engine=vllm&release=0.26").query, 0), 0.9);
  EXPECT_EQ(shareTaken(vllm, decodeUrl("engine=vllm&release=0.27.1").query, 0), 0.92);
  EXPECT_EQ(shareTaken(engineModel(Engine::kMlx), query, kGiB * 24), 0);
  EXPECT_NEAR(shareTaken(vllm, decodeUrl("engine=vllm&utilization=0.8").query, 0), 0.8, 1e-9);
}

// --- parallelism

TEST(Stages, TheHeaviestIsReported) {
  // Llama-3.1-8B over four stages: the last one has eight layers and the head, 4.23 GiB of weights
  // (vLLM 0.19 printed 4.26).
  const Report report = reportFor("model=llama-3.1-8b&engine=vllm&pp=4");
  EXPECT_NEAR(mib(report, Component::kWeights) / 1024, 4.26, 0.02);
  EXPECT_EQ(report.devices.value(), 4u);
  // 30 stages of 32 layers: uneven, and said so.
  bool said = false;
  for (const Notice& notice : reportFor("model=llama-3.1-8b&engine=vllm&pp=30").notices) {
    said = said || notice.field == "pp";
  }
  EXPECT_TRUE(said);
  // More stages than layers: as many as there are.
  EXPECT_EQ(reportFor("model=llama-3.1-8b&engine=vllm&pp=100").devices.value(), 32u);
}

TEST(Stages, LlamaCppCountsTheHeadAsALayer) {
  // 33 layers over two devices: 17 and 15 with the head.
  const InferencePlan plan(decodeUrl("engine=llama.cpp&pp=2").query,
                           *reportFor("model=llama-3.1-8b").model, 0, nullptr);
  ASSERT_EQ(plan.stages().size(), 2u);
  EXPECT_EQ(plan.stages()[0].last, 17u);
  EXPECT_FALSE(plan.stages()[0].hasHead);
  EXPECT_EQ(plan.stages()[1].last, 32u);
  EXPECT_TRUE(plan.stages()[1].hasHead);
}

// --- what is said beside the numbers

TEST(Notices, SayWhatTheEngineDoesNotDo) {
  const auto says = [](const char* url, const char* field) {
    for (const Notice& notice : reportFor(url).notices) {
      if (notice.field == field) return true;
    }
    return false;
  };
  EXPECT_TRUE(says("model=llama-3.1-8b&engine=llama.cpp&weights=awq4", "weights"));
  EXPECT_FALSE(says("model=llama-3.1-8b&engine=llama.cpp&weights=q4_k_m", "weights"));
  EXPECT_TRUE(says("model=llama-3.1-8b&engine=vllm&weights=mlx4", "weights"));
  EXPECT_TRUE(says("model=llama-3.1-8b&engine=vllm&kv=q8_0", "kv"));
  EXPECT_FALSE(says("model=llama-3.1-8b&engine=llama.cpp&kv=q8_0", "kv"));
  EXPECT_TRUE(says("model=llama-3.1-8b&engine=llama.cpp&kv=q8_0&attention=eager", "attention"));
  EXPECT_TRUE(says("model=gemma-3-27b&engine=vllm", "vision"));
  EXPECT_FALSE(says("model=gemma-3-27b&engine=vllm&vision=include", "vision"));
  EXPECT_FALSE(says("model=llama-3.1-8b&engine=vllm", "vision"));
}

// Four bits, a scale and a bias of 16 bits for 64 weights, embedding and head too: 4.5 bits each.
TEST(Mlx, FormatsCoverTheVocabulary) {
  const Report report = reportFor("model=llama-3.1-8b&engine=mlx&weights=mlx4");
  const double matrices = 8030261248.0 - (2 * 32 + 1) * 4096;
  EXPECT_NEAR(report.ledger.total(Component::kWeights).expected.toDouble(),
              matrices * 4.5 / 8 + (2 * 32 + 1) * 4096 * 2, 1);
}

// Llama 3.2 Vision keeps an image's keys and values in its cross-attention layers.
TEST(KvCache, CrossAttentionHoldsAnImage) {
  const char* without = "model=llama-3.2-11b-vision&engine=transformers";
  const char* with = "model=llama-3.2-11b-vision&engine=transformers&vision=include";
  // 8 layers x 6,404 patches x 8 heads x 128 x 2 sides x 2 bytes.
  EXPECT_EQ(reportFor(with).ledger.total(Component::kKvCache).expected.value() -
                reportFor(without).ledger.total(Component::kKvCache).expected.value(),
            8ull * 6404 * 8 * 128 * 2 * 2);
}

// A file that was read: its own tensors, not the recipe of its label.
TEST(ServedWeights, AreAFilesOwnTensors) {
  Model model = *reportFor("model=llama-3.1-8b").model;
  StoredTensors stored;
  for (const TensorGroup& group : model.inventory.groups()) {
    const auto layers = model.inventory.layersOf(group);
    const auto add = [&](std::int32_t layer) {
      StoredTensor tensor;
      tensor.role = group.role;
      tensor.kind = group.kind;
      tensor.layer = layer;
      tensor.cols = group.cols;
      tensor.rows = group.rows;
      // One byte a weight, but two in the first layer.
      tensor.bytes = tensor.elements() * (layer == 0 ? 2 : 1);
      stored.bytes += tensor.bytes * group.perLayer;
      for (Count i = 0; i < group.perLayer; i += 1) stored.tensors.push_back(tensor);
    };
    if (group.layerSet == 0) add(-1);
    for (const std::uint16_t layer : layers) add(layer);
  }
  model.stored = stored;
  const Query query = decodeUrl("engine=llama.cpp").query;
  EXPECT_EQ(weightFormatOf(query, model), WeightFormat::kStored);
  EXPECT_EQ(weightFormatOf(decodeUrl("weights=q8_0").query, model), WeightFormat::kQ8_0);
  Report report;
  report.query = query;
  InferencePlan(query, model, 0, nullptr).write(loadOf(query), report);
  EXPECT_EQ(report.ledger.total(Component::kWeights).expected.value() +
                report.ledger.total(Component::kWeights, Where::kHost).expected.value(),
            stored.bytes.value());
}

// --- one plan, two answers

TEST(LoadTotals, AreTheReportsTotals) {
  for (const char* url :
       {"model=llama-3.1-8b&engine=llama.cpp&weights=q4_k_m", "model=gemma-3-27b&engine=vllm&pp=2",
        "model=qwen3.6-27b&engine=sglang", "model=deepseek-v3&engine=mlx", "model=gpt-oss-20b"}) {
    const Query query = decodeUrl(url).query;
    const auto totals = LoadTotals::of(query);
    ASSERT_TRUE(totals.ok());
    ASSERT_NE(*totals, nullptr);
    for (const int seq : {1, 777, 4096, 131072}) {
      for (const int concurrency : {1, 3, 500}) {
        Query asked = query;
        asked.set(Key::kSeq, seq);
        asked.set(Key::kConcurrency, concurrency);
        const Load load{seq, 1, concurrency};
        EXPECT_EQ((*totals)->perDevice(load), estimate(asked)->perDevice) << url;
      }
    }
  }
  EXPECT_EQ(*LoadTotals::of(decodeUrl("method=pai&params=7").query), nullptr);
  EXPECT_EQ(*LoadTotals::of(decodeUrl("task=lora").query), nullptr);
}

// Stages that are alike are looked at once: the heaviest is still the heaviest of all.
TEST(InferencePlan, TheHeaviestOfAllStages) {
  for (const char* url :
       {"model=deepseek-v3&engine=vllm&pp=4", "model=gemma-3-27b&engine=sglang&pp=3",
        "model=llama-3.1-8b&engine=transformers&count=32",
        "model=llama-3.1-70b&engine=llama.cpp&weights=q4_k_m&count=7",
        "model=qwen3.6-27b&engine=vllm&pp=5&vision=include"}) {
    const Query query = decodeUrl(url).query;
    const auto model = estimate(query)->model;
    const InferencePlan plan(query, *model, kGiB * 80, nullptr);
    ASSERT_GT(plan.stages().size(), 1u) << url;
    const EngineModel& engine = engineModel(query.choice<Engine>(Key::kEngine));
    for (const int seq : {1, 4096, 131072}) {
      for (const int concurrency : {1, 100}) {
        const Load load{seq, 1, concurrency};
        Bytes most;
        for (const StagePlan& stage : plan.stages()) {
          Band sum = stage.fixedDevice;
          sum += engine.sum(plan, stage, load);
          most = max(most, sum.high);
        }
        EXPECT_EQ(plan.perDevice(load).high, most) << url << " " << seq << " " << concurrency;
      }
    }
  }
}

TEST(LoadTotals, OverflowWhereTheReportIsAnError) {
  const Query query = decodeUrl("model=llama-3.1-405b&engine=transformers").query;
  const Load load{100000000, 1000000, 1000000};
  EXPECT_TRUE((*LoadTotals::of(query))->perDevice(load).overflowed());
}

}  // namespace
}  // namespace memfit
