// memfit - SPDX-License-Identifier: Apache-2.0
//
// The habits of trainers, and of model families inside Transformers. Sources: training_facts
// (survey of 2026-08) and the measured runs that it lists, named in each row.
#include "memory/training_setup.h"

namespace memfit {

namespace {

// A row names what differs from the defaults in training_setup.h, which are those of PyTorch
// training code with everything in 16 bits.
constexpr TrainerHabits kTrainers[] = {
    // PEFT casts adapters to 32 bits (autocast_adapter_dtype), exact in fms-acceleration's runs on
    // A100-80GB. The Trainer's optimizer is adamw_torch_fused now; those runs had the foreach step.
    // FSDP keeps 32-bit shards: 20.00 bytes a weight at the peak of full fine-tuning there. Logits:
    // 16-bit result, 32-bit copy, log-softmax and gradient, 2 + 4 + 4 + 4 bytes (also
    // apple/ml-cross-entropy, README).
    {.trainer = Trainer::kHf,
     .source = "huggingface/transformers, huggingface/peft; runs of fms-acceleration, 2024",
     .logitBytes = 14,
     .adapterBytes = 4,
     .autocasts = true,
     .embeddingStateIn32 = true,
     .shardsIn32 = true,
     .holdsGradients = true,
     .moduleCasts = true,
     .fusesAdapters = true,
     .familyLoss = true,
     .repeatsKv = true,
     .copiesForSdpa = true,
     .fusedLoss = true},
    // All in 16 bits, compiled in its recipes; logits are upcast in the model (4 + 4 + 4).
    {.trainer = Trainer::kTorchtune,
     .source = "meta-pytorch/torchtune, README and docs, 2025",
     .logitBytes = 12,
     .chunkTokens = 0,  // 8 chunks, see training_loss.cpp
     .kernels = Kernels::kCompiled,
     .repeatsKv = true},
    // bf16-true: norms in 16 bits, logits as 16-bit chunks that all stay, with their log-softmax (2
    // + 2). Runs of its resource tables show that frozen linear layers keep their inputs.
    {.trainer = Trainer::kLitgpt,
     .source = "Lightning-AI/litgpt, tutorials/resource-tables.md and config_hub, 2023 to 2024",
     .logitBytes = 4,
     .chunkTokens = 128,
     .plainIn32 = true,
     .foreachStep = true,
     .gathersAll = true,
     .copiesTiedHead = true,
     .normIn32 = false,
     .fusesQkv = true,
     .keepsFrozenInputs = true,
     .ropeCopies = true},
    // 16-bit weights, gradients summed in a 32-bit buffer, 32-bit copy and moments: 18 bytes a
    // weight, 6 + 12 / d with the distributed optimizer. Transformer Engine fuses norms and SwiGLU;
    // its experts are one grouped product; its selective recomputation is of the core attention,
    // which flash attention does anyway.
    {.trainer = Trainer::kMegatron,
     .source = "NVIDIA/Megatron-LM, theoretical_memory_usage.py and docs/dist_optimizer.md, 2025",
     .logitBytes = 10,
     .chunkTokens = 1024,
     .mixedGradBytes = 4,
     .statesFollow = false,
     .gradientBuffer = true,
     .sharding = Sharding::kMegatron,
     .kernels = Kernels::kFused,
     .gradientsInPlace = false,
     .groupsExperts = true,
     .selectiveKeepsLayers = true},
    // Transformers' model under DeepSpeed: 16-bit weights, 32-bit gradients, copy and moments (18).
    {.trainer = Trainer::kDeepspeed,
     .source = "microsoft/DeepSpeed, docs/code-docs/source/memory.rst, 2025",
     .logitBytes = 14,
     .mixedGradBytes = 4,
     .autocasts = true,
     .statesFollow = false,
     .sharding = Sharding::kDeepspeed,
     .moduleCasts = true,
     .familyLoss = true,
     .repeatsKv = true,
     .copiesForSdpa = true,
     .fusedLoss = true},
    // Own kernels for norms, rotary embedding, SwiGLU, adapters and cross entropy (2 + 4 + 2).
    {.trainer = Trainer::kUnsloth,
     .source = "unslothai/unsloth, studio/backend/utils/hardware/VRAM_ESTIMATION.md, 2026",
     .logitBytes = 8,
     .adapterBytes = 4,
     .shardsIn32 = true,
     .holdsGradients = true,
     .kernels = Kernels::kFused,
     .normIn32 = false,
     .fusesAdapters = true,
     .fusedLoss = true},
    // One array type throughout; mx.fast norms and rotary embedding; cross entropy in 32 bits. Its
    // 4-bit blocks have a scale and a bias every 64 values. Where a family's code decides, it is
    // taken to do what Transformers' does.
    {.trainer = Trainer::kMlx,
     .source = "ml-explore/mlx-lm, and logs in mlx-examples issues 724 and 1076, 2024",
     .cuda = false,
     .logitBytes = 10,
     .adapterBytes = 4,
     .autocasts = true,
     .ownBlocks = Format::kMlx4,
     .kernels = Kernels::kNorms,
     .normIn32 = false,
     .moduleCasts = true,
     .keepsFrozenInputs = true,
     .familyLoss = true,
     .repeatsKv = true,
     .copiesForSdpa = true},
};

constexpr bool inOrder() {
  std::size_t at = 0;
  for (const TrainerHabits& row : kTrainers) {
    if (static_cast<std::size_t>(row.trainer) != at++) return false;
  }
  return at == static_cast<std::size_t>(Trainer::kCount);
}
static_assert(inOrder(), "kTrainers has one row a Trainer, in the order of its words");

// Modelling files of transformers 4.4x. repeatsKv: the class *FlashAttention2 calls repeat_kv
// (until 4.48). stackedExperts: the experts' weights are parameters, not nn.Linear modules.
constexpr FamilyHabits kFamilies[] = {
    {.family = "mistral", .repeatsKv = true},
    {.family = "mixtral", .repeatsKv = true},
    {.family = "qwen2", .repeatsKv = true},
    {.family = "qwen2_moe", .repeatsKv = true},
    {.family = "phi3", .repeatsKv = true},
    {.family = "granite", .upcastReplaces = true},
    {.family = "granitemoe", .upcastReplaces = true, .stackedExperts = true},
    {.family = "granitemoeshared", .upcastReplaces = true, .stackedExperts = true},
    {.family = "granitemoehybrid", .upcastReplaces = true, .stackedExperts = true},
    {.family = "gpt_bigcode", .noUpcast = true},
    {.family = "gpt_oss", .stackedExperts = true},
    {.family = "llama4", .stackedExperts = true},
    {.family = "dbrx", .stackedExperts = true},
    {.family = "glm4_moe_lite", .stackedExperts = true},
    {.family = "qwen3_5_moe", .stackedExperts = true},
    {.family = "gemma4", .stackedExperts = true},
};
constexpr FamilyHabits kNoHabits = {};

}  // namespace

const TrainerHabits& trainerHabits(Trainer trainer) {
  return kTrainers[static_cast<std::size_t>(trainer)];
}

const FamilyHabits& familyHabits(std::string_view family) {
  for (const FamilyHabits& row : kFamilies) {
    if (row.family == family) return row;
  }
  return kNoHabits;
}

}  // namespace memfit
