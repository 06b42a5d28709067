// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/tensor_inventory.h"

#include <variant>

#include "base/overloaded.h"

namespace memfit {
namespace {

// Collects the groups of one place: a set of layers, or what lies outside them.
class Collector {
 public:
  Collector(std::vector<TensorGroup>& groups, Part part, std::uint32_t layerSet, Count hidden)
      : groups_(groups), part_(part), layerSet_(layerSet), hidden_(hidden) {}

  Count hidden() const { return hidden_; }

  void matrix(Role role, Count rows, Count cols, Count count = 1, Count active = 1) {
    add(role, TensorKind::kMatrix, rows, cols, count, active);
  }
  // A linear layer: weight [out x in], and a bias of `out`.
  void linear(Role role, Count out, Count in, bool bias = false) {
    matrix(role, out, in);
    if (bias) add(role, TensorKind::kBias, 1, out, 1, 1);
  }
  void bias(Role role, Count width, Count count = 1, Count active = 1) {
    add(role, TensorKind::kBias, 1, width, count, active);
  }
  void kernel(Role role, Count channels, Count taps, bool bias, Count count = 1) {
    add(role, TensorKind::kKernel, channels, taps, count, count);
    if (bias) add(role, TensorKind::kBias, 1, channels, count, count);
  }
  void vector(Role role, Count width, Count count = 1) {
    if (width > 0 && count > 0) add(role, TensorKind::kVector, 1, width, count, count);
  }
  void norm(Role role, NormKind kind, Count width, Count count = 1) {
    if (kind == NormKind::kNoWeights) return;
    vector(role, width, kind == NormKind::kLayer ? count * 2 : count);
  }
  void extra(const ExtraTensor& tensor) {
    if (tensor.count == 0) return;
    if (tensor.rows == 1) {
      vector(tensor.role, tensor.cols, tensor.count);
    } else {
      matrix(tensor.role, tensor.rows, tensor.cols, tensor.count, tensor.count);
    }
  }

 private:
  void add(Role role, TensorKind kind, Count rows, Count cols, Count count, Count active) {
    if (count == 0 || rows == 0 || cols == 0) return;
    TensorGroup group;
    group.role = role;
    group.part = part_;
    group.kind = kind;
    group.rows = rows;
    group.cols = cols;
    group.perLayer = count;
    group.activePerLayer = active;
    group.layerSet = layerSet_;
    groups_.push_back(group);
  }

  std::vector<TensorGroup>& groups_;
  Part part_;
  std::uint32_t layerSet_;
  Count hidden_;
};

void addMixer(Collector& out, const FullAttention& m) {
  const Count h = out.hidden();
  const Count queryWidth = m.heads * m.headDim * (m.gate == OutputGate::kDoubledQuery ? 2 : 1);
  const Count keyWidth = m.kvHeads * m.headDim;
  const Count valueWidth = m.kvHeads * m.valueHeadDim;
  if (m.fusedQkv) {
    out.linear(Role::kAttnQkv, queryWidth + keyWidth + (m.valueIsKey ? Count(0) : valueWidth), h,
               m.qBias);
  } else {
    out.linear(Role::kAttnQ, queryWidth, h, m.qBias);
    out.linear(Role::kAttnK, keyWidth, h, m.kBias);
    if (!m.valueIsKey) out.linear(Role::kAttnV, valueWidth, h, m.vBias);
  }
  out.linear(Role::kAttnOutput, h, m.heads * m.valueHeadDim, m.outputBias);
  out.norm(Role::kQkNorm, m.qkNorm, m.qNormWidth);
  out.norm(Role::kQkNorm, m.qkNorm, m.kNormWidth);
  if (m.gate == OutputGate::kPerHead) out.linear(Role::kAttnGate, m.heads, h, m.gateBias);
  if (m.gate == OutputGate::kFull) {
    out.linear(Role::kAttnGate, m.heads * m.valueHeadDim, h, m.gateBias);
  }
  if (m.sinks) out.vector(Role::kAttnSinks, m.heads);
  out.vector(Role::kNorm, m.innerNormWidth);
}

void addMixer(Collector& out, const LatentAttention& m) {
  const Count h = out.hidden();
  const Count queryWidth = m.heads * (m.nopeDim + m.ropeDim);
  // q: H a (nope + rope), or through a latent: H ql + ql + ql a (nope + rope).
  if (m.qLoraRank == 0) {
    out.linear(Role::kAttnQ, queryWidth, h);
  } else {
    out.linear(Role::kMlaQA, m.qLoraRank, h, m.bias);
    if (m.latentNorms) out.vector(Role::kNorm, m.qLoraRank);
    out.linear(Role::kMlaQB, queryWidth, m.qLoraRank);
  }
  // kv: H (kvl + rope) + kvl + kvl a (nope + v).
  out.linear(Role::kMlaKvA, m.kvLoraRank + m.ropeDim, h, m.bias);
  if (m.latentNorms) out.vector(Role::kNorm, m.kvLoraRank);
  out.linear(Role::kMlaKvB, m.heads * (m.nopeDim + m.valueDim), m.kvLoraRank);
  out.linear(Role::kAttnOutput, h, m.heads * m.valueDim, m.bias);
  out.vector(Role::kQkNorm, m.qNormWidth);
  out.vector(Role::kQkNorm, m.kNormWidth);
  if (m.gate == OutputGate::kPerHead) out.linear(Role::kAttnGate, m.heads, h);
  if (m.gate == OutputGate::kFull) {
    if (m.gateRank > 0) {
      out.linear(Role::kAttnGate, m.gateRank, h);
      out.linear(Role::kAttnGate, m.heads * m.valueDim, m.gateRank);
    } else {
      out.linear(Role::kAttnGate, m.heads * m.valueDim, h);
    }
  }
  if (m.indexerHeads > 0) {
    // ql n d + H d + 2 d + H n, n indexer heads of d.
    const Count from = m.qLoraRank > 0 ? m.qLoraRank : h;
    out.linear(Role::kIndexerQ, m.indexerHeads * m.indexerDim, from);
    out.linear(Role::kIndexerK, m.indexerDim, h);
    out.norm(Role::kNorm, NormKind::kLayer, m.indexerDim);
    out.linear(Role::kIndexerWeights, m.indexerHeads, h);
  }
}

void addMixer(Collector& out, const CompressedAttention& m) {
  const Count h = out.hidden();
  out.linear(Role::kMlaQA, m.qLoraRank, h);
  out.vector(Role::kNorm, m.qLoraRank);
  out.linear(Role::kMlaQB, m.heads * m.headDim, m.qLoraRank);
  out.linear(Role::kMlaKvA, m.headDim, h);
  out.vector(Role::kNorm, m.headDim);
  // The output in groups: each group of heads to outputRank, all groups together to H.
  out.linear(Role::kAttnOutput, m.outputGroups * m.outputRank,
             m.heads * m.headDim / m.outputGroups);
  out.linear(Role::kAttnOutput, h, m.outputGroups * m.outputRank);
  out.vector(Role::kAttnSinks, m.heads);
}

void addMixer(Collector& out, const CrossAttention& m) {
  const Count h = out.hidden();
  out.linear(Role::kCrossQ, m.heads * m.headDim, h, m.bias);
  out.linear(Role::kCrossK, m.kvHeads * m.headDim, m.sourceWidth, m.bias);
  out.linear(Role::kCrossV, m.kvHeads * m.headDim, m.sourceWidth, m.bias);
  out.linear(Role::kCrossOutput, h, m.heads * m.headDim, m.bias);
  out.vector(Role::kQkNorm, m.qNormWidth);
  out.vector(Role::kQkNorm, m.kNormWidth);
}

// 2 H D + D conv [+ D] + D (R + 2 N) + R D + D + D N + D + D H.
void addMixer(Collector& out, const Mamba1& m) {
  const Count h = out.hidden();
  out.linear(Role::kSsmIn, m.inner * 2, h, m.bias);
  out.kernel(Role::kSsmConv, m.inner, m.conv, m.convBias);
  out.linear(Role::kSsmX, m.timeStepRank + m.state * 2, m.inner);
  out.linear(Role::kSsmDt, m.inner, m.timeStepRank, true);
  out.matrix(Role::kSsmA, m.inner, m.state);
  out.vector(Role::kSsmD, m.inner);
  out.linear(Role::kSsmOut, h, m.inner, m.bias);
  if (m.stateNorms) out.vector(Role::kNorm, m.timeStepRank + m.state * 2);
}

// H (D + C + n) + C conv [+ C] + 3 n + D + D H, n heads.
void addMixer(Collector& out, const Mamba2& m) {
  const Count h = out.hidden();
  const Count channels = m.inner + m.groups * m.state * 2;
  out.linear(Role::kSsmIn, m.inner + channels + m.heads, h, m.bias);
  out.kernel(Role::kSsmConv, channels, m.conv, m.convBias);
  out.vector(Role::kSsmDt, m.heads);
  out.vector(Role::kSsmA, m.heads);
  out.vector(Role::kSsmD, m.heads);
  if (m.gatedNorm) out.vector(Role::kNorm, m.inner);
  out.linear(Role::kSsmOut, h, m.inner, m.bias);
}

// H (2 K + V) + H V + 2 H n + conv (2 K + V) + 2 n + d + V H, n value heads of d.
void addMixer(Collector& out, const GatedDeltaNet& m) {
  const Count h = out.hidden();
  const Count keys = m.keyHeads * m.keyDim;
  const Count values = m.valueHeads * m.valueDim;
  out.linear(Role::kSsmIn, keys * 2 + values, h);
  out.linear(Role::kSsmGate, values, h);
  out.linear(Role::kSsmDt, m.valueHeads * 2, h);
  out.kernel(Role::kSsmConv, keys * 2 + values, m.conv, false);
  out.vector(Role::kSsmA, m.valueHeads);
  out.vector(Role::kSsmDt, m.valueHeads);
  out.vector(Role::kNorm, m.valueDim);
  out.linear(Role::kSsmOut, h, values);
}

// 3 H P + 3 conv P + 2 (H d + d P) + P + n + H n + d + P H, P = n d.
void addMixer(Collector& out, const KimiDelta& m) {
  const Count h = out.hidden();
  const Count width = m.heads * m.headDim;
  out.linear(Role::kAttnQ, width, h);
  out.linear(Role::kAttnK, width, h);
  out.linear(Role::kAttnV, width, h);
  out.kernel(Role::kSsmConv, width, m.conv, false, 3);
  // Decay, through a bottleneck of d; the output gate likewise, or whole.
  out.linear(Role::kSsmDt, m.headDim, h);
  out.linear(Role::kSsmDt, width, m.headDim);
  if (m.fullGate) {
    out.linear(Role::kSsmGate, width, h);
  } else {
    out.linear(Role::kSsmGate, m.headDim, h);
    out.linear(Role::kSsmGate, width, m.headDim);
  }
  out.vector(Role::kSsmDt, width);
  out.vector(Role::kSsmA, m.heads);
  out.linear(Role::kSsmX, m.heads, h);
  out.vector(Role::kNorm, m.headDim);
  out.linear(Role::kAttnOutput, h, width);
}

// H 3 a d + H a d + a d + a d H.
void addMixer(Collector& out, const LightningAttention& m) {
  const Count h = out.hidden();
  const Count width = m.heads * m.headDim;
  out.linear(Role::kAttnQkv, width * 3, h);
  out.linear(Role::kAttnGate, width, h);
  out.vector(Role::kNorm, width);
  out.linear(Role::kAttnOutput, h, width);
}

// 3 H H + H conv + H H.
void addMixer(Collector& out, const ShortConv& m) {
  const Count h = out.hidden();
  out.linear(Role::kShortConvIn, h * 3, h, m.bias);
  out.kernel(Role::kShortConvKernel, h, m.conv, m.bias);
  out.linear(Role::kShortConvOut, h, h, m.bias);
}

void addMixer(Collector&, const Rwkv&) {}  // the layer's extras hold its weights

void addMixer(Collector& out, const LinearMixer&) {
  out.linear(Role::kLinear, out.hidden(), out.hidden());
}

void addFeedForward(Collector& out, const DenseFfn& f) {
  const Count h = out.hidden();
  if (f.gated && f.fusedGateUp) {
    out.linear(Role::kFfnGateUp, f.intermediate * 2, h, f.upBias);
  } else {
    if (f.gated) out.linear(Role::kFfnGate, f.intermediate, h, f.upBias);
    out.linear(Role::kFfnUp, f.intermediate, h, f.upBias);
  }
  out.linear(Role::kFfnDown, h, f.intermediate, f.downBias);
  out.vector(Role::kNorm, f.innerNormWidth);
}

void addFeedForward(Collector& out, const MoeFfn& f) {
  const Count h = out.hidden();
  const Count width = f.latentWidth > 0 ? f.latentWidth : h;
  const Count active = min(f.perToken, f.experts);
  if (f.gated) out.matrix(Role::kExpertGate, f.intermediate, width, f.experts, active);
  out.matrix(Role::kExpertUp, f.intermediate, width, f.experts, active);
  out.matrix(Role::kExpertDown, width, f.intermediate, f.experts, active);
  if (f.bias) {
    if (f.gated) out.bias(Role::kExpertGate, f.intermediate, f.experts, active);
    out.bias(Role::kExpertUp, f.intermediate, f.experts, active);
    out.bias(Role::kExpertDown, width, f.experts, active);
  }
  if (f.latentWidth > 0) {
    out.linear(Role::kLatentDown, f.latentWidth, h);
    out.linear(Role::kLatentUp, h, f.latentWidth);
    out.vector(Role::kNorm, f.latentNormWidth);
  }
  for (Count i = 0; i < f.routers; i += 1) out.linear(Role::kRouter, f.experts, h, f.routerBias);
  if (f.correctionBias) out.vector(Role::kRouterBias, f.experts);
  if (f.sharedIntermediate > 0) {
    if (f.gated) out.linear(Role::kSharedGate, f.sharedIntermediate, h);
    out.linear(Role::kSharedUp, f.sharedIntermediate, h);
    out.linear(Role::kSharedDown, h, f.sharedIntermediate);
    if (f.sharedExpertGate) out.linear(Role::kSharedExpertGate, 1, h);
  }
}

void addLayer(Collector& out, const Layer& layer) {
  for (const Mixer& mixer : layer.mixers) {
    std::visit([&](const auto& m) { addMixer(out, m); }, mixer);
  }
  for (const FeedForward& feedForward : layer.feedForwards) {
    std::visit([&](const auto& f) { addFeedForward(out, f); }, feedForward);
  }
  out.norm(Role::kNorm, layer.norm, out.hidden(), layer.norms);
  for (const ExtraTensor& tensor : layer.extras) out.extra(tensor);
}

}  // namespace

TensorInventory::TensorInventory(const Architecture& a) {
  layerSets_.resize(a.kinds.size() + 1);
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    layerSets_[a.layers[i] + std::size_t{1}].push_back(static_cast<std::uint16_t>(i));
  }

  Collector outside(groups_, Part::kMain, 0, a.hidden);
  const Count embeddingWidth = a.embeddingWidth > 0 ? a.embeddingWidth : a.hidden;
  outside.matrix(Role::kTokenEmbedding, a.vocab, embeddingWidth);
  if (embeddingWidth != a.hidden) {
    outside.linear(Role::kEmbeddingProjection, a.hidden, embeddingWidth);
    outside.linear(Role::kEmbeddingProjection, embeddingWidth, a.hidden);
  }
  outside.matrix(Role::kPositionEmbedding, a.positions, a.hidden);
  if (a.embeddingNorm) outside.norm(Role::kNorm, a.norm, a.hidden);
  for (std::size_t kind = 0; kind < a.kinds.size(); ++kind) {
    Collector out(groups_, Part::kMain, static_cast<std::uint32_t>(kind + 1), a.hidden);
    addLayer(out, a.kinds[kind]);
  }
  if (a.finalNorm) outside.norm(Role::kNorm, a.norm, a.hidden);
  if (!a.noHead) {
    if (!a.tied) outside.matrix(Role::kOutputHead, a.vocab, embeddingWidth);
    if (a.headBias) outside.bias(Role::kOutputHead, a.vocab);
  }
  for (const ExtraTensor& tensor : a.extras) outside.extra(tensor);

  for (const Tower& tower : a.towers) {
    Collector out(groups_, tower.part, 0, a.hidden);
    for (const ExtraTensor& tensor : tower.tensors) out.extra(tensor);
  }

  Collector next(groups_, Part::kNextTokens, 0, a.hidden);
  for (const Layer& layer : a.nextTokens.layers) {
    next.linear(Role::kNextTokenProjection, a.hidden, a.hidden * 2);
    next.norm(Role::kNorm, a.norm, a.hidden, a.nextTokens.norms);
    addLayer(next, layer);
    if (a.nextTokens.ownEmbeddings) {
      next.matrix(Role::kTokenEmbedding, a.vocab, a.hidden);
      next.matrix(Role::kOutputHead, a.vocab, a.hidden);
    }
  }
}

Count TensorInventory::parameters(Part part) const {
  Count sum = 0;
  for (const TensorGroup& group : groups_) {
    if (group.part == part) sum += parametersOf(group);
  }
  return sum;
}

Count TensorInventory::activeParameters() const {
  Count sum = 0;
  for (const TensorGroup& group : groups_) {
    if (group.part == Part::kMain) {
      sum += layerCountOf(group) * group.activePerLayer * group.elements();
    }
  }
  return sum;
}

Count TensorInventory::parameters(Role role) const {
  Count sum = 0;
  for (const TensorGroup& group : groups_) {
    if (group.role == role && (group.part == Part::kMain || group.part == Part::kVision)) {
      sum += parametersOf(group);
    }
  }
  return sum;
}

}  // namespace memfit
