// memfit - SPDX-License-Identifier: Apache-2.0
//
// The words that choice fields take, as enums. The order is the order of the words in fields.cpp (a
// static_assert holds their number together, a test the spelling); the first is the default. A word
// once shipped keeps its meaning.
#pragma once

#include <cstdint>

namespace memfit {

enum class Task : std::uint8_t { kInference, kFull, kLora, kQlora, kCount };

enum class Method : std::uint8_t { kArchitecture, kPai, kPerBillion, kKarakuri, kCount };

enum class Engine : std::uint8_t { kTransformers, kVllm, kSglang, kLlamaCpp, kMlx, kCount };

// What the weights are held in. kQ8_0 to kMxfp4Moe: GGUF file types,
// which are mixes of block formats.
// clang-format off
enum class WeightFormat : std::uint8_t {
  kBf16, kStored, kFp32, kFp16, kFp8, kInt8, kNf4, kAwq4, kGptq4, kGptq8, kMxfp4, kNvfp4,
  kQ8_0, kQ6K, kQ5KM, kQ5KS, kQ5_1, kQ5_0, kQ4KM, kQ4KS, kQ4_1, kQ4_0, kQ3KL, kQ3KM, kQ3KS, kQ2K,
  kQ2KS, kIq4Nl, kIq4Xs, kIq3M, kIq3S, kIq3Xs, kIq3Xxs, kIq2M, kIq2S, kIq2Xs, kIq2Xxs, kIq1M,
  kIq1S, kTq2_0, kTq1_0, kMxfp4Moe, kMlx4, kMlx8,
  kCount
};
// clang-format on

enum class KvFormat : std::uint8_t {
  kBf16,
  kFp32,
  kFp16,
  kFp8,
  kInt8,
  kQ8_0,
  kQ5_1,
  kQ5_0,
  kQ4_1,
  kQ4_0,
  kIq4Nl,
  kInt4,
  kNvfp4,
  kCount
};

// The first word is the default here too: OnOff{} is on.
enum class OnOffAuto : std::uint8_t { kAuto, kOn, kOff, kCount };
enum class OnOff : std::uint8_t { kOn, kOff, kCount };
enum class Include : std::uint8_t { kNone, kInclude, kCount };
// What is kept of layers with a window, and how latent attention is cached.
enum class Windows : std::uint8_t { kAuto, kFull, kCount };
enum class LatentCache : std::uint8_t { kAuto, kLatent, kWhole, kCount };

enum class Trainer : std::uint8_t {
  kHf,
  kTorchtune,
  kLitgpt,
  kMegatron,
  kDeepspeed,
  kUnsloth,
  kMlx,
  kCount
};

enum class Optimizer : std::uint8_t {
  kAdamW,
  kAdam,
  kSgd,
  kMomentum,
  kRmsprop,
  kAdamW8bit,
  kPagedAdamW8bit,
  kAdamWBf16,
  kAdafactor,
  kLion,
  kLion8bit,
  kMuon,
  kPagedAdamW,
  kCount
};

enum class Recipe : std::uint8_t { kMixed, kBf16, kAutocast, kFp32, kCount };
enum class Checkpointing : std::uint8_t { kFull, kNone, kSelective, kOffloaded, kCount };
enum class AttentionKernel : std::uint8_t { kFlash, kEager, kSdpa, kCount };
enum class Loss : std::uint8_t { kStandard, kChunked, kFused, kCompiled, kInPlace, kCut, kCount };
enum class Offload : std::uint8_t { kNone, kOptimizer, kAll, kCount };
// Which elementwise operations run as one kernel: none, norms and rotary embedding, the MLP's
// product too (Liger, Unsloth), or all that a compiler finds.
enum class Kernels : std::uint8_t { kAuto, kPlain, kNorms, kFused, kCompiled, kCount };
// How the optimizer walks the parameters: all at once with a temporary (foreach), in one kernel, or
// each as soon as its gradient is there.
enum class StepKernel : std::uint8_t { kAuto, kForeach, kFused, kBackward, kCount };
enum class SaveModules : std::uint8_t { kNone, kEmbed, kHead, kEmbedHead, kCount };

// What a unified-memory machine gives its GPU: the limit that its driver was seen to report, the
// one that macOS up to 15 reports, or the planning rule of three quarters.
enum class UnifiedPolicy : std::uint8_t { kMeasured, kOlder, kPlan, kCount };
enum class EccPolicy : std::uint8_t { kDefault, kOn, kOff, kCount };

enum class Language : std::uint8_t { kAuto, kEn, kJa, kFr, kZh, kCount };
enum class Theme : std::uint8_t { kAuto, kLight, kDark, kCount };
enum class Units : std::uint8_t { kGb, kGib, kCount };
enum class View : std::uint8_t { kFull, kCompact, kPlain, kCount };

}  // namespace memfit
