// memfit - SPDX-License-Identifier: Apache-2.0
#include "query/fields.h"

#include <array>

#include "query/choices.h"

namespace memfit {

namespace {

using std::string_view;

constexpr string_view kTasks[] = {"inference", "full", "lora", "qlora"};
constexpr string_view kMethods[] = {"architecture", "pai", "per-billion", "karakuri"};
constexpr string_view kEngines[] = {"transformers", "vllm", "sglang", "llama.cpp", "mlx"};
constexpr string_view kWeightFormats[] = {
    "bf16",    "stored", "fp32",  "fp16",  "fp8",    "int8",      "nf4",    "awq4",  "gptq4",
    "gptq8",   "mxfp4",  "nvfp4", "q8_0",  "q6_k",   "q5_k_m",    "q5_k_s", "q5_1",  "q5_0",
    "q4_k_m",  "q4_k_s", "q4_1",  "q4_0",  "q3_k_l", "q3_k_m",    "q3_k_s", "q2_k",  "q2_k_s",
    "iq4_nl",  "iq4_xs", "iq3_m", "iq3_s", "iq3_xs", "iq3_xxs",   "iq2_m",  "iq2_s", "iq2_xs",
    "iq2_xxs", "iq1_m",  "iq1_s", "tq2_0", "tq1_0",  "mxfp4_moe", "mlx4",   "mlx8"};
constexpr string_view kKvFormats[] = {"bf16", "fp32", "fp16", "fp8",    "int8", "q8_0", "q5_1",
                                      "q5_0", "q4_1", "q4_0", "iq4_nl", "int4", "nvfp4"};
constexpr string_view kOnOffAuto[] = {"auto", "on", "off"};
constexpr string_view kOnOff[] = {"on", "off"};
constexpr string_view kIncludes[] = {"none", "include"};
constexpr string_view kWindowsNames[] = {"auto", "full"};
constexpr string_view kLatents[] = {"auto", "latent", "whole"};
constexpr string_view kTrainers[] = {"hf",        "torchtune", "litgpt", "megatron",
                                     "deepspeed", "unsloth",   "mlx"};
constexpr string_view kOptimizers[] = {
    "adamw",      "adam",      "sgd",  "momentum",  "rmsprop", "adamw-8bit", "paged-adamw-8bit",
    "adamw-bf16", "adafactor", "lion", "lion-8bit", "muon",    "paged-adamw"};
constexpr string_view kRecipes[] = {"mixed", "bf16", "autocast", "fp32"};
constexpr string_view kCheckpointings[] = {"full", "none", "selective", "offloaded"};
constexpr string_view kAttentions[] = {"flash", "eager", "sdpa"};
constexpr string_view kLosses[] = {"standard", "chunked", "fused", "compiled", "in-place", "cut"};
constexpr string_view kKernelNames[] = {"auto", "plain", "norms", "fused", "compiled"};
constexpr string_view kSteps[] = {"auto", "foreach", "fused", "backward"};
constexpr string_view kSaveModulesNames[] = {"none", "embed", "head", "embed-head"};
constexpr string_view kOffloads[] = {"none", "optimizer", "all"};
constexpr string_view kUnifieds[] = {"measured", "older-macos", "plan"};
constexpr string_view kEccs[] = {"default", "on", "off"};
constexpr string_view kLanguages[] = {"auto", "en", "ja", "fr", "zh"};
constexpr string_view kThemes[] = {"auto", "light", "dark"};
constexpr string_view kUnitNames[] = {"GB", "GiB"};
constexpr string_view kViews[] = {"full", "compact", "plain"};

// One word a value of the enum in choices.h; rows that other folders keep of them are held to the
// same count where they stand.
template <typename Enum>
constexpr bool hasWordsOf(std::span<const string_view> words) {
  return words.size() == static_cast<std::size_t>(Enum::kCount);
}
static_assert(hasWordsOf<Trainer>(kTrainers));
static_assert(hasWordsOf<Optimizer>(kOptimizers));

constexpr std::uint16_t kArchitecture = kArchitectureInference | kArchitectureTraining;
constexpr std::uint16_t kPai = kPaiInference | kPaiTraining;
constexpr std::uint16_t kKarakuri = kKarakuriInference | kKarakuriTraining;
constexpr std::uint16_t kEveryMethod = kArchitecture | kPai | kPerBillionTraining | kKarakuri;

constexpr std::int64_t kBillion = 1000000000;
constexpr std::int64_t kMillion = 1000000;
constexpr std::int64_t kAnyDim = std::int64_t{1} << 30;

constexpr Field choice(Key key, string_view name, std::uint16_t effect,
                       std::span<const string_view> values, string_view help) {
  const auto last = static_cast<std::int64_t>(values.size()) - 1;
  return {key, name, Kind::kChoice, effect, 0, 0, last, 1, {}, values, {}, help};
}

constexpr Field integer(Key key, string_view name, std::uint16_t effect, std::int64_t fallback,
                        std::int64_t min, std::int64_t max, string_view unit, string_view help,
                        string_view word = {}) {
  return {key, name, Kind::kInteger, effect, fallback, min, max, 1, unit, {}, word, help};
}

constexpr Field real(Key key, string_view name, std::uint16_t effect, std::int64_t min,
                     std::int64_t max, std::int64_t scale, string_view unit, string_view help) {
  return {key, name, Kind::kReal, effect, kUnset, min, max, scale, unit, {}, {}, help};
}

constexpr Field other(Key key, string_view name, Kind kind, std::uint16_t effect,
                      std::int64_t fallback, string_view help) {
  return {key, name, kind, effect, fallback, 0, 0, 1, {}, {}, {}, help};
}

// A dimension of the model: no default of its own, the model's value stands.
constexpr Field shape(Key key, string_view name, std::int64_t min, std::int64_t max,
                      string_view unit, string_view help) {
  return integer(key, name, kEveryMethod, kUnset, min, max, unit, help);
}

constexpr std::array<Field, kKeyCount> kFields = {{
    choice(Key::kTask, "task", kAlways, kTasks,
           "What the memory is for: serving, full fine-tuning, LoRA or QLoRA."),
    other(Key::kModel, "model", Kind::kText, kAlways, kUnset,
          "The model: an id or alias of the catalogue, or \"custom\" with the shape given."),
    real(Key::kParams, "params", kAlways, kMillion, 100000 * kBillion, kBillion, "billions",
         "All parameters of a model that is known only by its size."),
    real(Key::kActive, "active", kAlways, kMillion, 100000 * kBillion, kBillion, "billions",
         "Parameters that a token uses, where that is fewer: mixture of experts."),
    shape(Key::kLayers, "layers", 1, 10000, "layers", "Number of layers."),
    shape(Key::kHidden, "hidden", 1, kAnyDim, "values", "Hidden size."),
    shape(Key::kHeads, "heads", 1, 1 << 20, "heads", "Query heads a layer."),
    shape(Key::kKvHeads, "kv_heads", 1, 1 << 20, "heads", "Key and value heads a layer."),
    shape(Key::kHeadDim, "head_dim", 1, 1 << 20, "values", "Size of a head."),
    shape(Key::kIntermediate, "intermediate", 1, kAnyDim, "values",
          "Width of the dense feed-forward block."),
    shape(Key::kVocab, "vocab", 1, kAnyDim, "tokens", "Rows of the token embedding."),
    other(Key::kTied, "tied", Kind::kFlag, kEveryMethod, kUnset,
          "Whether the output head is the token embedding."),
    shape(Key::kExperts, "experts", 0, 1 << 20, "experts", "Routed experts a layer."),
    shape(Key::kExpertsPerToken, "experts_per_token", 1, 1 << 20, "experts",
          "Routed experts that a token uses."),
    shape(Key::kMoeIntermediate, "moe_intermediate", 1, kAnyDim, "values", "Width of one expert."),
    shape(Key::kSharedExperts, "shared_experts", 0, 1 << 20, "experts",
          "Experts that every token uses."),
    shape(Key::kDenseLayers, "dense_layers", 0, 10000, "layers", "Leading layers without experts."),
    shape(Key::kWindow, "window", 0, kAnyDim, "tokens",
          "Sliding window of the windowed layers; 0 for none."),
    shape(Key::kFullEvery, "full_every", 1, 10000, "layers",
          "One layer in so many attends to everything; the others to the window."),
    shape(Key::kKvLoraRank, "kv_lora_rank", 0, kAnyDim, "values",
          "Latent attention (MLA): size of the compressed key-value vector."),
    shape(Key::kQLoraRank, "q_lora_rank", 0, kAnyDim, "values",
          "Latent attention: size of the compressed query vector; 0 for none."),
    shape(Key::kNopeHeadDim, "nope_head_dim", 1, 1 << 20, "values",
          "Latent attention: part of a key head without rotary position."),
    shape(Key::kRopeHeadDim, "rope_head_dim", 0, 1 << 20, "values",
          "Latent attention: rotary part of a key head, shared by all heads."),
    shape(Key::kVHeadDim, "v_head_dim", 1, 1 << 20, "values",
          "Latent attention: size of a value head."),
    choice(Key::kMethod, "method", kAlways, kMethods,
           "How to estimate: from the model's own shape, or by a published rule of thumb."),
    choice(Key::kEngine, "engine", kArchitectureInference, kEngines, "What serves the model."),
    choice(Key::kWeights, "weights", kPai | kArchitecture, kWeightFormats,
           "What the weights are held in; \"stored\" is what the checkpoint says."),
    choice(Key::kKv, "kv", kArchitectureInference, kKvFormats, "What the KV cache is held in."),
    choice(Key::kKvK, "kv_k", kArchitectureInference, kKvFormats,
           "What the keys are held in, if not as kv."),
    choice(Key::kKvV, "kv_v", kArchitectureInference, kKvFormats,
           "What the values are held in, if not as kv."),
    integer(Key::kSeq, "seq", kPai | kKarakuri | kArchitecture, 4096, 1, 100000000, "tokens",
            "Tokens a sequence: input and output together."),
    integer(Key::kBatch, "batch", kPai | kKarakuri | kArchitecture, 1, 1, 1000000, "sequences",
            "Sequences a request; in training the micro-batch of a device."),
    integer(Key::kConcurrency, "concurrency", kPaiInference | kArchitectureInference, 1, 1, 1000000,
            "requests", "Requests in flight at once."),
    integer(Key::kTp, "tp", kArchitecture, 1, 1, 1024, "devices", "Tensor parallelism."),
    integer(Key::kPp, "pp", kArchitecture, 1, 1, 1024, "devices", "Pipeline parallelism."),
    integer(Key::kEp, "ep", kArchitecture, 1, 1, 1024, "devices", "Expert parallelism."),
    integer(Key::kCp, "cp", kArchitectureTraining, 1, 1, 1024, "devices", "Context parallelism."),
    integer(Key::kDp, "dp", kArchitecture, 1, 1, 1 << 20, "devices", "Data parallelism."),
    real(Key::kUtilization, "utilization", kArchitectureInference, kMillion / 100, kMillion,
         kMillion, "fraction",
         "Share of the device that the serving engine takes; its own default if absent."),
    integer(Key::kBatchedTokens, "batched_tokens", kArchitectureInference, kUnset, 1, 100000000,
            "tokens", "Tokens that the engine puts into one step; its own default if absent."),
    integer(Key::kMaxSeqs, "max_seqs", kArchitectureInference, kUnset, 1, 1000000, "sequences",
            "Sequences that the engine puts into one step; its own default if absent."),
    choice(Key::kGraphs, "graphs", kArchitectureInference, kOnOffAuto,
           "CUDA graphs; auto is the engine's own way."),
    integer(Key::kGpuLayers, "gpu_layers", kArchitectureInference, kUnset, 0, 10000, "layers",
            "llama.cpp: layers on the device; the output head counts as one more.", "all"),
    integer(Key::kCpuMoe, "cpu_moe", kArchitectureInference, 0, 0, 10000, "layers",
            "llama.cpp: first layers whose experts stay on the host."),
    integer(Key::kUbatch, "ubatch", kArchitectureInference, 512, 1, 1000000, "tokens",
            "llama.cpp: physical batch."),
    integer(Key::kSlots, "slots", kArchitectureInference, kUnset, 1, 4096, "slots",
            "llama.cpp: slots of the server, which share a context of seq tokens."),
    choice(Key::kWindows, "windows", kArchitectureInference, kWindowsNames,
           "llama.cpp: whether layers with a window keep the whole context (--swa-full)."),
    choice(Key::kLatent, "latent", kArchitectureInference, kLatents,
           "llama.cpp: latent attention cached as latents, or as whole keys and values."),
    other(Key::kRelease, "release", Kind::kText, kArchitectureInference, kUnset,
          "The engine's release, as it writes it: 0.19 for vLLM, b9867 for llama.cpp; the newest "
          "that was read if absent."),
    choice(Key::kDraft, "draft", kArchitectureInference, kIncludes,
           "Next-token-prediction or draft parts of the model."),
    choice(Key::kVision, "vision", kArchitectureInference, kIncludes,
           "Vision or audio towers of the model."),
    choice(Key::kTrainer, "trainer", kArchitectureTraining, kTrainers,
           "Whose data types, buffers and kernels the training uses."),
    choice(Key::kOptimizer, "optimizer", kPaiTraining | kArchitectureTraining, kOptimizers,
           "The optimizer."),
    choice(Key::kRecipe, "recipe", kPerBillionTraining | kArchitectureTraining, kRecipes,
           "Precision of weights, gradients and master copy."),
    choice(Key::kCheckpointing, "checkpointing", kArchitectureTraining, kCheckpointings,
           "Gradient checkpointing: which activations are recomputed."),
    choice(Key::kAttention, "attention", kArchitecture, kAttentions, "The attention kernel."),
    choice(Key::kLoss, "loss", kArchitectureTraining, kLosses, "How the loss handles the logits."),
    integer(Key::kRank, "rank", kArchitectureTraining, 16, 1, 1 << 20, "values",
            "Rank of the adapters."),
    other(Key::kTargets, "targets", Kind::kText, kArchitectureTraining, kUnset,
          "What the adapters attach to: all-linear, attention, or names such as q,v."),
    integer(Key::kZero, "zero", kArchitectureTraining, 0, 0, 3, "stage",
            "ZeRO stage over the dp devices; 3 is also FSDP full sharding."),
    integer(Key::kAccumulation, "accumulation", kArchitectureTraining, 1, 1, 1000000,
            "micro-batches", "Micro-batches a step."),
    choice(Key::kPacking, "packing", kArchitectureTraining, kOnOff,
           "Whether every row is filled to seq tokens."),
    choice(Key::kOffload, "offload", kArchitectureTraining, kOffloads,
           "Training: what lies in host memory."),
    choice(Key::kKernels, "kernels", kArchitectureTraining, kKernelNames,
           "Which elementwise operations of a layer run as one kernel: none, norms and rotary "
           "embedding, the MLP too, or what a compiler finds; auto is the trainer's own way."),
    choice(Key::kStep, "step", kArchitectureTraining, kSteps,
           "The optimizer step: all parameters at once with a temporary, in one kernel, or during "
           "the backward pass; auto is the trainer's own way."),
    choice(Key::kSequenceParallel, "sequence_parallel", kArchitectureTraining, kOnOffAuto,
           "With tensor parallelism: whether norms and residuals are cut along the sequence."),
    real(Key::kLoraDropout, "lora_dropout", kArchitectureTraining, 0, kMillion, kMillion,
         "fraction", "Dropout before the adapters; above 0 each keeps its own copy of its input."),
    other(Key::kDora, "dora", Kind::kFlag, kArchitectureTraining, 0,
          "DoRA: a trained magnitude beside each adapter."),
    choice(Key::kSaveModules, "save_modules", kArchitectureTraining, kSaveModulesNames,
           "Embedding or head trained whole beside the adapters (modules_to_save)."),
    choice(Key::kDoubleQuant, "double_quant", kArchitectureTraining, kOnOff,
           "nf4: whether the scales are quantized too."),
    choice(Key::kQuantExperts, "quant_experts", kArchitectureTraining, kOnOffAuto,
           "Whether experts held as one 3-D tensor are quantized; auto is what bitsandbytes does "
           "with the model."),
    choice(Key::kUpcast, "upcast", kArchitectureTraining, kOnOffAuto,
           "prepare_model_for_kbit_training: whether what is not quantized goes to 32 bits."),
    other(Key::kDevice, "device", Kind::kText, kAlways, kUnset,
          "The device to judge: an id of the catalogue, or a size such as 24GB."),
    integer(Key::kCount, "count", kAlways, 1, 1, 1 << 20, "devices", "How many of the device."),
    other(Key::kReserve, "reserve", Kind::kAmount, kAlways, 0,
          "Memory kept free on each device: bytes such as 2GB or 512MiB, or a percentage."),
    choice(Key::kUnified, "unified", kAlways, kUnifieds,
           "How much of a unified memory the GPU may use: its measured limit, that of macOS up to "
           "15, or three quarters."),
    choice(Key::kEcc, "ecc", kAlways, kEccs,
           "Error correction on cards where it takes a sixteenth of the memory."),
    choice(Key::kLang, "lang", kAlways, kLanguages, "Language of the page."),
    choice(Key::kTheme, "theme", kAlways, kThemes, "Colours of the page."),
    choice(Key::kUnits, "units", kAlways, kUnitNames, "GB is 10^9 bytes, GiB is 2^30."),
    choice(Key::kView, "view", kAlways, kViews,
           "The whole page, the compact widget, or the plain form and tables."),
    other(Key::kConfig, "config", Kind::kDocument, kAlways, kUnset,
          "A model's config.json, as text or as the object itself, in place of a model id."),
}};

constexpr bool inKeyOrder() {
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    if (static_cast<std::size_t>(kFields[i].key) != i) return false;
  }
  return true;
}
static_assert(inKeyOrder(), "fields.cpp lists the fields in the order of Key");

}  // namespace

std::span<const Field> fields() { return kFields; }

const Field& fieldOf(Key key) { return kFields[static_cast<std::size_t>(key)]; }

const Field* findField(std::string_view name) {
  for (const Field& field : kFields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

}  // namespace memfit
