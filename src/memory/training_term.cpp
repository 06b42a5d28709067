// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_term.h"

namespace memfit {

std::string_view phaseName(TrainingPhase phase) {
  constexpr std::string_view kNames[] = {"loss",       "head",         "backward",
                                         "dequantize", "backward-end", "step"};
  static_assert(std::size(kNames) == kPhases);
  return kNames[static_cast<std::size_t>(phase)];
}

void addTerm(Terms& terms, const Term& term) {
  const bool nothing = term.fixed == Count(0) && term.perToken == Count(0) &&
                       term.perScore == Count(0) && term.perLive == Count(0);
  if (!nothing) terms.push_back(term);
}

void addPerElement(Terms& terms, const PerElement& amount) {
  if (amount.elements == Count(0) || amount.bytes == Count(0)) return;
  Term term;
  term.component = amount.component;
  term.where = amount.where;
  term.phases = amount.phases;
  term.span = amount.span;
  term.steady = amount.steady;
  term.fixed = amount.bytes.ceilDiv(amount.cut);
  term.formula = amount.cut == Count(1) ? "P * bytes" : "P * bytes / N";
  term.inputs.add("P", amount.elements);
  term.inputs.add("bytes", amount.bytes.toDouble() / amount.elements.toDouble());
  if (amount.cut != Count(1)) term.inputs.add("N", amount.cut);
  term.source = amount.source;
  term.note = amount.note;
  addTerm(terms, term);
}

}  // namespace memfit
