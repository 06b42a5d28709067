// memfit - SPDX-License-Identifier: Apache-2.0
//
// The golden numbers of the three published rules: shared/facts/published_rules.md, re-derived
// there from the write-ups that src/memory/pai.cpp, per_billion.cpp and karakuri.cpp name
// (2026-11-29).
#include <gtest/gtest.h>

#include "ask.h"
#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {
namespace {

std::uint64_t bytesOf(const Report& report, Component component) {
  return report.ledger.total(component).expected.value();
}

std::uint64_t totalOf(const char* url) { return reportFor(url).total.expected.value(); }

// The shape of karakuri-lm-70b-v0.1.
#define KARAKURI                                                                               \
  "method=karakuri&model=custom&layers=80&hidden=8192&heads=64&kv_heads=8&intermediate=28672&" \
  "vocab=45416&tied=false"

TEST(Pai, InferenceOf7B) {
  const Report report = reportFor("task=inference&method=pai&params=7&seq=2048");
  EXPECT_EQ(bytesOf(report, Component::kWeights), 14000000000u);
  EXPECT_EQ(bytesOf(report, Component::kActivations), 1400000000u);
  EXPECT_EQ(bytesOf(report, Component::kKvCache), 1400000000u);
  EXPECT_EQ(bytesOf(report, Component::kFramework), 2000000000u);
  EXPECT_EQ(report.total.expected.value(), 18800000000u);
  EXPECT_EQ(report.total.low.value(), 17800000000u);  // "other" is 1 to 2 GB
  EXPECT_EQ(report.ledger.entries().size(), 4u);
  EXPECT_TRUE(report.notices.empty());
}

TEST(Pai, InferenceIn8And4Bits) {
  EXPECT_EQ(totalOf("method=pai&params=7&seq=2048&weights=int8"), 11800000000u);
  EXPECT_EQ(totalOf("method=pai&params=7&seq=2048&weights=fp8"), 11800000000u);
  EXPECT_EQ(totalOf("method=pai&params=7&seq=2048&weights=nf4"), 8300000000u);
  EXPECT_EQ(totalOf("method=pai&params=7&seq=2048&weights=q4_k_m"), 8300000000u);
  EXPECT_EQ(totalOf("method=pai&params=7&seq=2048&weights=fp32"), 32800000000u);
}

TEST(Pai, ScalesWithBatchLengthAndConcurrency) {
  const Report report = reportFor("method=pai&params=7&seq=4096&batch=2&concurrency=3");
  EXPECT_EQ(bytesOf(report, Component::kActivations), 5600000000u);  // x2 x2
  EXPECT_EQ(bytesOf(report, Component::kKvCache), 16800000000u);     // x2 x2 x3
}

TEST(Pai, MixturesHoldAllAndComputeWithTheActive) {
  const Report r1 = reportFor("method=pai&params=671&active=37&seq=2048");
  EXPECT_EQ(bytesOf(r1, Component::kWeights), 1342000000000u);
  EXPECT_EQ(bytesOf(r1, Component::kActivations), 7400000000u);
  EXPECT_EQ(bytesOf(r1, Component::kKvCache), 7400000000u);
  ASSERT_EQ(r1.notices.size(), 1u);  // the reading of A for the cache
  EXPECT_EQ(r1.notices[0].code, NoticeCode::kAssumption);

  const Report qwen = reportFor("method=pai&params=235&active=22&seq=2048");
  EXPECT_EQ(bytesOf(qwen, Component::kWeights), 470000000000u);
  EXPECT_EQ(bytesOf(qwen, Component::kActivations), 4400000000u);
}

TEST(Pai, FullFineTuningOf7B) {
  const Report report = reportFor("task=full&method=pai&params=7&seq=2048");
  EXPECT_EQ(bytesOf(report, Component::kWeights), 14000000000u);
  EXPECT_EQ(bytesOf(report, Component::kGradients), 14000000000u);
  EXPECT_EQ(bytesOf(report, Component::kOptimizer), 56000000000u);
  EXPECT_EQ(bytesOf(report, Component::kActivations), 1400000000u);
  EXPECT_EQ(bytesOf(report, Component::kFramework), 2000000000u);
  EXPECT_EQ(bytesOf(report, Component::kKvCache), 0u);
  EXPECT_EQ(report.total.expected.value(), 87400000000u);
}

TEST(Pai, LoraOf7BIsABand) {
  const Report report = reportFor("task=lora&method=pai&params=7&seq=2048");
  EXPECT_EQ(bytesOf(report, Component::kWeights), 14000000000u);
  EXPECT_EQ(bytesOf(report, Component::kGradients), 140000000u);
  EXPECT_EQ(bytesOf(report, Component::kOptimizer), 560000000u);
  EXPECT_EQ(report.total.expected.value(), 18100000000u);
  EXPECT_EQ(report.ledger.total(Component::kGradients).low.value(), 14000000u);
  EXPECT_EQ(report.ledger.total(Component::kOptimizer).low.value(), 56000000u);
  EXPECT_EQ(report.total.high, report.total.expected);
}

TEST(Pai, QloraOf7B) {
  EXPECT_EQ(totalOf("task=qlora&method=pai&params=7&seq=2048&weights=int8"), 11100000000u);
  EXPECT_EQ(totalOf("task=qlora&method=pai&params=7&seq=2048"), 7600000000u);
}

TEST(Pai, OptimizerStateOf7B) {
  struct Row {
    const char* optimizer;
    std::uint64_t full, lora;
  };
  for (const Row& row :
       {Row{"sgd", 0, 0}, Row{"momentum", 28000000000, 280000000},
        Row{"rmsprop", 28000000000, 280000000}, Row{"adam", 56000000000, 560000000},
        Row{"adamw", 56000000000, 560000000}}) {
    const std::string rest = std::string("&method=pai&params=7&optimizer=") + row.optimizer;
    EXPECT_EQ(bytesOf(reportFor(("task=full" + rest).c_str()), Component::kOptimizer), row.full);
    EXPECT_EQ(bytesOf(reportFor(("task=lora" + rest).c_str()), Component::kOptimizer), row.lora);
  }
}

TEST(Pai, AnOptimizerOutsideTheRuleIsNoticed) {
  const Report report = reportFor("task=full&method=pai&params=7&optimizer=muon");
  EXPECT_EQ(bytesOf(report, Component::kOptimizer), 56000000000u);
  ASSERT_EQ(report.notices.size(), 1u);
  EXPECT_EQ(report.notices[0].field, "optimizer");
  EXPECT_EQ(report.notices[0].given, "muon");
}

TEST(PerBillion, TheTable) {
  // Given as "about": 4, 6, 9, 17, 31 for LoRA and 10, 22, 40, 88, 172 for full.
  EXPECT_EQ(totalOf("task=lora&method=per-billion&params=0.5"), 4000000000u);
  EXPECT_EQ(totalOf("task=lora&method=per-billion&params=1.5"), 6000000000u);
  EXPECT_EQ(totalOf("task=lora&method=per-billion&params=3"), 9000000000u);
  EXPECT_EQ(totalOf("task=lora&method=per-billion&params=7"), 17000000000u);
  EXPECT_EQ(totalOf("task=lora&method=per-billion&params=14"), 31000000000u);
  EXPECT_EQ(totalOf("task=full&method=per-billion&params=0.5"), 10000000000u);
  EXPECT_EQ(totalOf("task=full&method=per-billion&params=1.5"), 22000000000u);
  EXPECT_EQ(totalOf("task=full&method=per-billion&params=3"), 40000000000u);
  EXPECT_EQ(totalOf("task=full&method=per-billion&params=7"), 88000000000u);
  EXPECT_EQ(totalOf("task=full&method=per-billion&params=14"), 172000000000u);
}

TEST(PerBillion, TwelveAndSixteenBytesAWeight) {
  EXPECT_EQ(totalOf("task=full&method=per-billion&params=7&recipe=bf16"), 88000000000u);
  const Report mixed = reportFor("task=full&method=per-billion&params=7&recipe=mixed");
  EXPECT_EQ(bytesOf(mixed, Component::kMasterWeights), 28000000000u);
  EXPECT_EQ(mixed.total.expected.value(), 116000000000u);
}

TEST(PerBillion, QloraIsOurLine) {
  EXPECT_EQ(totalOf("task=qlora&method=per-billion&params=8"), 9000000000u);
  EXPECT_EQ(totalOf("task=qlora&method=per-billion&params=27"), 22300000000u);
  EXPECT_EQ(totalOf("task=qlora&method=per-billion&params=32"), 25800000000u);
}

TEST(PerBillion, SaysNothingAboutInference) {
  const Report report = reportFor("task=inference&method=per-billion&params=7");
  EXPECT_NE(report.method, Method::kPerBillion);
  ASSERT_FALSE(report.notices.empty());
  EXPECT_EQ(report.notices[0].code, NoticeCode::kNotApplicable);
  EXPECT_EQ(report.notices[0].field, "method");
}

TEST(Karakuri, CountsTheLayers) {
  const Report report = reportFor(KARAKURI "&seq=50");
  EXPECT_EQ(report.parameters.value(), 69196455936u);
  // 131,982 MiB
  EXPECT_EQ(bytesOf(report, Component::kWeights), 138392911872u);
  // 50 tokens: 4.3 MiB of logits, 125 MiB of keys and values
  EXPECT_EQ(bytesOf(report, Component::kLogits), 4541600u);
  EXPECT_EQ(bytesOf(report, Component::kKvCache), 131072000u);
  EXPECT_EQ(report.kv.bytesPerToken.value(), 2621440u);
}

TEST(Karakuri, Training) {
  const Report report = reportFor(KARAKURI "&task=full&batch=8&seq=1024");
  // 386 GiB of weights, gradients and one moment; 41 GiB of intermediate values and gradients
  EXPECT_EQ(bytesOf(report, Component::kWeights) + bytesOf(report, Component::kGradients) +
                bytesOf(report, Component::kOptimizer),
            415178735616u);
  EXPECT_EQ(bytesOf(report, Component::kActivations), 44437864448u);
  EXPECT_EQ((report.total.expected + kGiB - 1).value() / kGiB.value(), 429u);
}

TEST(Karakuri, SaysNothingAboutAdapters) {
  EXPECT_EQ(reportFor("task=lora&method=karakuri&params=7").notices[0].field, "method");
}

TEST(Methods, FieldsWithoutEffectAreNoticed) {
  const Report report = reportFor("method=pai&params=7&ubatch=256");
  ASSERT_EQ(report.notices.size(), 1u);
  EXPECT_EQ(report.notices[0].code, NoticeCode::kNoEffect);
  EXPECT_EQ(report.notices[0].field, "ubatch");
  EXPECT_EQ(report.notices[0].given, "256");
}

TEST(Methods, AmountsBeyondCountingAreAnError) {
  const auto report =
      estimate(decodeUrl("method=pai&params=100000&seq=100000000&batch=1000000").query);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::kOverflow);
  EXPECT_EQ(report.error().field, "activations");
}

TEST(Methods, EveryFormulaGivesItsAmount) {
  for (const char* url :
       {"method=pai&params=7&seq=3000&batch=3&concurrency=5&weights=int8",
        "task=full&method=pai&params=13", "task=lora&method=pai&params=671&active=37",
        "task=qlora&method=pai&params=7", "task=lora&method=per-billion&params=7",
        "task=qlora&method=per-billion&params=7", "task=full&method=per-billion&params=7",
        "task=full&method=per-billion&params=7&recipe=mixed", KARAKURI "&seq=50",
        KARAKURI "&task=full&batch=8"}) {
    const Report report = reportFor(url);
    EXPECT_FALSE(report.ledger.entries().empty());
    for (const Entry& entry : report.ledger.entries()) {
      EXPECT_NEAR(evaluateFormula(entry.formula, entry.inputs.items()),
                  entry.bytes.expected.toDouble(), 1.0)
          << url << ": " << entry.formula;
      EXPECT_FALSE(entry.source.empty());
      EXPECT_LE(entry.bytes.low, entry.bytes.expected);
      EXPECT_LE(entry.bytes.expected, entry.bytes.high);
    }
  }
}

TEST(Compare, AsksEveryMethodAndSaysWhereTheyPart) {
  const auto comparisons = compare(decodeUrl("task=full&params=7&seq=2048").query);
  ASSERT_TRUE(comparisons.ok());
  std::size_t covering = 0;
  for (const Comparison& comparison : comparisons->methods) {
    if (comparison.covers) ++covering;
    if (comparison.method->method == Method::kPai) {
      EXPECT_EQ(comparison.report.total.expected.value(), 87400000000u);
    }
    if (comparison.method->method == Method::kPerBillion) {
      EXPECT_EQ(comparison.report.total.expected.value(), 88000000000u);
    }
  }
  EXPECT_GE(covering, 3u);
  EXPECT_GE(comparisons->differences.size(), covering - 1);
  for (const Difference& difference : comparisons->differences) {
    EXPECT_FALSE(difference.reason.empty());
    EXPECT_NE(difference.here, difference.there);
  }
}

// The cache of 50 tokens: 125 MiB by the published rule, 15.625 MiB by the model's own 8 KV heads.
TEST(Compare, SaysWhyTheRulesCacheOfKarakuriIsEightTimesTooLarge) {
  const auto comparisons = compare(decodeUrl("model=karakuri-lm-70b&seq=50").query);
  ASSERT_TRUE(comparisons.ok());
  bool found = false;
  for (const Difference& difference : comparisons->differences) {
    if (difference.method != Method::kKarakuri || difference.component != Component::kKvCache) {
      continue;
    }
    found = true;
    EXPECT_EQ(difference.here.value(), 131072000u);
    EXPECT_EQ(difference.there.value(), 16384000u);
    EXPECT_NE(difference.reason.find("hidden size for keys and values"), std::string_view::npos);
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace memfit
