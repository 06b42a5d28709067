// memfit - SPDX-License-Identifier: Apache-2.0
//
// Typical models: a config.json text of a size, read by the one reader.
#include "model/model.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace memfit {
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
