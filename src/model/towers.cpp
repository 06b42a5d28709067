// memfit - SPDX-License-Identifier: Apache-2.0
//
// Vision towers and their projectors, one function a kind. Source: config_facts section 10; each
// formula gives the parameters that its models' safetensors totals leave for the tower (2026-08).
//
// Notation: h the tower's hidden size, i its intermediate size, l its layers, H the language
// model's.
#include <cmath>

#include "base/text.h"
#include "model/family/family.h"

namespace memfit {
namespace {

struct TowerReader {
  ConfigView vision;
  ConfigView root;
  Count text;  // H
  Tower tower;

  Count count(Keys keys, Count otherwise) const { return vision.count(keys).value_or(otherwise); }

  void linear(Role role, Count out, Count in, bool bias, Count times = 1) {
    tower.tensors.push_back({role, out, in, times});
    if (bias) tower.tensors.push_back({Role::kScalar, 1, out, times});
  }
  void norm(Count width, bool bias, Count times = 1) {
    tower.tensors.push_back({Role::kNorm, 1, width, bias ? times * 2 : times});
  }
  void table(Count rows, Count cols) {
    tower.tensors.push_back({Role::kPositionEmbedding, rows, cols, 1});
  }
  void vector(Count width, Count times = 1) {
    if (times > 0) tower.tensors.push_back({Role::kScalar, 1, width, times});
  }
  void patch(Count hidden, Count inputs, bool bias) {
    tower.tensors.push_back({Role::kPatchEmbedding, hidden, inputs, 1});
    if (bias) vector(hidden);
  }
  // l transformer layers: q, k, v, o and a feed-forward.
  void layers(Count l, Count h, Count i, bool attentionBias, bool gated, bool mlpBias) {
    tower.layers = tower.layers + l;
    tower.hidden = h;
    linear(Role::kAttnQ, h, h, attentionBias, l);
    linear(Role::kAttnK, h, h, attentionBias, l);
    linear(Role::kAttnV, h, h, attentionBias, l);
    linear(Role::kAttnOutput, h, h, attentionBias, l);
    if (gated) linear(Role::kFfnGate, i, h, mlpBias, l);
    linear(Role::kFfnUp, i, h, mlpBias, l);
    linear(Role::kFfnDown, h, i, mlpBias, l);
  }
};

Count patchInputs(const TowerReader& t) {
  const Count size = t.count({"patch_size"}, 14);
  return t.count({"num_channels", "in_channels", "in_chans"}, 3) * size * size;
}
Count patchCount(const TowerReader& t, Count imageSize) {
  const Count side = t.count({"image_size"}, imageSize) / max(t.count({"patch_size"}, 14), 1);
  return side * side;
}

// SigLIP: patches with a bias, learned positions, LayerNorm twice a layer and at the end.
void siglipBody(TowerReader& t, Count imageSize) {
  const Count h = t.count({"hidden_size"}, 1152);
  t.tower.name = "siglip";
  t.patch(h, patchInputs(t), true);
  t.table(patchCount(t, imageSize), h);
  t.layers(t.count({"num_hidden_layers"}, 27), h, t.count({"intermediate_size"}, 4304), true, false,
           true);
  t.norm(h, true, t.tower.layers * 2);
  t.norm(h, true);
}

void gemma3Tower(TowerReader& t) {
  siglipBody(t, 896);
  t.linear(Role::kProjector, t.text, t.tower.hidden, false);
  t.norm(t.tower.hidden, false);
}

// CLIP: a class token, no patch bias, a norm before the layers too.
void clipBody(TowerReader& t) {
  const Count h = t.count({"hidden_size"}, 1024);
  t.tower.name = "clip";
  t.patch(h, patchInputs(t), false);
  t.vector(h);
  t.table(patchCount(t, 336) + 1, h);
  t.layers(t.count({"num_hidden_layers"}, 24), h, t.count({"intermediate_size"}, 4096), true, false,
           true);
  t.norm(h, true, t.tower.layers * 2);
  t.norm(h, true, 2);
}

// LLaVA: two biased matrices from the chosen layers' features, side by side, to H.
void llavaTower(TowerReader& t) {
  if (t.vision.text({"model_type"}).value_or("").starts_with("siglip")) {
    siglipBody(t, 384);
  } else {
    clipBody(t);
  }
  const std::size_t chosen = t.root.isList("vision_feature_layer")
                                 ? t.root.listSize("vision_feature_layer")
                                 : std::size_t{1};
  t.linear(Role::kProjector, t.text, t.tower.hidden * Count(chosen), true);
  t.linear(Role::kProjector, t.text, t.text, true);
  if (t.root.text({"model_type"}).value_or("").starts_with("llava_next")) t.vector(t.text);
}

// Qwen3-VL and Qwen3.5: patches of two frames, a merger, one more merger a deepstack index.
void qwen3Tower(TowerReader& t) {
  const Count h = t.count({"hidden_size"}, 1152);
  const Count out = t.count({"out_hidden_size"}, t.text);
  const Count merge = t.count({"spatial_merge_size"}, 2);
  const Count wide = h * merge * merge;
  t.tower.name = "qwen3-vit";
  t.patch(h, patchInputs(t) * t.count({"temporal_patch_size"}, 2), true);
  t.table(t.count({"num_position_embeddings"}, 2304), h);
  t.layers(t.count({"depth"}, 27), h, t.count({"intermediate_size"}, 4304), true, false, true);
  t.norm(h, true, t.tower.layers * 2);
  const Count deep(t.vision.counts("deepstack_visual_indexes").size());
  t.norm(h, true);
  if (deep > 0) t.norm(wide, true, deep);
  t.linear(Role::kProjector, wide, wide, true, deep + 1);
  t.linear(Role::kProjector, out, wide, true, deep + 1);
}

// Qwen2.5-VL: RMS norms, a gated feed-forward with biases, no patch bias, no positions.
void qwen25Tower(TowerReader& t) {
  const Count h = t.count({"hidden_size"}, 1280);
  const Count out = t.count({"out_hidden_size"}, t.text);
  const Count merge = t.count({"spatial_merge_size"}, 2);
  const Count wide = h * merge * merge;
  t.tower.name = "qwen2.5-vit";
  t.patch(h, patchInputs(t) * t.count({"temporal_patch_size"}, 2), false);
  t.layers(t.count({"depth"}, 32), h, t.count({"intermediate_size"}, 3420), true, true, true);
  t.norm(h, false, t.tower.layers * 2);
  t.norm(h, false);
  t.linear(Role::kProjector, wide, wide, true);
  t.linear(Role::kProjector, out, wide, true);
}

// Qwen2-VL: `hidden_size` is what comes out, `embed_dim` the tower's own.
void qwen2Tower(TowerReader& t) {
  const Count h = t.count({"embed_dim"}, 1280);
  const Count out = t.count({"hidden_size"}, t.text);
  const Count merge = t.count({"spatial_merge_size"}, 2);
  const Count wide = h * merge * merge;
  t.tower.name = "qwen2-vit";
  t.patch(h, patchInputs(t) * t.count({"temporal_patch_size"}, 2), false);
  t.layers(t.count({"depth"}, 32), h, h * t.count({"mlp_ratio"}, 4), true, false, true);
  t.norm(h, true, t.tower.layers * 2);
  t.norm(h, true);
  t.linear(Role::kProjector, wide, wide, true);
  t.linear(Role::kProjector, out, wide, true);
}

// Llama 4: patches by a matrix, pixel shuffle into a two-matrix adapter, then a projector.
void llama4Tower(TowerReader& t) {
  const Count h = t.count({"hidden_size"}, 768);
  const Count i = t.count({"intermediate_size"}, h * 4);
  t.tower.name = "llama4-vit";
  t.patch(h, patchInputs(t), false);
  t.vector(h);
  t.table(patchCount(t, 448) + 1, h);
  t.layers(t.count({"num_hidden_layers"}, 34), h, i, true, false, true);
  t.norm(h, true, t.tower.layers * 2);
  t.norm(h, true, 2);
  const Count inner = t.count({"projector_input_dim"}, 4096);
  const Count outer = t.count({"projector_output_dim"}, 4096);
  t.linear(Role::kProjector, inner, i, false);
  t.linear(Role::kProjector, outer, inner, false);
  t.linear(Role::kProjector, t.text, t.count({"vision_output_dim"}, outer), false);
}

// Llama 3.2 Vision: local and gated global layers, tile and aspect-ratio embeddings.
void mllamaTower(TowerReader& t) {
  const Count h = t.count({"hidden_size"}, 1280);
  const Count i = t.count({"intermediate_size"}, 5120);
  const Count local = t.count({"num_hidden_layers"}, 32);
  const Count global = t.count({"num_global_layers"}, 8);
  const Count tiles = t.count({"max_num_tiles"}, 4);
  const Count positions = patchCount(t, 560) + 1;
  // One row for "no image" beside the ratios that fit the tiles: 8 for 4 tiles.
  const Count ratios =
      t.count({"max_aspect_ratio_id"}, t.vision.isList("supported_aspect_ratios")
                                           ? Count(t.vision.listSize("supported_aspect_ratios"))
                                           : Count(8)) +
      1;
  t.tower.name = "mllama-vit";
  t.patch(h, patchInputs(t), false);
  t.vector(h);
  t.vector(1);
  t.table(positions, h);
  t.table(ratios, tiles * positions * h);
  t.table(ratios * 2, tiles * h);
  t.vector(1, 2);
  t.layers(local + global, h, i, false, false, true);
  t.norm(h, true, t.tower.layers * 2);
  t.norm(h, true, 2);
  t.vector(1, global * 2);
  t.linear(Role::kProjector, t.text, t.count({"vision_output_dim"}, h * 6), true);
}

// Gemma 4: sandwich and q/k norms, a gated feed-forward, positions for rows and columns apart.
void gemma4Tower(TowerReader& t) {
  const Count h = t.count({"hidden_size"}, 768);
  t.tower.name = "gemma4-vit";
  t.patch(h, patchInputs(t), false);
  t.table(t.count({"position_embedding_size"}, 10240) * 2, h);
  t.layers(t.count({"num_hidden_layers"}, 16), h, t.count({"intermediate_size"}, 3072), false, true,
           false);
  t.norm(h, false, t.tower.layers * 4);
  t.norm(t.count({"head_dim"}, 64), false, t.tower.layers * 2);
  t.linear(Role::kProjector, t.text, h, false);
}

// Pixtral: RMS norms, a gated feed-forward, a 2 x 2 patch merger, a two-matrix projector.
void pixtralTower(TowerReader& t) {
  const Count h = t.count({"hidden_size"}, 1024);
  const Count merge = t.root.count({"spatial_merge_size"}).value_or(2);
  const bool bias = t.root.flag({"multimodal_projector_bias"}).value_or(false);
  t.tower.name = "pixtral";
  t.patch(h, patchInputs(t), false);
  t.norm(h, false);
  t.layers(t.count({"num_hidden_layers"}, 24), h, t.count({"intermediate_size"}, 4096), false, true,
           false);
  t.norm(h, false, t.tower.layers * 2);
  t.norm(h, false);
  t.linear(Role::kProjector, h, h * merge * merge, false);
  t.linear(Role::kProjector, t.text, h, bias);
  t.linear(Role::kProjector, t.text, t.text, bias);
}

// MoonViT: learned positions, and a projector over 2 x 2 patches.
void moonTower(TowerReader& t) {
  const Count h = t.count({"hidden_size"}, 1152);
  const Count wide = h * 4;
  t.tower.name = "moonvit";
  t.patch(h, patchInputs(t), true);
  t.table(t.count({"init_pos_emb_height"}, 64) * t.count({"init_pos_emb_width"}, 64), h);
  t.layers(t.count({"num_hidden_layers"}, 27), h, t.count({"intermediate_size"}, 4304), true, false,
           true);
  t.norm(h, true, t.tower.layers * 2);
  t.norm(h, true, 2);  // after the layers, before the projector
  t.linear(Role::kProjector, wide, wide, true);
  t.linear(Role::kProjector, t.text, wide, true);
}

// InternViT: a class token, layer scales, a projector over 2 x 2 patches.
void internTower(TowerReader& t) {
  const Count h = t.count({"hidden_size"}, 1024);
  const double ratio = t.root.number({"downsample_ratio"}).value_or(0.5);
  const Count merged(ratio > 0.01 && ratio <= 1
                         ? static_cast<std::uint64_t>(std::lround(1 / (ratio * ratio)))
                         : std::uint64_t{4});
  t.tower.name = "internvit";
  t.patch(h, patchInputs(t), true);
  t.vector(h);
  t.table(patchCount(t, 448) + 1, h);
  t.layers(t.count({"num_hidden_layers"}, 24), h, t.count({"intermediate_size"}, 4096), true, false,
           true);
  t.norm(h, true, t.tower.layers * 2);
  t.vector(h, t.tower.layers * 2);
  if (t.vision.flag({"qk_normalization"}).value_or(false)) t.norm(h, false, t.tower.layers * 2);
  t.norm(h * merged, true);
  t.linear(Role::kProjector, t.text, h * merged, true);
  t.linear(Role::kProjector, t.text, t.text, true);
}

struct TowerKind {
  std::string_view modelType;  // of vision_config, or of the wrapper where that has none
  void (*read)(TowerReader&);
};
constexpr TowerKind kKinds[] = {
    {"gemma3", gemma3Tower},
    {"llava", llavaTower},
    {"llava_next", llavaTower},
    {"qwen3_vl", qwen3Tower},
    {"qwen3_vl_moe", qwen3Tower},
    {"qwen3_5", qwen3Tower},
    {"qwen3_5_moe", qwen3Tower},
    {"qwen2_5_vl", qwen25Tower},
    {"qwen2_5_omni_thinker", qwen25Tower},
    {"qwen3_omni_moe_thinker", qwen3Tower},
    {"qwen2_vl", qwen2Tower},
    {"llama4", llama4Tower},
    {"mllama", mllamaTower},
    {"gemma4", gemma4Tower},
    {"mistral3", pixtralTower},
    {"pixtral", pixtralTower},
    {"moonvit", moonTower},
    {"kimi_vl", moonTower},
    {"internvl_chat", internTower},
};

}  // namespace

void readTowers(FamilyReader& r) {
  const ConfigView vision = r.wrapper.child("vision_config");
  if (vision.valid() && !vision.keys().empty()) {
    // The wrapper decides: it says what joins the tower to the language model.
    const std::string_view wrapper = r.wrapper.text({"model_type"}).value_or("");
    const std::string_view own = vision.text({"model_type"}).value_or("");
    const TowerKind* found = nullptr;
    for (const std::string_view name : {wrapper, own}) {
      for (const TowerKind& kind : kKinds) {
        if (found == nullptr && kind.modelType == name) found = &kind;
      }
    }
    if (found == nullptr) {
      r.notices.push_back(cat("The vision tower (", own.empty() ? "unnamed" : quoted(own),
                              ") is of no known kind and is not counted."));
    } else {
      TowerReader reader{vision, r.wrapper, r.hidden, {}};
      reader.tower.part = Part::kVision;
      found->read(reader);
      r.architecture.towers.push_back(std::move(reader.tower));
    }
  }
  if (r.wrapper.child("audio_config").valid()) {
    r.notices.emplace_back("The audio tower is not counted: its shapes are not described.");
  }
}

}  // namespace memfit
