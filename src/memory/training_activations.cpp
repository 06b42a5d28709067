// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_activations.h"

#include <variant>

#include "base/overloaded.h"

namespace memfit {

namespace {

// Adds up one layer. Widths are elements a token; `e` bytes a value.
class LayerWalk {
 public:
  LayerWalk(const TrainingSetup& setup, const Layer& layer)
      : s_(setup),
        e_(setup.computeBytes),
        h_(setup.model->architecture.hidden),
        tp_(setup.spread.tp),
        along_(setup.sequenceParallel ? setup.spread.tp : Count(1)),
        fused_(setup.kernels != Kernels::kPlain),
        compiled_(setup.kernels == Kernels::kCompiled) {
    normKind_ = layer.norm;
    for (const Mixer& mixer : layer.mixers) {
      norm(h_);
      std::visit([this](const auto& m) { add(m); }, mixer);
    }
    // Parallel attention and feed-forward share one norm and its output.
    const bool parallel = layer.norms == Count(1) && !layer.mixers.empty();
    for (const FeedForward& feedForward : layer.feedForwards) {
      sharesNorm_ = parallel;
      if (!parallel) norm(h_);
      std::visit([this](const auto& f) { add(f); }, feedForward);
    }
    // Sandwich norms: what stands beyond one a block.
    const Count blocks = layer.mixers.size() + layer.feedForwards.size();
    for (Count i = blocks; i < layer.norms; i += 1) norm(h_);
    out_.output = (h_ * s_.residualBytes).ceilDiv(along_);
    // The gradient that comes in, as wide as the residual stream.
    out_.transient += out_.output;
  }

  LayerActivations done() const { return out_; }

 private:
  Count cut(Count elements) const { return elements.ceilDiv(tp_); }
  bool rms() const { return normKind_ == NormKind::kRms || normKind_ == NormKind::kNoWeights; }

  // A norm over the residual stream. Plain RMSNorm keeps a 32-bit copy of its input and, where its
  // weight is trained, the normalised values; a fused one keeps the input itself, which for the
  // first norm of a layer is the layer's input and counted there.
  void norm(Count width) {
    const bool first = !normSeen_;
    normSeen_ = true;
    Count bytes;
    if (!fused_ && rms() && s_.habits->normIn32 && e_ < 4) {
      bytes = width * 4 + (s_.adapters ? Count(0) : width * e_);
      if (s_.upcast) bytes += width * e_;
    } else {
      bytes = first ? Count(0) : width * s_.residualBytes;
      if (!fused_ && !s_.adapters) bytes += width * e_;
    }
    out_.norms += bytes.ceilDiv(along_);
  }

  // A norm over queries or keys, inside the part that tensor parallelism cuts.
  void innerNorm(Count width) {
    const Count bytes = !fused_ && s_.habits->normIn32 && e_ < 4
                            ? width * 4 + (s_.adapters ? Count(0) : width * e_)
                            : width * e_;
    out_.mixers += cut(bytes);
  }

  // The input of linear layers: kept once where any of them needs it, and once an adapter that
  // keeps its own. `alive` : the tensor is kept by something else anyway.
  struct Linear {
    Role role;
    Count times = 1;  // routed experts a token
  };
  void input(Count width, bool alive, bool normOutput, std::initializer_list<Linear> linears,
             Count& where, Count divisor) {
    Count adapted = 0;
    Count plain = 0;
    for (const Linear& linear : linears) {
      if (s_.adapts(linear.role)) {
        const LoraTarget target = roleTraits(linear.role).lora;
        const bool together = s_.habits->fusesQkv && adapted > 0 &&
                              (target == LoraTarget::kK || target == LoraTarget::kV);
        adapted += together ? 0 : 1;
      } else {
        plain += 1;
      }
    }
    bool shared = s_.keepsInputs();
    Count own = 0;
    if (adapted > 0) {
      if (fusedAdapters()) {
        // One copy for all, and one more each where dropout changes it.
        shared = true;
        if (s_.dropout) own = adapted * width * e_;
      } else if (s_.habits->moduleCasts) {
        // PEFT casts the input to the adapter's type; autocast casts that back for the product.
        const Count each = s_.autocast || s_.adapterBytes == e_ ? e_ : s_.adapterBytes;
        own = adapted * width * (each + (s_.dropout ? Count(1) : Count(0)));
      } else {
        shared = shared || !s_.dropout;
        if (s_.dropout) own = adapted * width * (e_ + 1);
      }
    }
    // bitsandbytes' 4-bit product in litgpt's version keeps one input a linear layer.
    const Count copies =
        s_.quantized && s_.habits->keepsFrozenInputs ? max(plain + adapted, 1) : Count(1);
    if (s_.quantized && s_.habits->keepsFrozenInputs) alive = false;
    if (normOutput && sharesNorm_) alive = true;
    if (shared && !alive) where += (width * e_ * copies).ceilDiv(divisor);
    out_.adapters += own.ceilDiv(divisor);
    lastShared_ = shared && !alive ? (width * e_).ceilDiv(divisor) : Count(0);
  }
  bool fusedAdapters() const {
    return s_.habits->fusesAdapters && fused_ && s_.quantized && !compiled_;
  }

  void add(const FullAttention& m) {
    const Count q = m.heads * m.headDim;
    const Count k = m.kvHeads * m.headDim;
    const Count v = m.kvHeads * m.valueHeadDim;
    const Count o = m.heads * m.valueHeadDim;
    if (m.fusedQkv) {
      input(h_, false, true, {{Role::kAttnQkv}}, out_.norms, along_);
    } else {
      input(h_, false, true, {{Role::kAttnQ}, {Role::kAttnK}, {Role::kAttnV}}, out_.norms, along_);
    }
    if (m.qNormWidth > 0) innerNorm(q);
    if (m.kNormWidth > 0) innerNorm(k);
    const bool repeats = m.kvHeads < m.heads && s_.habits->repeatsKv &&
                         (s_.attention != AttentionKernel::kFlash || s_.family->repeatsKv);
    Count kept = q + (repeats ? q + o : k + v);
    if (s_.habits->ropeCopies) kept += q + k;
    out_.mixers += cut(kept * e_);
    if (s_.attention == AttentionKernel::kEager) {
      // Softmax in 32 bits and its 16-bit copy; in the backward pass a gradient of each, and the
      // gradient of the 32-bit scores.
      out_.scores += cut(m.heads * (e_ == 4 ? 4 : 6));
      out_.scoresTransient = max(out_.scoresTransient, cut(m.heads * (e_ == 4 ? 12 : 10)));
      input(o, false, false, {{Role::kAttnOutput}}, out_.mixers, tp_);
    } else {
      out_.mixers += cut(o * e_);  // the kernel keeps its output
      // Beside it the copy that SDPA's caller makes for the output projection.
      const bool copy = s_.attention == AttentionKernel::kSdpa && s_.habits->copiesForSdpa;
      input(o, !copy, false, {{Role::kAttnOutput}}, out_.mixers, tp_);
      out_.mixers += cut(m.heads * 4);  // log-sum-exp
    }
    if (m.gate != OutputGate::kNone) out_.mixers += cut(o * e_ * 2);
    out_.selective += cut((q + k + v + o) * e_);
  }

  void add(const LatentAttention& m) {
    const Count q = m.heads * (m.nopeDim + m.ropeDim);
    const Count o = m.heads * m.valueDim;
    input(h_, false, true, {{Role::kMlaQA}, {Role::kMlaKvA}}, out_.norms, along_);
    // Latents before and after their norms.
    out_.mixers += (m.qLoraRank * 2 + m.kvLoraRank * 2 + m.ropeDim) * e_;
    // Queries and keys whole (the rotary key repeated to all heads), values, output.
    out_.mixers += cut((q * 2 + o * 2) * e_ + m.heads * 4);
    input(o, true, false, {{Role::kAttnOutput}}, out_.mixers, tp_);
    if (s_.attention == AttentionKernel::kEager) {
      out_.scores += cut(m.heads * (e_ == 4 ? 4 : 6));
      out_.scoresTransient = max(out_.scoresTransient, cut(m.heads * (e_ == 4 ? 12 : 10)));
    }
    if (m.gate != OutputGate::kNone) out_.mixers += cut(o * e_ * 2);
    out_.selective += cut((q * 2 + o * 2) * e_);
  }

  void add(const CompressedAttention& m) {
    const Count q = m.heads * m.headDim;
    input(h_, false, true, {{Role::kMlaQA}, {Role::kMlaKvA}}, out_.norms, along_);
    out_.mixers += (m.qLoraRank * 2 + m.headDim * 2) * e_ + cut((q * 2) * e_) +
                   m.outputGroups * m.outputRank * e_;
    out_.selective += cut(q * 2 * e_);
  }

  void add(const CrossAttention& m) {
    const Count q = m.heads * m.headDim;
    input(h_, false, true, {{Role::kCrossQ}}, out_.norms, along_);
    out_.mixers += cut(q * 2 * e_);
    input(q, true, false, {{Role::kCrossOutput}}, out_.mixers, tp_);
    out_.selective += cut(q * 2 * e_);
  }

  // Recurrent mixers: the projections, the convolution's output, what the scan reads and writes,
  // and its states at chunk borders in 32 bits.
  void recurrent(Count projected, Count scanned, Count out, Count stateElements, Count chunk) {
    input(h_, false, true, {{Role::kSsmIn}}, out_.norms, along_);
    out_.mixers += cut((projected + scanned + out) * e_);
    out_.mixers += cut((stateElements * 4).ceilDiv(chunk));
    input(out, false, false, {{Role::kSsmOut}}, out_.mixers, tp_);
    out_.selective += cut((projected + out) * e_);
  }
  void add(const Mamba1& m) {
    // in: x and z; convolved x, dt twice, B and C; the scan's output and the gated one.
    recurrent(m.inner * 2, m.inner * 3 + m.timeStepRank + m.state * 2, m.inner, m.inner * m.state,
              2048);
  }
  void add(const Mamba2& m) {
    const Count channels = m.inner + m.groups * m.state * 2;
    recurrent(m.inner + channels + m.heads, channels + m.inner, m.inner, m.inner * m.state, 256);
    if (m.gatedNorm) innerNorm(m.inner);
  }
  void add(const GatedDeltaNet& m) {
    const Count keys = m.keyHeads * m.keyDim;
    const Count values = m.valueHeads * m.valueDim;
    // Keys and queries are normalised and repeated to the value heads.
    recurrent(keys * 2 + values * 2, keys * 2 + values + m.valueHeads * m.keyDim * 2, values,
              m.valueHeads * m.keyDim * m.valueDim, 64);
    innerNorm(values);
  }
  void add(const KimiDelta& m) {
    const Count width = m.heads * m.headDim;
    recurrent(width * 4, width * 5, width, width * m.headDim, 64);
    innerNorm(width);
  }
  void add(const LightningAttention& m) {
    const Count width = m.heads * m.headDim;
    recurrent(width * 4, width * 2, width, width * m.headDim, 256);
    innerNorm(width);
  }
  void add(const ShortConv&) {
    input(h_, false, true, {{Role::kShortConvIn}}, out_.norms, along_);
    out_.mixers += cut(h_ * 5 * e_);
    input(h_, false, false, {{Role::kShortConvOut}}, out_.mixers, tp_);
    out_.selective += cut(h_ * 3 * e_);
  }
  void add(const Rwkv& m) {
    const Count width = m.heads * m.headDim;
    out_.mixers += cut((h_ * 6 + width * 6) * e_);
    out_.selective += cut(width * 4 * e_);
  }
  void add(const LinearMixer&) { input(h_, false, true, {{Role::kLinear}}, out_.norms, along_); }

  // The block of a feed-forward: `width` values on each of gate and up, `times` experts a token.
  void block(Count width, bool gated, Role downRole, Count times, bool atOnce) {
    const Count f = width * times;
    const bool recomputes = compiled_ || s_.kernels == Kernels::kFused;
    Count kept;
    if (gated) {
      kept = recomputes ? f * 2 : f * 3;  // gate, up, and the activation in between
    } else {
      kept = f;
    }
    out_.feedForward += cut(kept * e_);
    const Count adaptersBefore = out_.adapters;
    input(f, false, false, {{downRole}}, out_.feedForward, tp_);
    const Count productKept = out_.adapters - adaptersBefore + lastShared_;
    // Backward: the gradient of the product, then those of gate and up, while the product's own
    // copy is gone. A fused kernel writes them over gate and up.
    const bool inPlace = s_.kernels == Kernels::kFused && s_.habits->gradientsInPlace;
    const Count gradients = cut(f * e_ * (gated ? (inPlace ? 1 : 3) : 2));
    const Count more = gradients - productKept;
    out_.transient += atOnce ? more : more.ceilDiv(4);
    out_.selective += cut(f * e_);
  }

  void add(const DenseFfn& f) {
    if (f.gated && f.fusedGateUp) {
      input(h_, false, true, {{Role::kFfnGateUp}}, out_.norms, along_);
    } else if (f.gated) {
      input(h_, false, true, {{Role::kFfnGate}, {Role::kFfnUp}}, out_.norms, along_);
    } else {
      input(h_, false, true, {{Role::kFfnUp}}, out_.norms, along_);
    }
    block(f.intermediate, f.gated, Role::kFfnDown, 1, true);
  }

  void add(const MoeFfn& f) {
    const Count width = f.latentWidth > 0 ? f.latentWidth : h_;
    const Count times = min(f.perToken, f.experts);
    // The router: its input, and logits and probabilities in 32 bits.
    if (!s_.adapters) out_.norms += (h_ * e_).ceilDiv(along_);
    out_.feedForward += f.experts * 8;
    // Rows gathered for each expert, and each expert's output before it is weighted.
    const bool grouped = s_.family->stackedExperts || s_.habits->groupsExperts;
    input(width * times, false, false, {{Role::kExpertGate}, {Role::kExpertUp}}, out_.feedForward,
          1);
    if (!s_.adapters) out_.feedForward += width * times * e_;
    block(f.intermediate, f.gated, Role::kExpertDown, times, grouped);
    if (f.sharedIntermediate > 0) {
      block(f.sharedIntermediate, f.gated, Role::kSharedDown, 1, false);
    }
  }

  const TrainingSetup& s_;
  Count e_, h_, tp_, along_;
  bool fused_, compiled_;
  NormKind normKind_ = NormKind::kRms;
  bool normSeen_ = false, sharesNorm_ = false;
  Count lastShared_;
  LayerActivations out_;
};

}  // namespace

LayerActivations layerActivations(const TrainingSetup& setup, const Layer& layer) {
  return LayerWalk(setup, layer).done();
}

Count finalNormBytes(const TrainingSetup& setup) {
  const Count h = setup.model->architecture.hidden;
  const Count along = setup.sequenceParallel ? setup.spread.tp : Count(1);
  const Count e = setup.computeBytes;
  const bool plain = setup.kernels == Kernels::kPlain && setup.habits->normIn32 && e < 4;
  // Plain: a 32-bit copy and the output. Fused: the input and the output.
  return (plain ? h * 4 + h * e : h * e * 2).ceilDiv(along);
}

}  // namespace memfit
