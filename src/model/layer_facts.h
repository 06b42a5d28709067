// memfit - SPDX-License-Identifier: Apache-2.0
//
// What estimates ask of a mixer or a feed-forward beside its cache and its tensors: heads, widths,
// rotation, causality. Each question visits every variant by name ("nothing" is an answer too), so
// that the compiler lists what a new one lacks. Widths are elements, before any cut.
#pragma once

#include <optional>

#include "base/count.h"
#include "model/architecture.h"

namespace memfit {

// Heads with projections of queries, keys and values: what cuts, adapters on a part of a fused
// projection and quantizers go by.
struct ProjectedHeads {
  Count heads, kvHeads;
  Count headDim, valueHeadDim;
};
std::optional<ProjectedHeads> projectedHeadsOf(const Mixer& mixer);
// Of the layer's first mixer that has them.
std::optional<ProjectedHeads> projectedHeadsOf(const Layer& layer);

// What the kernel of an attention works on, a token.
struct AttentionWidths {
  Count heads;       // query heads
  Count kvHeads;     // 0: one latent that all heads share, which no device cuts
  Count headDim;     // of the keys that a kernel reads; 0: it has a layout of its own
  Count query;       // of a query head, with the gate that is projected beside it
  Count key, value;  // of a key-value head, or of the latent
};
std::optional<AttentionWidths> attentionWidthsOf(const Mixer& mixer);

// Query heads that engines refuse to cut unevenly; 0: none that they look at.
Count evenlyCutHeadsOf(const Mixer& mixer);

// False where a token sees later ones: an encoder's attention.
bool isCausal(const Mixer& mixer);

// Whole keys and values of every head: what is cached where an engine keeps no latent, or caches an
// encoder. nullopt where no engine does that.
std::optional<CacheShape> wholeCacheOf(const Mixer& mixer);

// Elements of a head that are rotated by position.
struct Rotation {
  Count width;
  bool windowed = false;  // in a sliding window, which may have a base of its own
};
std::optional<Rotation> rotationOf(const Mixer& mixer);

// The tokens that a mixer with a window sees (0: all of them), of one that could have a window;
// nullopt where there is no such thing.
std::optional<Count> slidingWindowOf(const Mixer& mixer);
void setSlidingWindow(Mixer& mixer, Count window);

// Widths of a feed-forward's inner activations, a token.
struct FeedForwardWidths {
  Count intermediate;  // dense: of gate or up; 0: experts instead
  bool gated = true;
  Count experts, expertsPerToken, expertIntermediate;  // 0: dense
};
FeedForwardWidths widthsOf(const FeedForward& feedForward);

}  // namespace memfit
