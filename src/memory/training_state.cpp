// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_state.h"

#include <cassert>
#include <vector>

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

bool isEmbedding(const TensorGroup& group) { return group.role == Role::kTokenEmbedding; }

// What each group of the device's part adds to its state.
class StateSum {
 public:
  StateSum(const TrainingSetup& setup, TrainingState& state)
      : s_(setup),
        state_(state),
        rule_(optimizerRule(setup.optimizer)),
        tied_(setup.model->architecture.tied),
        pieces_(setup.model->architecture.kinds.size() + 1) {
    const bool follows = setup.habits->statesFollow;
    trainedWidth_ = follows && setup.masterBytes == Count(0) ? max(setup.weightBytes, 2) : Count(4);
    adapterWidth_ = follows ? setup.adapterBytes : Count(4);
    plainBytes_ = setup.plainIn32 ? Count(4) : setup.adapters ? setup.weightBytes : Count(2);
  }

  // `layers` of the group's layers lie here; 1 for what lies outside the layers.
  void add(const TensorGroup& group, Count layers) {
    assert(group.layerSet < pieces_.size() && layers > Count(0));
    Here here{group, layers, layers * group.perLayer, cutBy(s_, group)};
    if (s_.habits->copiesTiedHead && tied_ && isEmbedding(group)) addTiedHead(here);
    HeldShare& share = state_.shares[roleTraits(group.role).cut == Cut::kExpert ? 1 : 0];
    Piece piece = s_.trains(group)      ? addTrained(here, share)
                  : s_.quantizes(group) ? addPacked(here, share)
                                        : addFrozen(here, share);
    if (const Count adapters = adapterElements(s_, group); adapters > 0) {
      piece += addAdapters(here, adapters, share);
    }
    pieces_[group.layerSet] += piece;
    whole_ += piece.bytes * (isRoot(group) ? Count(1) : layers);
  }

  // What full sharding gathers at once.
  void finish() {
    assert(!pieces_.empty());
    state_.rootBytes = pieces_.front().bytes;
    for (std::size_t kind = 1; kind < pieces_.size(); ++kind) {
      state_.layerBytes = max(state_.layerBytes, pieces_[kind].bytes);
      state_.layerTrained = max(state_.layerTrained, pieces_[kind].trained);
    }
    if (s_.habits->gathersAll && s_.fsdp) {
      state_.rootBytes = whole_;
      state_.layerBytes = 0;
      // Its gradients too are whole until they are reduced.
      state_.layerTrained = state_.shares[0].trained.elements + state_.shares[1].trained.elements;
    }
  }

 private:
  // A group's part on this device.
  struct Here {
    const TensorGroup& group;
    Count layers, tensors, cut;

    Count elements() const { return (tensors * group.elements()).ceilDiv(cut); }
    Count ofOneLayer() const { return (group.perLayer * group.elements()).ceilDiv(cut); }
    Count ofOneTensor() const { return group.elements().ceilDiv(cut); }
  };
  // Of one layer, or of all that lies outside the layers: its bytes as they are gathered, and the
  // elements that have gradients.
  struct Piece {
    Bytes bytes;
    Count trained;

    Piece& operator+=(const Piece& other) {
      bytes += other.bytes;
      trained += other.trained;
      return *this;
    }
  };

  // Trained too in full fine-tuning; frozen beside adapters.
  void addTiedHead(const Here& here) {
    HeldShare& share = state_.shares[0];
    Held& held = s_.adapters ? share.frozen : share.trained;
    held.elements += here.ofOneTensor();
    held.bytes += here.ofOneTensor() * (s_.adapters ? plainBytes_ : s_.weightBytes);
    if (s_.adapters) return;
    share.optimizer +=
        optimizerBytes(rule_, here.group.rows, here.group.cols, 1, trainedWidth_, false, false)
            .ceilDiv(here.cut);
  }

  Piece addTrained(const Here& here, HeldShare& share) {
    const TensorGroup& group = here.group;
    // Beside adapters (modules_to_save) it is as wide as they are. The frozen original stays;
    // saved as embedding and as head, a tied matrix is trained twice.
    const Count width = s_.adapters ? s_.adapterBytes : s_.weightBytes;
    const bool twice = s_.adapters && tied_ && s_.saved == SaveModules::kEmbedHead;
    if (s_.adapters) state_.copies += here.elements() * plainBytes_;
    const bool hiddenMatrix = group.kind == TensorKind::kMatrix && !isRoot(group);
    const bool in32 = isEmbedding(group) && s_.habits->embeddingStateIn32;
    const Bytes optimizer =
        optimizerBytes(rule_, group.rows, group.cols, here.tensors,
                       s_.adapters ? adapterWidth_ : trainedWidth_, hiddenMatrix, in32)
            .ceilDiv(here.cut);
    for (int copy = 0; copy < (twice ? 2 : 1); ++copy) {
      share.trained.elements += here.elements();
      share.trained.bytes += here.elements() * width;
      share.optimizer += optimizer;
    }
    state_.largestTrained = max(state_.largestTrained, here.ofOneTensor());
    if (group.role == Role::kOutputHead || (isEmbedding(group) && tied_)) {
      state_.headTrained += here.elements();
    }
    return {here.ofOneLayer() * 2, here.ofOneLayer()};
  }

  // bitsandbytes flattens a matrix before it cuts blocks; the other formats' blocks end with rows
  // of a whole number of them. LLM.int8 has a 32-bit scale an output row beside its values.
  Piece addPacked(const Here& here, HeldShare& share) {
    const TensorGroup& group = here.group;
    const Bytes scales = s_.format == Format::kInt8 ? group.rows * 4 : Count(0);
    const Bytes bytes = bytesOfRow(s_.format, group.elements()) + scales;
    share.packed.elements += here.elements();
    share.packed.bytes += (bytes * here.tensors).ceilDiv(here.cut);
    state_.largestLinear = max(state_.largestLinear, (group.elements() * 2).ceilDiv(here.cut));
    return {(bytes * group.perLayer).ceilDiv(here.cut), 0};
  }

  // The upcast leaves norms in 32 bits; TRL casts embedding and head back
  // (peft_module_casting_to_bf16), as runs of fms-acceleration show: 4.01 GiB idle with and
  // without it.
  Piece addFrozen(const Here& here, HeldShare& share) {
    const Count wide = s_.upcast && here.group.oneDimensional() ? Count(4) : plainBytes_;
    share.frozen.elements += here.elements();
    share.frozen.bytes += here.elements() * wide;
    return {here.ofOneLayer() * wide, 0};
  }

  Piece addAdapters(const Here& here, Count adapters, HeldShare& share) {
    const TensorGroup& group = here.group;
    const TensorInventory& inventory = s_.model->inventory;
    const Count all = inventory.layerCountOf(group);
    const Count elements = (adapters * here.layers).ceilDiv(all).ceilDiv(here.cut);
    share.adapters.elements += elements;
    share.adapters.bytes += elements * s_.adapterBytes;
    state_.largestAdapted = max(state_.largestAdapted, here.ofOneTensor());
    // The two matrices of an adapter: r x in and out x r.
    const auto matrix = [&](Count rows, Count cols) {
      return optimizerBytes(rule_, rows, cols, here.tensors, adapterWidth_, true, false);
    };
    const Count perTensor = s_.rank * (group.rows + group.cols);
    share.optimizer += (matrix(s_.rank, group.cols) + matrix(group.rows, s_.rank))
                           .scaled(adapters, max(perTensor * inventory.tensorsOf(group), 1))
                           .ceilDiv(here.cut);
    const Count oneLayer = adapters.ceilDiv(all).ceilDiv(here.cut);
    return {oneLayer * s_.adapterBytes, oneLayer};
  }

  const TrainingSetup& s_;
  TrainingState& state_;
  const OptimizerRule& rule_;
  bool tied_;
  Count trainedWidth_, adapterWidth_;  // bytes of a value of the optimizer's state
  Count plainBytes_;                   // of a frozen weight that is not quantized
  std::vector<Piece> pieces_;          // [0]: outside the layers; then one a kind of layer
  Bytes whole_;                        // gathered bytes of everything
};

}  // namespace

TrainingState trainingState(const TrainingSetup& setup, const StageRange& stage) {
  assert(stage.first <= stage.last && stage.last <= setup.model->architecture.layers.size());
  TrainingState state;
  state.shares[0].shards = setup.shards;
  state.shares[1].shards = max(setup.shards / max(setup.spread.ep, 1), 1);
  StateSum sum(setup, state);
  for (const TensorGroup& group : setup.model->inventory.groups()) {
    if (group.part != Part::kMain && group.part != Part::kNextTokens) continue;
    if (group.part == Part::kNextTokens && setup.adapters) continue;
    const Count layers = layersIn(setup, group, stage);
    if (layers > Count(0)) sum.add(group, layers);
  }
  sum.finish();
  return state;
}

}  // namespace memfit
