// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/architecture.h"

#include <algorithm>

#include "base/overloaded.h"

namespace memfit {

Count normElements(NormKind kind, Count width) {
  switch (kind) {
    case NormKind::kRms:
    case NormKind::kLayerBare: return width;
    case NormKind::kLayer: return width * 2;
    case NormKind::kNoWeights: return 0;
  }
  return 0;
}

void Architecture::addLayer(const Layer& layer) {
  // From the back: a layer is most often equal to a recent one. Where none of the last few hundred
  // is, it gets a kind of its own, so that a file with as many kinds as layers costs no square of
  // them.
  constexpr std::size_t kLookBack = 256;
  const std::size_t end = kinds.size() > kLookBack ? kinds.size() - kLookBack : 0;
  std::size_t kind = kinds.size();
  while (kind > end && !(kinds[kind - 1] == layer)) --kind;
  if (kind == end) {
    kinds.push_back(layer);
    kind = kinds.size();
  }
  layers.push_back(static_cast<std::uint16_t>(kind - 1));
}

std::optional<CacheShape> cacheOf(const Mixer& mixer) {
  using Answer = std::optional<CacheShape>;
  const auto nothing = [] { return Answer(); };
  return std::visit(Overloaded{
                        [](const FullAttention& m) -> Answer {
                          if (!m.causal) return std::nullopt;
                          CacheShape cache;
                          cache.keyElements = m.kvHeads * m.headDim;
                          cache.valueElements = m.kvHeads * m.valueHeadDim;
                          cache.kvHeads = m.kvHeads;
                          cache.keyHeadDim = m.headDim;
                          cache.valueHeadDim = m.valueHeadDim;
                          cache.window = m.window;
                          cache.chunked = m.chunked;
                          return cache;
                        },
                        [](const LatentAttention& m) -> Answer {
                          CacheShape cache;
                          cache.keyElements = m.kvLoraRank + m.ropeDim;
                          cache.kvHeads = 1;
                          cache.keyHeadDim = cache.keyElements;
                          cache.indexElements = m.indexerHeads > 0 ? m.indexerDim : Count(0);
                          cache.window = m.window;
                          cache.latent = true;
                          return cache;
                        },
                        [](const CompressedAttention& m) -> Answer {
                          CacheShape cache;
                          cache.keyElements = m.headDim;
                          cache.kvHeads = 1;
                          cache.keyHeadDim = m.headDim;
                          cache.window = m.window;
                          cache.latent = true;
                          if (m.compressRatio > 0) {
                            cache.tokensPerEntry = m.compressRatio;
                            cache.compressedElements = m.headDim;
                            cache.indexElements = m.indexerHeads > 0 ? m.indexerDim : Count(0);
                          }
                          return cache;
                        },
                        [](const CrossAttention& m) -> Answer {
                          CacheShape cache;
                          cache.keyElements = m.kvHeads * m.headDim;
                          cache.valueElements = cache.keyElements;
                          cache.kvHeads = m.kvHeads;
                          cache.keyHeadDim = m.headDim;
                          cache.valueHeadDim = m.headDim;
                          cache.cross = true;
                          return cache;
                        },
                        // A state of fixed size instead: recurrentStateOf.
                        [&](const Mamba1&) { return nothing(); },
                        [&](const Mamba2&) { return nothing(); },
                        [&](const GatedDeltaNet&) { return nothing(); },
                        [&](const KimiDelta&) { return nothing(); },
                        [&](const LightningAttention&) { return nothing(); },
                        [&](const ShortConv&) { return nothing(); },
                        [&](const Rwkv&) { return nothing(); },
                        // Each token by itself.
                        [&](const LinearMixer&) { return nothing(); },
                    },
                    mixer);
}

std::optional<CacheShape> cacheOf(const Layer& layer) {
  if (layer.cache != CacheKind::kOwn) return std::nullopt;
  // A decoder's layer may have self and cross attention: the sequence's cache is the self
  // attention's.
  std::optional<CacheShape> found;
  for (const Mixer& mixer : layer.mixers) {
    const std::optional<CacheShape> cache = cacheOf(mixer);
    if (cache && (!found || found->cross)) found = cache;
  }
  return found;
}

std::optional<RecurrentState> recurrentStateOf(const Mixer& mixer, Count hidden) {
  using Answer = std::optional<RecurrentState>;
  const auto nothing = [] { return Answer(); };
  return std::visit(
      Overloaded{
          // A cache that grows instead: cacheOf.
          [&](const FullAttention&) { return nothing(); },
          [&](const LatentAttention&) { return nothing(); },
          [&](const CompressedAttention&) { return nothing(); },
          [&](const CrossAttention&) { return nothing(); },
          [](const Mamba1& m) -> Answer {
            return RecurrentState{m.inner, m.conv, 0, m.inner * m.state, m.inner};
          },
          [](const Mamba2& m) -> Answer {
            return RecurrentState{m.inner + m.groups * m.state * 2, m.conv, 0,
                                  m.heads * m.headDim * m.state, m.heads};
          },
          // Gated delta nets and KDA ask for 32-bit states in their configs.
          [](const GatedDeltaNet& m) -> Answer {
            return RecurrentState{m.keyHeads * m.keyDim * 2 + m.valueHeads * m.valueDim,
                                  m.conv,
                                  0,
                                  m.valueHeads * m.keyDim * m.valueDim,
                                  m.valueHeads,
                                  true};
          },
          [](const KimiDelta& m) -> Answer {
            return RecurrentState{m.heads * m.headDim * 3,         m.conv,  0,
                                  m.heads * m.headDim * m.headDim, m.heads, true};
          },
          [](const LightningAttention& m) -> Answer {
            return RecurrentState{0, 1, 0, m.heads * m.headDim * m.headDim, m.heads};
          },
          [hidden](const ShortConv& m) -> Answer {
            return RecurrentState{hidden, m.conv, 0, 0, 1};
          },
          [hidden](const Rwkv& m) -> Answer {
            // Version 4 keeps numerator, denominator and maximum (3 H) beside the shifts; later
            // ones a matrix a head.
            const Count state = m.version == 4 ? hidden * 3 : m.heads * m.headDim * m.headDim;
            return RecurrentState{0, 1, hidden * m.shifts, state, m.heads};
          },
          [&](const LinearMixer&) { return nothing(); },
      },
      mixer);
}

std::optional<RecurrentState> recurrentStateOf(const Layer& layer, Count hidden) {
  for (const Mixer& mixer : layer.mixers) {
    const std::optional<RecurrentState> state = recurrentStateOf(mixer, hidden);
    if (state) return state;
  }
  return std::nullopt;
}

namespace {

// Sums f over all layers, calling it once a kind.
template <typename F>
Count sumOverLayers(const Architecture& architecture, F f) {
  std::vector<std::uint32_t> uses(architecture.kinds.size(), 0);
  for (const std::uint16_t kind : architecture.layers) ++uses[kind];
  Count sum = 0;
  for (std::size_t kind = 0; kind < uses.size(); ++kind) {
    if (uses[kind] > 0) sum += f(architecture.kinds[kind]) * uses[kind];
  }
  return sum;
}

}  // namespace

Count kvElementsPerToken(const Architecture& architecture) {
  return sumOverLayers(architecture, [&](const Layer& layer) -> Count {
    const std::optional<CacheShape> cache = cacheOf(layer);
    return cache && !cache->cross ? cache->elements() : Count(0);
  });
}

Count recurrentElementsPerSequence(const Architecture& architecture) {
  return sumOverLayers(architecture, [&](const Layer& layer) -> Count {
    const std::optional<RecurrentState> state = recurrentStateOf(layer, architecture.hidden);
    return state ? state->elements() : Count(0);
  });
}

}  // namespace memfit
