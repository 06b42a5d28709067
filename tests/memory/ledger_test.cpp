// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/ledger.h"

#include <gtest/gtest.h>

#include <cmath>

namespace memfit {
namespace {

Entry entry(Component component, Band bytes, Where where = Where::kDevice) {
  return {.component = component,
          .where = where,
          .bytes = bytes,
          .formula = "1",
          .inputs = {},
          .source = "test"};
}

TEST(Ledger, TotalsAreSumsOverEntries) {
  Ledger ledger;
  ledger.add(entry(Component::kWeights, Band::exact(10)));
  ledger.add(entry(Component::kWeights, {1, 2, 4}));
  ledger.add(entry(Component::kWeights, Band::exact(7), Where::kHost));
  ledger.add(entry(Component::kKvCache, Band::exact(0)));  // left out
  EXPECT_EQ(ledger.entries().size(), 3u);
  EXPECT_EQ(ledger.total(Where::kDevice), (Band{11, 12, 14}));
  EXPECT_EQ(ledger.total(Where::kHost), Band::exact(7));
  EXPECT_EQ(ledger.total(Component::kWeights), (Band{11, 12, 14}));
  EXPECT_EQ(ledger.total(Component::kWeights, Where::kHost), Band::exact(7));
  EXPECT_EQ(ledger.overflowed(), nullptr);
  ledger.add(entry(Component::kLogits, Band::exact(Count::overflow())));
  EXPECT_EQ(ledger.overflowed()->component, Component::kLogits);
}

TEST(Formula, KnowsTheGrammar) {
  const Input inputs[] = {{"P", 7e9}, {"bits", 4}, {"kv_heads", 8}};
  EXPECT_EQ(evaluateFormula("P * bits / 8", inputs), 3.5e9);
  EXPECT_EQ(evaluateFormula("1 + 2 * 3 - 4 / 2", {}), 5);
  EXPECT_EQ(evaluateFormula("(1 + 2) * 3", {}), 9);
  EXPECT_EQ(evaluateFormula("2 * (kv_heads + 0.5)", inputs), 17);
  EXPECT_EQ(evaluateFormula("min(3, bits) + max(3, bits)", inputs), 7);
  EXPECT_EQ(evaluateFormula("ceil(10 / 4) + pad(257, 256)", {}), 515);
}

TEST(Formula, WhatCannotBeReadIsNoNumber) {
  for (const char* text :
       {"", "1 +", "(1", "1)", "Q", "min(1)", "min(1, 2", "sin(1)", "1 2", "* 2", "ceil(1, 2)"}) {
    EXPECT_TRUE(std::isnan(evaluateFormula(text, {}))) << text;
  }
  EXPECT_TRUE(std::isnan(evaluateFormula(std::string(1000, '('), {})));
}

}  // namespace
}  // namespace memfit
