// memfit - SPDX-License-Identifier: Apache-2.0
//
// The method `per-billion`: the laptop-and-desktop rule, fine-tuning only.
//
// Source: "Why training needs more memory than the download", read 2026-11-29.
//
// P = all parameters, GB = 10^9 bytes:
//
//   LoRA    2 P + 3 GB: frozen 16-bit weights; the adapter, its optimizer, moderate activations and
//           the framework in the 3
//   full    12 P + 4 GB: weight 2, gradient 2, two Adam moments of 4 each
//           16 P + 4 GB with a 32-bit master copy
//   QLoRA   0.7 P + 3.4 GB: our straight line through the three figures given (8B 9, 27B 22, 32B
//   26)
#include "memory/methods.h"

namespace memfit {

namespace {

constexpr std::string_view kSource =
    "\"Why training needs more memory than the download\", read 2026-11-29";
constexpr std::string_view kLineSource =
    "Our line through 8B 9, 27B 22 and 32B 26 GB of \"Why training needs more memory than the "
    "download\", read 2026-11-29";

Entry perParameter(Component component, Count p, int bytes, std::string_view note = {}) {
  return {.component = component,
          .bytes = Band::exact(p * bytes),
          .formula = "bytes * P",
          .inputs = {{"bytes", static_cast<double>(bytes)}, {"P", p.toDouble()}},
          .source = kSource,
          .note = note};
}

Entry constant(Bytes bytes, std::string_view source, std::string_view note) {
  return {.component = Component::kFramework,
          .bytes = Band::exact(bytes),
          .formula = "fixed",
          .inputs = {{"fixed", bytes.toDouble()}},
          .source = source,
          .note = note};
}

}  // namespace

Status runPerBillion(Report& report) {
  const Count p = report.parameters;
  Ledger& ledger = report.ledger;
  switch (report.query.task()) {
    case Task::kLora:
      ledger.add(perParameter(Component::kWeights, p, 2, "The frozen base in 16 bits."));
      ledger.add(constant(kGB * 3, kSource,
                          "The adapter, its optimizer, moderate activations and the framework."));
      break;
    case Task::kQlora:
      ledger.add({.component = Component::kWeights,
                  .bytes = Band::exact(p.scaled(7, 10)),
                  .formula = "0.7 * P",
                  .inputs = {{"P", p.toDouble()}},
                  .source = kLineSource,
                  .note = "The base in 4 bits, with its scales and what stays in 16."});
      ledger.add(constant(kGB.scaled(34, 10), kLineSource,
                          "The adapter, its optimizer, moderate activations and the framework."));
      break;
    default:
      ledger.add(perParameter(Component::kWeights, p, 2));
      ledger.add(perParameter(Component::kGradients, p, 2));
      ledger.add(perParameter(Component::kOptimizer, p, 8, "Two Adam moments of 4 bytes."));
      if (report.query.choice<Recipe>(Key::kRecipe) == Recipe::kMixed) {
        ledger.add(perParameter(Component::kMasterWeights, p, 4));
      }
      ledger.add(constant(kGB * 4, kSource, "Activations and the framework."));
  }
  return Done{};
}

}  // namespace memfit
