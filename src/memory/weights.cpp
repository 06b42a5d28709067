// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/weights.h"

#include <algorithm>

#include "model/layer_facts.h"

#include "memory/engine.h"

namespace memfit {

namespace {

// --- schemes by word. Sources: vllm-project/vllm model_executor/layers/quantization, AutoGPTQ,
// bitsandbytes, NVIDIA ModelOpt and ml-explore/mlx, read 2026.

struct SchemeRow {
  WeightFormat format;
  LinearScheme scheme;
  bool expertsOnly = false;  // where the model has experts
  bool withVocabulary = false;
};
constexpr SchemeRow kSchemes[] = {
    // One byte, a 32-bit scale an output channel.
    {WeightFormat::kFp8, {.bits = 8, .rowBytes = 4}},
    {WeightFormat::kInt8, {.bits = 8, .rowBytes = 4}},
    // 64 weights share a 32-bit absmax: 0.5 + 4 / 64 bytes.
    {WeightFormat::kNf4, {.bits = 4, .group = 64, .groupBits = 32}},
    // Groups of 128 share a 16-bit scale and a 4-bit (8-bit) zero point.
    {WeightFormat::kAwq4, {.bits = 4, .group = 128, .groupBits = 16 + 4}},
    {WeightFormat::kGptq4, {.bits = 4, .group = 128, .groupBits = 16 + 4, .columnBytes = 4}},
    {WeightFormat::kGptq8, {.bits = 8, .group = 128, .groupBits = 16 + 8, .columnBytes = 4}},
    // OCP microscaling: 32 share an 8-bit exponent. gpt-oss keeps all but its experts in 16 bits.
    {WeightFormat::kMxfp4, {.bits = 4, .group = 32, .groupBits = 8}, true},
    // 16 share an fp8 scale; a 32-bit scale for weights and one for inputs a tensor.
    {WeightFormat::kNvfp4, {.bits = 4, .group = 16, .groupBits = 8, .tensorBytes = 8}},
    // 64 share a 16-bit scale and a 16-bit bias; embedding and head too (mlx_lm.convert).
    {WeightFormat::kMlx4, {.bits = 4, .group = 64, .groupBits = 32}, false, true},
    {WeightFormat::kMlx8, {.bits = 8, .group = 64, .groupBits = 32}, false, true},
};

LinearScheme schemeOf(const Quantization& q, const EngineModel& engine) {
  LinearScheme scheme;
  scheme.bits = q.bits;
  if (q.blockRows > 0 && q.blockCols > 0) {
    scheme.tileRows = q.blockRows;
    scheme.tileCols = q.blockCols;
  } else if (q.groupSize > 0) {
    scheme.group = q.groupSize;
    scheme.groupBits = q.scaleBits + (q.zeroPoints ? q.bits : 0);
    if (q.method == QuantMethod::kMlx) scheme.groupBits = 32;  // scale and bias
    if (q.method == QuantMethod::kModelOpt) scheme.tensorBytes = 8;
  } else if (q.method == QuantMethod::kBitsAndBytes && q.bits == 4) {
    scheme.group = 64;
    const bool nested = q.doubleQuantized && !engine.widensDoubleQuant;
    scheme.groupBits = nested ? 8 : 32;
    if (nested) scheme.groupsShared = 256;
  } else {
    scheme.rowBytes = 4;
  }
  if (q.groupIndex) scheme.columnBytes = 4;
  return scheme;
}

const LinearScheme* find(WeightFormat format, const SchemeRow** row) {
  for (const SchemeRow& candidate : kSchemes) {
    if (candidate.format == format) {
      *row = &candidate;
      return &candidate.scheme;
    }
  }
  return nullptr;
}

// --- cutting

// The layer kind that a group's tensors belong to; nullptr for what lies outside and for towers.
const Layer* kindOf(const TensorGroup& group, const Architecture& architecture) {
  if (group.part == Part::kNextTokens) {
    return architecture.nextTokens.layers.empty() ? nullptr
                                                  : &architecture.nextTokens.layers.front();
  }
  const std::size_t kind = group.layerSet;
  return kind == 0 || kind > architecture.kinds.size() ? nullptr : &architecture.kinds[kind - 1];
}

// No heads where the layer's attention projects none.
ProjectedHeads headsOf(const Layer* layer) {
  return layer == nullptr ? ProjectedHeads() : projectedHeadsOf(*layer).value_or(ProjectedHeads());
}

// Rows of key or value heads on one device.
Count keyValueRows(Count rows, Count kvHeads, Count tp) {
  if (kvHeads == Count(0)) return rows.ceilDiv(tp);
  const Count local = max(kvHeads / tp, 1);
  return (rows * local).ceilDiv(kvHeads);
}

enum class Bucket : std::uint8_t {
  kEmbedding,
  kAttention,
  kFeedForward,
  kExperts,
  kRecurrent,
  kOther,
  kHead
};

Bucket bucketOf(Role role) {
  if (role == Role::kTokenEmbedding || role == Role::kPositionEmbedding ||
      role == Role::kPerLayerEmbedding || role == Role::kEmbeddingProjection) {
    return Bucket::kEmbedding;
  }
  if (role == Role::kOutputHead) return Bucket::kHead;
  if (role >= Role::kAttnQ && role <= Role::kCompressor) return Bucket::kAttention;
  if (roleTraits(role).cut == Cut::kExpert) return Bucket::kExperts;
  if (role >= Role::kFfnGate && role <= Role::kLatentUp) return Bucket::kFeedForward;
  if (role >= Role::kSsmIn && role <= Role::kLinear) return Bucket::kRecurrent;
  return Bucket::kOther;
}

void addTo(WeightBytes& sum, Role role, Bytes bytes) {
  switch (bucketOf(role)) {
    case Bucket::kEmbedding: sum.embedding += bytes; return;
    case Bucket::kAttention: sum.attention += bytes; return;
    case Bucket::kFeedForward: sum.feedForward += bytes; return;
    case Bucket::kExperts: sum.experts += bytes; return;
    case Bucket::kRecurrent: sum.recurrent += bytes; return;
    case Bucket::kHead: sum.head += bytes; return;
    case Bucket::kOther: sum.other += bytes; return;
  }
}

}  // namespace

Bytes bytesOfLinear(const LinearScheme& s, Count rows, Count cols) {
  const Count elements = rows * cols;
  Bytes bytes = (elements * s.bits).ceilDiv(8);
  if (s.group > 0) {
    const Count groups = rows * cols.ceilDiv(s.group);
    bytes += (groups * s.groupBits).ceilDiv(8);
    if (s.groupsShared > 0) bytes += groups.ceilDiv(s.groupsShared) * 4;
  }
  if (s.tileRows > 0) bytes += rows.ceilDiv(s.tileRows) * cols.ceilDiv(s.tileCols) * 4;
  return bytes + rows * s.rowBytes + cols * s.columnBytes + s.tensorBytes;
}

Split splitOf(const Parallelism& parallelism, const EngineModel& engine) {
  Split split;
  split.tp = parallelism.tp;
  // Experts lie over tensor- and data-parallel devices together once expert parallelism is on.
  const Count group = parallelism.ep > Count(1) ? parallelism.tp * parallelism.dp : parallelism.tp;
  split.expertDevices = min(parallelism.ep, group);
  split.expertSlices = max(group / split.expertDevices, 1);
  split.vocabularyMultiple = engine.vocabularyMultiple;
  return split;
}

Slice sliceOf(const TensorGroup& group, const Architecture& architecture, const Split& split) {
  Slice slice{group.rows, group.cols, group.perLayer};
  const Cut cut = roleTraits(group.role).cut;
  // Vectors have their features in `cols`.
  const bool flat = group.oneDimensional();
  Count& features = flat ? slice.cols : slice.rows;
  if (cut == Cut::kVocabulary) {
    if (split.tp > Count(1) || split.vocabularyMultiple > Count(1)) {
      features = features.roundUp(split.vocabularyMultiple).ceilDiv(split.tp);
    }
    return slice;
  }
  if (cut == Cut::kExpert) {
    slice.tensors = slice.tensors.ceilDiv(split.expertDevices);
    if (split.expertSlices > Count(1)) {
      const bool down = group.role == Role::kExpertDown;
      // An expert's gate and up are cut by columns, its down by rows, whose bias stays whole.
      if (!down) features = features.ceilDiv(split.expertSlices);
      if (down && !flat) slice.cols = slice.cols.ceilDiv(split.expertSlices);
    }
    const bool down = group.role == Role::kExpertDown;
    if (!flat) {
      slice.rows =
          slice.rows.roundUp(down ? split.expertHiddenMultiple : split.expertWidthMultiple);
      slice.cols =
          slice.cols.roundUp(down ? split.expertWidthMultiple : split.expertHiddenMultiple);
    }
    return slice;
  }
  if (split.tp == Count(1)) return slice;
  switch (cut) {
    case Cut::kColumn:
      if (group.role == Role::kAttnQkv) {
        const ProjectedHeads heads = headsOf(kindOf(group, architecture));
        const Count kv = heads.kvHeads * (heads.headDim + heads.valueHeadDim);
        if (heads.kvHeads > Count(0) && kv < features) {
          features = (features - kv).ceilDiv(split.tp) + keyValueRows(kv, heads.kvHeads, split.tp);
          return slice;
        }
      }
      features = features.ceilDiv(split.tp);
      return slice;
    case Cut::kRow:
      if (!flat) slice.cols = slice.cols.ceilDiv(split.tp);
      return slice;
    case Cut::kKvHeads:
      features = keyValueRows(features, headsOf(kindOf(group, architecture)).kvHeads, split.tp);
      return slice;
    case Cut::kReplicated:
    case Cut::kVocabulary:
    case Cut::kExpert: return slice;
  }
  return slice;
}

WeightPolicy::WeightPolicy(const Model& model, WeightFormat format, const EngineModel& engine)
    : model_(&model) {
  if (format == WeightFormat::kStored) {
    const std::uint32_t bytes = blockFormat(model.checkpointFormat).bytes;
    plainBytes_ = bytes == 4 ? 4 : 2;
    if (model.quantization.method != QuantMethod::kNone && model.quantization.bits < 16) {
      scheme_ = schemeOf(model.quantization, engine);
      stored_ = true;
      withVocabulary_ = model.quantization.method == QuantMethod::kMlx;
    }
    if (const auto fileType = ggufFileTypeNamed(model.fileType)) gguf_.emplace(model, *fileType);
    // A file's own tensors go before any recipe.
    if (model.stored && model.stored->complete) {
      for (const StoredTensor& tensor : model.stored->tensors) {
        const FileTensors key{tensor.role, tensor.part, tensor.oneDimensional(), tensor.layer};
        auto at = std::lower_bound(file_.begin(), file_.end(), key);
        if (at == file_.end() || key < *at) at = file_.insert(at, key);
        at->bytes += tensor.bytes;
        at->elements += tensor.elements();
      }
    }
    return;
  }
  const SchemeRow* row = nullptr;
  if (const LinearScheme* scheme = find(format, &row)) {
    scheme_ = *scheme;
    bool mixture = false;
    for (const TensorGroup& group : model.inventory.groups()) {
      if (roleTraits(group.role).cut == Cut::kExpert) mixture = true;
    }
    expertsOnly_ = row->expertsOnly && mixture;
    withVocabulary_ = row->withVocabulary;
    return;
  }
  if (isGgufFileType(format) || engine.readsGgufOnly) {
    gguf_.emplace(model, format);
    return;
  }
  if (format == WeightFormat::kFp32) plainBytes_ = 4;
}

bool WeightPolicy::quantizesGroup(const TensorGroup& group) const {
  if (!scheme_ || group.kind != TensorKind::kMatrix) return false;
  if (stored_ && !withVocabulary_) return quantizes(model_->quantization, group);
  if (withVocabulary_ && (group.role == Role::kTokenEmbedding || group.role == Role::kOutputHead)) {
    return true;
  }
  if (group.part == Part::kVision || group.part == Part::kAudio) return false;
  if (expertsOnly_) return roleTraits(group.role).cut == Cut::kExpert;
  return roleTraits(group.role).linear;
}

Bytes WeightPolicy::bytesOf(const TensorGroup& group, std::uint16_t layer,
                            const Slice& slice) const {
  if (!file_.empty()) {
    const bool outside = group.layerSet == 0;
    const FileTensors key{group.role, group.part, group.oneDimensional(),
                          outside ? -1 : static_cast<std::int32_t>(layer)};
    const auto at = std::lower_bound(file_.begin(), file_.end(), key);
    if (at != file_.end() && !(key < *at) && at->elements > Count(0)) {
      return (slice.tensors * slice.rows * slice.cols).scaled(at->bytes, at->elements);
    }
  }
  if (gguf_ && (group.part == Part::kMain || group.part == Part::kNextTokens)) {
    return slice.tensors * memfit::bytesOf(gguf_->formatOf(group, layer), slice.cols, slice.rows);
  }
  if (quantizesGroup(group)) return slice.tensors * bytesOfLinear(*scheme_, slice.rows, slice.cols);
  return slice.tensors * slice.rows * slice.cols * plainBytes_;
}

WeightBytes& WeightBytes::operator+=(const WeightBytes& more) {
  embedding += more.embedding;
  attention += more.attention;
  feedForward += more.feedForward;
  experts += more.experts;
  recurrent += more.recurrent;
  other += more.other;
  head += more.head;
  largestTensor = max(largestTensor, more.largestTensor);
  return *this;
}

WeightBytes weightsOfLayers(const Model& model, const WeightPolicy& policy, const Split& split,
                            std::size_t first, std::size_t last) {
  WeightBytes sum;
  for (const TensorGroup& group : model.inventory.groups()) {
    if (group.part != Part::kMain || group.layerSet == 0) continue;
    const Slice slice = sliceOf(group, model.architecture, split);
    const auto layers = model.inventory.layersOf(group);
    const auto from = std::lower_bound(layers.begin(), layers.end(), first);
    const auto to = std::lower_bound(from, layers.end(), last);
    if (from == to) continue;
    Bytes bytes;
    if (policy.variesByLayer()) {
      for (auto layer = from; layer != to; ++layer) {
        const Bytes one = policy.bytesOf(group, *layer, slice);
        bytes += one;
        sum.largestTensor = max(sum.largestTensor, one);
      }
    } else {
      const Bytes one = policy.bytesOf(group, *from, slice);
      bytes = one * static_cast<std::size_t>(to - from);
      sum.largestTensor = max(sum.largestTensor, one);
    }
    addTo(sum, group.role, bytes);
  }
  return sum;
}

WeightBytes weightsOutside(const Model& model, const WeightPolicy& policy, const Split& split) {
  WeightBytes sum;
  for (const TensorGroup& group : model.inventory.groups()) {
    if (group.part != Part::kMain || group.layerSet != 0) continue;
    const Slice slice = sliceOf(group, model.architecture, split);
    const Bytes bytes = policy.bytesOf(group, 0, slice);
    addTo(sum, group.role, bytes);
    if (group.role == Role::kTokenEmbedding && model.architecture.tied) sum.head += bytes;
  }
  return sum;
}

Bytes weightsOfPart(const Model& model, const WeightPolicy& policy, const Split& split, Part part) {
  Bytes sum;
  for (const TensorGroup& group : model.inventory.groups()) {
    if (group.part != part) continue;
    sum += policy.bytesOf(group, 0, sliceOf(group, model.architecture, split));
  }
  return sum;
}

}  // namespace memfit
