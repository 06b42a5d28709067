// memfit - SPDX-License-Identifier: Apache-2.0
//
// Every word of every choice field, in every task: an amount with its reasons, or a clear error.
// The words are those of the table of fields, so a new one is asked here by being written there.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "base/text.h"
#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {
namespace {

void expectReasons(const Ledger& ledger, const std::string& url) {
  for (const Entry& entry : ledger.entries()) {
    const double expected = entry.bytes.expected.toDouble();
    EXPECT_FALSE(entry.bytes.overflowed()) << url << ": " << entry.formula;
    EXPECT_LE(entry.bytes.low, entry.bytes.expected) << url << ": " << entry.formula;
    EXPECT_LE(entry.bytes.expected, entry.bytes.high) << url << ": " << entry.formula;
    EXPECT_FALSE(entry.source.empty()) << url << ": " << entry.formula;
    EXPECT_NEAR(evaluateFormula(entry.formula, entry.inputs.items()), expected,
                std::max(expected * 0.001, 4096.0))
        << url << ": " << componentName(entry.component) << " = " << entry.formula;
  }
}

void expectAnswer(const std::string& url) {
  const DecodedQuery decoded = decodeUrl(url);
  EXPECT_TRUE(decoded.notices.empty()) << url << ": " << decoded.notices.front().message;
  const Result<Report> report = estimate(decoded.query, kGiB * 80);
  if (!report) {
    EXPECT_FALSE(report.error().message.empty()) << url;
    EXPECT_FALSE(report.error().field.empty()) << url << ": " << report.error().message;
    return;
  }
  EXPECT_FALSE(report->perDevice.overflowed()) << url;
  EXPECT_GT(report->total.high, Bytes(0)) << url;
  EXPECT_LE(report->perDevice.low, report->perDevice.expected) << url;
  EXPECT_LE(report->perDevice.expected, report->perDevice.high) << url;
  expectReasons(report->ledger, url);
  for (const Phase& phase : report->phases) expectReasons(phase.ledger, url);
}

TEST(EveryWord, GivesAnAmountWithItsReasonsOrAClearError) {
  std::size_t asked = 0;
  for (const Field& field : fields()) {
    if (field.kind != Kind::kChoice || field.key == Key::kTask) continue;
    for (const std::string_view word : field.values) {
      for (const std::string_view task : fieldOf(Key::kTask).values) {
        for (const char* model : {"llama-3.1-8b", "mixtral-8x7b", "deepseek-v2-lite"}) {
          expectAnswer(cat("model=", model, "&task=", task, "&", field.name, "=", word));
          ++asked;
        }
      }
    }
  }
  EXPECT_GT(asked, 1000u);
}

// What is decided by two words at once: who trains, and how.
TEST(EveryWord, OfTrainersIsAskedWithEveryOtherWordOfTraining) {
  for (const std::string_view trainer : fieldOf(Key::kTrainer).values) {
    for (const Field& field : fields()) {
      const bool training = field.reads.training.has(Method::kArchitecture);
      if (field.kind != Kind::kChoice || !training || field.key == Key::kTrainer) continue;
      for (const std::string_view word : field.values) {
        for (const char* task : {"full", "qlora"}) {
          expectAnswer(cat("model=qwen3-30b-a3b&dp=2&zero=3&task=", task, "&trainer=", trainer, "&",
                           field.name, "=", word));
        }
      }
    }
  }
}

}  // namespace
}  // namespace memfit
