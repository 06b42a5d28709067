// memfit - SPDX-License-Identifier: Apache-2.0
//
// The habits of trainers, and of model families inside Transformers. Sources: training_facts
// (survey of 2026-08) and the measured runs that it lists, named in each row.
#include "memory/training_setup.h"

namespace memfit {

namespace {

constexpr TrainerHabits kTrainers[] = {
    // PEFT casts adapters to 32 bits (autocast_adapter_dtype), exact in fms-acceleration's runs on
    // A100-80GB. The Trainer's optimizer is adamw_torch_fused now; those runs had the foreach step.
    // FSDP keeps 32-bit shards: 20.00 bytes a weight
    // at the peak of full fine-tuning there. Logits: 16-bit result, 32-bit copy, log-softmax and
    // gradient, 2 + 4 + 4 + 4 bytes (also apple/ml-cross-entropy, README).
    {.trainer = Trainer::kHf,
     .adapterBytes = 4,
     .mixedGradBytes = 2,
     .statesFollow = true,
     .shardsIn32 = true,
     .gradientBuffer = false,
     .foreachStep = false,
     .kernels = Kernels::kPlain,
     .normIn32 = true,
     .moduleCasts = true,
     .fusesAdapters = true,
     .keepsFrozenInputs = false,
     .ropeCopies = false,
     .holdsGradients = true,
     .fusesQkv = false,
     .gathersAll = false,
     .copiesTiedHead = false,
     .plainIn32 = false,
     .logitBytes = 14,
     .chunkTokens = 256,
     .source = "huggingface/transformers, huggingface/peft; runs of fms-acceleration, 2024"},
    // All in 16 bits, compiled in its recipes; logits are upcast in the model (4 + 4 + 4).
    {.trainer = Trainer::kTorchtune,
     .adapterBytes = 2,
     .mixedGradBytes = 2,
     .statesFollow = true,
     .shardsIn32 = false,
     .gradientBuffer = false,
     .foreachStep = false,
     .kernels = Kernels::kCompiled,
     .normIn32 = true,
     .moduleCasts = false,
     .fusesAdapters = false,
     .keepsFrozenInputs = false,
     .ropeCopies = false,
     .holdsGradients = false,
     .fusesQkv = false,
     .gathersAll = false,
     .copiesTiedHead = false,
     .plainIn32 = false,
     .logitBytes = 12,
     .chunkTokens = 0,  // 8 chunks, see training_loss.cpp
     .source = "meta-pytorch/torchtune, README and docs, 2025"},
    // bf16-true: norms in 16 bits, logits as 16-bit chunks that all stay, with their log-softmax (2
    // + 2). Runs of its resource tables show that frozen linear layers keep their inputs.
    {.trainer = Trainer::kLitgpt,
     .adapterBytes = 2,
     .mixedGradBytes = 2,
     .statesFollow = true,
     .shardsIn32 = false,
     .gradientBuffer = false,
     .foreachStep = true,
     .kernels = Kernels::kPlain,
     .normIn32 = false,
     .moduleCasts = false,
     .fusesAdapters = false,
     .keepsFrozenInputs = true,
     .ropeCopies = true,
     .holdsGradients = false,
     .fusesQkv = true,
     .gathersAll = true,
     .copiesTiedHead = true,
     .plainIn32 = true,
     .logitBytes = 4,
     .chunkTokens = 128,
     .source = "Lightning-AI/litgpt, tutorials/resource-tables.md and config_hub, 2023 to 2024"},
    // 16-bit weights, gradients summed in a 32-bit buffer, 32-bit copy and moments: 18 bytes a
    // weight, 6 + 12 / d with the distributed optimizer. Transformer Engine fuses norms and SwiGLU.
    {.trainer = Trainer::kMegatron,
     .adapterBytes = 2,
     .mixedGradBytes = 4,
     .statesFollow = false,
     .shardsIn32 = false,
     .gradientBuffer = true,
     .foreachStep = false,
     .kernels = Kernels::kFused,
     .normIn32 = true,
     .moduleCasts = false,
     .fusesAdapters = false,
     .keepsFrozenInputs = false,
     .ropeCopies = false,
     .holdsGradients = false,
     .fusesQkv = false,
     .gathersAll = false,
     .copiesTiedHead = false,
     .plainIn32 = false,
     .logitBytes = 10,
     .chunkTokens = 1024,
     .source = "NVIDIA/Megatron-LM, theoretical_memory_usage.py and docs/dist_optimizer.md, 2025"},
    // Transformers' model under DeepSpeed: 16-bit weights, 32-bit gradients, copy and moments (18).
    {.trainer = Trainer::kDeepspeed,
     .adapterBytes = 2,
     .mixedGradBytes = 4,
     .statesFollow = false,
     .shardsIn32 = false,
     .gradientBuffer = false,
     .foreachStep = false,
     .kernels = Kernels::kPlain,
     .normIn32 = true,
     .moduleCasts = true,
     .fusesAdapters = false,
     .keepsFrozenInputs = false,
     .ropeCopies = false,
     .holdsGradients = false,
     .fusesQkv = false,
     .gathersAll = false,
     .copiesTiedHead = false,
     .plainIn32 = false,
     .logitBytes = 14,
     .chunkTokens = 256,
     .source = "microsoft/DeepSpeed, docs/code-docs/source/memory.rst, 2025"},
    // Own kernels for norms, rotary embedding, SwiGLU, adapters and cross entropy (2 + 4 + 2).
    {.trainer = Trainer::kUnsloth,
     .adapterBytes = 4,
     .mixedGradBytes = 2,
     .statesFollow = true,
     .shardsIn32 = true,
     .gradientBuffer = false,
     .foreachStep = false,
     .kernels = Kernels::kFused,
     .normIn32 = false,
     .moduleCasts = false,
     .fusesAdapters = true,
     .keepsFrozenInputs = false,
     .ropeCopies = false,
     .holdsGradients = true,
     .fusesQkv = false,
     .gathersAll = false,
     .copiesTiedHead = false,
     .plainIn32 = false,
     .logitBytes = 8,
     .chunkTokens = 256,
     .source = "unslothai/unsloth, studio/backend/utils/hardware/VRAM_ESTIMATION.md, 2026"},
    // One array type throughout; mx.fast norms and rotary embedding; cross entropy in 32 bits.
    {.trainer = Trainer::kMlx,
     .adapterBytes = 4,
     .mixedGradBytes = 2,
     .statesFollow = true,
     .shardsIn32 = false,
     .gradientBuffer = false,
     .foreachStep = false,
     .kernels = Kernels::kNorms,
     .normIn32 = false,
     .moduleCasts = true,
     .fusesAdapters = false,
     .keepsFrozenInputs = true,
     .ropeCopies = false,
     .holdsGradients = false,
     .fusesQkv = false,
     .gathersAll = false,
     .copiesTiedHead = false,
     .plainIn32 = false,
     .logitBytes = 10,
     .chunkTokens = 256,
     .source = "ml-explore/mlx-lm, and logs in mlx-examples issues 724 and 1076, 2024"},
};

constexpr bool inOrder() {
  std::size_t at = 0;
  for (const TrainerHabits& row : kTrainers) {
    if (static_cast<std::size_t>(row.trainer) != at++) return false;
  }
  return at == static_cast<std::size_t>(Trainer::kCount);
}
static_assert(inOrder(), "kTrainers is indexed by Trainer");

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
    {.family = "llama4_text", .stackedExperts = true},
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
