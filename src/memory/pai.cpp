// memfit - SPDX-License-Identifier: Apache-2.0
//
// The method `pai`: the rule of a cloud provider's calculator.
//
// Source: "Estimate the GPU memory required for large models", Alibaba Cloud Platform for AI,
// Japanese and French editions, read 2026-11-29.
//
// P = all parameters, A = parameters active for a token (P when dense), b = sequences, s = tokens a
// sequence, C = requests in flight. GB = 10^9 bytes.
//
//   weights      P bits / 8: all parameters are resident, for a mixture of experts too
//   activations  10 % of A x 2 bytes at b = 1, s = 2048; proportional to b s
//   KV cache     the same at C = 1; proportional to b s C; inference only
//   gradients    2 bytes x trainable
//   optimizer    4 bytes x values x trainable: SGD 0, momentum 1, RMSProp 1, Adam and AdamW 2
//   framework    input batch, CUDA context, framework: 1 to 2 GB, the published totals use 2
//   trainable    full: P; LoRA and QLoRA: 0.1 % to 1 % of P, the published totals use 1 %
//
// Activations and cache keep 16-bit values whatever the weights' precision: the published QLoRA
// rows show it.
#include "base/text.h"
#include "memory/methods.h"

namespace memfit {

namespace {

constexpr std::string_view kSource =
    "Alibaba Cloud PAI, \"Estimate the GPU memory required for large models\", read 2026-11-29";

// The rule knows 16, 8 and 4 bits; other formats count by the bits in their name.
constexpr std::uint8_t kNominalBits[] = {
    16, 16, 32, 16, 8, 8, 4, 4, 4, 8, 4, 4,           // bf16 ... nvfp4
    8,  6,  5,  5,  5, 5, 4, 4, 4, 4, 3, 3, 3, 2, 2,  // q8_0 ... q2_k_s
    4,  4,  3,  3,  3, 3, 2, 2, 2, 2, 1, 1, 2, 1, 4,  // iq4_nl ... mxfp4_moe
    4,  8};                                           // mlx4, mlx8
static_assert(std::size(kNominalBits) == static_cast<std::size_t>(WeightFormat::kCount));

int nominalBits(const Report& report) {
  const auto format = report.query.choice<WeightFormat>(Key::kWeights);
  if (format == WeightFormat::kStored && report.model &&
      report.model->quantization.method != QuantMethod::kNone) {
    return static_cast<int>(report.model->quantization.bits);
  }
  return kNominalBits[static_cast<std::size_t>(format)];
}

// 4-byte values that the optimizer keeps for a trainable parameter.
struct OptimizerValues {
  Optimizer optimizer;
  int values;
};
constexpr OptimizerValues kOptimizerValues[] = {{Optimizer::kAdamW, 2},
                                                {Optimizer::kAdam, 2},
                                                {Optimizer::kSgd, 0},
                                                {Optimizer::kMomentum, 1},
                                                {Optimizer::kRmsprop, 1}};

int optimizerValues(Report& report) {
  const auto optimizer = report.query.choice<Optimizer>(Key::kOptimizer);
  for (const OptimizerValues& row : kOptimizerValues) {
    if (row.optimizer == optimizer) return row.values;
  }
  const std::string_view name = fieldOf(Key::kOptimizer).values[static_cast<size_t>(optimizer)];
  report.notices.push_back(
      {NoticeCode::kNotApplicable, "optimizer", std::string(name), "adamw",
       cat("The published rule lists sgd, momentum, rmsprop, adam and adamw, not ", name,
           ": adamw is used.")});
  return 2;
}

}  // namespace

Status runPai(Report& report) {
  const Query& query = report.query;
  const Count p = report.parameters;
  const Count a = report.activeParameters;
  const Count b = query.count(Key::kBatch);
  const Count s = query.count(Key::kSeq);
  const Count c = query.count(Key::kConcurrency);
  const int bits = nominalBits(report);

  Ledger& ledger = report.ledger;
  ledger.add({.component = Component::kWeights,
              .bytes = Band::exact(p.scaled(bits, 8)),
              .formula = "P * bits / 8",
              .inputs = {{"P", p.toDouble()}, {"bits", static_cast<double>(bits)}},
              .source = kSource});

  // 0.1 x A x 2 bytes x b s / 2048 = A b s / 10240.
  const auto tenthOfActive = [&](Count tokens) { return a.scaled(tokens, 10240); };
  ledger.add({.component = Component::kActivations,
              .bytes = Band::exact(tenthOfActive(b * s)),
              .formula = "0.1 * A * 2 * b * s / 2048",
              .inputs = {{"A", a.toDouble()}, {"b", b.toDouble()}, {"s", s.toDouble()}},
              .source = kSource,
              .note = "A tenth of the active parameters in 16 bits, at one sequence of 2,048."});

  if (query.task() == Task::kInference) {
    ledger.add({.component = Component::kKvCache,
                .bytes = Band::exact(tenthOfActive(b * s * c)),
                .formula = "0.1 * A * 2 * b * s * C / 2048",
                .inputs = {{"A", a.toDouble()},
                           {"b", b.toDouble()},
                           {"s", s.toDouble()},
                           {"C", c.toDouble()}},
                .source = kSource,
                .note = "A tenth of the active parameters in 16 bits, at one sequence of 2,048."});
    report.kv = {tenthOfActive(1), tenthOfActive(s)};
    if (a < p) {
      report.notices.push_back({NoticeCode::kAssumption, "active", "", "",
                                "The published rule takes the active parameters for a mixture's "
                                "activations and does not "
                                "say so of its KV cache; here they serve both."});
    }
  } else {
    const int values = optimizerValues(report);
    const bool full = query.task() == Task::kFull;
    // Bytes a trainable parameter, over the band of what is trainable.
    const auto trainable = [&](int bytesEach) {
      const Count every = p * bytesEach;
      return full ? Band::exact(every)
                  : Band{every.scaled(1, 1000), every.scaled(1, 100), every.scaled(1, 100)};
    };
    const Input share{"share", full ? 1.0 : 0.01};
    constexpr std::string_view kShareNote =
        "Trainable: 0.1 % to 1 % of the parameters; the published totals use 1 %.";
    const std::string_view note = full ? std::string_view() : kShareNote;
    ledger.add({.component = Component::kGradients,
                .bytes = trainable(2),
                .formula = "2 * share * P",
                .inputs = {share, {"P", p.toDouble()}},
                .source = kSource,
                .note = note});
    ledger.add({.component = Component::kOptimizer,
                .bytes = trainable(4 * values),
                .formula = "4 * values * share * P",
                .inputs = {{"values", static_cast<double>(values)}, share, {"P", p.toDouble()}},
                .source = kSource,
                .note = note});
  }

  ledger.add({.component = Component::kFramework,
              .bytes = {kGB, kGB * 2, kGB * 2},
              .formula = "2 * GB",
              .inputs = {{"GB", 1e9}},
              .source = kSource,
              .note = "Input batch, CUDA context and framework: 1 to 2 GB, the totals use 2."});
  return Done{};
}

}  // namespace memfit
