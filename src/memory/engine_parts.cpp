// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/engine_parts.h"

#include "model/layer_facts.h"

namespace memfit {

Entry weightsEntry(const WeightBytes& bytes, Where where, std::string_view note) {
  Entry entry;
  entry.component = Component::kWeights;
  entry.where = where;
  entry.bytes = Band::exact(bytes.sum());
  entry.formula = "embedding + attention + feed_forward + experts + recurrent + other + head";
  entry.inputs = {{"embedding", bytes.embedding.toDouble()},
                  {"attention", bytes.attention.toDouble()},
                  {"feed_forward", bytes.feedForward.toDouble()},
                  {"experts", bytes.experts.toDouble()},
                  {"recurrent", bytes.recurrent.toDouble()},
                  {"other", bytes.other.toDouble()},
                  {"head", bytes.head.toDouble()}};
  entry.source = "the model's tensors, in the block layout of the format";
  entry.note = note;
  return entry;
}

void addOptionalParts(const InferencePlan& plan, StagePlan& stage) {
  struct OptionalPart {
    Key key;
    Part part;
    bool last;
    std::string_view note;
  };
  constexpr OptionalPart kParts[] = {
      {Key::kVision, Part::kVision, false, "The vision tower and its projector."},
      {Key::kVision, Part::kAudio, false, "The audio tower and its projector."},
      {Key::kDraft, Part::kNextTokens, true, "Next-token-prediction layers."},
  };
  for (const OptionalPart& part : kParts) {
    if (plan.query().choice<Include>(part.key) != Include::kInclude) continue;
    if (part.last ? !stage.hasHead : stage.first != 0) continue;
    const Bytes bytes = weightsOfPart(plan.model(), plan.policy(), plan.split(), part.part);
    stage.fixed.add({.component = Component::kWeights,
                     .bytes = Band::exact(bytes),
                     .formula = "part",
                     .inputs = {{"part", bytes.toDouble()}},
                     .source = "the model's tensors",
                     .note = part.note});
  }
}

WeightBytes stageWeights(const InferencePlan& plan, const StagePlan& stage) {
  WeightBytes weights =
      weightsOfLayers(plan.model(), plan.policy(), plan.split(), stage.first, stage.last);
  const WeightBytes outside = weightsOutside(plan.model(), plan.policy(), plan.split());
  if (stage.hasEmbedding) weights.embedding += outside.embedding;
  if (stage.hasHead) {
    const bool shared = plan.architecture().tied && stage.hasEmbedding;
    if (!shared) weights.head += outside.head;
    weights.other += outside.other;
    weights.attention += outside.attention;
    weights.feedForward += outside.feedForward;
    weights.recurrent += outside.recurrent;
    weights.experts += outside.experts;
  }
  return weights;
}

namespace {

Bytes rotaryTables(const InferencePlan& plan) {
  // positions x rotated elements x 2 bytes, once for each distinct rotation: vLLM's
  // layers/rotary_embedding keeps cosine and sine of half the elements each.
  const Architecture& a = plan.architecture();
  std::vector<std::pair<Count, bool>> seen;
  Bytes bytes;
  for (const Layer& layer : a.kinds) {
    for (const Mixer& mixer : layer.mixers) {
      const auto rotation = rotationOf(mixer);
      if (!rotation) continue;
      const std::pair key(rotation->width, rotation->windowed && a.windowedBase);
      bool known = false;
      for (const auto& other : seen) known = known || other == key;
      if (known) continue;
      seen.push_back(key);
      const Count scale = rotation->windowed ? Count(1) : a.positionScale;
      bytes += a.maxContext * scale * rotation->width * plan.policy().plainBytes();
    }
  }
  return bytes;
}

}  // namespace

void addServedWeights(const InferencePlan& plan, StagePlan& stage, std::string_view tablesSource) {
  stage.fixed.add(
      weightsEntry(stageWeights(plan, stage), Where::kDevice, "As loaded on one device."));
  const Bytes tables = rotaryTables(plan);
  const Bytes loaded = stage.fixed.total(Component::kWeights).expected;
  stage.fixed.add({.component = Component::kWeights,
                   .bytes = {tables, tables, tables + loaded.scaled(6, 1000)},
                   .formula = "tables",
                   .inputs = {{"tables", tables.toDouble()}},
                   .source = tablesSource,
                   .note = "Cosines and sines for every position; loaders keep up to 0.6 % of the "
                           "weights beside."});
}

Bytes stateOf(const InferencePlan& plan, std::size_t first, std::size_t last) {
  return statesOf(plan.architecture(), plan.engine(), plan.policy().plainBytes(), plan.split().tp,
                  first, last)
      .perSequence;
}

std::vector<CacheGroup> plainCaches(const InferencePlan& plan, std::size_t first, std::size_t last,
                                    const CacheLayout& layout) {
  std::vector<CacheGroup> groups;
  const EngineModel& engine = plan.engine();
  for (const CacheKindCount& kind : cacheKinds(plan.architecture(), first, last)) {
    CacheGroup group;
    group.layers = kind.layers;
    group.slots = kind.layers;
    group.block = layout.block;
    group.perToken = tokenBytes(kind.shape, plan.kvFormats(), engine, plan.split().tp);
    group.note = "Layers that see the whole context.";
    if (kind.shape.window > Count(0) && layout.windows > Count(0)) {
      group.limit = kind.shape.window * layout.windows + layout.slack;
      group.note = "Layers with a window: no more than it is kept.";
    }
    if (kind.shape.cross) {
      // Keys and values of an encoder's input, or of an image: four tiles of 1,601 patches in
      // Llama 3.2 Vision, which without an image keeps none.
      group.note = "Cross attention: keys and values of the encoder's input.";
      if (!plan.architecture().towers.empty()) {
        if (plan.query().choice<Include>(Key::kVision) != Include::kInclude) continue;
        group.entries = 4 * 1601;
        group.note = "Cross attention: keys and values of one image a sequence.";
      }
      groups.push_back(group);
      continue;
    }
    if (kind.shape.compressedElements > Count(0)) {
      CacheGroup compressed = group;
      CacheShape entry = kind.shape;
      compressed.perToken = tokenBytes(entry, plan.kvFormats(), engine, plan.split().tp);
      compressed.limit = 0;
      compressed.tokensPerEntry = kind.shape.tokensPerEntry;
      compressed.note = "Compressed entries of the whole context.";
      groups.push_back(compressed);
      CacheShape window = kind.shape;
      window.indexElements = 0;
      group.perToken = tokenBytes(window, plan.kvFormats(), engine, plan.split().tp);
    }
    groups.push_back(group);
  }
  return groups;
}

Bytes expertsPerToken(const StageShape& s, std::uint32_t width) {
  return s.expertsPerToken * (max(s.expertIntermediate * 2, s.hidden) + s.expertIntermediate) *
         width;
}

Bytes forwardPerToken(const StageShape& s, std::uint32_t width) {
  // gate and up, their product; the residual stream twice in and out.
  const Count dense = s.intermediate * (s.gated ? 3 : 2);
  const Count attention = (s.queryWidth + s.keyWidth + s.valueWidth) + s.queryWidth;
  return (max(dense, attention) + s.hidden * 2) * width;
}

}  // namespace memfit
