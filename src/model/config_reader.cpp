// memfit - SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/overloaded.h"
#include "base/text.h"
#include "model/family.h"
#include "model/model.h"
#include "model/quantization_reader.h"

namespace memfit {
namespace {

constexpr std::uint64_t kMaxLayers = 10000;
constexpr std::uint64_t kMaxNextTokens = 64;
constexpr std::size_t kMaxKeys = 1000;
constexpr std::uint64_t kMaxWidth = std::uint64_t{1} << 32;

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

std::vector<std::string> textModelPath(const ConfigDocument& document) {
  const TextModel text = textModelOf(document.root());
  return {text.path.begin(), text.path.end()};
}

void readBase(FamilyReader& r, ConfigErrors& errors) {
  const ConfigView& c = r.config;
  r.hidden =
      r.countOr({"hidden_size", "n_embd", "d_model", "dim", "model_dim", "embedding_dim"}, 0);
  r.layers = r.countOr({"num_hidden_layers", "n_layer", "n_layers", "num_layers",
                        "num_transformer_layers", "num_decoder_layers"},
                       0);
  r.vocab = r.countOr({"padded_vocab_size", "vocab_size", "embedding_size"}, 0);
  r.heads =
      r.countOr({"num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads"}, 0);
  r.headDim =
      r.countOr({"head_dim", "kv_channels", "attention_head_dim", "head_size", "key_size"}, 0);
  if (r.headDim == 0 && r.heads > 0) r.headDim = r.hidden / r.heads;
  r.valueHeadDim = c.has("kv_lora_rank") ? r.headDim : r.countOr({"v_head_dim"}, r.headDim);
  r.kvHeads =
      r.countOr({"num_key_value_heads", "num_kv_heads", "n_head_kv", "n_kv_heads", "kv_n_heads",
                 "multi_query_group_num", "num_attention_groups", "num_query_groups"},
                r.heads);
  if (c.isList("intermediate_size")) {
    r.intermediates = c.counts("intermediate_size");
    r.intermediate = r.intermediates.empty() ? Count(0) : r.intermediates.front();
  } else {
    r.intermediate =
        r.countOr({"intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "ffn_embed_dim",
                   "mlp_hidden_size", "inter_dim", "block_ff_dim", "feed_forward_length", "d_ff"},
                  0);
  }
  if (r.intermediate == 0) r.intermediate = metaIntermediate(c, r.hidden);
  r.maxContext =
      r.countOr({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length",
                 "context_length", "model_max_length", "max_sequence_length"},
                0);
  r.window = r.countOr({"sliding_window", "sliding_window_size", "attention_chunk_size"}, 0);

  r.experts = r.countOr({"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts",
                         "num_routed_experts"},
                        0);
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
  r.expertsPerToken = scalarOrList(
      {"num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_k", "moe_topk",
       "top_k_experts", "moe_top_k", "num_selected_experts", "n_activated_experts"},
      r.lists.perTokens);
  r.moeIntermediate =
      scalarOrList({"moe_intermediate_size", "expert_ffn_hidden_size", "expert_intermediate_size",
                    "moe_inter_dim", "moe_ffn_hidden_size"},
                   r.lists.moeIntermediates);
  if (r.moeIntermediate == 0) r.moeIntermediate = r.intermediate;
  // MiniMax-M3, LLaDA-MoE: then the plain word is the experts' width.
  r.intermediate = r.countOr({"dense_intermediate_size"}, r.intermediate);
  // Shared experts: a width of their own, or a number of experts merged into one.
  std::vector<Count> sharedCounts;
  const Count shared = scalarOrList(
      {"n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert"},
      sharedCounts);
  r.sharedIntermediate = r.countOr({"shared_expert_intermediate_size",
                                    "moe_shared_expert_intermediate_size", "share_expert_dim"},
                                   shared * r.moeIntermediate);
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

}  // namespace

Result<Model> modelFromConfig(std::string_view configJson, std::string_view name) {
  return modelFromConfig(configJson, {}, name);
}

Result<Model> modelFromConfig(std::string_view configJson, std::string_view quantConfigJson,
                              std::string_view name) {
  const std::string what = name.empty() ? "config.json" : cat("The config of ", quoted(name, 80));
  Result<ConfigDocument> document = ConfigDocument::parse(configJson, what);
  if (!document) return document.error();

  FamilyReader r;
  r.root = document->root();
  const TextModel text = textModelOf(r.root);
  r.config = text.view;
  r.wrapper = wrapperOf(r.root, text);
  ConfigErrors& errors = document->errors();

  // Every layer asks for keys by name: their number bounds the time.
  for (const ConfigView& view : {r.root, r.config}) {
    if (view.keys().size() > kMaxKeys) {
      return Error{
          ErrorCode::kBadFile, "",
          cat(what, " has ", view.keys().size(), " keys; at most ", kMaxKeys, " are accepted.")};
    }
  }

  Model model;
  model.name = std::string(name);

  // The family of the text model; where it does not say, of the wrapper.
  const std::string_view textType = r.config.text({"model_type"}).value_or("");
  const std::string_view rootType = r.root.text({"model_type"}).value_or("");
  r.family = familyOf(textType);
  if (r.family == nullptr) r.family = familyOf(rootType);
  if (r.family == nullptr && textType == "memfit-custom") r.family = &genericFamily();
  if (r.family == nullptr) {
    r.family = &genericFamily();
    const std::string_view type = textType.empty() ? rootType : textType;
    r.notices.push_back(
        type.empty()
            ? std::string("The config names no model_type; it was read like Llama's.")
            : cat("The model_type ", quoted(type), " is not known; it was read like Llama's."));
  }
  r.architecture.family = std::string(!textType.empty() ? textType : rootType);

  readBase(r, errors);
  if (!errors.found.empty()) return errors.found.front();
  if (!errors.missing.empty()) return missingError(errors.missing, what);

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
  if (r.family->learnedPositions) a.positions = r.maxContext;
  for (std::size_t i = 0; i < r.layers.value(); ++i) a.addLayer(r.layerByRules(i));
  readNextTokens(r);
  readTowers(r);
  if (r.family->model != nullptr) r.family->model(r);
  checkLayers(a, errors);
  if (!errors.found.empty()) return errors.found.front();
  if (!errors.missing.empty()) return missingError(errors.missing, what);

  const std::optional<std::string_view> dtype =
      r.config.has("dtype") || r.config.has("torch_dtype") || r.config.has("params_dtype")
          ? r.config.text({"dtype", "torch_dtype", "params_dtype"})
          : r.root.text({"dtype", "torch_dtype", "params_dtype"});
  if (dtype) {
    std::string_view word = *dtype;
    if (word.starts_with("torch.")) word.remove_prefix(6);
    if (const std::optional<Format> format = formatNamed(word)) model.checkpointFormat = *format;
  }
  Result<Quantization> quantization = readQuantization(r.root, r.config, quantConfigJson);
  if (!quantization) return quantization.error();
  model.quantization = *std::move(quantization);
  if (!errors.found.empty()) return errors.found.front();

  model.architecture = std::move(r.architecture);
  if (model.architecture.family.empty()) model.architecture.family = architectureName(r.root);
  model.inventory = TensorInventory(model.architecture);
  bool overflowed = model.parameters().overflowed() ||
                    kvElementsPerToken(model.architecture).overflowed() ||
                    recurrentElementsPerSequence(model.architecture).overflowed();
  for (const TensorGroup& group : model.inventory.groups()) {
    overflowed = overflowed || (model.inventory.parametersOf(group) * 8).overflowed();
  }
  if (overflowed) {
    return Error{ErrorCode::kOverflow, "",
                 cat(what, " describes more than 2^53 parameters; check its sizes.")};
  }
  model.notices = std::move(r.notices);
  model.config = document->text();
  return model;
}

}  // namespace memfit
