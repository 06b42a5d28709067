// memfit - SPDX-License-Identifier: Apache-2.0
//
// Families with recurrent layers: state space models, linear attention, short convolutions, RWKV.
// Source: config_facts section 8; formulas checked against safetensors totals (2026-08).
#include <cmath>

#include "model/family/family.h"

namespace memfit {
namespace {

// Qwen3-Next, Qwen3.5: three gated delta nets, then full attention whose query carries an output
// gate.
void qwenNextLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  const Count interval = max(r.countOr({"full_attention_interval"}, 4), 1);
  const bool full = Count(i) >= r.layers ||  // the next-token-prediction block
                    (r.layerTypes.empty() ? Count(i + 1) / interval * interval == Count(i + 1)
                                          : r.layerType(i) == "full_attention");
  if (full) {
    if (auto* attention = std::get_if<FullAttention>(&layer.mixers.front())) {
      if (r.config.flag({"attn_output_gate"}).value_or(true)) {
        attention->gate = OutputGate::kDoubledQuery;
      }
    }
    return;
  }
  GatedDeltaNet delta;
  delta.keyHeads = r.countOr({"linear_num_key_heads"}, 16);
  delta.keyDim = r.countOr({"linear_key_head_dim"}, 128);
  delta.valueHeads = r.countOr({"linear_num_value_heads"}, 32);
  delta.valueDim = r.countOr({"linear_value_head_dim"}, 128);
  delta.conv = r.countOr({"linear_conv_kernel_dim"}, 4);
  layer.mixers = {delta};
}

// Qwen3.8-Flash-Next: what no public formula describes is named, not guessed.
void qwenExpLayer(FamilyReader& r, std::size_t i, Layer& layer) { qwenNextLayer(r, i, layer); }
void qwenExpModel(FamilyReader& r) {
  r.notices.emplace_back(
      "Hyper-connections, the sparse attention's indexer and the n-gram table of this architecture "
      "are not counted: no public description gives their shapes.");
}

// --- state space models ---

Mamba2 mamba2Of(FamilyReader& r) {
  Mamba2 mamba;
  mamba.heads = r.countOr({"mamba_num_heads", "mamba_n_heads"}, 0);
  mamba.headDim = r.countOr({"mamba_head_dim", "mamba_d_head"}, 64);
  mamba.state = r.countOr({"ssm_state_size", "mamba_d_state", "state_size"}, 128);
  mamba.groups = r.countOr({"n_groups", "mamba_n_groups"}, 1);
  mamba.conv = r.countOr({"conv_kernel", "mamba_d_conv"}, 4);
  mamba.inner = r.countOr({"mamba_d_ssm"}, mamba.heads * mamba.headDim);
  mamba.convBias = r.config.flag({"use_conv_bias", "mamba_conv_bias"}).value_or(true);
  mamba.bias = r.config.flag({"mamba_proj_bias"}).value_or(false);
  return mamba;
}

Mamba1 mamba1Of(FamilyReader& r) {
  Mamba1 mamba;
  const Count expand = r.countOr({"mamba_expand", "expand"}, 2);
  mamba.inner = r.hidden * expand;
  mamba.state = r.countOr({"mamba_d_state", "state_size"}, 16);
  mamba.conv = r.countOr({"mamba_d_conv", "conv_kernel"}, 4);
  // "auto" is a sixteenth of H, rounded up.
  mamba.timeStepRank = r.hidden.ceilDiv(16);
  for (const std::string_view key : {"mamba_dt_rank", "time_step_rank"}) {
    if (r.config.has(key) && !r.config.isText(key)) {
      mamba.timeStepRank = r.countOr({key}, mamba.timeStepRank);
    }
  }
  mamba.convBias = r.config.flag({"mamba_conv_bias", "use_conv_bias"}).value_or(true);
  mamba.bias = r.config.flag({"mamba_proj_bias", "use_bias"}).value_or(false);
  return mamba;
}

// A state space model has no attention: heads stay 0, and no feed-forward.
void mambaLayer(FamilyReader& r, std::size_t, Layer& layer) {
  Mamba1 mamba = mamba1Of(r);
  if (r.intermediate > 0) mamba.inner = r.intermediate;
  layer.mixers = {mamba};
  layer.feedForwards.clear();
}
// Its heads are the model's, as there is no attention.
void mamba2Base(FamilyReader& r) {
  r.heads = r.countOr({"mamba_num_heads", "mamba_n_heads", "num_heads"}, 0);
  r.headDim = r.countOr({"mamba_head_dim", "mamba_d_head", "head_dim"}, 64);
}
void mamba2Layer(FamilyReader& r, std::size_t, Layer& layer) {
  Mamba2 mamba = mamba2Of(r);
  mamba.headDim = r.headDim;
  mamba.heads = r.heads > 0 ? r.heads : r.hidden * r.countOr({"expand"}, 2) / max(mamba.headDim, 1);
  mamba.inner = mamba.heads * mamba.headDim;
  layer.mixers = {mamba};
  layer.feedForwards.clear();
}

// Nemotron-H: a letter (or word) a block, and one norm a block. Attention and feed-forward are
// blocks of their own, so num_hidden_layers counts half layers.
enum class Block : std::uint8_t { kMamba, kAttention, kDense, kExperts };
Block blockOf(char letter) {
  switch (letter) {
    case '*': return Block::kAttention;
    case '-': return Block::kDense;
    case 'E': return Block::kExperts;
    default: return Block::kMamba;
  }
}
Block blockOf(std::string_view word) {
  if (word == "attention") return Block::kAttention;
  if (word == "moe") return Block::kExperts;
  if (word == "mlp") return Block::kDense;
  return Block::kMamba;
}
void nemotronBlock(FamilyReader& r, std::size_t i, Block block, Layer& layer) {
  switch (block) {
    case Block::kMamba: layer.mixers.emplace_back(mamba2Of(r)); break;
    case Block::kAttention: layer.mixers.emplace_back(r.attentionByRules(i)); break;
    case Block::kDense: layer.feedForwards.emplace_back(r.denseByRules(i)); break;
    case Block::kExperts: {
      MoeFfn moe = r.moeByRules(i);
      moe.latentWidth = r.countOr({"moe_latent_size"}, 0);
      layer.feedForwards.emplace_back(moe);
      break;
    }
  }
  layer.norms += 1;
}
void nemotronBase(FamilyReader& r) {
  if (r.layers == 0) r.layers = Count(r.layerTypes.size());
  r.headDim = r.countOr({"attention_head_dim", "head_dim"}, r.headDim);
  r.valueHeadDim = r.headDim;
}
void nemotronLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  layer.mixers.clear();
  layer.feedForwards.clear();
  layer.norms = 0;
  if (Count(i) >= r.layers) {  // the next-token-prediction layer: several blocks together
    const std::string_view letters = r.config.text({"mtp_hybrid_override_pattern"}).value_or("");
    for (const char letter : letters.substr(0, 64)) nemotronBlock(r, i, blockOf(letter), layer);
    if (letters.empty()) {
      for (const std::string_view word : r.config.texts("mtp_layers_block_type")) {
        nemotronBlock(r, i, blockOf(word), layer);
      }
    }
    return;
  }
  const std::string_view letters = r.config.text({"hybrid_override_pattern"}).value_or("");
  if (!letters.empty()) {
    nemotronBlock(r, i, blockOf(letters[i % letters.size()]), layer);
  } else {
    nemotronBlock(r, i, blockOf(r.layerType(i)), layer);
  }
}

// Granite 4: attention or Mamba 2, each with a feed-forward that all tokens share, and experts
// where there are any.
void graniteHybridBase(FamilyReader& r) {
  const Count shared = r.countOr({"shared_intermediate_size"}, r.intermediate);
  if (r.experts > 0) {
    r.moeIntermediate = r.intermediate;
    r.sharedIntermediate = shared;
  } else {
    r.intermediate = shared;
  }
}
void graniteHybridLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  if (r.layerType(i) != "mamba") return;
  Mamba2 mamba = mamba2Of(r);
  mamba.inner = r.hidden * r.countOr({"mamba_expand"}, 2);
  layer.mixers = {mamba};
}

void bambaBase(FamilyReader& r) { r.indices = r.config.counts("attn_layer_indices"); }
void bambaLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  for (const Count index : r.indices) {
    if (index == Count(i)) return;
  }
  Mamba2 mamba = mamba2Of(r);
  mamba.inner = r.hidden * r.countOr({"mamba_expand"}, 2);
  layer.mixers = {mamba};
}

void jambaLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  const Count period = max(r.countOr({"attn_layer_period"}, 8), 1);
  const Count index(i);
  const bool full = r.layerTypes.empty()
                        ? index - index / period * period == r.countOr({"attn_layer_offset"}, 4)
                        : r.layerType(i) == "attention";
  if (full) return;
  Mamba1 mamba = mamba1Of(r);
  mamba.stateNorms = true;
  layer.mixers = {mamba};
}

// Falcon-H1: attention and Mamba 2 side by side in every layer.
void falconH1Layer(FamilyReader& r, std::size_t, Layer& layer) {
  Mamba2 mamba = mamba2Of(r);
  mamba.gatedNorm = r.config.flag({"mamba_rms_norm"}).value_or(false);
  layer.mixers.emplace_back(mamba);
}

// LFM2: gated short convolutions, and attention in some layers. With block_auto_adjust_ff_dim, the
// class's default, the width is two thirds of what is written, times a factor, rounded up.
void lfm2Base(FamilyReader& r) {
  r.indices = r.config.counts("full_attn_idxs");
  r.intermediate = r.countOr({"block_ff_dim", "intermediate_size"}, r.intermediate);
  if (r.config.flag({"block_auto_adjust_ff_dim"}).value_or(r.experts == 0)) {
    double width = std::floor(2 * r.intermediate.toDouble() / 3);
    const double factor = r.config.number({"block_ffn_dim_multiplier"}).value_or(1.0);
    if (factor > 0 && factor < 1024) width = std::floor(width * factor);
    r.intermediate = Count(static_cast<std::uint64_t>(width))
                         .roundUp(max(r.countOr({"block_multiple_of"}, 256), 1));
  }
}
void lfm2Layer(FamilyReader& r, std::size_t i, Layer& layer) {
  bool full = r.layerType(i) == "full_attention";
  for (const Count index : r.indices) full = full || index == Count(i);
  if (full) return;
  ShortConv conv;
  conv.conv = r.countOr({"conv_L_cache"}, 3);
  conv.bias = r.config.flag({"conv_bias"}).value_or(false);
  layer.mixers = {conv};
}

// MiniMax-Text-01: softmax attention in every eighth layer (1 in attn_type_list).
void minimaxTextBase(FamilyReader& r) { r.indices = r.config.counts("attn_type_list"); }
void minimaxTextLayer(FamilyReader& r, std::size_t i, Layer& layer) {
  const bool full = r.indices.empty() ? r.layerType(i) == "full_attention"
                                      : i < r.indices.size() && r.indices[i] == 1;
  if (full) return;
  layer.mixers = {LightningAttention{r.heads, r.headDim}};
}

// --- RWKV ---

Count rwkvHeadDim(FamilyReader& r) { return r.countOr({"head_size", "head_dim"}, 64); }
void rwkvHeads(FamilyReader& r) { r.headDim = rwkvHeadDim(r); }
void rwkvCommon(FamilyReader& r, Layer& layer, Count version, Count shifts) {
  Rwkv mixer;
  mixer.version = version;
  // Version 4 has no heads; what cuts its state stays as the file says.
  mixer.headDim = version == 4 ? rwkvHeadDim(r) : r.headDim;
  mixer.heads = r.hidden / max(mixer.headDim, 1);
  mixer.shifts = shifts;
  layer.mixers = {mixer};
  layer.feedForwards.clear();
}

// 4 H H and 5 H of time mix; 2 H I + H H and 2 H of channel mix.
void rwkv4Base(FamilyReader& r) {
  if (r.intermediate == 0) r.intermediate = r.hidden * 4;
}
void rwkv4Layer(FamilyReader& r, std::size_t, Layer& layer) {
  rwkvCommon(r, layer, 4, 2);
  layer.extras = {{Role::kRwkvProjection, r.hidden, r.hidden, 5},
                  {Role::kRwkvMix, 1, r.hidden, 7},
                  {Role::kFfnUp, r.intermediate, r.hidden, 1},
                  {Role::kFfnDown, r.hidden, r.intermediate, 1}};
}
// Version 6: 5 H H, bottlenecks for token shift (5 of 32, or 64 from H 4096 on) and decay (64 or
// 128), 12 H; channel mix 2 H I + H H and 2 H; I = 3.5 H in steps of 32.
void rwkv6Base(FamilyReader& r) {
  rwkvHeads(r);
  if (r.intermediate == 0) r.intermediate = r.hidden * 7 / 2 / 32 * 32;
}
void rwkv6Layer(FamilyReader& r, std::size_t, Layer& layer) {
  rwkvCommon(r, layer, 6, 2);
  const Count shift = r.hidden >= 4096 ? 64 : 32;
  layer.extras = {{Role::kRwkvProjection, r.hidden, r.hidden, 6},
                  {Role::kRwkvMix, shift * 5, r.hidden, 2},
                  {Role::kRwkvMix, shift * 2, r.hidden, 2},
                  {Role::kRwkvMix, 1, r.hidden, 12},
                  {Role::kFfnUp, r.intermediate, r.hidden, 1},
                  {Role::kFfnDown, r.hidden, r.intermediate, 1}};
}
// Version 7: 4 H H, bottlenecks for decay, in-context rate, value and gate, 15 H; channel mix 2 H
// I.
void rwkv7Base(FamilyReader& r) {
  rwkvHeads(r);
  if (r.intermediate == 0) r.intermediate = r.hidden * 4;
}
void rwkv7Layer(FamilyReader& r, std::size_t, Layer& layer) {
  rwkvCommon(r, layer, 7, 2);
  const Count ranks = r.countOr({"decay_low_rank_dim"}, 64) + r.countOr({"a_low_rank_dim"}, 64) +
                      r.countOr({"v_low_rank_dim"}, 32) + r.countOr({"gate_low_rank_dim"}, 128);
  layer.extras = {{Role::kRwkvProjection, r.hidden, r.hidden, 4},
                  {Role::kRwkvMix, ranks, r.hidden, 2},
                  {Role::kRwkvMix, 1, r.hidden, 15},
                  {Role::kFfnUp, r.intermediate, r.hidden, 1},
                  {Role::kFfnDown, r.hidden, r.intermediate, 1}};
}
void rwkvModel(FamilyReader& r) { r.architecture.embeddingNorm = true; }

// ARWKV: Qwen2.5 with each attention replaced by RWKV-7's time mix; the feed-forward stays.
void rwkvHybridLayer(FamilyReader& r, std::size_t, Layer& layer) {
  Rwkv mixer;
  mixer.version = r.countOr({"wkv_version"}, 7);
  mixer.headDim = r.headDim;
  mixer.heads = r.hidden / max(mixer.headDim, 1);
  mixer.shifts = 1;
  layer.mixers = {mixer};
  // Widths of the bottlenecks are RWKV-7's defaults: the config does not say them.
  layer.extras = {{Role::kRwkvProjection, r.hidden, r.hidden, 4},
                  {Role::kRwkvMix, 64 + 64 + 32 + 128, r.hidden, 2},
                  {Role::kRwkvMix, 1, r.hidden, 14}};
}
void rwkvHybridModel(FamilyReader& r) {
  r.notices.emplace_back(
      "The widths of the RWKV-7 bottlenecks are not in the config; its defaults are used.");
}

constexpr Family kRows[] = {
    {.modelTypes = {"qwen3_next", "qwen3_5_moe"},
     .qkNorm = QkNormRule::kHead,
     .sharedExpertGate = true,
     .nextTokens = NextTokenRule::kStored,
     .layer = qwenNextLayer},
    {.modelTypes = {"qwen3_5"},
     .qkNorm = QkNormRule::kHead,
     .nextTokens = NextTokenRule::kStored,
     .layer = qwenNextLayer},
    {.modelTypes = {"qwen4_exp"},
     .qkNorm = QkNormRule::kHead,
     .sharedExpertGate = true,
     .nextTokens = NextTokenRule::kStored,
     .layer = qwenExpLayer,
     .model = qwenExpModel},
    {.modelTypes = {"nemotron_h"},
     .qkvBias = {"attention_bias", false},
     .gated = false,
     .nextTokens = NextTokenRule::kStored,
     .base = nemotronBase,
     .layer = nemotronLayer},
    {.modelTypes = {"granitemoehybrid"},
     .tied = true,
     .base = graniteHybridBase,
     .layer = graniteHybridLayer},
    {.modelTypes = {"bamba"}, .base = bambaBase, .layer = bambaLayer},
    {.modelTypes = {"jamba"}, .qkvBias = kNoBias, .outputBias = kNoBias, .layer = jambaLayer},
    {.modelTypes = {"mamba"}, .tied = true, .norms = 1, .layer = mambaLayer},
    {.modelTypes = {"falcon_mamba"}, .norms = 1, .layer = mambaLayer},
    {.modelTypes = {"mamba2"}, .norms = 1, .base = mamba2Base, .layer = mamba2Layer},
    {.modelTypes = {"falcon_h1"}, .layer = falconH1Layer},
    {.modelTypes = {"lfm2", "lfm2_vl", "lfm2_moe"},
     .tied = true,
     .qkNorm = QkNormRule::kHead,
     .base = lfm2Base,
     .layer = lfm2Layer},
    {.modelTypes = {"minimax_text_01", "minimax"},
     .base = minimaxTextBase,
     .layer = minimaxTextLayer},
    {.modelTypes = {"rwkv"},
     .norm = NormKind::kLayer,
     .base = rwkv4Base,
     .layer = rwkv4Layer,
     .model = rwkvModel},
    {.modelTypes = {"rwkv6"},
     .norm = NormKind::kLayer,
     .base = rwkv6Base,
     .layer = rwkv6Layer,
     .model = rwkvModel},
    {.modelTypes = {"rwkv7"},
     .norm = NormKind::kLayer,
     .base = rwkv7Base,
     .layer = rwkv7Layer,
     .model = rwkvModel},
    {.modelTypes = {"rwkv_hybrid"},
     .base = rwkvHeads,
     .layer = rwkvHybridLayer,
     .model = rwkvHybridModel},
};

}  // namespace

std::span<const Family> hybridFamilies() { return kRows; }

}  // namespace memfit
