// memfit - SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/overloaded.h"
#include "base/text.h"
#include "model/family/family.h"
#include "model/model.h"
#include "model/quantization_reader.h"

namespace memfit {
namespace {

constexpr std::uint64_t kMaxLayers = 10000;
constexpr std::uint64_t kMaxNextTokens = 64;
constexpr std::size_t kMaxKeys = 1000;
constexpr std::uint64_t kMaxWidth = std::uint64_t{1} << 32;

// What config.json files call the same thing (config_facts section 12).
const Keys kHiddenKeys = {"hidden_size", "n_embd", "d_model", "dim", "model_dim", "embedding_dim"};
const Keys kLayerKeys = {"num_hidden_layers",      "n_layer",           "n_layers", "num_layers",
                         "num_transformer_layers", "num_decoder_layers"};
const Keys kVocabKeys = {"padded_vocab_size", "vocab_size", "embedding_size"};
const Keys kHeadKeys = {"num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads"};
const Keys kHeadDimKeys = {"head_dim", "kv_channels", "attention_head_dim", "head_size",
                           "key_size"};
const Keys kKvHeadKeys = {"num_key_value_heads",  "num_kv_heads",    "n_head_kv",
                          "n_kv_heads",           "kv_n_heads",      "multi_query_group_num",
                          "num_attention_groups", "num_query_groups"};
const Keys kIntermediateKeys = {
    "intermediate_size", "ffn_dim",   "n_inner",      "ffn_hidden_size",     "ffn_embed_dim",
    "mlp_hidden_size",   "inter_dim", "block_ff_dim", "feed_forward_length", "d_ff"};
const Keys kWindowKeys = {"sliding_window", "sliding_window_size", "attention_chunk_size"};
const Keys kExpertKeys = {"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts",
                          "num_routed_experts"};
const Keys kExpertsPerTokenKeys = {"num_experts_per_tok",
                                   "num_experts_per_token",
                                   "experts_per_token",
                                   "moe_k",
                                   "moe_topk",
                                   "top_k_experts",
                                   "moe_top_k",
                                   "num_selected_experts",
                                   "n_activated_experts"};
const Keys kMoeIntermediateKeys = {"moe_intermediate_size", "expert_ffn_hidden_size",
                                   "expert_intermediate_size", "moe_inter_dim",
                                   "moe_ffn_hidden_size"};
const Keys kContextKeys = {"max_position_embeddings",
                           "n_positions",
                           "n_ctx",
                           "max_seq_len",
                           "seq_length",
                           "context_length",
                           "model_max_length",
                           "max_sequence_length"};
const Keys kSharedExpertKeys = {"n_shared_experts", "num_shared_experts", "moe_num_shared_experts",
                                "num_shared_expert"};
const Keys kSharedWidthKeys = {"shared_expert_intermediate_size",
                               "moe_shared_expert_intermediate_size", "share_expert_dim"};
const Keys kLatentKeys = {"kv_lora_rank"};

// Where a wrapper keeps its language model's config.
constexpr std::string_view kNested[] = {"text_config",    "llm_config",     "language_config",
                                        "thinker_config", "language_model", "text_model_config"};

struct TextModel {
  ConfigView view;
  std::vector<std::string_view> path;
};

TextModel textModelOf(ConfigView root) {
  TextModel found{root, {}};
  for (bool deeper = true; deeper && found.path.size() < 4;) {
    deeper = false;
    for (const std::string_view key : kNested) {
      // Only this key can mean nothing else; others may be a name or a path.
      if (key != "text_config" && !found.view.isObject(key)) continue;
      const ConfigView child = found.view.child(key);
      if (child.valid() && !child.keys().empty()) {
        found.view = child;
        found.path.push_back(key);
        deeper = true;
        break;
      }
    }
  }
  return found;
}

// The object that holds the language model's config and its towers' side by side: the root, or
// inside it (Qwen's omni models: thinker_config).
ConfigView wrapperOf(ConfigView root, const TextModel& text) {
  ConfigView wrapper = root;
  for (std::size_t i = 0; i + 1 < text.path.size(); ++i) wrapper = wrapper.child(text.path[i]);
  return wrapper;
}

// Sizes that Meta's params.json derives instead of storing: I = round up of ffn_dim_multiplier
// x int(2 x 4 H / 3) to multiple_of.
Count metaIntermediate(const ConfigView& config, Count hidden) {
  const std::optional<Count> multiple = config.count({"multiple_of"});
  if (!multiple || *multiple == 0 || hidden == 0) return 0;
  Count raw = hidden * 8 / 3;
  if (const std::optional<double> factor = config.number({"ffn_dim_multiplier"})) {
    if (*factor > 0 && *factor < 64) {
      raw = Count(static_cast<std::uint64_t>(*factor * raw.toDouble()));
    }
  }
  return raw.roundUp(*multiple);
}

Count sum(const std::vector<Count>& list) {
  Count total = 0;
  for (const Count value : list) total += value;
  return total;
}

}  // namespace

namespace {

// Latent attention, and how wide a value is without it.
void readLatent(FamilyReader& r) {
  const ArchitectureOverrides& o = r.overrides;
  r.kvLoraRank = r.countOr(kLatentKeys, 0);
  r.qLoraRank = orElse(o.qLoraRank, r.countOr({"q_lora_rank"}, 0));
  r.nopeDim = orElse(o.nopeHeadDim, r.countOr({"qk_nope_head_dim"}, 128));
  r.ropeDim = orElse(o.ropeHeadDim, r.countOr({"qk_rope_head_dim"}, 64));
  r.latentValueDim = orElse(o.vHeadDim, r.countOr({"v_head_dim"}, r.nopeDim));
  if (r.kvLoraRank > 0 && o.kvLoraRank == 0) {
    // The same heads, with keys and values of their own.
    if (!o.headDim) r.headDim = r.nopeDim + r.ropeDim;
    r.valueHeadDim = r.latentValueDim;
    r.kvLoraRank = 0;
    return;
  }
  r.valueHeadDim = r.kvLoraRank > 0 ? r.headDim : r.countOr({"v_head_dim"}, r.headDim);
}

// What a query asks for, after everything that the family made of the file.
void putOverrides(FamilyReader& r) {
  const ArchitectureOverrides& o = r.overrides;
  const auto put = [](Count& value, ArchitectureOverrides::Value asked) {
    value = orElse(asked, value);
  };
  put(r.layers, o.layers);
  put(r.hidden, o.hidden);
  put(r.heads, o.heads);
  put(r.kvHeads, o.kvHeads);
  // Values are as wide as keys, where they were.
  if (o.headDim && r.valueHeadDim == r.headDim) put(r.valueHeadDim, o.headDim);
  put(r.headDim, o.headDim);
  put(r.intermediate, o.intermediate);
  put(r.vocab, o.vocab);
  put(r.experts, o.experts);
  put(r.expertsPerToken, o.expertsPerToken);
  put(r.moeIntermediate, o.moeIntermediate);
  if (o.sharedExperts) r.sharedIntermediate = r.moeIntermediate * Count(*o.sharedExperts);
  put(r.lists.firstDense, o.denseLayers);
  put(r.kvLoraRank, o.kvLoraRank);
  put(r.qLoraRank, o.qLoraRank);
  put(r.nopeDim, o.nopeHeadDim);
  put(r.ropeDim, o.ropeHeadDim);
  put(r.latentValueDim, o.vHeadDim);
  if (r.kvLoraRank == 0) put(r.valueHeadDim, o.vHeadDim);
  // One value for all layers instead of one each.
  if (o.intermediate) r.intermediates.clear();
  if (o.expertsPerToken) r.lists.perTokens.clear();
  if (o.moeIntermediate) r.lists.moeIntermediates.clear();
  if (o.sharedExperts) r.lists.sharedCounts.clear();
  if (o.denseLayers) {
    r.lists.mlpTypes.clear();
    r.lists.moeLayerFreq.clear();
  }
}

}  // namespace

void readBase(FamilyReader& r, ConfigErrors& errors) {
  const ConfigView& c = r.config;
  const ArchitectureOverrides& o = r.overrides;
  r.hidden = orElse(o.hidden, r.countOr(kHiddenKeys, 0));
  r.layers = orElse(o.layers, r.countOr(kLayerKeys, 0));
  r.vocab = orElse(o.vocab, r.countOr(kVocabKeys, 0));
  r.heads = orElse(o.heads, r.countOr(kHeadKeys, 0));
  r.headDim = orElse(o.headDim, r.countOr(kHeadDimKeys, 0));
  if (r.headDim == 0 && r.heads > 0) r.headDim = r.hidden / r.heads;
  readLatent(r);
  r.kvHeads = orElse(o.kvHeads, r.countOr(kKvHeadKeys, r.heads));
  if (c.isList("intermediate_size")) {
    r.intermediates = c.counts("intermediate_size");
    r.intermediate = r.intermediates.empty() ? Count(0) : r.intermediates.front();
  } else {
    r.intermediate = r.countOr(kIntermediateKeys, 0);
  }
  if (r.intermediate == 0) r.intermediate = metaIntermediate(c, r.hidden);
  r.intermediate = orElse(o.intermediate, r.intermediate);
  r.maxContext = r.countOr(kContextKeys, 0);
  r.window = r.countOr(kWindowKeys, 0);

  r.experts = orElse(o.experts, r.countOr(kExpertKeys, 0));
  const auto scalarOrList = [&](Keys keys, std::vector<Count>& list) -> Count {
    for (const std::string_view key : keys) {
      if (c.isList(key)) {
        list = c.counts(key);
        return list.empty() ? Count(0) : list.front();
      }
      if (c.has(key)) return c.count({key}).value_or(0);
    }
    return 0;
  };
  r.expertsPerToken = scalarOrList(kExpertsPerTokenKeys, r.lists.perTokens);
  r.moeIntermediate = scalarOrList(kMoeIntermediateKeys, r.lists.moeIntermediates);
  r.moeIntermediate = orElse(o.moeIntermediate, r.moeIntermediate);
  if (r.moeIntermediate == 0) r.moeIntermediate = r.intermediate;
  // MiniMax-M3, LLaDA-MoE: then the plain word is the experts' width.
  r.intermediate = r.countOr({"dense_intermediate_size"}, r.intermediate);
  // Shared experts: a width of their own, or a number of experts merged into one.
  std::vector<Count> sharedCounts;
  const Count shared = scalarOrList(kSharedExpertKeys, sharedCounts);
  r.sharedIntermediate = r.countOr(kSharedWidthKeys, shared * r.moeIntermediate);
  if (sum(sharedCounts) > 0) r.lists.sharedCounts = sharedCounts;

  r.layerTypes = c.texts(c.has("layers_block_type") ? "layers_block_type" : "layer_types");
  r.lists.mlpTypes = c.texts("mlp_layer_types");
  r.lists.indexerTypes = c.texts("indexer_types");
  r.lists.mlpOnly = c.counts("mlp_only_layers");
  r.lists.sparseStep = max(r.countOr({"decoder_sparse_step"}, 1), 1);
  r.lists.firstDense =
      r.countOr({"first_k_dense_replace", "n_dense_layers", "num_dense_layers"}, 0);
  if (c.isList("moe_layer_freq")) {
    r.lists.moeLayerFreq = c.counts("moe_layer_freq");
  } else {
    r.lists.moeEvery = max(r.countOr({"moe_layer_freq"}, 1), 1);
  }
  r.lists.interleaveStep = max(r.countOr({"interleave_moe_layer_step"}, 1), 1);
  r.lists.moeStart = r.countOr({"moe_layer_start_index"}, 0);
  r.lists.moeEnd = r.countOr({"moe_layer_end_index"}, r.lists.moeEnd);
  r.lists.moeInterval = max(r.countOr({"moe_layer_interval"}, 1), 1);
  r.lists.expertPeriod = r.countOr({"expert_layer_period"}, 0);
  r.lists.expertOffset = r.countOr({"expert_layer_offset"}, 0);
  // A pattern is a number ("every 6th sees everything") or letters ("LLLG").
  if (c.isText("sliding_window_pattern")) {
    r.lists.patternLetters = Count(c.text({"sliding_window_pattern"})->size());
  } else if (r.family->window == WindowRule::kPattern) {
    r.lists.windowPattern = r.countOr({"sliding_window_pattern"}, 0);
  }

  if (r.family->base != nullptr) r.family->base(r);
  putOverrides(r);

  const auto need = [&](Count value, std::string_view what) {
    if (value == 0) errors.missing.emplace_back(what);
  };
  need(r.hidden, "hidden_size");
  need(r.layers, "num_hidden_layers");
  need(r.vocab, "vocab_size");
  const auto below = [&](Count value, std::string_view key, std::uint64_t limit) {
    if (value > limit) {
      c.refuse(key, cat(key, " is ", value.value(), "; at most ", limit, " is accepted."));
    }
  };
  below(r.layers, "num_hidden_layers", kMaxLayers);
  below(r.hidden, "hidden_size", kMaxWidth);
  below(r.intermediate, "intermediate_size", kMaxWidth);
  below(r.vocab, "vocab_size", kMaxWidth);
  below(r.headDim, "head_dim", kMaxWidth);
  below(r.heads, "num_attention_heads", kMaxWidth);
  below(r.kvHeads, "num_key_value_heads", kMaxWidth);
  below(r.experts, "num_experts", kMaxWidth);
}

namespace {

void readNextTokens(FamilyReader& r) {
  if (r.family->nextTokens == NextTokenRule::kAbsent) return;
  const Count count =
      r.countOr({"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"}, 0);
  if (count == 0) return;
  if (count > kMaxNextTokens) {
    r.config.refuse("num_nextn_predict_layers",
                    cat(count.value(), " next-token-prediction layers are given; at most ",
                        kMaxNextTokens, " are accepted."));
    return;
  }
  NextTokenPrediction& next = r.architecture.nextTokens;
  next.ownEmbeddings = r.family->nextTokens == NextTokenRule::kStoredWithCopies;
  // The block is a layer like the model's last, or, in ERNIE 4.5, dense (its family's hook says
  // so).
  for (Count i = 0; i < count; i += 1) {
    next.layers.push_back(r.layerByRules(static_cast<std::size_t>((r.layers + i).value())));
  }
}

// Notes what has to be there: a value of 0 is none. The key is what a config.json calls it.
struct Need {
  ConfigErrors& errors;
  void operator()(Count value, std::string_view key) const {
    const bool known =
        std::find(errors.missing.begin(), errors.missing.end(), key) != errors.missing.end();
    if (value == 0 && !known) errors.missing.emplace_back(key);
  }
};

// What a mixer cannot be without.
void needsOf(const Mixer& mixer, const Need& need) {
  std::visit(Overloaded{
                 [&](const FullAttention& m) {
                   need(m.heads, "num_attention_heads");
                   need(m.kvHeads, "num_key_value_heads");
                   need(m.headDim, "head_dim");
                 },
                 [&](const LatentAttention& m) { need(m.heads, "num_attention_heads"); },
                 // Their widths follow from others, or have defaults.
                 [](const CompressedAttention&) {},
                 [](const CrossAttention&) {},
                 [](const Mamba1&) {},
                 [&](const Mamba2& m) { need(m.heads, "mamba_num_heads"); },
                 [](const GatedDeltaNet&) {},
                 [](const KimiDelta&) {},
                 [](const LightningAttention&) {},
                 [](const ShortConv&) {},
                 [](const Rwkv&) {},
                 [](const LinearMixer&) {},
             },
             mixer);
}
void needsOf(const FeedForward& feedForward, const Need& need) {
  std::visit(Overloaded{
                 [&](const DenseFfn& f) { need(f.intermediate, "intermediate_size"); },
                 [&](const MoeFfn& f) {
                   need(f.intermediate, "moe_intermediate_size");
                   need(f.perToken, "num_experts_per_tok");
                 },
             },
             feedForward);
}

// What the layers need and the file does not say: a width of 0 is no width.
void checkLayers(const Architecture& a, ConfigErrors& errors) {
  const Need need{errors};
  for (const Layer& layer : a.kinds) {
    for (const Mixer& mixer : layer.mixers) needsOf(mixer, need);
    for (const FeedForward& feedForward : layer.feedForwards) needsOf(feedForward, need);
  }
}

Error missingError(const std::vector<std::string>& missing, std::string_view what) {
  std::vector<std::string_view> words(missing.begin(), missing.end());
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    list += cat(i == 0 ? "" : i + 1 == words.size() ? " and " : ", ", words[i]);
  }
  return {ErrorCode::kMissing, missing.front(),
          cat(what, " has no ", list, "; without ", missing.size() > 1 ? "them" : "it",
              " no architecture can be read from it.")};
}

std::string architectureName(const ConfigView& root) {
  const std::vector<std::string_view> names = root.texts("architectures");
  return names.empty() ? std::string() : std::string(names.front());
}

// The keys of the config that a Llama-like shape is read from.
std::string keysRestedOn(const ConfigView& config) {
  std::string list;
  for (const Keys& synonyms : {kHiddenKeys, kLayerKeys, kHeadKeys, kKvHeadKeys, kHeadDimKeys,
                               kIntermediateKeys, kVocabKeys, kExpertKeys, kExpertsPerTokenKeys,
                               kMoeIntermediateKeys, kLatentKeys, kWindowKeys}) {
    for (const std::string_view key : synonyms) {
      if (!config.has(key)) continue;
      list += cat(list.empty() ? "" : ", ", key);
      break;
    }
  }
  return list;
}

// The family of the text model's model_type; where the tables do not have that, of the wrapper's;
// where neither is there, a Llama-like decoder. What was not known is said.
void chooseFamily(FamilyReader& r) {
  const std::string_view textType = r.config.text({"model_type"}).value_or("");
  const std::string_view rootType = r.root.text({"model_type"}).value_or("");
  const std::string_view type = textType.empty() ? rootType : textType;
  KnownType known = knownType(textType);
  if (known.family != nullptr) {
    r.family = known.family;
    r.architecture.family = std::string(known.modelType);
    return;
  }
  known = knownType(rootType);
  r.family = known.family != nullptr ? known.family : &genericFamily();
  r.architecture.family = std::string(textType.empty() ? known.modelType : textType);
  if (textType.empty() && known.family != nullptr) return;
  if (r.architecture.family.empty()) r.architecture.family = std::string(type);
  const std::string keys = keysRestedOn(r.config);
  if (type.empty()) {
    r.notices.push_back(
        cat("The config names no model_type: its shape is read as a Llama-like decoder's, from ",
            keys, "."));
  } else if (known.family != nullptr) {
    r.notices.push_back(cat("The model_type ", quoted(type),
                            " is not known: its shape is read by the rules of ", known.modelType,
                            ", which it stands in, from ", keys, "."));
  } else {
    r.notices.push_back(cat("The model_type ", quoted(type),
                            " is not known: its shape is read as a Llama-like decoder's, from ",
                            keys, "."));
  }
}

// What stands beside the layers, then the layers.
void readArchitecture(FamilyReader& r) {
  Architecture& a = r.architecture;
  a.hidden = r.hidden;
  a.vocab = r.vocab;
  a.maxContext = r.maxContext;
  a.norm = r.family->norm;
  a.windowedBase = r.family->windowedBase;
  a.diffusion = r.family->diffusion;
  a.headBias = r.family->headBias || r.config.flag({"lm_head_bias"}).value_or(false);
  a.tied = r.family->tied;
  // A wrapper may say it outside too; the text model's own word goes first.
  if (const std::optional<bool> outer = r.root.flag({"tie_word_embeddings"})) a.tied = *outer;
  if (const std::optional<bool> own =
          r.config.flag({"tie_word_embeddings", "tie_embedding", "tie_embeddings"})) {
    a.tied = *own;
  }
  if (r.overrides.tied) a.tied = *r.overrides.tied != 0;
  if (r.family->learnedPositions) a.positions = r.maxContext;
  for (std::size_t i = 0; i < r.layers.value(); ++i) a.addLayer(r.layerByRules(i));
  readNextTokens(r);
  readTowers(r);
  if (r.family->model != nullptr) r.family->model(r);
}

Format checkpointFormatOf(const FamilyReader& r) {
  const Keys kWords = {"dtype", "torch_dtype", "params_dtype"};
  const bool own = std::any_of(kWords.begin(), kWords.end(),
                               [&](std::string_view key) { return r.config.has(key); });
  std::string_view word = (own ? r.config : r.root).text(kWords).value_or("");
  if (word.starts_with("torch.")) word.remove_prefix(6);
  return formatNamed(word).value_or(Format::kBf16);
}

bool overflows(const Model& model) {
  bool overflowed = model.parameters().overflowed() ||
                    kvElementsPerToken(model.architecture).overflowed() ||
                    recurrentElementsPerSequence(model.architecture).overflowed();
  for (const TensorGroup& group : model.inventory.groups()) {
    overflowed = overflowed || (model.inventory.parametersOf(group) * 8).overflowed();
  }
  return overflowed;
}

}  // namespace

Result<Model> modelFromConfig(std::string_view configJson, std::string_view name) {
  return modelFromConfig(configJson, {}, name, {});
}

Result<Model> modelFromConfig(std::string_view configJson, std::string_view quantConfigJson,
                              std::string_view name, const ArchitectureOverrides& overrides) {
  const std::string what = name.empty() ? "config.json" : cat("The config of ", quoted(name, 80));
  Result<ConfigDocument> document = ConfigDocument::parse(configJson, what);
  if (!document) return document.error();

  FamilyReader r;
  r.root = document->root();
  const TextModel text = textModelOf(r.root);
  r.config = text.view;
  r.wrapper = wrapperOf(r.root, text);
  r.overrides = overrides;
  ConfigErrors& errors = document->errors();

  // Every layer asks for keys by name: their number bounds the time.
  for (const ConfigView& view : {r.root, r.config}) {
    if (view.keys().size() > kMaxKeys) {
      return Error{
          ErrorCode::kBadFile, "",
          cat(what, " has ", view.keys().size(), " keys; at most ", kMaxKeys, " are accepted.")};
    }
  }

  chooseFamily(r);
  readBase(r, errors);
  if (!errors.found.empty()) return errors.found.front();
  if (!errors.missing.empty()) return missingError(errors.missing, what);
  readArchitecture(r);
  checkLayers(r.architecture, errors);
  if (!errors.found.empty()) return errors.found.front();
  if (!errors.missing.empty()) return missingError(errors.missing, what);
  if (const std::optional<Error> error = overrideWindows(r.architecture, overrides)) return *error;

  Model model;
  model.name = std::string(name);
  model.checkpointFormat = checkpointFormatOf(r);
  Result<Quantization> quantization = readQuantization(r.root, r.config, quantConfigJson);
  if (!quantization) return quantization.error();
  model.quantization = *std::move(quantization);
  if (!errors.found.empty()) return errors.found.front();

  model.architecture = std::move(r.architecture);
  if (model.architecture.family.empty()) model.architecture.family = architectureName(r.root);
  model.inventory = TensorInventory(model.architecture);
  if (overflows(model)) {
    return Error{ErrorCode::kOverflow, "",
                 cat(what, " describes more than 2^53 parameters; check its sizes.")};
  }
  model.notices = std::move(r.notices);
  model.config = document->text();
  return model;
}

}  // namespace memfit
