// memfit - SPDX-License-Identifier: Apache-2.0
//
// Architecture: what a language model is made of, as layers of sum types.
//
// A layer is a list of mixers (what moves information between tokens), a list of feed-forwards and
// its norms. Most layers have one of each; a hybrid that runs attention beside a state space model
// has two mixers, a layer with a dense and an expert feed-forward has two of those, a layer that is
// attention or feed-forward alone has one empty list. Nothing else is special.
//
// Each mixer answers the same questions: what a token adds to the cache (cacheOf), what a sequence
// holds whatever its length (recurrentStateOf), its heads, widths and rotation (layer_facts.h) and,
// in tensor_inventory.h, which tensors it has. None has a default answer: a new mixer compiles once
// it has been asked everything.
//
// Notation of the comments: H hidden, a query heads, k key-value heads, d head size, I
// intermediate.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/count.h"
#include "model/role.h"

namespace memfit {

enum class NormKind : std::uint8_t {
  kRms,        // a weight
  kLayer,      // a weight and a bias
  kLayerBare,  // a weight, LayerNorm without bias
  kNoWeights,  // normalises, but holds nothing (OLMo 1)
};
// Parameters of a norm over `width` elements.
Count normElements(NormKind kind, Count width);

// --- mixers
// ---------------------------------------------------------------------------------------

enum class OutputGate : std::uint8_t {
  kNone,
  kDoubledQuery,  // the query projection is twice as wide (Qwen3-Next, Qwen3.5): H x 2 a d
  kPerHead,       // a projection H x a of its own
  kFull,          // a projection H x (a v) of its own
};

// Full attention: multi-head, grouped or multi-query, over the whole context or a window of it.
struct FullAttention {
  Count heads;
  Count kvHeads;
  Count headDim;         // of queries and keys
  Count valueHeadDim;    // most often headDim
  Count window = 0;      // tokens that a query sees; 0: all
  bool chunked = false;  // the window is an aligned chunk (Llama 4), not a sliding one
  bool qBias = false, kBias = false, vBias = false, outputBias = false;
  bool fusedQkv = false;    // one tensor on disk; no difference in counts
  bool valueIsKey = false;  // no value projection: V is K (Gemma 4), both are cached
  bool causal = true;       // false: an encoder's, which caches nothing
  Count qNormWidth = 0;     // d for a norm a head, a d for a norm over the projection; 0: none
  Count kNormWidth = 0;
  NormKind qkNorm = NormKind::kRms;
  OutputGate gate = OutputGate::kNone;
  bool gateBias = false;
  bool sinks = false;        // a learned scalar a query head (gpt-oss)
  Count innerNormWidth = 0;  // a norm before the output projection (BitNet); 0: none

  bool operator==(const FullAttention&) const = default;
};

// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434): keys and values are rebuilt from one
// latent of kvLoraRank elements a token, beside ropeDim elements of rotated key.
struct LatentAttention {
  Count heads;
  Count qLoraRank = 0;  // 0: the query is projected from H directly
  Count kvLoraRank;
  Count nopeDim;
  Count ropeDim;
  Count valueDim;
  // Sparse attention's indexer (DeepSeek-V3.2): 0 heads when the layer owns none.
  Count indexerHeads = 0;
  Count indexerDim = 0;
  Count window = 0;
  bool bias = false;                     // on the down projections and the output (attention_bias)
  bool latentNorms = true;               // a norm on each latent
  Count qNormWidth = 0, kNormWidth = 0;  // further norms; 0: none
  OutputGate gate = OutputGate::kNone;
  Count gateRank = 0;  // the gate through a bottleneck: H x r + r x (a v); 0: none

  bool operator==(const LatentAttention&) const = default;
};

// Shared key-value attention over a compressed context (DeepSeek-V4): one latent of headDim
// elements is key and value at once; a window of recent tokens is kept whole, older ones as one
// entry every `compressRatio` tokens (0: the layer keeps the window alone).
struct CompressedAttention {
  Count heads;
  Count headDim;
  Count qLoraRank;
  Count outputRank;  // the output projection's bottleneck, a group
  Count outputGroups;
  Count window;
  Count compressRatio = 0;
  Count indexerHeads = 0;
  Count indexerDim = 0;

  bool operator==(const CompressedAttention&) const = default;
};

// Attention to something else than the sequence: image tokens (Llama 3.2 Vision), an encoder (T5).
struct CrossAttention {
  Count heads;
  Count kvHeads;
  Count headDim;
  Count sourceWidth;  // what keys and values are projected from
  Count qNormWidth = 0;
  Count kNormWidth = 0;
  bool bias = false;

  bool operator==(const CrossAttention&) const = default;
};

// Mamba 1 (arXiv 2312.00752). D = inner, N = state, R = timeStepRank.
struct Mamba1 {
  Count inner;
  Count state;
  Count conv;
  Count timeStepRank;
  bool convBias = true;
  bool bias = false;
  bool stateNorms = false;  // norms on dt, B and C (Jamba): R + 2 N

  bool operator==(const Mamba1&) const = default;
};

// Mamba 2 (arXiv 2405.21060). Convolution over C = inner + 2 groups state channels.
struct Mamba2 {
  Count inner;  // heads x headDim
  Count heads;
  Count headDim;
  Count state;
  Count groups;
  Count conv;
  bool convBias = true;
  bool bias = false;
  bool gatedNorm = true;  // a norm over `inner` before the output projection

  bool operator==(const Mamba2&) const = default;
};

// Gated delta net (arXiv 2412.06464; Qwen3-Next, Qwen3.5). K = keyHeads keyDim, V = valueHeads
// valueDim.
struct GatedDeltaNet {
  Count keyHeads;
  Count keyDim;
  Count valueHeads;
  Count valueDim;
  Count conv;

  bool operator==(const GatedDeltaNet&) const = default;
};

// Kimi delta attention (arXiv 2510.26692). P = heads headDim.
struct KimiDelta {
  Count heads;
  Count headDim;
  Count conv;
  bool fullGate =
      false;  // the output gate is one H x P projection, not two through a bottleneck of d

  bool operator==(const KimiDelta&) const = default;
};

// Lightning attention (MiniMax-Text-01, arXiv 2501.08313): linear attention with a gate.
struct LightningAttention {
  Count heads;
  Count headDim;

  bool operator==(const LightningAttention&) const = default;
};

// A gated short convolution (LFM2).
struct ShortConv {
  Count conv;
  bool bias = false;

  bool operator==(const ShortConv&) const = default;
};

// RWKV's time mix; the channel mix is the layer's feed-forward tensors here too. The weights vary
// by version and stand as the layer's `extras`; here is what the state needs.
struct Rwkv {
  Count version;  // 4, 5, 6, 7
  Count heads;
  Count headDim;
  Count shifts = 2;  // vectors of H that remember the last token; version 4 keeps 5 in all

  bool operator==(const Rwkv&) const = default;
};

// A whole attention replaced by one H x H matrix (Nemotron-NAS).
struct LinearMixer {
  bool operator==(const LinearMixer&) const = default;
};

using Mixer = std::variant<FullAttention, LatentAttention, CompressedAttention, CrossAttention,
                           Mamba1, Mamba2, GatedDeltaNet, KimiDelta, LightningAttention, ShortConv,
                           Rwkv, LinearMixer>;

// --- feed-forwards
// --------------------------------------------------------------------------------

// 3 H I when gated (SwiGLU, GeGLU), 2 H I when not.
struct DenseFfn {
  Count intermediate;
  bool gated = true;
  bool upBias = false;  // on gate and up
  bool downBias = false;
  bool fusedGateUp = false;  // one tensor on disk; no difference in counts
  Count innerNormWidth = 0;  // a norm before the down projection (BitNet)

  bool operator==(const DenseFfn&) const = default;
};

struct MoeFfn {
  Count experts;
  Count perToken;  // routed experts that a token uses
  Count intermediate;
  bool gated = true;
  bool bias = false;      // on each expert's matrices (gpt-oss)
  Count latentWidth = 0;  // experts work at this width, between two projections; 0: at H
  Count latentNormWidth = 0;
  Count sharedIntermediate = 0;   // all shared experts together; 0: none
  bool sharedExpertGate = false;  // a gate of H on the shared expert's output (Qwen)
  bool routerBias = false;        // a bias on the router's projection
  bool correctionBias = false;    // one scalar an expert beside it (DeepSeek's noaux_tc)
  Count routers = 1;              // routers of experts x H

  bool operator==(const MoeFfn&) const = default;
};

using FeedForward = std::variant<DenseFfn, MoeFfn>;

// --- layers
// ---------------------------------------------------------------------------------------

enum class CacheKind : std::uint8_t {
  kOwn,     // the layer's mixers hold what cacheOf says
  kShared,  // it reads an earlier layer's keys and values (Gemma 3n, Gemma 4) and holds none
  kAbsent,  // an encoder's layer
};

// A tensor that no variant above names: role and shape, `count` of them in each layer.
struct ExtraTensor {
  Role role = Role::kOther;
  Count rows = 1;
  Count cols;
  Count count = 1;

  bool operator==(const ExtraTensor&) const = default;
};

struct Layer {
  std::vector<Mixer> mixers;
  std::vector<FeedForward> feedForwards;
  NormKind norm = NormKind::kRms;
  Count norms = 2;  // norms of width H in the layer: 2 pre-norms, 4 with sandwich norms, ...
  CacheKind cache = CacheKind::kOwn;
  std::vector<ExtraTensor> extras;

  bool operator==(const Layer&) const = default;
};

// What one token adds to one layer's cache. Elements, not bytes: an engine says how wide they are.
struct CacheShape {
  Count keyElements;    // k d; for a latent cache kvLoraRank + ropeDim, the only copy
  Count valueElements;  // k v; 0 for a latent cache
  Count kvHeads;        // for the cut by tensor parallelism; 1 for a latent cache, which is not cut
  Count keyHeadDim;
  Count valueHeadDim;
  Count indexElements = 0;  // keys of a sparse-attention indexer, beside the above
  Count window = 0;         // tokens kept; 0: the whole context
  bool chunked = false;
  bool latent = false;
  bool cross = false;        // entries come with the image or the encoder, not with the sequence
  Count tokensPerEntry = 1;  // compressed caches keep one entry for several tokens
  Count compressedElements = 0;  // of such an entry, kept for the whole context beside the window

  Count elements() const { return keyElements + valueElements; }
};

// What one sequence holds in one layer, however long it is. The two parts differ in dtype.
struct RecurrentState {
  Count convChannels;   // a short convolution's channels ...
  Count convKernel;     // ... of which engines keep convKernel - 1 (most) or convKernel columns
  Count shiftElements;  // token shift (RWKV)
  Count stateElements;  // the recurrent state proper, often kept in fp32
  Count stateHeads;     // what tensor parallelism cuts it by
  bool wide = false;    // the model's config asks for 32-bit states where its type is narrower

  Count convElements() const { return convChannels * (convKernel - 1) + shiftElements; }
  Count elements() const { return convElements() + stateElements; }
};

std::optional<CacheShape> cacheOf(const Mixer& mixer);
// The layer's own cache; none when it shares another's, or has no attention.
std::optional<CacheShape> cacheOf(const Layer& layer);
std::optional<RecurrentState> recurrentStateOf(const Mixer& mixer, Count hidden);
std::optional<RecurrentState> recurrentStateOf(const Layer& layer, Count hidden);

// --- the model
// ------------------------------------------------------------------------------------

// A part that can be left out of a total: a vision or audio tower with its projector.
struct Tower {
  Part part = Part::kVision;
  std::string name;  // "siglip", "qwen-vit", ...
  std::vector<ExtraTensor> tensors;
  Count layers = 0;
  Count hidden = 0;

  bool operator==(const Tower&) const = default;
};

// Next-token-prediction layers (DeepSeek-V3, arXiv 2412.19437 section 2.2): each is a projection
// 2 H -> H, norms and a decoder layer.
struct NextTokenPrediction {
  std::vector<Layer> layers;
  bool ownEmbeddings = false;  // the checkpoint stores the embedding and the head once more
  Count norms = 3;             // of the embedding, the hidden state and the output

  bool operator==(const NextTokenPrediction&) const = default;
};

struct Architecture {
  std::string family;  // model_type, or what stands for it
  Count hidden;
  Count vocab;
  Count embeddingWidth = 0;  // 0: hidden; else the embedding is narrower and projected (OPT-350m)
  bool tied = false;         // the output head is the token embedding
  bool noHead = false;       // an encoder without an output head
  bool headBias = false;
  Count positions = 0;  // rows of learned absolute positions
  Count maxContext = 0;
  // Rotary positions. Windowed layers may rotate by another base than the rest, and the rest's
  // positions may be scaled linearly: a table of cosines has so many rows for each token.
  bool windowedBase = false;
  Count positionScale = 1;
  bool diffusion = false;  // generates by unmasking: attends in both directions, caches nothing
  NormKind norm = NormKind::kRms;
  bool finalNorm = true;
  bool embeddingNorm = false;
  std::vector<Layer> kinds;           // equal layers share one
  std::vector<std::uint16_t> layers;  // layer i is kinds[layers[i]]
  std::vector<ExtraTensor> extras;    // outside the layers
  std::vector<Tower> towers;
  NextTokenPrediction nextTokens;

  std::size_t layerCount() const { return layers.size(); }
  const Layer& layer(std::size_t i) const { return kinds[layers[i]]; }
  // Appends a layer, sharing the kind of an equal one.
  void addLayer(const Layer& layer);

  bool operator==(const Architecture&) const = default;
};

// Key and value elements that a token adds over all layers, windows ignored (indexer keys apart).
Count kvElementsPerToken(const Architecture& architecture);
// Recurrent elements that a sequence holds over all layers.
Count recurrentElementsPerSequence(const Architecture& architecture);

}  // namespace memfit
