// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training.h"

#include "base/text.h"
#include "memory/training_overhead.h"

namespace memfit {

namespace {

Entry entryOf(const TrainingPlan& plan, const Term& term, const TokenCounts& counts) {
  Entry entry;
  entry.component = term.component;
  entry.where = term.where;
  entry.bytes = Band::exact(term.fixed + term.perToken * counts.tokens +
                            term.perScore * counts.scores + term.perLive * counts.live);
  entry.formula = term.formula;
  entry.inputs = term.inputs;
  if (term.perToken != Count(0) || term.perScore != Count(0)) {
    entry.inputs.add("b", counts.batch);
    entry.inputs.add("s", counts.seq);
    entry.inputs.add("cp", plan.cp);
  }
  if (term.perLive != Count(0)) entry.inputs.add("live", counts.live);
  entry.source = term.source;
  entry.note = term.note;
  return entry;
}

// The device's entries of a phase, and the host's.
Ledger ledgerOf(const TrainingPlan& plan, const TrainingStage& stage, TrainingPhase phase,
                const TokenCounts& counts) {
  Ledger ledger;
  for (const Term& term : stage.terms) {
    if (!term.during(phase)) continue;
    ledger.add(entryOf(plan, term, counts));
  }
  return ledger;
}

bool hasPhaseOfItsOwn(const TrainingStage& stage, TrainingPhase phase) {
  for (const Term& term : stage.terms) {
    if (term.phases == in(phase)) return true;
  }
  return false;
}

void noticeAssumptions(const TrainingPlan& plan, const TrainingSetup& setup, Report& report) {
  const Query& query = report.query;
  const auto assume = [&](std::string_view field, std::string message) {
    report.notices.push_back(
        {NoticeCode::kAssumption, std::string(field), "", "", std::move(message)});
  };
  if (query.choice<OnOff>(Key::kPacking) == OnOff::kOn) {
    assume("packing", "Every row of a micro-batch is taken to be filled to seq tokens.");
  } else {
    assume(
        "packing",
        "Rows are padded to the longest of the micro-batch: the estimate is for one that reaches "
        "seq tokens, the most that a run can meet.");
  }
  if (plan.positions > Count(0) && query.count(Key::kSeq) > plan.positions) {
    assume("seq", cat("The model has ", plan.positions.value(),
                      " learned positions; longer rows are cut there."));
  }
  if (setup.recipe == Recipe::kBf16 && setup.habits->statesFollow && !setup.adapters) {
    assume("recipe",
           "torch.optim keeps its state in the data type of the weights: 2 bytes a moment here; "
           "with 32-bit moments the recipe takes 4 bytes a weight more.");
  }
}

}  // namespace

Status runTraining(Report& report) {
  const auto kept = trainingPlan(report.query, report.model);
  const TrainingSetup& setup = kept->setup;
  const TrainingPlan& plan = kept->plan;
  report.notices.insert(report.notices.end(), kept->notices.begin(), kept->notices.end());
  report.parallelism = setup.spread;
  report.devices = setup.spread.devices();
  const TokenCounts counts =
      plan.countsAt(report.query.count(Key::kBatch), report.query.count(Key::kSeq));
  const TrainingTotals totals = totalsAt(plan, counts, report.deviceTotal);
  const TrainingStage& stage = plan.stages[totals.stage];

  for (std::size_t i = 0; i < kPhases; ++i) {
    const auto phase = static_cast<TrainingPhase>(i);
    if (phase == TrainingPhase::kDequantize && !setup.quantized) continue;
    // Without a gradient of its own the head is a moment of the loss.
    if (phase == TrainingPhase::kHead && !hasPhaseOfItsOwn(stage, phase)) continue;
    if (phase == TrainingPhase::kStep && setup.step == StepKernel::kBackward) continue;
    report.phases.push_back({phaseName(phase), ledgerOf(plan, stage, phase, counts)});
  }
  report.ledger = ledgerOf(plan, stage, totals.phase, counts);
  addOverheadEntries(plan.overhead, totals, report.ledger);

  TrainingFigures figures;
  figures.allocated = {totals.allocated.scaled(94, 100), totals.allocated,
                       totals.allocated.scaled(108, 100)};
  figures.reserved = Band::exact(totals.allocated);
  figures.reserved += totals.slack;
  figures.driver = totals.perDevice;
  figures.steady = stage.steady.at(counts);
  report.training = figures;
  noticeAssumptions(plan, setup, report);
  return Done{};
}

Band PreparedTraining::perDevice(Count batch, Count seq) const {
  const TrainingPlan& plan = kept_->plan;
  return totalsAt(plan, plan.countsAt(batch, seq), 0).perDevice;
}

TrainingPoint PreparedTraining::at(Count batch, Count seq) const {
  TrainingPoint point;
  point.kept_ = kept_;
  point.totals_ = totalsAt(kept_->plan, kept_->plan.countsAt(batch, seq), 0);
  return point;
}

Band TrainingPoint::perDevice(Bytes deviceTotal) const {
  TrainingTotals totals = totals_;
  totals.deviceTotal = deviceTotal;
  addOverhead(kept_->plan.overhead, totals);
  return totals.perDevice;
}

}  // namespace memfit
