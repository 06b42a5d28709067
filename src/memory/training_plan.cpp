// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_plan.h"

#include <utility>

#include "memory/training_activation_terms.h"
#include "memory/training_head.h"
#include "memory/training_sharding.h"
#include "memory/training_state.h"
#include "memory/training_weights.h"

namespace memfit {

namespace {

void addUp(TrainingStage& stage) {
  for (const Term& term : stage.terms) {
    if (term.where != Where::kDevice) continue;
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      if (term.during(static_cast<TrainingPhase>(phase))) stage.phases[phase] += term;
    }
    // Phases of the backward pass use each other's blocks; loss and step have their own sizes.
    const bool own = term.span == Span::kOwn;
    const bool ofLossOrStep = (term.phases & (kInLoss | kInStep)) != 0;
    const bool onlyLater = own && !ofLossOrStep && !term.during(TrainingPhase::kBackward);
    if (!onlyLater) stage.everything += term;
    if (own && ofLossOrStep) stage.others += term;
    if (term.component == Component::kActivations) stage.activations += term;
    if (term.component == Component::kLogits) stage.logits += term;
    if (term.steady) stage.steady += term;
  }
}

// `inFlight`: micro-batches whose activations the stage holds at once.
TrainingStage makeStage(const TrainingSetup& setup, const LossCost& loss, const StageRange& range,
                        Count inFlight) {
  const TrainingState state = trainingState(setup, range);
  TrainingStage stage;
  addWeights(setup, state, stage.terms);
  addOptimizerState(setup, state, stage.terms);
  addGradients(setup, state, stage.terms);
  addGathered(setup, state, stage.terms);
  addActivations(setup, state, range, inFlight, stage.terms);
  if (range.head) addHead(setup, loss, state, stage.terms);
  addStepTemporary(setup, state, stage.terms);
  stage.managed = managedState(setup, state);
  addUp(stage);
  return stage;
}

}  // namespace

TokenCounts TrainingPlan::countsAt(Count batch, Count seq) const {
  TokenCounts counts;
  counts.batch = batch;
  counts.seq = positions > 0 ? min(seq, positions) : seq;
  const Count all = counts.batch * counts.seq;
  counts.tokens = all.ceilDiv(cp);
  counts.scores = (all * counts.seq).ceilDiv(cp);
  counts.live = loss.liveTokens(counts.tokens, hidden);
  return counts;
}

TrainingTotals totalsAt(const TrainingPlan& plan, const TokenCounts& counts, Bytes deviceTotal) {
  TrainingTotals best;
  best.deviceTotal = deviceTotal;
  for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      const Bytes bytes = plan.stages[stage].phases[phase].at(counts);
      if (bytes <= best.allocated) continue;
      best.allocated = bytes;
      best.stage = stage;
      best.phase = static_cast<TrainingPhase>(phase);
    }
  }
  const TrainingStage& stage = plan.stages[best.stage];
  best.everything = max(stage.everything.at(counts), best.allocated);
  if (best.phase == TrainingPhase::kBackwardEnd) {
    best.everything = max(best.everything, best.allocated + stage.others.at(counts));
  }
  best.activations = stage.activations.at(counts);
  best.logits = stage.logits.at(counts);
  best.managed = stage.managed;
  addOverhead(plan.overhead, best);
  return best;
}

TrainingPlan planTraining(const Query& query, const TrainingSetup& setup) {
  TrainingPlan plan;
  const Architecture& a = setup.model->architecture;
  plan.loss = lossCost(setup);
  plan.hidden = a.hidden;
  plan.cp = setup.spread.cp;
  plan.positions = a.positions;
  plan.overhead = trainingOverhead(setup);

  // Pipeline stages: the first has the embedding and the most micro-batches in flight (1F1B), the
  // last the head and the loss.
  const std::size_t layers = a.layerCount();
  const Count stages = min(setup.spread.pp, max(Count(layers), 1));
  const std::size_t each = static_cast<std::size_t>(Count(layers).ceilDiv(stages).value());
  if (stages == Count(1)) {
    plan.stages.push_back(makeStage(setup, plan.loss, {0, layers, true, true}, 1));
    return plan;
  }
  const Count accumulation = query.count(Key::kAccumulation);
  const Count inFlight = accumulation > Count(1) ? min(accumulation, stages) : stages;
  plan.stages.push_back(makeStage(setup, plan.loss, {0, each, true, false}, inFlight));
  plan.stages.push_back(makeStage(setup, plan.loss, {layers - each, layers, false, true}, 1));
  return plan;
}

}  // namespace memfit
