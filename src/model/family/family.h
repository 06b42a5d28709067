// memfit - SPDX-License-Identifier: Apache-2.0
//
// Family: what a model_type means beyond the keys of its config.json - defaults that are never
// written, biases that no key names, how many norms a layer has. One row of the tables; a row names
// rules, and where a table cannot say it, a function for the layers or the model.
//
//   registry.cpp    finds the row of a model_type
//   rules.cpp       what a row's rules make of a layer
//   dense.cpp, experts.cpp, hybrid.cpp, gemma.cpp, encoders.cpp    the rows
//   ../config_reader.cpp    reads a config.json by a row
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/architecture.h"
#include "model/config_view.h"
#include "model/overrides.h"

namespace memfit {

// A bias: as a key says, or by default where no key is named or the file has none.
struct BiasRule {
  std::string_view key;
  bool byDefault = false;
};

inline constexpr BiasRule kNoBias = {"", false};
inline constexpr BiasRule kAlwaysBias = {"", true};

enum class QkNormRule : std::uint8_t {
  kNone,
  kHead,       // d for queries and d for keys, one for all heads
  kWhole,      // a d and k d
  kHeadByKey,  // kHead when use_qk_norm, qk_norm or qk_layernorm is true
  kWholeByKey,
};

enum class WindowRule : std::uint8_t {
  kNever,    // a sliding_window in the file means nothing
  kAll,      // every layer, when the key is there
  kIfUsed,   // only if use_sliding_window is true, from layer max_window_layers on
  kPattern,  // the last of `windowPattern` layers sees the whole context (sliding_window_pattern)
  kEven,     // layers 0, 2, 4, ... are windowed
};

enum class NextTokenRule : std::uint8_t {
  kAbsent,            // a key may count them, but checkpoints do not store them
  kStored,            // with the model's own embedding and head
  kStoredWithCopies,  // the checkpoint stores embedding and head again with each
};

struct FamilyReader;

struct Family {
  std::string_view modelTypes[6] = {};  // that are read by this row
  bool tied = false;                    // when tie_word_embeddings is absent
  NormKind norm = NormKind::kRms;
  int norms = 2;
  BiasRule qkvBias = {"attention_bias", false};
  BiasRule outputBias = {"attention_bias", false};
  BiasRule mlpBias = {"mlp_bias", false};
  bool gated = true;
  QkNormRule qkNorm = QkNormRule::kNone;
  bool fusedQkv = false;
  bool fusedGateUp = false;
  WindowRule window = WindowRule::kNever;
  int windowPattern = 0;
  bool windowedBase = false;  // see Architecture
  bool diffusion = false;
  bool learnedPositions = false;
  bool headBias = false;
  // Mixtures of experts.
  bool correctionBias = false;
  bool sharedExpertGate = false;
  NextTokenRule nextTokens = NextTokenRule::kAbsent;
  // What the table cannot say.
  void (*base)(FamilyReader&) = nullptr;                          // before the layers: scalars
  void (*layer)(FamilyReader&, std::size_t i, Layer&) = nullptr;  // changes the layer of the rules
  void (*model)(FamilyReader&) = nullptr;                         // after the layers
};

// The row of a model_type, and the model_type as the row writes it: "gemma4_text" is gemma4's
// language model. No row where the tables have none.
struct KnownType {
  const Family* family = nullptr;
  std::string_view modelType;
};
KnownType knownType(std::string_view modelType);
// All rows, file by file.
std::vector<const Family*> families();
// The rows of each file.
std::span<const Family> denseFamilies();
std::span<const Family> expertFamilies();
std::span<const Family> hybridFamilies();
std::span<const Family> gemmaFamilies();
std::span<const Family> encoderFamilies();
// The rules for an unknown model_type with fields like Llama's.
const Family& genericFamily();
// The model_type of a model that a query describes; read by those rules, and known.
inline constexpr std::string_view kCustomType = "memfit-custom";

// What a reader of one config.json works on.
struct FamilyReader {
  ConfigView config;  // of the text model: text_config where there is one
  ConfigView root;
  ConfigView wrapper;  // where the towers' configs are; most often the root
  const Family* family = nullptr;
  ArchitectureOverrides overrides;
  Architecture architecture;
  std::vector<std::string> notices;

  // Scalars, read through every synonym (config_facts section 12); 0 when absent.
  Count hidden, layers, vocab, heads, kvHeads, headDim, valueHeadDim, intermediate;
  Count window, maxContext;
  Count experts, expertsPerToken, moeIntermediate, sharedIntermediate;
  Count qLoraRank, kvLoraRank, nopeDim, ropeDim, latentValueDim;  // kvLoraRank 0: no latent
  std::vector<Count> intermediates;  // a layer each, where the file has a list
  std::vector<std::string_view> layerTypes;

  // For a family's own use: layer indices or a value a layer, and block_configs.
  std::vector<Count> indices;
  std::vector<ConfigView> blocks;

  // Layer i by the family's rules.
  Layer layerByRules(std::size_t i);
  FullAttention attentionByRules(std::size_t i);
  LatentAttention latentByRules(std::size_t i);
  DenseFfn denseByRules(std::size_t i);
  MoeFfn moeByRules(std::size_t i);
  bool isMoeLayer(std::size_t i) const;
  bool isWindowed(std::size_t i) const;
  Count patternLength() const;  // of a window pattern; 0: none
  std::string_view layerType(std::size_t i) const {
    // A list that is shorter than the model (a query may have added layers) repeats.
    return layerTypes.empty() ? std::string_view() : layerTypes[i % layerTypes.size()];
  }

  bool flag(const BiasRule& rule) const {
    return rule.key.empty() ? rule.byDefault : config.flag({rule.key}).value_or(rule.byDefault);
  }
  Count countOr(Keys keys, Count otherwise) const { return config.count(keys).value_or(otherwise); }

  // What decides about a layer by its index: read once, asked for every layer.
  struct Lists {
    std::vector<std::string_view> mlpTypes, indexerTypes;
    std::vector<Count> mlpOnly, moeLayerFreq;
    std::vector<Count> moeIntermediates, perTokens, sharedCounts;
    Count sparseStep = 1, firstDense = 0, moeEvery = 1, interleaveStep = 1;
    Count moeStart = 0, moeEnd = Count(1) * 1000000, moeInterval = 1;
    Count expertPeriod = 0, expertOffset = 0;
    Count windowPattern = 0, patternLetters = 0;
  } lists;
};

// Fills the scalars and lists, overrides included; what is missing or wrong is in the view's
// errors.
void readBase(FamilyReader& reader, ConfigErrors& errors);
// The windows that a query asks for: all but the last of every `fullEvery` layers, or, where that
// is not given, those that have one already (all, when none has).
std::optional<Error> overrideWindows(Architecture& architecture,
                                     const ArchitectureOverrides& overrides);
// Appends the towers that a wrapper's config describes.
void readTowers(FamilyReader& reader);

}  // namespace memfit
