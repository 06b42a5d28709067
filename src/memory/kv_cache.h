// memfit - SPDX-License-Identifier: Apache-2.0
//
// The key-value cache: what a token costs in each layer, and how an engine rounds, pads and caps
// it. A model's layers come down to a few CacheGroups, each one product; nothing here depends on
// the length or the number of sequences, so a sweep prepares them once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/count.h"
#include "model/architecture.h"
#include "query/choices.h"

namespace memfit {

struct EngineModel;

// The two sides, as the query says: `kv`, and kv_k and kv_v on top.
struct KvFormats {
  KvFormat keys = KvFormat::kBf16, values = KvFormat::kBf16;
  bool quantized() const;  // either side in fewer than 16 bits
};

// Bytes a token adds to one layer on one device; heads beyond `tp` are cut, fewer are replicated, a
// latent is not cut.
Bytes tokenBytes(const CacheShape& shape, const KvFormats& formats, const EngineModel& engine,
                 Count tp);

// Layers of one stage whose caches are alike.
struct CacheGroup {
  std::string_view note;     // what kind of layers, in words
  Count layers;              // that own a cache
  Count slots;               // that the engine stores: layers and what it pads them with
  Bytes perToken;            // of one layer
  Count block = 1;           // tokens are stored in whole blocks of so many
  Count limit = 0;           // most tokens that a sequence stores; 0: all of them
  Count extraBlocks = 0;     // beside those
  Count tokensPerEntry = 1;  // compressed caches: one entry for so many tokens
  Count entries = 0;  // fixed entries a sequence instead of tokens (an encoder's, an image's)

  // Tokens stored for a sequence of `seq`.
  Count stored(Count seq) const {
    if (entries > Count(0)) return entries;
    Count tokens = tokensPerEntry > Count(1) ? seq.ceilDiv(tokensPerEntry) : seq;
    if (limit > Count(0)) tokens = min(tokens, limit);
    return (tokens.ceilDiv(block) + extraBlocks) * block;
  }
  Bytes bytesPerSequence(Count seq) const { return stored(seq) * perToken * slots; }

  friend bool operator==(const CacheGroup&, const CacheGroup&) = default;
};

// A kind of layer's cache and how many layers have it.
struct CacheKindCount {
  CacheShape shape;
  Count layers;
};
// Of the layers [first, last), in order of first use. Cross-attention apart from the rest.
std::vector<CacheKindCount> cacheKinds(const Architecture& architecture, std::size_t first,
                                       std::size_t last);

}  // namespace memfit
