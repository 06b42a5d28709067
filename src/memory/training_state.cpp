// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_state.h"

#include "memory/adapters.h"

namespace memfit {

namespace {

bool isRoot(const TensorGroup& group) { return group.layerSet == 0; }

// How many of the group's layers lie in the stage; 1 or 0 for what lies outside the layers.
Count layersIn(const TrainingSetup& setup, const TensorGroup& group, const StageRange& stage) {
  if (isRoot(group)) {
    const bool before =
        group.role == Role::kTokenEmbedding || group.role == Role::kPositionEmbedding ||
        group.role == Role::kPerLayerEmbedding || group.role == Role::kEmbeddingProjection;
    // A tied head needs the embedding on the last stage too.
    const bool tied = setup.model->architecture.tied && group.role == Role::kTokenEmbedding;
    const bool here = (before && stage.embedding) || ((!before || tied) && stage.head);
    return here ? Count(1) : Count(0);
  }
  Count count = 0;
  for (const std::uint16_t layer : setup.model->inventory.layersOf(group)) {
    if (layer >= stage.first && layer < stage.last) count += 1;
  }
  return count;
}

// The divisor of tensor and expert parallelism.
Count cutBy(const TrainingSetup& setup, const TensorGroup& group) {
  const Count tp = setup.spread.tp;
  switch (roleTraits(group.role).cut) {
    case Cut::kReplicated: return 1;
    case Cut::kColumn:
    case Cut::kKvHeads:
    case Cut::kVocabulary: return tp;
    case Cut::kRow: return group.kind == TensorKind::kBias ? Count(1) : tp;
    case Cut::kExpert: return min(setup.spread.ep, max(group.perLayer, 1)) * tp;
  }
  return 1;
}

}  // namespace

TrainingState trainingState(const TrainingSetup& setup, const StageRange& stage) {
  TrainingState state;
  const OptimizerRule& rule = optimizerRule(setup.optimizer);
  const Architecture& architecture = setup.model->architecture;
  const TensorInventory& inventory = setup.model->inventory;
  state.expertShards = max(setup.shards / max(setup.spread.ep, 1), 1);

  const bool follows = setup.habits->statesFollow;
  const Count trainedWidth =
      follows && setup.masterBytes == Count(0) ? max(setup.weightBytes, 2) : Count(4);
  const Count adapterWidth = follows ? setup.adapterBytes : Count(4);
  const Count plainBytes = setup.plainIn32  ? Count(4)
                           : setup.adapters ? setup.weightBytes
                                            : Count(2);

  Count wholeBytes;              // gathered bytes of everything
  Count layerElements[64] = {};  // gathered bytes of one layer of each kind
  Count layerTrained[64] = {};
  for (const TensorGroup& group : inventory.groups()) {
    if (group.part != Part::kMain && group.part != Part::kNextTokens) continue;
    if (group.part == Part::kNextTokens && setup.adapters) continue;
    const Count layers = layersIn(setup, group, stage);
    if (layers == Count(0)) continue;
    const Count tensors = layers * group.perLayer;
    const Count cut = cutBy(setup, group);
    if (setup.habits->copiesTiedHead && architecture.tied && group.role == Role::kTokenEmbedding) {
      // Trained too in full fine-tuning; frozen beside adapters.
      const Count head = group.elements().ceilDiv(cut);
      Held& held = setup.adapters ? state.frozen[0] : state.trained[0];
      held.elements += head;
      held.bytes += head * (setup.adapters ? plainBytes : setup.weightBytes);
      if (!setup.adapters) {
        state.optimizer[0] +=
            optimizerBytes(rule, group.rows, group.cols, 1, trainedWidth, false, false)
                .ceilDiv(cut);
      }
    }
    const Count elements = (tensors * group.elements()).ceilDiv(cut);
    const Count oneLayer = (group.perLayer * group.elements()).ceilDiv(cut);
    const bool expert = roleTraits(group.role).cut == Cut::kExpert;
    const std::size_t at = expert ? 1 : 0;

    Bytes gathered;  // of one layer, or of the root
    if (setup.trains(group)) {
      state.trained[at].elements += elements;
      // Beside adapters (modules_to_save) it is as wide as they are.
      const Count width = setup.adapters ? setup.adapterBytes : setup.weightBytes;
      state.trained[at].bytes += elements * width;
      const bool hiddenMatrix = group.kind == TensorKind::kMatrix && !isRoot(group);
      const bool embeddingIn32 =
          group.role == Role::kTokenEmbedding && setup.habits->embeddingStateIn32;
      state.optimizer[at] +=
          optimizerBytes(rule, group.rows, group.cols, tensors,
                         setup.adapters ? adapterWidth : trainedWidth, hiddenMatrix, embeddingIn32)
              .ceilDiv(cut);
      if (setup.adapters) {
        // The frozen original stays; saved as embedding and as head, a tied matrix is trained
        // twice.
        state.copies += elements * plainBytes;
        if (architecture.tied && setup.saved == SaveModules::kEmbedHead) {
          state.trained[at].elements += elements;
          state.trained[at].bytes += elements * width;
          state.optimizer[at] += optimizerBytes(rule, group.rows, group.cols, tensors, adapterWidth,
                                                hiddenMatrix, embeddingIn32)
                                     .ceilDiv(cut);
        }
      }
      state.largestTrained = max(state.largestTrained, group.elements().ceilDiv(cut));
      gathered = oneLayer * 2;
      if (group.role == Role::kOutputHead ||
          (group.role == Role::kTokenEmbedding && architecture.tied)) {
        state.headTrained += elements;
      }
      if (!isRoot(group) && group.layerSet < 64) layerTrained[group.layerSet] += oneLayer;
    } else if (setup.quantizes(group)) {
      // bitsandbytes flattens a matrix before it cuts blocks; the other formats' blocks end with
      // rows of a whole number of them. LLM.int8 has a 32-bit scale an output row beside its
      // values.
      const Bytes scales = setup.format == Format::kInt8 ? group.rows * 4 : Count(0);
      const Bytes bytes = bytesOfRow(setup.format, group.elements()) + scales;
      state.packed[at].elements += elements;
      state.packed[at].bytes += (bytes * tensors).ceilDiv(cut);
      state.largestLinear = max(state.largestLinear, (group.elements() * 2).ceilDiv(cut));
      gathered = (bytes * group.perLayer).ceilDiv(cut);
    } else {
      // The upcast leaves norms in 32 bits; TRL casts embedding and head back
      // (peft_module_casting_to_bf16), as runs of fms-acceleration show: 4.01 GiB idle with and
      // without it.
      const Count wide = setup.upcast && group.oneDimensional() ? Count(4) : plainBytes;
      state.frozen[at].elements += elements;
      state.frozen[at].bytes += elements * wide;
      gathered = oneLayer * wide;
    }
    if (const Count adapters = adapterElements(setup, group); adapters > 0) {
      const Count here = (adapters * layers).ceilDiv(inventory.layerCountOf(group)).ceilDiv(cut);
      state.adapters[at].elements += here;
      state.largestAdapted = max(state.largestAdapted, group.elements().ceilDiv(cut));
      state.adapters[at].bytes += here * setup.adapterBytes;
      // The two matrices of an adapter: r x in and out x r.
      const Count perTensor = setup.rank * (group.rows + group.cols);
      state.optimizer[at] +=
          (optimizerBytes(rule, setup.rank, group.cols, tensors, adapterWidth, true, false) +
           optimizerBytes(rule, group.rows, setup.rank, tensors, adapterWidth, true, false))
              .scaled(adapters, max(perTensor * inventory.tensorsOf(group), 1))
              .ceilDiv(cut);
      const Count oneLayerAdapters = adapters.ceilDiv(inventory.layerCountOf(group)).ceilDiv(cut);
      gathered += oneLayerAdapters * setup.adapterBytes;
      if (!isRoot(group) && group.layerSet < 64) {
        layerTrained[group.layerSet] += oneLayerAdapters;
      }
    }
    wholeBytes += gathered * (isRoot(group) ? Count(1) : layers);
    if (isRoot(group)) {
      state.rootBytes += gathered;
    } else if (group.layerSet < 64) {
      layerElements[group.layerSet] += gathered;
    }
  }
  for (std::size_t i = 0; i < 64; ++i) {
    state.layerBytes = max(state.layerBytes, layerElements[i]);
    state.layerTrained = max(state.layerTrained, layerTrained[i]);
  }
  if (setup.habits->gathersAll && setup.fsdp) {
    state.rootBytes = wholeBytes;
    state.layerBytes = 0;
    // Its gradients too are whole until they are reduced.
    state.layerTrained = state.trained[0].elements + state.trained[1].elements;
  }
  return state;
}

}  // namespace memfit
