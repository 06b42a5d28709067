// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/inference.h"

#include "memory/parallelism.h"

namespace memfit {

namespace {

constexpr std::string_view kShape = "the model's own shape";

}  // namespace

Result<bool> runInference(Report& report) {
  const Query& query = report.query;
  const Model& model = *report.model;
  report.parallelism = parallelismOf(query);
  report.devices = report.parallelism.devices();
  const Count devices = report.devices;

  const Count parameters = model.inventory.parameters(Part::kMain);
  report.ledger.add({.component = Component::kWeights,
                     .bytes = Band::exact((parameters * 2).ceilDiv(devices)),
                     .formula = "ceil(P * 2 / devices)",
                     .inputs = {{"P", parameters.toDouble()}, {"devices", devices.toDouble()}},
                     .source = kShape});

  const Count elements = kvElementsPerToken(model.architecture);
  const Count sequences = query.count(Key::kBatch) * query.count(Key::kConcurrency);
  const Count seq = query.count(Key::kSeq);
  const Bytes token = (elements * 2).ceilDiv(devices);
  report.ledger.add({.component = Component::kKvCache,
                     .bytes = Band::exact(token * seq * sequences),
                     .formula = "token * seq * sequences",
                     .inputs = {{"token", token.toDouble()},
                                {"seq", seq.toDouble()},
                                {"sequences", sequences.toDouble()}},
                     .source = kShape});
  report.kv = {token, token * seq};

  report.ledger.add({.component = Component::kFramework,
                     .bytes = {kMiB * 256, kMiB * 512, kMiB * 1024},
                     .formula = "512 * MiB",
                     .inputs = {{"MiB", 1048576.0}},
                     .source = "PyTorch issues 107667 and 49877, logs of 2020 to 2026",
                     .note = "The device's context: 0.25 to 1 GiB a process."});
  return true;
}

}  // namespace memfit
