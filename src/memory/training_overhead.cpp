// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_overhead.h"

namespace memfit {

namespace {

constexpr std::string_view kSlackSource =
    "nvidia-smi against torch.cuda.max_memory_allocated in fms-acceleration runs on A100-80GB, "
    "2024";

Band gib(double low, double expected, double high) {
  const auto bytes = [](double value) {
    return Bytes(static_cast<std::uint64_t>(value * 1073741824.0));
  };
  return {bytes(low), bytes(expected), bytes(high)};
}

// value x thousandths / 1000, rounded to the nearest: in 64 bits, which 2^53 x 1000 fits.
Bytes share(Bytes value, Count thousandths) {
  if (value.overflowed()) return value;
  return Bytes((value.value() * thousandths.value() + 500) / 1000);
}

// The most that slack can be on a device of known size: what is left beside everything else.
Bytes limit(const TrainingOverhead& o, const TrainingTotals& totals) {
  const Bytes other = o.context.expected + o.communication.expected;
  const Bytes left = totals.deviceTotal - totals.allocated - totals.managed - other;
  return max(left, totals.allocated.scaled(1, 50));
}

}  // namespace

TrainingOverhead trainingOverhead(const TrainingSetup& s) {
  TrainingOverhead overhead;
  if (!s.habits->cuda) {
    overhead.context = gib(0.1, 0.3, 0.6);
  } else {
    overhead.context = gib(0.45, 0.8, 1.2);
    if (s.spread.devices() > Count(1)) overhead.communication = gib(0.35, 2.0, 2.5);
  }
  overhead.reuseLow = 100;
  overhead.grainLow = 10;
  overhead.unseenHigh = 80;
  if (s.habits->gradientBuffer) {
    // Fixed shapes, no temporary of the step: reserved is 1.007 to 1.093 of allocated.
    overhead.reuse = 100;
    overhead.reuseHigh = 500;
    overhead.grain = 40;
    overhead.grainHigh = 200;
    overhead.logitsHigh = 100;
    return overhead;
  }
  overhead.reuse = 600;
  overhead.reuseHigh = 1000;
  overhead.grain = 80;
  overhead.grainHigh = 200;
  overhead.logitsHigh = 500;
  return overhead;
}

void addOverhead(const TrainingOverhead& o, TrainingTotals& totals) {
  const Bytes unused = totals.everything - totals.allocated;
  const auto slack = [&](Count reuse, Count grain) {
    return share(unused, reuse) + share(totals.activations, grain);
  };
  totals.slack = {slack(o.reuseLow, o.grainLow), slack(o.reuse, o.grain),
                  slack(o.reuseHigh, o.grainHigh) + share(totals.logits, o.logitsHigh) +
                      share(totals.allocated, o.unseenHigh)};
  if (totals.deviceTotal > Count(0)) {
    const Bytes most = limit(o, totals);
    totals.slack = {min(totals.slack.low, most), min(totals.slack.expected, most),
                    min(totals.slack.high, most)};
  }
  totals.perDevice = Band::exact(totals.allocated);
  totals.perDevice += totals.slack;
  totals.perDevice += o.context;
  totals.perDevice += o.communication;
  totals.perDevice += Band{0, totals.managed, totals.managed};
}

void addOverheadEntries(const TrainingOverhead& o, const TrainingTotals& totals, Ledger& ledger) {
  Entry slack{.component = Component::kFramework,
              .bytes = totals.slack,
              .formula = "reuse * (phases - peak) + grain * activations",
              .inputs = {{"reuse", o.reuse.toDouble() / 1000},
                         {"phases", totals.everything.toDouble()},
                         {"peak", totals.allocated.toDouble()},
                         {"grain", o.grain.toDouble() / 1000},
                         {"activations", totals.activations.toDouble()}},
              .source = kSlackSource,
              .note = "The allocator's slack: blocks of one phase that another cannot use."};
  if (totals.deviceTotal > Count(0)) {
    slack.formula = "min(reuse * (phases - peak) + grain * activations, left)";
    slack.inputs.add("left", limit(o, totals));
  }
  ledger.add(slack);
  ledger.add(
      {.component = Component::kFramework,
       .bytes = o.context,
       .formula = "GiB * context",
       .inputs = {{"GiB", 1073741824.0}, {"context", o.context.expected.toDouble() / 1073741824.0}},
       .source = "device_facts section 3: contexts of 0.47 to 1.1 GiB, 2023 to 2026",
       .note = "CUDA context and the kernels that were loaded."});
  ledger.add({.component = Component::kOptimizer,
              .bytes = {0, totals.managed, totals.managed},
              .formula = "managed",
              .inputs = {{"managed", totals.managed.toDouble()}},
              .source = "bitsandbytes issue 801, 2023",
              .note = "Paged optimizer state: on the device while it has room, else on the host."});
  ledger.add({.component = Component::kCommunication,
              .bytes = o.communication,
              .formula = "GiB * nccl",
              .inputs = {{"GiB", 1073741824.0},
                         {"nccl", o.communication.expected.toDouble() / 1073741824.0}},
              .source = "stas00/ml-engineering: +1.45 GiB at the first barrier of 2 GPUs, 2023",
              .note = "NCCL's buffers, outside the allocator."});
}

}  // namespace memfit
