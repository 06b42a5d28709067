// memfit - SPDX-License-Identifier: Apache-2.0
//
// The method `architecture` for inference: weights as they lie in memory, the cache, the recurrent
// state, and what the engine adds.
//
// An InferencePlan holds everything that does not depend on the length, the batch and the number of
// requests. It answers with a ledger, or, for a sweep's tens of thousands of points, with the total
// alone; both come from the same code, so they are the same numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "memory/engine.h"
#include "memory/kv_cache.h"
#include "memory/ledger.h"
#include "memory/recurrent_state.h"
#include "memory/report.h"
#include "memory/weights.h"
#include "query/query.h"

namespace memfit {

// What varies in a sweep.
struct Load {
  Count seq = 1, batch = 1, concurrency = 1;
  Count sequences() const { return batch * concurrency; }
};
Load loadOf(const Query& query);

// The widths that transients are made of: of the widest layer of a stage, on one device.
struct StageShape {
  Count hidden;
  Count vocab;       // rows of the head on one device; 0: no head here
  Count heads;       // query heads
  Count headDim;     // of the widest
  Count queryWidth;  // heads x head size, doubled where a gate comes with it
  Count keyWidth, valueWidth;
  Count intermediate;  // dense: of gate or up; 0: no dense layers
  bool gated = true;
  Count expertsPerToken, expertIntermediate;  // 0: no experts
  Count layers;
  bool encoder = false;  // nothing is cached

  friend bool operator==(const StageShape&, const StageShape&) = default;
};

// One pipeline stage on one device: layers [first, last). Of engines that leave layers on the host
// (EngineModel::hostLayers) the host's part is in every stage.
struct StagePlan {
  std::size_t first = 0, last = 0;
  bool hasEmbedding = false, hasHead = false;
  StageShape shape;
  Ledger fixed;                        // entries that do not depend on the load
  Band fixedDevice;                    // their sum on the device
  std::vector<CacheGroup> caches;      // on the device
  std::vector<CacheGroup> hostCaches;  // of layers that stay on the host
  Bytes statePerSequence;              // recurrent, over the stage's layers, on the device
  Bytes hostStatePerSequence;
  Bytes stagedTensor;      // a host tensor that is copied over when used
  bool diffusion = false;  // llama.cpp: no cache, attention in both directions
  Bytes reserved;          // inside an engine's fraction beside the cache: weights and more

  // Whether the other needs as much at every load: of a pipeline most stages are alike.
  bool isLike(const StagePlan& other) const;
};

// Layers in even parts, in order: what is left over goes one each to the stages before the last, as
// vLLM does (distributed/utils.py get_pp_indices).
std::vector<StagePlan> evenStages(const InferencePlan& plan);

class InferencePlan {
 public:
  // Everything of the query but its load. `notices` may be nullptr.
  InferencePlan(const Query& query, const Model& model, Bytes deviceTotal, Notices* notices);

  // perDevice of the heaviest stage.
  Band perDevice(const Load& load) const;
  // The ledger of the heaviest stage, kv, capacity, parallelism and devices.
  void write(const Load& load, Report& report) const;

  // For the engines' own code.
  const Query& query() const { return query_; }
  const Model& model() const { return *model_; }
  const Architecture& architecture() const { return model_->architecture; }
  const WeightPolicy& policy() const { return policy_; }
  const Split& split() const { return split_; }
  const Parallelism& parallelism() const { return parallelism_; }
  const KvFormats& kvFormats() const { return kvFormats_; }
  const EngineModel& engine() const { return *engine_; }
  // In the engine's own count (see Releases).
  int release() const { return release_; }
  Bytes deviceTotal() const { return deviceTotal_; }
  // Sequences of one replica: data parallelism divides them.
  Count sequences(const Load& load) const { return load.sequences().ceilDiv(parallelism_.dp); }
  const std::vector<StagePlan>& stages() const { return stages_; }
  // Of the device that the engine takes; 0 where it takes what it needs.
  double fraction() const { return fraction_; }
  // What of that is left for the cache, and what the load needs of it; nullopt for engines that
  // take what they need, and where the device is not known.
  std::optional<Capacity> capacity(const Load& load) const;
  // Of the stage with the least left.
  Capacity leastCapacity(Count seq) const;

 private:
  std::optional<Capacity> capacity(const Load& load, const Ledger& ledger) const;
  void makeStages();
  StageShape shapeOf(std::size_t first, std::size_t last, bool hasHead) const;
  const StagePlan& heaviest(const Load& load) const;

  Query query_;
  const Model* model_;
  Bytes deviceTotal_;
  const EngineModel* engine_;
  int release_;
  Parallelism parallelism_;
  Split split_;
  WeightPolicy policy_;
  KvFormats kvFormats_;
  double fraction_ = 0;
  std::vector<StagePlan> stages_;
  std::vector<std::size_t> distinct_;  // stages that are not like one before
};

// What the weights are held in: the query's word, or a file's own formats where a file was read.
WeightFormat weightFormatOf(const Query& query, const Model& model);

Status runInference(Report& report);

}  // namespace memfit
