// memfit - SPDX-License-Identifier: Apache-2.0
//
// Changed, custom and typical models: all of them a config.json text, read by the one reader.
#include "model/model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "model/config_view.h"

namespace memfit {
namespace {

// Every key that config.json files use for the same thing: an override replaces them all.
struct Synonyms {
  std::string_view key;
  std::initializer_list<std::string_view> others;
};
const Synonyms kSynonyms[] = {
    {"num_hidden_layers", {"n_layer", "n_layers", "num_layers", "num_transformer_layers"}},
    {"hidden_size", {"n_embd", "d_model", "dim", "model_dim", "embedding_dim"}},
    {"num_attention_heads", {"n_head", "n_heads", "num_heads", "attention_heads"}},
    {"num_key_value_heads",
     {"num_kv_heads", "n_head_kv", "n_kv_heads", "kv_n_heads", "multi_query_group_num",
      "num_attention_groups", "num_query_groups", "multi_query", "multi_query_attention"}},
    {"head_dim", {"kv_channels", "attention_head_dim", "head_size", "key_size"}},
    {"intermediate_size",
     {"ffn_dim", "n_inner", "ffn_hidden_size", "ffn_embed_dim", "mlp_hidden_size", "inter_dim",
      "block_ff_dim", "feed_forward_length", "multiple_of"}},
    {"vocab_size", {"padded_vocab_size", "embedding_size"}},
    {"tie_word_embeddings", {"tie_embedding", "tie_embeddings"}},
    {"num_experts",
     {"num_local_experts", "n_routed_experts", "moe_num_experts", "num_routed_experts"}},
    {"num_experts_per_tok",
     {"num_experts_per_token", "experts_per_token", "moe_k", "moe_topk", "top_k_experts",
      "moe_top_k", "num_selected_experts", "n_activated_experts"}},
    {"moe_intermediate_size",
     {"expert_ffn_hidden_size", "expert_intermediate_size", "moe_inter_dim",
      "moe_ffn_hidden_size"}},
    {"n_shared_experts",
     {"num_shared_experts", "moe_num_shared_experts", "num_shared_expert",
      "shared_expert_intermediate_size", "moe_shared_expert_intermediate_size",
      "share_expert_dim"}},
    {"first_k_dense_replace", {"n_dense_layers", "num_dense_layers", "mlp_layer_types"}},
    {"max_position_embeddings",
     {"n_positions", "n_ctx", "max_seq_len", "seq_length", "context_length", "model_max_length",
      "max_sequence_length"}},
};

// These change the layers that were read, not the text: not every family's text has a word for
// them.
bool isWindowKey(const OverrideField& field) {
  return field.member == &ArchitectureOverrides::window ||
         field.member == &ArchitectureOverrides::fullEvery;
}

std::optional<Error> checkRanges(const ArchitectureOverrides& overrides) {
  for (const OverrideField& field : overrideFields()) {
    const ArchitectureOverrides::Value value = overrides.*field.member;
    if (value && (*value < field.minimum || *value > field.maximum)) {
      return Error{ErrorCode::kOutOfRange, std::string(field.key),
                   cat(field.key, " is ", *value, "; ", field.minimum, " to ", field.maximum,
                       " is accepted.")};
    }
  }
  return std::nullopt;
}

// An error of the reader, with the query's word for the field.
Error inQueryWords(Error error) {
  for (const OverrideField& field : overrideFields()) {
    if (error.field == field.configKey || error.field.ends_with(cat(".", field.configKey))) {
      error.field = std::string(field.key);
    }
  }
  return error;
}

// Sets the window of the layers with full attention: all but the last of every `fullEvery`, or,
// where that is not given, those that have one already (all, when none has).
std::optional<Error> setWindows(Architecture& architecture,
                                const ArchitectureOverrides& overrides) {
  if (!overrides.window && !overrides.fullEvery) return std::nullopt;
  Count previous = 0;
  for (const Layer& layer : architecture.kinds) {
    for (const Mixer& mixer : layer.mixers) {
      if (const auto* attention = std::get_if<FullAttention>(&mixer)) {
        previous = max(previous, attention->window);
      }
    }
  }
  const Count window = overrides.window ? Count(*overrides.window) : previous;
  if (overrides.fullEvery && window == 0 && !overrides.window) {
    return Error{ErrorCode::kMissing, "window",
                 "full_every is given, but neither the model nor the query has a window."};
  }
  Architecture changed = architecture;
  changed.kinds.clear();
  changed.layers.clear();
  for (std::size_t i = 0; i < architecture.layerCount(); ++i) {
    Layer layer = architecture.layer(i);
    for (Mixer& mixer : layer.mixers) {
      auto* attention = std::get_if<FullAttention>(&mixer);
      if (attention == nullptr || !attention->causal) continue;
      const bool windowed = overrides.fullEvery
                                ? (static_cast<std::int64_t>(i) + 1) % *overrides.fullEvery != 0
                                : previous == 0 || attention->window > 0;
      attention->window = windowed ? window : Count(0);
      if (attention->window == 0) attention->chunked = false;
    }
    changed.addLayer(layer);
  }
  architecture = std::move(changed);
  return std::nullopt;
}

}  // namespace

Result<Model> applyOverrides(const Model& model, const ArchitectureOverrides& overrides) {
  if (overrides.empty()) return model;
  if (const std::optional<Error> error = checkRanges(overrides)) return *error;
  Model changed = model;
  bool textChanges = false;
  for (const OverrideField& field : overrideFields()) {
    if (!isWindowKey(field) && overrides.*field.member) textChanges = true;
  }
  if (textChanges) {
    if (model.config.empty()) {
      return Error{ErrorCode::kUnsupported, "model",
                   cat(quoted(model.name),
                       " was read from a file without a config.json; its "
                       "architecture cannot be overridden.")};
    }
    Result<ConfigDocument> document = ConfigDocument::parse(model.config, model.name);
    if (!document) return document.error();
    const std::vector<std::string> path = textModelPath(*document);
    const std::vector<std::string_view> where(path.begin(), path.end());
    for (const OverrideField& field : overrideFields()) {
      const ArchitectureOverrides::Value value = overrides.*field.member;
      if (!value || isWindowKey(field)) continue;
      for (const Synonyms& row : kSynonyms) {
        if (row.key != field.configKey) continue;
        for (const std::string_view other : row.others) document->remove(where, other);
      }
      document->set(where, {field.configKey, *value, field.member == &ArchitectureOverrides::tied});
    }
    Result<Model> read = modelFromConfig(document->text(), model.name);
    if (!read) return inQueryWords(read.error());
    changed.architecture = std::move(read->architecture);
    changed.config = std::move(read->config);
    // A file's own tensors are no longer the model's.
    changed.stored.reset();
  }
  if (const std::optional<Error> error = setWindows(changed.architecture, overrides)) return *error;
  changed.inventory = TensorInventory(changed.architecture);
  return changed;
}

Result<Model> customModel(const ArchitectureOverrides& overrides) {
  for (const auto member : {&ArchitectureOverrides::layers, &ArchitectureOverrides::hidden,
                            &ArchitectureOverrides::heads, &ArchitectureOverrides::vocab}) {
    if (overrides.*member) continue;
    for (const OverrideField& field : overrideFields()) {
      if (field.member != member) continue;
      return Error{ErrorCode::kMissing, std::string(field.key),
                   cat("A custom model needs ", field.key,
                       "; layers, hidden, heads, vocab and intermediate (or experts with "
                       "moe_intermediate) describe one.")};
    }
  }
  if (!overrides.intermediate && !overrides.moeIntermediate) {
    return Error{ErrorCode::kMissing, "intermediate",
                 "A custom model needs intermediate, the width of its feed-forward."};
  }
  if (const std::optional<Error> error = checkRanges(overrides)) return *error;
  std::string config = R"({"model_type":"memfit-custom")";
  for (const OverrideField& field : overrideFields()) {
    const ArchitectureOverrides::Value value = overrides.*field.member;
    if (!value || isWindowKey(field)) continue;
    config += cat(",\"", field.configKey, "\":");
    if (field.member == &ArchitectureOverrides::tied) {
      config += *value != 0 ? "true" : "false";
    } else {
      config += std::to_string(*value);
    }
  }
  config += "}";
  Result<Model> model = modelFromConfig(config, "custom");
  if (!model) return inQueryWords(model.error());
  model->id = "custom";
  if (const std::optional<Error> error = setWindows(model->architecture, overrides)) return *error;
  model->inventory = TensorInventory(model->architecture);
  return model;
}

namespace {

// Shapes that models of a size really have (Llama 3, Qwen 2.5, Mistral Large).
struct Anchor {
  double parameters;
  std::uint32_t hidden, layers, heads, kvHeads, intermediate, vocab;
  bool tied;
};
constexpr Anchor kAnchors[] = {
    {0.014e9, 128, 6, 4, 4, 512, 32000, true},
    {0.13e9, 768, 12, 12, 12, 2048, 32000, true},
    {0.5e9, 896, 24, 14, 2, 4864, 151936, true},
    {1.2e9, 2048, 16, 32, 8, 8192, 128256, true},
    {3.2e9, 3072, 28, 24, 8, 8192, 128256, true},
    {8.0e9, 4096, 32, 32, 8, 14336, 128256, false},
    {14.8e9, 5120, 48, 40, 8, 13824, 152064, false},
    {32.8e9, 5120, 64, 40, 8, 27648, 152064, false},
    {70.6e9, 8192, 80, 64, 8, 28672, 128256, false},
    {123e9, 12288, 88, 96, 8, 28672, 32768, false},
    {405e9, 16384, 126, 128, 8, 53248, 128256, false},
};

const Anchor& nearestAnchor(double parameters) {
  const Anchor* best = &kAnchors[0];
  for (const Anchor& anchor : kAnchors) {
    if (std::fabs(std::log(anchor.parameters / parameters)) <
        std::fabs(std::log(best->parameters / parameters))) {
      best = &anchor;
    }
  }
  return *best;
}

}  // namespace

Result<Model> typicalModel(Count parameters, std::optional<Count> active) {
  constexpr std::uint64_t kSmallest = 1000000;
  constexpr std::uint64_t kLargest = 100000000000000;
  if (parameters < kSmallest || parameters > kLargest) {
    return Error{ErrorCode::kOutOfRange, "params",
                 "A size from 0.001 to 100,000 billion parameters is accepted."};
  }
  const bool experts = active && *active < parameters;
  if (active && (*active > parameters || *active < kSmallest)) {
    return Error{ErrorCode::kOutOfRange, "active",
                 "active is the part of params that a token uses: at least 0.001 billion, at most "
                 "params."};
  }
  const double target = (experts ? *active : parameters).toDouble();
  const Anchor& anchor = nearestAnchor(target);

  // Width and depth grow together, each with the cube root of what is above the anchor (width twice
  // in every matrix); the feed-forward then takes what is left to reach the size.
  const double ratio = target / anchor.parameters;
  const double scale = std::cbrt(ratio);
  const double headDim = static_cast<double>(anchor.hidden) / anchor.heads;
  const double heads =
      std::max(1.0, std::round(anchor.heads * scale / anchor.kvHeads)) * anchor.kvHeads;
  const double hidden = heads * headDim;
  const double layers = std::max(1.0, std::round(anchor.layers * scale));
  // A vocabulary never takes more than a quarter of the model.
  const double copies = anchor.tied ? 1 : 2;
  const double vocab =
      std::max(256.0, std::min<double>(anchor.vocab, std::floor(target / 4 / (copies * hidden))));
  const double attention = hidden * hidden * 2 + 2 * hidden * anchor.kvHeads * headDim;
  const double rest = target - copies * vocab * hidden - layers * (attention + 2 * hidden);

  const auto integer = [](double value) {
    return std::to_string(static_cast<std::uint64_t>(value));
  };
  std::string config =
      cat(R"({"model_type":")", experts ? "mixtral" : "llama", R"(","num_hidden_layers":)",
          integer(layers), R"(,"hidden_size":)", integer(hidden), R"(,"num_attention_heads":)",
          integer(heads), R"(,"num_key_value_heads":)", static_cast<int>(anchor.kvHeads),
          R"(,"head_dim":)", integer(headDim), R"(,"vocab_size":)", integer(vocab),
          R"(,"tie_word_embeddings":)", anchor.tied ? "true" : "false",
          R"(,"max_position_embeddings":131072)");
  if (!experts) {
    const double width = std::max(8.0, std::round(rest / (layers * 3 * hidden) / 8) * 8);
    config += cat(R"(,"intermediate_size":)", integer(width), "}");
  } else {
    // A = all but the experts + k of them; P - A = the other E - k.
    const double perToken = parameters.toDouble() / target < 5 ? 2 : 8;
    const double width = std::max(8.0, std::round(rest / (layers * 3 * hidden * perToken) / 8) * 8);
    const double others = parameters.toDouble() - target;
    const double count =
        perToken + std::max(1.0, std::round(others / (layers * 3 * hidden * width)));
    config += cat(R"(,"intermediate_size":)", integer(width), R"(,"num_local_experts":)",
                  integer(std::min(count, 65536.0)), R"(,"num_experts_per_tok":)",
                  integer(perToken), "}");
  }
  Result<Model> model = modelFromConfig(config, "typical");
  if (!model) return model.error();
  model->typical = true;
  model->id = "typical";
  model->name =
      cat(formatFixed(parameters.toDouble() / 1e9, 1), "B",
          experts ? cat(" with ", formatFixed(target / 1e9, 1), "B active") : std::string(),
          ", a typical shape");
  model->notices.push_back(
      "Only the size is known: the shape is a typical one of that size, not a real model's.");
  return model;
}

}  // namespace memfit
