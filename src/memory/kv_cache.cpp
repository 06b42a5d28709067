// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/kv_cache.h"

#include "memory/engine.h"

namespace memfit {

namespace {

constexpr KvStorage kStorages[] = {
    {1, 2},     // bf16
    {1, 4},     // fp32
    {1, 2},     // fp16
    {1, 1},     // fp8
    {1, 1, 4},  // int8
    {32, 34},   // q8_0
    {32, 24},   // q5_1
    {32, 22},   // q5_0
    {32, 20},   // q4_1
    {32, 18},   // q4_0
    {32, 18},   // iq4_nl
    {2, 1, 4},  // int4
    {16, 9},    // nvfp4: 4 bits, an fp8 scale for 16
};
static_assert(std::size(kStorages) == static_cast<std::size_t>(KvFormat::kCount));

Bytes sideBytes(Count elements, Count heads, const KvStorage& storage) {
  if (elements == Count(0)) return 0;
  return (elements * storage.bytes).ceilDiv(storage.elements) + heads * storage.headBytes;
}

bool sameCache(const CacheShape& a, const CacheShape& b) {
  return a.keyElements == b.keyElements && a.valueElements == b.valueElements &&
         a.kvHeads == b.kvHeads && a.indexElements == b.indexElements && a.window == b.window &&
         a.chunked == b.chunked && a.latent == b.latent && a.cross == b.cross &&
         a.tokensPerEntry == b.tokensPerEntry && a.compressedElements == b.compressedElements;
}

}  // namespace

KvStorage kvStorage(KvFormat format) { return kStorages[static_cast<std::size_t>(format)]; }

KvStorage kvStorageInGroups(KvFormat format) {
  if (format == KvFormat::kInt8) return {64, 68};
  if (format == KvFormat::kInt4) return {64, 36};
  return kvStorage(format);
}

bool KvFormats::quantized() const {
  const auto wide = [](KvFormat format) {
    return format == KvFormat::kBf16 || format == KvFormat::kFp16 || format == KvFormat::kFp32;
  };
  return !wide(keys) || !wide(values);
}

Bytes tokenBytes(const CacheShape& shape, const KvFormats& formats, const EngineModel& engine,
                 Count tp) {
  const auto storage = engine.kvStorage != nullptr ? engine.kvStorage : kvStorage;
  const KvStorage keys = storage(formats.keys);
  const KvStorage values = storage(formats.values);
  const bool sparseFp8 = engine.sparseCacheInFp8 && formats.keys == KvFormat::kFp8;
  Bytes index;
  if (shape.indexElements > Count(0)) {
    // Keys of a sparse-attention indexer: vLLM and SGLang keep fp8 and a 32-bit scale for 128;
    // llama.cpp the cache's type.
    index = engine.sparseCacheInFp8 ? shape.indexElements + shape.indexElements.ceilDiv(128) * 4
                                    : sideBytes(shape.indexElements, 1, keys);
  }
  if (shape.latent) {
    // One latent, key and value at once, whole on every device. With fp8 the sparse layouts keep
    // the 64 rotated elements in 16 bits beside scales: DeepSeek-V3.2 512 + 4 x 4 + 128 = 656
    // bytes, DeepSeek-V4 448 + 128 + 8 = 584 (vLLM's fp8_ds_mla).
    Bytes latent = sideBytes(shape.keyElements, 1, keys);
    if (sparseFp8 && shape.compressedElements > Count(0)) {
      latent = (shape.keyElements - 64) + 128 + 8;
    } else if (sparseFp8 && shape.indexElements > Count(0)) {
      latent = (shape.keyElements - 64) + (shape.keyElements - 64).ceilDiv(128) * 4 + 128;
    }
    return latent + index;
  }
  // Heads beyond the devices are cut, fewer are replicated.
  const Count heads = max(shape.kvHeads, 1);
  const Count local = max(heads / tp, 1);
  const auto cut = [&](Count elements) { return (elements * local).ceilDiv(heads); };
  return sideBytes(cut(shape.keyElements), local, keys) +
         sideBytes(cut(shape.valueElements), local, values) + index;
}

std::vector<CacheKindCount> cacheKinds(const Architecture& architecture, std::size_t first,
                                       std::size_t last) {
  std::vector<CacheKindCount> kinds;
  const auto add = [&](const CacheShape& shape) {
    for (CacheKindCount& kind : kinds) {
      if (sameCache(kind.shape, shape)) {
        kind.layers += 1;
        return;
      }
    }
    kinds.push_back({shape, 1});
  };
  for (std::size_t i = first; i < last; ++i) {
    const Layer& layer = architecture.layer(i);
    if (layer.cache != CacheKind::kOwn) continue;
    for (const Mixer& mixer : layer.mixers) {
      if (const auto shape = cacheOf(mixer)) add(*shape);
    }
  }
  return kinds;
}

}  // namespace memfit
