// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/gguf_file_types.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include "base/sort.h"
#include "base/text.h"
#include "model/layer_facts.h"

namespace memfit {

namespace {

using F = Format;
using W = WeightFormat;
using G = GgmlClass;

// --- base, head and embedding of each file type

struct FileType {
  WeightFormat type;
  std::string_view name;   // in file names
  std::string_view label;  // as the loader prints it
  Format base;
  Format head;       // output.weight, or the token embedding of a tied model
  Format embedding;  // token_embd.weight of an untied model
};

constexpr FileType kFileTypes[] = {
    {W::kFp32, "f32", "all F32", F::kFp32, F::kFp32, F::kFp32},
    {W::kFp16, "f16", "F16", F::kFp16, F::kFp16, F::kFp16},
    {W::kBf16, "bf16", "BF16", F::kBf16, F::kBf16, F::kBf16},
    {W::kQ8_0, "q8_0", "Q8_0", F::kQ8_0, F::kQ8_0, F::kQ8_0},
    {W::kQ6K, "q6_k", "Q6_K", F::kQ6_K, F::kQ6_K, F::kQ6_K},
    {W::kQ5KM, "q5_k_m", "Q5_K - Medium", F::kQ5_K, F::kQ6_K, F::kQ5_K},
    {W::kQ5KS, "q5_k_s", "Q5_K - Small", F::kQ5_K, F::kQ6_K, F::kQ5_K},
    {W::kQ5_1, "q5_1", "Q5_1", F::kQ5_1, F::kQ6_K, F::kQ5_1},
    {W::kQ5_0, "q5_0", "Q5_0", F::kQ5_0, F::kQ6_K, F::kQ5_0},
    {W::kQ4KM, "q4_k_m", "Q4_K - Medium", F::kQ4_K, F::kQ6_K, F::kQ4_K},
    {W::kQ4KS, "q4_k_s", "Q4_K - Small", F::kQ4_K, F::kQ6_K, F::kQ4_K},
    {W::kQ4_1, "q4_1", "Q4_1", F::kQ4_1, F::kQ6_K, F::kQ4_1},
    {W::kQ4_0, "q4_0", "Q4_0", F::kQ4_0, F::kQ6_K, F::kQ4_0},
    {W::kQ3KL, "q3_k_l", "Q3_K - Large", F::kQ3_K, F::kQ6_K, F::kQ3_K},
    {W::kQ3KM, "q3_k_m", "Q3_K - Medium", F::kQ3_K, F::kQ6_K, F::kQ3_K},
    {W::kQ3KS, "q3_k_s", "Q3_K - Small", F::kQ3_K, F::kQ6_K, F::kQ3_K},
    {W::kQ2K, "q2_k", "Q2_K - Medium", F::kQ2_K, F::kQ6_K, F::kQ2_K},
    {W::kQ2KS, "q2_k_s", "Q2_K - Small", F::kQ2_K, F::kQ6_K, F::kQ2_K},
    {W::kIq4Nl, "iq4_nl", "IQ4_NL - 4.5 bpw", F::kIq4Nl, F::kQ6_K, F::kIq4Nl},
    {W::kIq4Xs, "iq4_xs", "IQ4_XS - 4.25 bpw", F::kIq4Xs, F::kQ6_K, F::kIq4Xs},
    {W::kIq3M, "iq3_m", "IQ3_S mix - 3.66 bpw", F::kIq3S, F::kQ6_K, F::kIq3S},
    {W::kIq3S, "iq3_s", "IQ3_S - 3.4375 bpw", F::kIq3S, F::kQ6_K, F::kIq3S},
    {W::kIq3Xs, "iq3_xs", "IQ3_XS - 3.3 bpw", F::kIq3S, F::kQ6_K, F::kIq3S},
    {W::kIq3Xxs, "iq3_xxs", "IQ3_XXS - 3.0625 bpw", F::kIq3Xxs, F::kQ5_K, F::kIq3S},
    {W::kIq2M, "iq2_m", "IQ2_M - 2.7 bpw", F::kIq2S, F::kQ5_K, F::kIq3S},
    {W::kIq2S, "iq2_s", "IQ2_S - 2.5 bpw", F::kIq2Xs, F::kQ5_K, F::kIq3S},
    {W::kIq2Xs, "iq2_xs", "IQ2_XS - 2.3125 bpw", F::kIq2Xs, F::kQ5_K, F::kQ2_K},
    {W::kIq2Xxs, "iq2_xxs", "IQ2_XXS - 2.0625 bpw", F::kIq2Xxs, F::kQ5_K, F::kQ2_K},
    {W::kIq1M, "iq1_m", "IQ1_M - 1.75 bpw", F::kIq1M, F::kQ5_K, F::kQ2_K},
    {W::kIq1S, "iq1_s", "IQ1_S - 1.5625 bpw", F::kIq1S, F::kQ5_K, F::kQ2_K},
    {W::kTq2_0, "tq2_0", "TQ2_0 - 2.06 bpw ternary", F::kTq2_0, F::kQ6_K, F::kQ4_K},
    {W::kTq1_0, "tq1_0", "TQ1_0 - 1.69 bpw ternary", F::kTq1_0, F::kQ6_K, F::kQ4_K},
    {W::kMxfp4Moe, "mxfp4_moe", "MXFP4 MoE", F::kQ8_0, F::kQ8_0, F::kQ8_0},
};

// --- exceptions by tensor class

enum class When : std::uint8_t {
  kAlways,
  kMore,         // the eighths at both ends and every third layer between: use_more_bits
  kFirst2,       // the first two such tensors
  kFirst4,       // the first four
  kEighth,       // the first eighth of the layers
  kSixteenth,    // the first sixteenth
  kMiddle,       // all but the eighths at both ends
  kGqa4,         // four or more query heads a key-value head
  kExperts8,     // exactly eight experts (Mixtral)
  kExperts4Gqa,  // four or more experts, or kGqa4
};

struct Exception {
  WeightFormat type;
  GgmlClass tensor;
  When when;
  Format format;
};

// Read from the top: the first row that applies counts, else the base. IQ types as made with an
// importance matrix, the others as made without.
constexpr Exception kExceptions[] = {
    // attn_v, and what the quantizer sees as one.
    {W::kQ2K, G::kAttnV, When::kGqa4, F::kQ4_K},
    {W::kQ2K, G::kAttnV, When::kAlways, F::kQ3_K},
    {W::kQ2KS, G::kAttnV, When::kGqa4, F::kQ4_K},
    {W::kQ3KM, G::kAttnV, When::kFirst2, F::kQ5_K},
    {W::kQ3KM, G::kAttnV, When::kAlways, F::kQ4_K},
    {W::kQ3KL, G::kAttnV, When::kAlways, F::kQ5_K},
    {W::kQ4KS, G::kAttnV, When::kFirst4, F::kQ5_K},
    {W::kQ4KM, G::kAttnV, When::kMore, F::kQ6_K},
    {W::kQ5KM, G::kAttnV, When::kMore, F::kQ6_K},
    {W::kIq4Nl, G::kAttnV, When::kGqa4, F::kQ5_K},
    {W::kIq4Xs, G::kAttnV, When::kGqa4, F::kQ5_K},
    {W::kIq3Xxs, G::kAttnV, When::kGqa4, F::kQ4_K},
    {W::kIq3Xs, G::kAttnV, When::kGqa4, F::kQ4_K},
    {W::kIq3S, G::kAttnV, When::kGqa4, F::kQ4_K},
    {W::kIq3M, G::kAttnV, When::kAlways, F::kQ4_K},
    {W::kIq2M, G::kAttnV, When::kExperts4Gqa, F::kQ4_K},
    {W::kIq2M, G::kAttnV, When::kAlways, F::kIq3S},
    {W::kIq2S, G::kAttnV, When::kExperts4Gqa, F::kQ4_K},
    {W::kIq2S, G::kAttnV, When::kAlways, F::kIq3S},
    {W::kIq2Xs, G::kAttnV, When::kExperts4Gqa, F::kQ4_K},
    {W::kIq2Xs, G::kAttnV, When::kAlways, F::kQ2_K},
    {W::kIq2Xxs, G::kAttnV, When::kExperts4Gqa, F::kQ4_K},
    {W::kIq2Xxs, G::kAttnV, When::kAlways, F::kQ2_K},
    {W::kIq1M, G::kAttnV, When::kExperts4Gqa, F::kQ4_K},
    {W::kIq1M, G::kAttnV, When::kAlways, F::kQ2_K},
    {W::kIq1S, G::kAttnV, When::kExperts4Gqa, F::kQ4_K},
    {W::kIq1S, G::kAttnV, When::kAlways, F::kQ2_K},
    // attn_k and attn_q.
    {W::kIq3Xs, G::kAttnK, When::kAlways, F::kIq3Xxs},
    {W::kIq3Xs, G::kAttnQ, When::kAlways, F::kIq3Xxs},
    {W::kIq3Xxs, G::kAttnK, When::kAlways, F::kIq2S},
    {W::kIq3Xxs, G::kAttnQ, When::kAlways, F::kIq2S},
    // attn_qkv.
    {W::kQ3KM, G::kAttnQkv, When::kAlways, F::kQ4_K},
    {W::kQ3KL, G::kAttnQkv, When::kAlways, F::kQ4_K},
    {W::kIq3M, G::kAttnQkv, When::kAlways, F::kQ4_K},
    {W::kQ4KM, G::kAttnQkv, When::kAlways, F::kQ5_K},
    {W::kQ5KM, G::kAttnQkv, When::kAlways, F::kQ6_K},
    // attn_output. With eight experts most types of 2 to 4 bits take Q5_K.
    {W::kQ2K, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kQ3KS, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kQ3KM, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kQ4KS, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kQ4KM, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kIq4Nl, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kIq4Xs, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kIq3M, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kIq3S, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kIq3Xs, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kIq3Xxs, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kIq2M, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kIq2S, G::kAttnOutput, When::kExperts8, F::kQ5_K},
    {W::kQ2K, G::kAttnOutput, When::kAlways, F::kQ3_K},
    {W::kQ3KM, G::kAttnOutput, When::kAlways, F::kQ4_K},
    {W::kQ3KL, G::kAttnOutput, When::kAlways, F::kQ5_K},
    {W::kIq3Xxs, G::kAttnOutput, When::kAlways, F::kIq3S},
    {W::kIq3M, G::kAttnOutput, When::kAlways, F::kQ4_K},
    {W::kIq2M, G::kAttnOutput, When::kAlways, F::kIq3S},
    {W::kIq2S, G::kAttnOutput, When::kAlways, F::kIq3S},
    {W::kIq1M, G::kAttnOutput, When::kAlways, F::kIq2Xxs},
    {W::kIq1S, G::kAttnOutput, When::kAlways, F::kIq2Xxs},
    // ffn_down.
    {W::kQ2K, G::kFfnDown, When::kAlways, F::kQ3_K},
    {W::kQ2KS, G::kFfnDown, When::kEighth, F::kQ4_K},
    {W::kQ3KM, G::kFfnDown, When::kSixteenth, F::kQ5_K},
    {W::kQ3KM, G::kFfnDown, When::kAlways, F::kQ4_K},
    {W::kQ3KL, G::kFfnDown, When::kAlways, F::kQ5_K},
    {W::kQ4KS, G::kFfnDown, When::kEighth, F::kQ5_K},
    {W::kQ4KM, G::kFfnDown, When::kMore, F::kQ6_K},
    {W::kQ5KM, G::kFfnDown, When::kMore, F::kQ6_K},
    {W::kIq3M, G::kFfnDown, When::kEighth, F::kQ4_K},
    {W::kIq2M, G::kFfnDown, When::kEighth, F::kIq3S},
    {W::kIq2S, G::kFfnDown, When::kEighth, F::kIq3S},
    {W::kIq2Xs, G::kFfnDown, When::kEighth, F::kQ2_K},
    {W::kIq2Xxs, G::kFfnDown, When::kEighth, F::kQ2_K},
    {W::kIq1M, G::kFfnDown, When::kEighth, F::kQ2_K},
    {W::kIq1S, G::kFfnDown, When::kEighth, F::kQ2_K},
    // ffn_gate and ffn_up.
    {W::kIq3Xs, G::kFfnGate, When::kMiddle, F::kIq3Xxs},
    {W::kIq3Xs, G::kFfnUp, When::kMiddle, F::kIq3Xxs},
};

// What a format becomes where a row is no multiple of its block.
constexpr std::pair<Format, Format> kFallbacks[] = {
    {F::kIq1S, F::kIq4Nl}, {F::kIq1M, F::kIq4Nl},   {F::kIq2Xxs, F::kIq4Nl}, {F::kIq2Xs, F::kIq4Nl},
    {F::kIq2S, F::kIq4Nl}, {F::kIq3Xxs, F::kIq4Nl}, {F::kIq3S, F::kIq4Nl},   {F::kIq4Xs, F::kIq4Nl},
    {F::kQ2_K, F::kQ4_0},  {F::kQ3_K, F::kQ4_0},    {F::kTq1_0, F::kQ4_0},   {F::kTq2_0, F::kQ4_0},
    {F::kQ4_K, F::kQ5_0},  {F::kQ5_K, F::kQ5_1},    {F::kQ6_K, F::kQ8_0},
};

const FileType* fileTypeOf(WeightFormat type) {
  for (const FileType& row : kFileTypes) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

bool divides(Format format, Count cols) { return cols.value() % blockFormat(format).elements == 0; }

Format fallBack(Format format, Count cols) {
  if (divides(format, cols)) return format;
  for (const auto& [from, to] : kFallbacks) {
    if (from == format) return divides(to, cols) ? to : F::kFp16;
  }
  return F::kFp16;
}

bool useMoreBits(std::size_t i, std::size_t n) {
  return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2;
}

std::vector<std::uint16_t> layersWith(const TensorInventory& inventory, GgmlClass tensor) {
  std::vector<std::uint16_t> layers;
  for (const TensorGroup& group : inventory.groups()) {
    if (group.part != Part::kMain || group.kind != TensorKind::kMatrix) continue;
    if (roleTraits(group.role).ggml != tensor) continue;
    const auto of = inventory.layersOf(group);
    layers.insert(layers.end(), of.begin(), of.end());
  }
  sortStably(layers.begin(), layers.end(), std::less<>());
  layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
  return layers;
}

}  // namespace

bool isGgufFileType(WeightFormat format) {
  return format >= WeightFormat::kQ8_0 && format <= WeightFormat::kMxfp4Moe;
}

std::optional<WeightFormat> ggufFileTypeNamed(std::string_view label) {
  const std::string lower = toLower(trim(label));
  for (const FileType& row : kFileTypes) {
    if (lower == row.name || lower == toLower(row.label)) return row.type;
  }
  return std::nullopt;
}

GgufRecipe::GgufRecipe(const Model& model, WeightFormat fileType)
    : fileType_(fileType),
      tied_(model.architecture.tied),
      layers_(model.architecture.layerCount()),
      valueLayers_(layersWith(model.inventory, GgmlClass::kAttnV)),
      downLayers_(layersWith(model.inventory, GgmlClass::kFfnDown)) {
  bool found = false;
  for (const Layer& layer : model.architecture.kinds) {
    const auto heads = projectedHeadsOf(layer);
    if (heads && !found && heads->kvHeads > Count(0)) {
      queryGroups_ = (heads->heads / heads->kvHeads).value();
      found = true;
    }
    for (const FeedForward& feedForward : layer.feedForwards) {
      const Count experts = widthsOf(feedForward).experts;
      if (experts > Count(0)) experts_ = experts.value();
    }
  }
  sharesValues_ = layers_ == 80 && queryGroups_ == 8;
}

std::size_t GgufRecipe::rankOf(const std::vector<std::uint16_t>& layers,
                               std::uint16_t layer) const {
  return static_cast<std::size_t>(
      std::distance(layers.begin(), std::lower_bound(layers.begin(), layers.end(), layer)));
}

Format GgufRecipe::formatOf(const TensorGroup& group, std::uint16_t layer) const {
  const FileType* type = fileTypeOf(fileType_);
  const GgmlClass tensor = roleTraits(group.role).ggml;
  if (type == nullptr || group.kind != TensorKind::kMatrix || tensor == G::kNever) {
    return F::kFp32;
  }
  if (tensor == G::kOutput || (tensor == G::kTokenEmbedding && tied_)) {
    // A row that the base's block does not divide takes Q8_0.
    const bool plain = blockFormat(type->base).elements == 1;
    if (!plain && !divides(type->base, group.cols)) return fallBack(F::kQ8_0, group.cols);
    return fallBack(type->head, group.cols);
  }
  if (tensor == G::kTokenEmbedding) return fallBack(type->embedding, group.cols);
  if (fileType_ == W::kMxfp4Moe) {
    return fallBack(roleTraits(group.role).cut == Cut::kExpert ? F::kMxfp4 : F::kQ8_0, group.cols);
  }

  // Mixtures count by the layer's number, dense models by the tensors seen so far.
  const bool value = tensor == G::kAttnV;
  std::size_t i = layer;
  std::size_t n = layers_;
  if (value) {
    i = rankOf(valueLayers_, layer);
    n = valueLayers_.size();
  } else if (tensor == G::kFfnDown && experts_ <= 1) {
    i = rankOf(downLayers_, layer);
  }
  const auto applies = [&](When when) {
    switch (when) {
      case When::kAlways: return true;
      case When::kMore: return useMoreBits(i, n);
      case When::kFirst2: return i < 2;
      case When::kFirst4: return i < 4;
      case When::kEighth: return i < n / 8;
      case When::kSixteenth: return i < n / 16;
      case When::kMiddle: return i >= n / 8 && i < 7 * n / 8;
      case When::kGqa4: return queryGroups_ >= 4;
      case When::kExperts8: return experts_ == 8;
      case When::kExperts4Gqa: return experts_ >= 4 || queryGroups_ >= 4;
    }
    return false;
  };
  Format format = type->base;
  for (const Exception& row : kExceptions) {
    if (row.type == fileType_ && row.tensor == tensor && applies(row.when)) {
      format = row.format;
      break;
    }
  }
  if (value && sharesValues_ && (format == F::kQ3_K || format == F::kQ4_K)) format = F::kQ5_K;
  // Eight experts share their attention: the quantizer spends 8 bits there.
  if (experts_ == 8 && (value || tensor == G::kAttnK) && blockFormat(format).elements > 1) {
    format = F::kQ8_0;
  }
  return fallBack(format, group.cols);
}

}  // namespace memfit
