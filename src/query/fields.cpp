// memfit - SPDX-License-Identifier: Apache-2.0
#include "query/fields.h"

#include <array>
#include <iterator>

namespace memfit {

namespace {

using std::string_view;

constexpr string_view kTasks[] = {"inference", "full", "lora", "qlora"};
constexpr string_view kMethods[] = {"architecture", "pai", "per-billion", "karakuri"};
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

// What kind of program an engine is: what only some engines read goes by it. Where one reads less
// or more than its kind does, the field's row says so, and a test asks every engine about every
// field.
enum class EngineKind : std::uint8_t {
  kLibrary,  // loads the model and grows its cache as it goes
  kPaged,    // takes a share of the device and gives what is left to a pool of cache pages
  kGgml,     // llama.cpp and what is built on it: layers on the device or the host, one fixed cache
};
struct EngineWord {
  string_view word;
  EngineKind kind;
};
// In the order of Engine; all else that an engine decides stands in its row, memory/engine_*.cpp.
constexpr EngineWord kEngineWords[] = {
    {"transformers", EngineKind::kLibrary}, {"vllm", EngineKind::kPaged},
    {"sglang", EngineKind::kPaged},         {"llama.cpp", EngineKind::kGgml},
    {"mlx", EngineKind::kLibrary},
};
constexpr auto kEngines = [] {
  std::array<string_view, std::size(kEngineWords)> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = kEngineWords[i].word;
  return words;
}();

constexpr Engines enginesOf(EngineKind kind) {
  Engines engines;
  for (std::size_t i = 0; i < std::size(kEngineWords); ++i) {
    if (kEngineWords[i].kind == kind) engines = engines | static_cast<Engine>(i);
  }
  return engines;
}
constexpr Engines kPagedEngines = enginesOf(EngineKind::kPaged);
constexpr Engines kGgmlEngines = enginesOf(EngineKind::kGgml);

constexpr Tasks kAdapterTasks = Tasks(Task::kLora) | Task::kQlora;

constexpr Methods kArchitecture = Method::kArchitecture;
constexpr Methods kPai = Method::kPai;
constexpr Methods kPerBillion = Method::kPerBillion;
constexpr Methods kKarakuri = Method::kKarakuri;

// A dimension of the model: every method takes it, or the sizes that follow from it.
constexpr Reads kShapeReads = {.serving = Methods::all().without(Method::kPerBillion),
                               .training = Methods::all(),
                               .need = Need::kShape};

constexpr std::int64_t kBillion = 1000000000;
constexpr std::int64_t kMillion = 1000000;
constexpr std::int64_t kAnyDim = std::int64_t{1} << 30;

// The words of an enum, one each.
template <typename Enum, std::size_t N>
constexpr std::span<const string_view> words(const string_view (&list)[N]) {
  static_assert(N == static_cast<std::size_t>(Enum::kCount), "a word for each value");
  return list;
}

template <typename Enum, std::size_t N>
constexpr std::span<const string_view> words(const std::array<string_view, N>& list) {
  static_assert(N == static_cast<std::size_t>(Enum::kCount), "a word for each value");
  return list;
}

// In the order of Key. What a row leaves out is the default of Field, and what follows from its
// kind is filled in below.
constexpr auto kRows = std::to_array<Field>({
    {.key = Key::kTask,
     .name = "task",
     .reads = {.always = true},
     .group = Group::kModel,
     .control = Control::kOwn,
     .shown = Shown::kCompact,
     .values = words<Task>(kTasks),
     .help = "What the memory is for: serving, full fine-tuning, LoRA or QLoRA."},
    {.key = Key::kModel,
     .name = "model",
     .kind = Kind::kText,
     .reads = {.always = true, .need = Need::kNoConfig},
     .group = Group::kModel,
     .control = Control::kOwn,
     .shown = Shown::kCompact,
     .namesModel = true,
     .help = "The model: an id or alias of the catalogue, or \"custom\" with the shape given."},
    {.key = Key::kParams,
     .name = "params",
     .kind = Kind::kReal,
     .reads = {.always = true, .need = Need::kNoModel},
     .group = Group::kModel,
     .control = Control::kOwn,
     .shown = Shown::kFirst,
     .min = kMillion,
     .max = 100000 * kBillion,
     .scale = kBillion,
     .unit = "billions",
     .namesModel = true,
     .unitBeside = true,
     .help = "All parameters of a model that is known only by its size."},
    {.key = Key::kActive,
     .name = "active",
     .kind = Kind::kReal,
     .reads = {.always = true, .need = Need::kSize},
     .group = Group::kModel,
     .control = Control::kOwn,
     .shown = Shown::kFirst,
     .min = kMillion,
     .max = 100000 * kBillion,
     .scale = kBillion,
     .unit = "billions",
     .namesModel = true,
     .unitBeside = true,
     .help = "Parameters that a token uses, where that is fewer: mixture of experts."},
    {.key = Key::kLayers,
     .name = "layers",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = 10000,
     .unit = "layers",
     .help = "Number of layers."},
    {.key = Key::kHidden,
     .name = "hidden",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = kAnyDim,
     .unit = "values",
     .help = "Hidden size."},
    {.key = Key::kHeads,
     .name = "heads",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = 1 << 20,
     .unit = "heads",
     .help = "Query heads a layer."},
    {.key = Key::kKvHeads,
     .name = "kv_heads",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = 1 << 20,
     .unit = "heads",
     .help = "Key and value heads a layer."},
    {.key = Key::kHeadDim,
     .name = "head_dim",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = 1 << 20,
     .unit = "values",
     .help = "Size of a head."},
    {.key = Key::kIntermediate,
     .name = "intermediate",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = kAnyDim,
     .unit = "values",
     .help = "Width of the dense feed-forward block."},
    {.key = Key::kVocab,
     .name = "vocab",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = kAnyDim,
     .unit = "tokens",
     .help = "Rows of the token embedding."},
    {.key = Key::kTied,
     .name = "tied",
     .kind = Kind::kFlag,
     .reads = kShapeReads,
     .group = Group::kShape,
     .help = "Whether the output head is the token embedding."},
    {.key = Key::kExperts,
     .name = "experts",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .max = 1 << 20,
     .unit = "experts",
     .help = "Routed experts a layer."},
    {.key = Key::kExpertsPerToken,
     .name = "experts_per_token",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = 1 << 20,
     .unit = "experts",
     .help = "Routed experts that a token uses."},
    {.key = Key::kMoeIntermediate,
     .name = "moe_intermediate",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = kAnyDim,
     .unit = "values",
     .help = "Width of one expert."},
    {.key = Key::kSharedExperts,
     .name = "shared_experts",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .max = 1 << 20,
     .unit = "experts",
     .help = "Experts that every token uses."},
    {.key = Key::kDenseLayers,
     .name = "dense_layers",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .max = 10000,
     .unit = "layers",
     .help = "Leading layers without experts."},
    {.key = Key::kWindow,
     .name = "window",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .max = kAnyDim,
     .unit = "tokens",
     .help = "Sliding window of the windowed layers; 0 for none."},
    {.key = Key::kFullEvery,
     .name = "full_every",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = 10000,
     .unit = "layers",
     .help = "One layer in so many attends to everything; the others to the window."},
    {.key = Key::kKvLoraRank,
     .name = "kv_lora_rank",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .max = kAnyDim,
     .unit = "values",
     .help = "Latent attention (MLA): size of the compressed key-value vector."},
    {.key = Key::kQLoraRank,
     .name = "q_lora_rank",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .max = kAnyDim,
     .unit = "values",
     .help = "Latent attention: size of the compressed query vector; 0 for none."},
    {.key = Key::kNopeHeadDim,
     .name = "nope_head_dim",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = 1 << 20,
     .unit = "values",
     .help = "Latent attention: part of a key head without rotary position."},
    {.key = Key::kRopeHeadDim,
     .name = "rope_head_dim",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .max = 1 << 20,
     .unit = "values",
     .help = "Latent attention: rotary part of a key head, shared by all heads."},
    {.key = Key::kVHeadDim,
     .name = "v_head_dim",
     .kind = Kind::kInteger,
     .reads = kShapeReads,
     .group = Group::kShape,
     .min = 1,
     .max = 1 << 20,
     .unit = "values",
     .help = "Latent attention: size of a value head."},
    {.key = Key::kMethod,
     .name = "method",
     .reads = {.always = true},
     .group = Group::kWorkload,
     .shown = Shown::kFirst,
     .late = 3,
     .values = words<Method>(kMethods),
     .help = "How to estimate: from the model's own shape, or by a published rule of thumb."},
    {.key = Key::kEngine,
     .name = "engine",
     .reads = {.serving = kArchitecture},
     .group = Group::kWorkload,
     .shown = Shown::kFirst,
     .late = 1,
     .values = words<Engine>(kEngines),
     .help = "What serves the model."},
    {.key = Key::kWeights,
     .name = "weights",
     .reads = {.serving = kArchitecture | kPai, .training = kArchitecture | kPai},
     .group = Group::kModel,
     .control = Control::kOwn,
     .shown = Shown::kFirst,
     .values = words<WeightFormat>(kWeightFormats),
     .help = "What the weights are held in; \"stored\" is what the checkpoint says."},
    {.key = Key::kKv,
     .name = "kv",
     .reads = {.serving = kArchitecture, .need = Need::kEitherSide},
     .group = Group::kCache,
     .shown = Shown::kFirst,
     .values = words<KvFormat>(kKvFormats),
     .help = "What the KV cache is held in."},
    {.key = Key::kKvK,
     .name = "kv_k",
     .reads = {.serving = kArchitecture},
     .group = Group::kCache,
     .values = words<KvFormat>(kKvFormats),
     .help = "What the keys are held in, if not as kv."},
    {.key = Key::kKvV,
     .name = "kv_v",
     .reads = {.serving = kArchitecture},
     .group = Group::kCache,
     .values = words<KvFormat>(kKvFormats),
     .help = "What the values are held in, if not as kv."},
    {.key = Key::kSeq,
     .name = "seq",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture | kPai | kKarakuri,
               .training = kArchitecture | kPai | kKarakuri},
     .group = Group::kWorkload,
     .control = Control::kDoubling,
     .shown = Shown::kCompact,
     .fallback = 4096,
     .min = 1,
     .max = 100000000,
     .unit = "tokens",
     .unitBeside = true,
     .help = "Tokens a sequence: input and output together."},
    {.key = Key::kBatch,
     .name = "batch",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture | kPai | kKarakuri,
               .training = kArchitecture | kPai | kKarakuri,
               .need = Need::kNoSlots},
     .group = Group::kWorkload,
     .control = Control::kDoubling,
     .shown = Shown::kFirst,
     .fallback = 1,
     .min = 1,
     .max = 1000000,
     .unit = "sequences",
     .help = "Sequences a request; in training the micro-batch of a device."},
    {.key = Key::kConcurrency,
     .name = "concurrency",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture | kPai, .need = Need::kNoSlots},
     .group = Group::kWorkload,
     .control = Control::kDoubling,
     .shown = Shown::kFirst,
     .fallback = 1,
     .min = 1,
     .max = 1000000,
     .unit = "requests",
     .help = "Requests in flight at once."},
    {.key = Key::kTp,
     .name = "tp",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture, .training = kArchitecture},
     .group = Group::kSpread,
     .control = Control::kStepper,
     .fallback = 1,
     .min = 1,
     .max = 1024,
     .unit = "devices",
     .help = "Tensor parallelism."},
    {.key = Key::kPp,
     .name = "pp",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture, .training = kArchitecture},
     .group = Group::kSpread,
     .control = Control::kStepper,
     .fallback = 1,
     .min = 1,
     .max = 1024,
     .unit = "devices",
     .help = "Pipeline parallelism."},
    {.key = Key::kEp,
     .name = "ep",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture, .training = kArchitecture},
     .group = Group::kSpread,
     .control = Control::kStepper,
     .fallback = 1,
     .min = 1,
     .max = 1024,
     .unit = "devices",
     .help = "Expert parallelism."},
    {.key = Key::kCp,
     .name = "cp",
     .kind = Kind::kInteger,
     .reads = {.training = kArchitecture},
     .group = Group::kSpread,
     .control = Control::kStepper,
     .fallback = 1,
     .min = 1,
     .max = 1024,
     .unit = "devices",
     .help = "Context parallelism."},
    {.key = Key::kDp,
     .name = "dp",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture, .training = kArchitecture},
     .group = Group::kSpread,
     .control = Control::kStepper,
     .fallback = 1,
     .min = 1,
     .max = 1 << 20,
     .unit = "devices",
     .help = "Data parallelism."},
    {.key = Key::kUtilization,
     .name = "utilization",
     .kind = Kind::kReal,
     .reads = {.serving = kArchitecture, .engines = kPagedEngines},
     .group = Group::kEngine,
     .min = kMillion / 100,
     .max = kMillion,
     .scale = kMillion,
     .unit = "fraction",
     .help = "Share of the device that the serving engine takes; its own default if absent."},
    {.key = Key::kBatchedTokens,
     .name = "batched_tokens",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture, .engines = kPagedEngines},
     .group = Group::kEngine,
     .min = 1,
     .max = 100000000,
     .unit = "tokens",
     .help = "Tokens that the engine puts into one step; its own default if absent."},
    {.key = Key::kMaxSeqs,
     .name = "max_seqs",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture, .engines = Engine::kVllm},
     .group = Group::kEngine,
     .min = 1,
     .max = 1000000,
     .unit = "sequences",
     .help = "Sequences that the engine puts into one step; its own default if absent."},
    {.key = Key::kGraphs,
     .name = "graphs",
     .reads = {.serving = kArchitecture, .engines = kPagedEngines},
     .group = Group::kEngine,
     .values = words<OnOffAuto>(kOnOffAuto),
     .help = "CUDA graphs; auto is the engine's own way."},
    {.key = Key::kGpuLayers,
     .name = "gpu_layers",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture, .engines = kGgmlEngines},
     .group = Group::kEngine,
     .max = 10000,
     .unit = "layers",
     .word = "all",
     .help = "llama.cpp: layers on the device; the output head counts as one more."},
    {.key = Key::kCpuMoe,
     .name = "cpu_moe",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture, .engines = kGgmlEngines},
     .group = Group::kEngine,
     .control = Control::kStepper,
     .fallback = 0,
     .max = 10000,
     .unit = "layers",
     .help = "llama.cpp: first layers whose experts stay on the host."},
    {.key = Key::kUbatch,
     .name = "ubatch",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture, .engines = kGgmlEngines},
     .group = Group::kEngine,
     .fallback = 512,
     .min = 1,
     .max = 1000000,
     .unit = "tokens",
     .help = "llama.cpp: physical batch."},
    {.key = Key::kSlots,
     .name = "slots",
     .kind = Kind::kInteger,
     .reads = {.serving = kArchitecture, .engines = kGgmlEngines},
     .group = Group::kEngine,
     .min = 1,
     .max = 4096,
     .unit = "slots",
     .help = "llama.cpp: slots of the server, which share a context of seq tokens."},
    {.key = Key::kWindows,
     .name = "windows",
     .reads = {.serving = kArchitecture, .engines = kGgmlEngines},
     .group = Group::kEngine,
     .values = words<Windows>(kWindowsNames),
     .help = "llama.cpp: whether layers with a window keep the whole context (--swa-full)."},
    {.key = Key::kLatent,
     .name = "latent",
     .reads = {.serving = kArchitecture, .engines = kGgmlEngines},
     .group = Group::kEngine,
     .values = words<LatentCache>(kLatents),
     .help = "llama.cpp: latent attention cached as latents, or as whole keys and values."},
    {.key = Key::kRelease,
     .name = "release",
     .kind = Kind::kText,
     .reads = {.serving = kArchitecture, .engines = kGgmlEngines | Engine::kVllm},
     .group = Group::kEngine,
     .help =
         "The engine's release, as it writes it: 0.19 for vLLM, b9867 for llama.cpp; the newest "
         "that was read if absent."},
    {.key = Key::kDraft,
     .name = "draft",
     .reads = {.serving = kArchitecture},
     .group = Group::kCache,
     .values = words<Include>(kIncludes),
     .help = "Next-token-prediction or draft parts of the model."},
    {.key = Key::kVision,
     .name = "vision",
     .reads = {.serving = kArchitecture},
     .group = Group::kCache,
     .values = words<Include>(kIncludes),
     .help = "Vision or audio towers of the model."},
    {.key = Key::kTrainer,
     .name = "trainer",
     .reads = {.training = kArchitecture},
     .group = Group::kWorkload,
     .shown = Shown::kFirst,
     .late = 2,
     .values = words<Trainer>(kTrainers),
     .help = "Whose data types, buffers and kernels the training uses."},
    {.key = Key::kOptimizer,
     .name = "optimizer",
     .reads = {.training = kArchitecture | kPai},
     .group = Group::kTraining,
     .shown = Shown::kFirst,
     .values = words<Optimizer>(kOptimizers),
     .help = "The optimizer."},
    {.key = Key::kRecipe,
     .name = "recipe",
     .reads = {.training = kArchitecture | kPerBillion, .need = Need::kOwnRecipe},
     .group = Group::kTraining,
     .shown = Shown::kFirst,
     .values = words<Recipe>(kRecipes),
     .help = "Precision of weights, gradients and master copy."},
    {.key = Key::kCheckpointing,
     .name = "checkpointing",
     .reads = {.training = kArchitecture},
     .group = Group::kTraining,
     .shown = Shown::kFirst,
     .values = words<Checkpointing>(kCheckpointings),
     .help = "Gradient checkpointing: which activations are recomputed."},
    {.key = Key::kAttention,
     .name = "attention",
     .reads = {.serving = kArchitecture,
               .training = kArchitecture,
               .engines = kGgmlEngines | Engine::kTransformers},
     .group = Group::kTraining,
     .values = words<AttentionKernel>(kAttentions),
     .help = "The attention kernel."},
    {.key = Key::kLoss,
     .name = "loss",
     .reads = {.training = kArchitecture},
     .group = Group::kTraining,
     .values = words<Loss>(kLosses),
     .help = "How the loss handles the logits."},
    {.key = Key::kRank,
     .name = "rank",
     .kind = Kind::kInteger,
     .reads = {.training = kArchitecture, .tasks = kAdapterTasks},
     .group = Group::kTraining,
     .shown = Shown::kFirst,
     .fallback = 16,
     .min = 1,
     .max = 1 << 20,
     .unit = "values",
     .help = "Rank of the adapters."},
    {.key = Key::kTargets,
     .name = "targets",
     .kind = Kind::kText,
     .reads = {.training = kArchitecture, .tasks = kAdapterTasks},
     .group = Group::kTraining,
     .shown = Shown::kFirst,
     .help = "What the adapters attach to: all-linear, attention, or names such as q,v."},
    {.key = Key::kZero,
     .name = "zero",
     .kind = Kind::kInteger,
     .reads = {.training = kArchitecture},
     .group = Group::kSpread,
     .control = Control::kStepper,
     .fallback = 0,
     .max = 3,
     .unit = "stage",
     .help = "ZeRO stage over the dp devices; 3 is also FSDP full sharding."},
    {.key = Key::kAccumulation,
     .name = "accumulation",
     .kind = Kind::kInteger,
     .reads = {.training = kArchitecture, .trainers = Trainers::all().without(Trainer::kMegatron)},
     .group = Group::kTraining,
     .control = Control::kStepper,
     .fallback = 1,
     .min = 1,
     .max = 1000000,
     .unit = "micro-batches",
     .help = "Micro-batches a step."},
    {.key = Key::kPacking,
     .name = "packing",
     .reads = {.training = kArchitecture},
     .group = Group::kTraining,
     .values = words<OnOff>(kOnOff),
     .help = "Whether every row is filled to seq tokens."},
    {.key = Key::kOffload,
     .name = "offload",
     .reads = {.training = kArchitecture},
     .group = Group::kTraining,
     .values = words<Offload>(kOffloads),
     .help = "Training: what lies in host memory."},
    {.key = Key::kKernels,
     .name = "kernels",
     .reads = {.training = kArchitecture},
     .group = Group::kTraining,
     .values = words<Kernels>(kKernelNames),
     .help = "Which elementwise operations of a layer run as one kernel: none, norms and rotary "
             "embedding, the MLP too, or what a compiler finds; auto is the trainer's own way."},
    {.key = Key::kStep,
     .name = "step",
     .reads = {.training = kArchitecture},
     .group = Group::kTraining,
     .values = words<StepKernel>(kSteps),
     .help =
         "The optimizer step: all parameters at once with a temporary, in one kernel, or during "
         "the backward pass; auto is the trainer's own way."},
    {.key = Key::kSequenceParallel,
     .name = "sequence_parallel",
     .reads = {.training = kArchitecture, .need = Need::kTensorParallel},
     .group = Group::kSpread,
     .values = words<OnOffAuto>(kOnOffAuto),
     .help = "With tensor parallelism: whether norms and residuals are cut along the sequence."},
    {.key = Key::kLoraDropout,
     .name = "lora_dropout",
     .kind = Kind::kReal,
     .reads = {.training = kArchitecture, .tasks = kAdapterTasks},
     .group = Group::kTraining,
     .max = kMillion,
     .scale = kMillion,
     .unit = "fraction",
     .help = "Dropout before the adapters; above 0 each keeps its own copy of its input."},
    {.key = Key::kDora,
     .name = "dora",
     .kind = Kind::kFlag,
     .reads = {.training = kArchitecture, .tasks = kAdapterTasks},
     .group = Group::kTraining,
     .fallback = 0,
     .help = "DoRA: a trained magnitude beside each adapter."},
    {.key = Key::kSaveModules,
     .name = "save_modules",
     .reads = {.training = kArchitecture, .tasks = kAdapterTasks},
     .group = Group::kTraining,
     .values = words<SaveModules>(kSaveModulesNames),
     .help = "Embedding or head trained whole beside the adapters (modules_to_save)."},
    {.key = Key::kDoubleQuant,
     .name = "double_quant",
     .reads = {.training = kArchitecture,
               .tasks = kAdapterTasks,
               .trainers = Trainers::all().without(Trainer::kMlx),
               .need = Need::kNf4Weights},
     .group = Group::kTraining,
     .values = words<OnOff>(kOnOff),
     .help = "nf4: whether the scales are quantized too."},
    {.key = Key::kQuantExperts,
     .name = "quant_experts",
     .reads = {.training = kArchitecture, .tasks = kAdapterTasks, .need = Need::kQuantizedWeights},
     .group = Group::kTraining,
     .values = words<OnOffAuto>(kOnOffAuto),
     .help = "Whether experts held as one 3-D tensor are quantized; auto is what bitsandbytes does "
             "with the model."},
    {.key = Key::kUpcast,
     .name = "upcast",
     .reads = {.training = kArchitecture,
               .tasks = kAdapterTasks,
               .trainers = Trainers::all().without(Trainer::kLitgpt),
               .need = Need::kQuantizedWeights},
     .group = Group::kTraining,
     .values = words<OnOffAuto>(kOnOffAuto),
     .help = "prepare_model_for_kbit_training: whether what is not quantized goes to 32 bits."},
    {.key = Key::kDevice,
     .name = "device",
     .kind = Kind::kText,
     .reads = {.always = true},
     .group = Group::kDevice,
     .control = Control::kOwn,
     .shown = Shown::kCompact,
     .help = "The device to judge: an id of the catalogue, or a size such as 24GB."},
    {.key = Key::kCount,
     .name = "count",
     .kind = Kind::kInteger,
     .reads = {.always = true},
     .group = Group::kDevice,
     .control = Control::kOwn,
     .shown = Shown::kCompact,
     .fallback = 1,
     .min = 1,
     .max = 1 << 20,
     .unit = "devices",
     .help = "How many of the device."},
    {.key = Key::kReserve,
     .name = "reserve",
     .kind = Kind::kAmount,
     .reads = {.always = true},
     .group = Group::kDeviceMore,
     .fallback = 0,
     .help = "Memory kept free on each device: bytes such as 2GB or 512MiB, or a percentage."},
    {.key = Key::kUnified,
     .name = "unified",
     .reads = {.always = true},
     .group = Group::kDeviceMore,
     .values = words<UnifiedPolicy>(kUnifieds),
     .help =
         "How much of a unified memory the GPU may use: its measured limit, that of macOS up to "
         "15, or three quarters."},
    {.key = Key::kEcc,
     .name = "ecc",
     .reads = {.always = true},
     .group = Group::kDeviceMore,
     .values = words<EccPolicy>(kEccs),
     .help = "Error correction on cards where it takes a sixteenth of the memory."},
    {.key = Key::kLang,
     .name = "lang",
     .reads = {.always = true},
     .group = Group::kPage,
     .control = Control::kOwn,
     .values = words<Language>(kLanguages),
     .help = "Language of the page."},
    {.key = Key::kTheme,
     .name = "theme",
     .reads = {.always = true},
     .group = Group::kPage,
     .control = Control::kOwn,
     .values = words<Theme>(kThemes),
     .help = "Colours of the page."},
    {.key = Key::kUnits,
     .name = "units",
     .reads = {.always = true},
     .group = Group::kPage,
     .control = Control::kOwn,
     .values = words<Units>(kUnitNames),
     .help = "GB is 10^9 bytes, GiB is 2^30."},
    {.key = Key::kView,
     .name = "view",
     .reads = {.always = true},
     .group = Group::kPage,
     .control = Control::kOwn,
     .values = words<View>(kViews),
     .help = "The whole page, the compact widget, or the plain form and tables."},
    {.key = Key::kConfig,
     .name = "config",
     .kind = Kind::kDocument,
     .reads = {.always = true},
     .group = Group::kShape,
     .control = Control::kOwn,
     .help = "A model's config.json, as text or as the object itself, in place of a model id."},
});
static_assert(kRows.size() == kKeyCount, "a row for each key");

constexpr std::array<Field, kKeyCount> filledIn() {
  std::array<Field, kKeyCount> fields = kRows;
  std::uint8_t texts = 0;
  for (Field& field : fields) {
    const bool isChoice = field.kind == Kind::kChoice;
    const bool isText = field.kind == Kind::kText || field.kind == Kind::kDocument;
    if (isChoice) {
      field.fallback = 0;
      field.max = static_cast<std::int64_t>(field.values.size()) - 1;
    }
    if (isText) field.textSlot = texts++;
    if (field.control == Control::kOfKind) {
      field.control = isChoice                    ? Control::kSelect
                      : field.kind == Kind::kFlag ? Control::kSwitch
                                                  : Control::kEntry;
    }
  }
  return fields;
}
constexpr std::array<Field, kKeyCount> kFields = filledIn();

constexpr std::size_t textFields() {
  std::size_t count = 0;
  for (const Field& field : kFields) {
    count += field.kind == Kind::kText || field.kind == Kind::kDocument ? 1u : 0u;
  }
  return count;
}
static_assert(textFields() == kTextCount, "fields.h says how many texts a query holds");

constexpr std::array<Key, kKeyCount> onThePage() {
  std::array<Key, kKeyCount> keys{};
  std::size_t next = 0;
  for (std::size_t group = 0; group < static_cast<std::size_t>(Group::kCount); ++group) {
    // Few groups have late fields, and few of those.
    for (std::size_t late = 0; late <= 255; ++late) {
      for (const Field& field : kFields) {
        if (static_cast<std::size_t>(field.group) == group && field.late == late) {
          keys[next++] = field.key;
        }
      }
    }
  }
  return keys;
}
constexpr std::array<Key, kKeyCount> kPageOrder = onThePage();

constexpr string_view kGroupNames[] = {"model",    "workload", "device",   "shape",      "cache",
                                       "parallel", "engine",   "training", "deviceMore", "page"};
static_assert(std::size(kGroupNames) == static_cast<std::size_t>(Group::kCount));
constexpr string_view kControlNames[] = {"",       "own",    "doubling", "stepper",
                                         "select", "switch", "entry"};
static_assert(std::size(kControlNames) == static_cast<std::size_t>(Control::kCount));
constexpr string_view kShownNames[] = {"compact", "first", "more"};
static_assert(std::size(kShownNames) == static_cast<std::size_t>(Shown::kCount));

constexpr bool inKeyOrder() {
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    if (static_cast<std::size_t>(kFields[i].key) != i) return false;
  }
  return true;
}
static_assert(inKeyOrder(), "fields.cpp lists the fields in the order of Key");

}  // namespace

std::span<const Field> fields() { return kFields; }

std::span<const Key> pageOrder() { return kPageOrder; }

const Field& fieldOf(Key key) { return kFields[static_cast<std::size_t>(key)]; }

const Field* findField(std::string_view name) {
  for (const Field& field : kFields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

std::string_view groupName(Group group) { return kGroupNames[static_cast<std::size_t>(group)]; }

std::string_view controlName(Control control) {
  return kControlNames[static_cast<std::size_t>(control)];
}

std::string_view shownName(Shown shown) { return kShownNames[static_cast<std::size_t>(shown)]; }

}  // namespace memfit
