// memfit - SPDX-License-Identifier: Apache-2.0
//
// The one table of fields. Every key of a query is declared once, in fields.cpp: its name (the same
// word in URLs, JSON and JavaScript), kind, range, default, unit and what it has an effect on.
// Reading and writing queries, `memfit.fields()`, the type definitions and the controls of the page
// all come from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace memfit {

// clang-format off
enum class Key : std::uint8_t {
  kTask, kModel, kParams, kActive,
  kLayers, kHidden, kHeads, kKvHeads, kHeadDim, kIntermediate, kVocab, kTied,
  kExperts, kExpertsPerToken, kMoeIntermediate, kSharedExperts, kDenseLayers,
  kWindow, kFullEvery, kKvLoraRank, kQLoraRank, kNopeHeadDim, kRopeHeadDim, kVHeadDim,
  kMethod, kEngine, kWeights, kKv, kKvK, kKvV,
  kSeq, kBatch, kConcurrency,
  kTp, kPp, kEp, kCp, kDp,
  kUtilization, kBatchedTokens, kMaxSeqs, kGraphs,
  kGpuLayers, kCpuMoe, kUbatch, kSlots, kWindows, kLatent, kRelease, kDraft, kVision,
  kTrainer, kOptimizer, kRecipe, kCheckpointing, kAttention, kLoss, kRank, kTargets,
  kZero, kAccumulation, kPacking, kOffload,
  kKernels, kStep, kSequenceParallel,
  kLoraDropout, kDora, kSaveModules, kDoubleQuant, kQuantExperts, kUpcast,
  kDevice, kCount, kReserve, kUnified, kEcc,
  kLang, kTheme, kUnits, kView,
  kConfig,
  kEnd  // not a key: how many there are
};
// clang-format on
inline constexpr std::size_t kKeyCount = static_cast<std::size_t>(Key::kEnd);

enum class Kind : std::uint8_t {
  kChoice,    // one of `values`; stored as its index
  kInteger,   // a whole number; stored as it is
  kReal,      // a decimal number; stored times `scale`
  kFlag,      // true or false; stored as 1 or 0
  kAmount,    // "2GB", "512MiB" or "10%"; see Amount in query.h
  kText,      // a name
  kDocument,  // a config.json, as its text or (in JSON) as the object; not part of a URL
};

// What a field changes. A field that is given, but changes nothing for the method and task at hand,
// gets a notice; a field that nothing reads yet gets the same one, and loses it when it gains an
// effect.
enum Effect : std::uint16_t {
  kEffectNone = 0,
  kArchitectureInference = 1 << 0,
  kArchitectureTraining = 1 << 1,
  kPaiInference = 1 << 2,
  kPaiTraining = 1 << 3,
  kPerBillionTraining = 1 << 4,
  kKarakuriInference = 1 << 5,
  kKarakuriTraining = 1 << 6,
  kAlways = 1 << 7,  // the model, the device judged against, the page
};

struct Field {
  Key key;
  std::string_view name;
  Kind kind;
  std::uint16_t effect;
  std::int64_t fallback;                     // the default, as stored; kUnset where there is none
  std::int64_t min, max;                     // as stored; for numbers
  std::int64_t scale;                        // kReal: stored = value x scale; 1 otherwise
  std::string_view unit;                     // "tokens", "billions", ...; empty for pure names
  std::span<const std::string_view> values;  // kChoice: the words, the default first
  std::string_view word;                     // kInteger: a word that stands for kUnset ("all")
  std::string_view help;  // one English sentence; translations are keyed by `name`
};

inline constexpr std::int64_t kUnset = INT64_MIN;

// All fields in the order of Key.
std::span<const Field> fields();
const Field& fieldOf(Key key);
// nullptr for a name that no field has.
const Field* findField(std::string_view name);

}  // namespace memfit
