// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/layer_facts.h"

#include "base/overloaded.h"

namespace memfit {

std::optional<ProjectedHeads> projectedHeadsOf(const Mixer& mixer) {
  using Answer = std::optional<ProjectedHeads>;
  const auto nothing = [] { return Answer(); };
  return std::visit(Overloaded{
                        [](const FullAttention& m) -> Answer {
                          return ProjectedHeads{m.heads, m.kvHeads, m.headDim, m.valueHeadDim};
                        },
                        // Queries and keys come out of latents.
                        [&](const LatentAttention&) { return nothing(); },
                        [&](const CompressedAttention&) { return nothing(); },
                        [](const CrossAttention& m) -> Answer {
                          return ProjectedHeads{m.heads, m.kvHeads, m.headDim, m.headDim};
                        },
                        [&](const Mamba1&) { return nothing(); },
                        [&](const Mamba2&) { return nothing(); },
                        // One projection for all of them and the gate, cut by columns.
                        [&](const GatedDeltaNet&) { return nothing(); },
                        [](const KimiDelta& m) -> Answer {
                          return ProjectedHeads{m.heads, m.heads, m.headDim, m.headDim};
                        },
                        [&](const LightningAttention&) { return nothing(); },
                        [&](const ShortConv&) { return nothing(); },
                        [&](const Rwkv&) { return nothing(); },
                        [&](const LinearMixer&) { return nothing(); },
                    },
                    mixer);
}

std::optional<ProjectedHeads> projectedHeadsOf(const Layer& layer) {
  for (const Mixer& mixer : layer.mixers) {
    if (const auto heads = projectedHeadsOf(mixer)) return heads;
  }
  return std::nullopt;
}

std::optional<AttentionWidths> attentionWidthsOf(const Mixer& mixer) {
  using Answer = std::optional<AttentionWidths>;
  const auto nothing = [] { return Answer(); };
  return std::visit(
      Overloaded{
          [](const FullAttention& m) -> Answer {
            const Count gate = m.gate == OutputGate::kDoubledQuery ? 2 : 1;
            return AttentionWidths{m.heads,          m.kvHeads, m.headDim,
                                   m.headDim * gate, m.headDim, m.valueHeadDim};
          },
          // The query is multiplied into the latent's space; the latent is key and value.
          [](const LatentAttention& m) -> Answer {
            const Count latent = m.kvLoraRank + m.ropeDim;
            return AttentionWidths{m.heads, 0, latent, latent, latent, 0};
          },
          [](const CompressedAttention& m) -> Answer {
            return AttentionWidths{m.heads, 0, 0, m.headDim, m.headDim, 0};
          },
          // Runs beside or instead of self attention in few layers, over a fixed source: never the
          // widest.
          [&](const CrossAttention&) { return nothing(); },
          [&](const Mamba1&) { return nothing(); },
          [&](const Mamba2&) { return nothing(); },
          [&](const GatedDeltaNet&) { return nothing(); },
          [&](const KimiDelta&) { return nothing(); },
          [&](const LightningAttention&) { return nothing(); },
          [&](const ShortConv&) { return nothing(); },
          [&](const Rwkv&) { return nothing(); },
          [&](const LinearMixer&) { return nothing(); },
      },
      mixer);
}

Count evenlyCutHeadsOf(const Mixer& mixer) {
  const auto none = [] { return Count(0); };
  return std::visit(Overloaded{
                        [](const FullAttention& m) { return m.heads; },
                        [&](const LatentAttention&) { return none(); },
                        [&](const CompressedAttention&) { return none(); },
                        [&](const CrossAttention&) { return none(); },
                        [&](const Mamba1&) { return none(); },
                        [&](const Mamba2&) { return none(); },
                        [&](const GatedDeltaNet&) { return none(); },
                        [&](const KimiDelta&) { return none(); },
                        [&](const LightningAttention&) { return none(); },
                        [&](const ShortConv&) { return none(); },
                        [&](const Rwkv&) { return none(); },
                        [&](const LinearMixer&) { return none(); },
                    },
                    mixer);
}

bool isCausal(const Mixer& mixer) {
  const auto yes = [] { return true; };
  return std::visit(Overloaded{
                        [](const FullAttention& m) { return m.causal; },
                        [&](const LatentAttention&) { return yes(); },
                        [&](const CompressedAttention&) { return yes(); },
                        [&](const CrossAttention&) { return yes(); },  // a decoder's
                        [&](const Mamba1&) { return yes(); },
                        [&](const Mamba2&) { return yes(); },
                        [&](const GatedDeltaNet&) { return yes(); },
                        [&](const KimiDelta&) { return yes(); },
                        [&](const LightningAttention&) { return yes(); },
                        [&](const ShortConv&) { return yes(); },
                        [&](const Rwkv&) { return yes(); },
                        [&](const LinearMixer&) { return yes(); },
                    },
                    mixer);
}

std::optional<CacheShape> wholeCacheOf(const Mixer& mixer) {
  using Answer = std::optional<CacheShape>;
  const auto nothing = [] { return Answer(); };
  return std::visit(Overloaded{
                        [](const FullAttention& m) -> Answer {
                          FullAttention causal = m;
                          causal.causal = true;
                          return cacheOf(Mixer(causal));
                        },
                        // a (nope + rope) keys and a v values.
                        [](const LatentAttention& m) -> Answer {
                          CacheShape whole;
                          whole.kvHeads = m.heads;
                          whole.keyElements = m.heads * (m.nopeDim + m.ropeDim);
                          whole.valueElements = m.heads * m.valueDim;
                          whole.keyHeadDim = m.nopeDim + m.ropeDim;
                          whole.valueHeadDim = m.valueDim;
                          return whole;
                        },
                        [&](const CompressedAttention&) { return nothing(); },
                        [&](const CrossAttention&) { return nothing(); },
                        [&](const Mamba1&) { return nothing(); },
                        [&](const Mamba2&) { return nothing(); },
                        [&](const GatedDeltaNet&) { return nothing(); },
                        [&](const KimiDelta&) { return nothing(); },
                        [&](const LightningAttention&) { return nothing(); },
                        [&](const ShortConv&) { return nothing(); },
                        [&](const Rwkv&) { return nothing(); },
                        [&](const LinearMixer&) { return nothing(); },
                    },
                    mixer);
}

std::optional<Rotation> rotationOf(const Mixer& mixer) {
  using Answer = std::optional<Rotation>;
  const auto nothing = [] { return Answer(); };
  return std::visit(
      Overloaded{
          [](const FullAttention& m) -> Answer {
            return Rotation{m.headDim, m.window > 0 && !m.chunked};
          },
          [](const LatentAttention& m) -> Answer {
            return Rotation{m.ropeDim, false};
          },
          // DeepSeek-V4 rotates the last 64 of a head (qk_rope_head_dim), windowed or compressed.
          [](const CompressedAttention&) -> Answer {
            return Rotation{64, false};
          },
          // The source has no place in the sequence.
          [&](const CrossAttention&) { return nothing(); },
          [&](const Mamba1&) { return nothing(); },
          [&](const Mamba2&) { return nothing(); },
          [&](const GatedDeltaNet&) { return nothing(); },
          [&](const KimiDelta&) { return nothing(); },
          [&](const LightningAttention&) { return nothing(); },
          [&](const ShortConv&) { return nothing(); },
          [&](const Rwkv&) { return nothing(); },
          [&](const LinearMixer&) { return nothing(); },
      },
      mixer);
}

std::optional<Count> slidingWindowOf(const Mixer& mixer) {
  using Answer = std::optional<Count>;
  const auto nothing = [] { return Answer(); };
  return std::visit(Overloaded{
                        // An encoder's attention sees everything.
                        [](const FullAttention& m) -> Answer {
                          return m.causal ? Answer(m.window) : std::nullopt;
                        },
                        [](const LatentAttention& m) -> Answer { return m.window; },
                        [](const CompressedAttention& m) -> Answer { return m.window; },
                        [&](const CrossAttention&) { return nothing(); },
                        [&](const Mamba1&) { return nothing(); },
                        [&](const Mamba2&) { return nothing(); },
                        [&](const GatedDeltaNet&) { return nothing(); },
                        [&](const KimiDelta&) { return nothing(); },
                        [&](const LightningAttention&) { return nothing(); },
                        [&](const ShortConv&) { return nothing(); },
                        [&](const Rwkv&) { return nothing(); },
                        [&](const LinearMixer&) { return nothing(); },
                    },
                    mixer);
}

void setSlidingWindow(Mixer& mixer, Count window) {
  std::visit(Overloaded{
                 [&](FullAttention& m) {
                   m.window = window;
                   if (window == 0) m.chunked = false;
                 },
                 [&](LatentAttention& m) { m.window = window; },
                 [&](CompressedAttention& m) { m.window = window; },
                 [](CrossAttention&) {},
                 [](Mamba1&) {},
                 [](Mamba2&) {},
                 [](GatedDeltaNet&) {},
                 [](KimiDelta&) {},
                 [](LightningAttention&) {},
                 [](ShortConv&) {},
                 [](Rwkv&) {},
                 [](LinearMixer&) {},
             },
             mixer);
}

FeedForwardWidths widthsOf(const FeedForward& feedForward) {
  return std::visit(Overloaded{
                        [](const DenseFfn& f) {
                          FeedForwardWidths widths;
                          widths.intermediate = f.intermediate;
                          widths.gated = f.gated;
                          return widths;
                        },
                        [](const MoeFfn& f) {
                          FeedForwardWidths widths;
                          widths.gated = f.gated;
                          widths.experts = f.experts;
                          widths.expertsPerToken = f.perToken;
                          widths.expertIntermediate = f.intermediate;
                          return widths;
                        },
                    },
                    feedForward);
}

}  // namespace memfit
