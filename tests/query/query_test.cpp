// memfit - SPDX-License-Identifier: Apache-2.0
#include "query/query.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "base/text.h"
#include "query/query_io.h"

namespace memfit {
namespace {

// That each choice has a word for each value of its enum holds at compile time.
TEST(Fields, NamesAndWordsAreGivenOnce) {
  std::set<std::string_view> names;
  for (const Field& field : fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_EQ(findField(field.name), &field);
    EXPECT_EQ(field.values.empty(), field.kind != Kind::kChoice) << field.name;
    const std::set<std::string_view> words(field.values.begin(), field.values.end());
    EXPECT_EQ(words.size(), field.values.size()) << field.name;
  }
}

TEST(Fields, ThePageHasEachOnceGroupByGroup) {
  std::string page;
  Group group = Group::kCount;
  for (const Key key : pageOrder()) {
    const Field& field = fieldOf(key);
    if (field.group == Group::kShape || field.group == Group::kTraining) continue;
    if (field.group != group) page += cat(page.empty() ? "" : "\n", groupName(field.group), ":");
    group = field.group;
    page += cat(" ", field.name);
  }
  EXPECT_EQ(page,
            "model: task model params active weights\n"
            "workload: seq batch concurrency engine trainer method\n"
            "device: device count\n"
            "cache: kv kv_k kv_v draft vision\n"
            "parallel: tp pp ep cp dp zero sequence_parallel\n"
            "engine: utilization batched_tokens max_seqs graphs gpu_layers cpu_moe ubatch "
            "slots windows latent release\n"
            "deviceMore: reserve unified ecc\n"
            "page: lang theme units view");
  EXPECT_EQ(pageOrder().size(), kKeyCount);
}

TEST(Fields, EachTextIsHeldApart) {
  Query query;
  for (const Field& field : fields()) {
    if (field.kind == Kind::kText || field.kind == Kind::kDocument) {
      query.setText(field.key, field.name);
    }
  }
  EXPECT_EQ(query.text(Key::kModel), "model");
  EXPECT_EQ(query.text(Key::kTargets), "targets");
  EXPECT_EQ(query.text(Key::kDevice), "device");
  EXPECT_EQ(query.text(Key::kRelease), "release");
  EXPECT_EQ(query.text(Key::kConfig), "config");
}

TEST(Query, AnotherModelLeavesNothingOfTheOneBefore) {
  Query query = decodeUrl(
                    "task=lora&model=qwen3-8b&params=7&active=2&layers=3&tied=true&"
                    "v_head_dim=64&weights=nf4&seq=512&count=2")
                    .query;
  query.setText(Key::kConfig, "{}");
  forgetModel(query);
  EXPECT_EQ(encodeJson(query), R"({"task":"lora","weights":"nf4","seq":512,"count":2})");
}

TEST(Fields, HaveTheControlOfTheirKindUnlessTheySayAnother) {
  EXPECT_EQ(fieldOf(Key::kEngine).control, Control::kSelect);
  EXPECT_EQ(fieldOf(Key::kDora).control, Control::kSwitch);
  EXPECT_EQ(fieldOf(Key::kUtilization).control, Control::kEntry);
  EXPECT_EQ(fieldOf(Key::kRank).control, Control::kEntry);
  EXPECT_EQ(fieldOf(Key::kTp).control, Control::kStepper);
  EXPECT_EQ(fieldOf(Key::kSeq).control, Control::kDoubling);
  EXPECT_EQ(fieldOf(Key::kDevice).control, Control::kOwn);
}

TEST(Fields, WordsStandWhereTheirEnumSays) {
  const auto word = [](Key key, auto value) {
    return fieldOf(key).values[static_cast<std::size_t>(value)];
  };
  EXPECT_EQ(word(Key::kTask, Task::kQlora), "qlora");
  EXPECT_EQ(word(Key::kMethod, Method::kKarakuri), "karakuri");
  EXPECT_EQ(word(Key::kEngine, Engine::kLlamaCpp), "llama.cpp");
  EXPECT_EQ(word(Key::kWeights, WeightFormat::kNvfp4), "nvfp4");
  EXPECT_EQ(word(Key::kWeights, WeightFormat::kQ8_0), "q8_0");
  EXPECT_EQ(word(Key::kWeights, WeightFormat::kQ5KM), "q5_k_m");
  EXPECT_EQ(word(Key::kWeights, WeightFormat::kQ4KM), "q4_k_m");
  EXPECT_EQ(word(Key::kWeights, WeightFormat::kQ2K), "q2_k");
  EXPECT_EQ(word(Key::kWeights, WeightFormat::kIq3Xxs), "iq3_xxs");
  EXPECT_EQ(word(Key::kWeights, WeightFormat::kIq1S), "iq1_s");
  EXPECT_EQ(word(Key::kWeights, WeightFormat::kMxfp4Moe), "mxfp4_moe");
  EXPECT_EQ(word(Key::kWeights, WeightFormat::kMlx8), "mlx8");
  EXPECT_EQ(word(Key::kKv, KvFormat::kIq4Nl), "iq4_nl");
  EXPECT_EQ(word(Key::kOptimizer, Optimizer::kAdafactor), "adafactor");
  EXPECT_EQ(word(Key::kTrainer, Trainer::kUnsloth), "unsloth");
}

TEST(Fields, EveryFieldIsNamedExplainedAndFound) {
  for (const Field& field : fields()) {
    EXPECT_EQ(findField(field.name), &field);
    EXPECT_TRUE(field.help.ends_with('.')) << field.name;
    if (field.kind == Kind::kInteger || field.kind == Kind::kReal) {
      EXPECT_LT(field.min, field.max) << field.name;
      EXPECT_FALSE(field.unit.empty()) << field.name;
      if (field.fallback != kUnset) {
        EXPECT_GE(field.fallback, field.min) << field.name;
        EXPECT_LE(field.fallback, field.max) << field.name;
      }
    }
  }
  EXPECT_EQ(findField("sequence"), nullptr);
}

TEST(Query, AbsentFieldsAnswerWithTheirDefault) {
  const Query query;
  EXPECT_FALSE(query.has(Key::kSeq));
  EXPECT_EQ(query.count(Key::kSeq).value(), 4096u);
  EXPECT_EQ(query.task(), Task::kInference);
  EXPECT_EQ(query.number(Key::kParams), kUnset);
  EXPECT_EQ(query.count(Key::kParams).value(), 0u);
  EXPECT_EQ(query.text(Key::kModel), "");
  EXPECT_EQ(query.amount(Key::kReserve), (Amount{false, 0}));
}

TEST(Query, SomeDefaultsDependOnOtherFields) {
  Query query;
  EXPECT_EQ(query.choice<WeightFormat>(Key::kWeights), WeightFormat::kBf16);
  query.set(Key::kTask, Task::kQlora);
  EXPECT_EQ(query.choice<WeightFormat>(Key::kWeights), WeightFormat::kNf4);
  EXPECT_EQ(query.choice<Recipe>(Key::kRecipe), Recipe::kMixed);
  query.set(Key::kMethod, Method::kPerBillion);
  EXPECT_EQ(query.choice<Recipe>(Key::kRecipe), Recipe::kBf16);
}

TEST(QueryUrl, ReadsWhatItWrites) {
  const DecodedQuery decoded = decodeUrl(
      "?task=lora&params=7.5&seq=2048&model=meta-llama%2FLlama%203&reserve=5%25&tied=true");
  EXPECT_TRUE(decoded.notices.empty());
  EXPECT_EQ(decoded.query.number(Key::kParams), 7500000000);
  EXPECT_EQ(decoded.query.text(Key::kModel), "meta-llama/Llama 3");
  EXPECT_EQ(decoded.query.amount(Key::kReserve), (Amount{true, 50000}));
  EXPECT_EQ(encodeUrl(decoded.query),
            "task=lora&model=meta-llama/Llama%203&params=7.5&tied=true&seq=2048&reserve=5%25");
  EXPECT_EQ(decodeUrl(encodeUrl(decoded.query)).query, decoded.query);
}

TEST(QueryUrl, LeavesDefaultsOut) {
  EXPECT_EQ(encodeUrl(decodeUrl("task=inference&seq=4096&batch=1&gpu_layers=all&units=GB").query),
            "");
  // mixed is the default of most methods, but not of per-billion: there it must survive.
  EXPECT_EQ(encodeUrl(decodeUrl("method=per-billion&recipe=mixed").query),
            "method=per-billion&recipe=mixed");
  EXPECT_EQ(encodeUrl(decodeUrl("task=qlora&weights=nf4").query), "task=qlora");
  EXPECT_EQ(encodeUrl(decodeUrl("task=qlora&weights=bf16").query), "task=qlora&weights=bf16");
}

TEST(QueryUrl, EveryProblemIsNoticedAndTheRestIsRead) {
  const DecodedQuery decoded =
      decodeUrl("tsk=lora&task=training&seq=0&batch=1.5&params=x&concurrency=8&reserve=5C&tied=2");
  ASSERT_EQ(decoded.notices.size(), 7u);
  EXPECT_EQ(decoded.notices[0].code, NoticeCode::kUnknownKey);
  EXPECT_EQ(decoded.notices[0].field, "tsk");
  EXPECT_EQ(decoded.notices[0].given, "lora");
  EXPECT_EQ(decoded.notices[1].code, NoticeCode::kUnknownValue);
  EXPECT_EQ(decoded.notices[1].accepted, "inference, full, lora or qlora");
  EXPECT_EQ(decoded.notices[2].code, NoticeCode::kOutOfRange);
  EXPECT_EQ(decoded.notices[2].accepted, "whole numbers from 1 to 100000000 tokens");
  EXPECT_EQ(decoded.notices[3].code, NoticeCode::kUnknownValue);
  EXPECT_EQ(decoded.notices[4].field, "params");
  EXPECT_EQ(decoded.notices[5].field, "reserve");
  EXPECT_EQ(decoded.notices[6].accepted, "true or false");
  EXPECT_EQ(decoded.query.count(Key::kConcurrency).value(), 8u);
  EXPECT_EQ(decoded.query.count(Key::kSeq).value(), 4096u);
}

TEST(QueryUrl, DegenerateTexts) {
  EXPECT_EQ(decodeUrl("").query, Query());
  EXPECT_EQ(decodeUrl("&&&").query, Query());
  EXPECT_EQ(decodeUrl("=").notices.size(), 1u);
  EXPECT_EQ(decodeUrl("seq").notices.size(), 1u);
  EXPECT_EQ(decodeUrl("seq=%zz").notices.size(), 1u);
  EXPECT_EQ(decodeUrl("seq=1&seq=2").query.count(Key::kSeq).value(), 2u);
  EXPECT_EQ(decodeUrl("seq=1e3").query.count(Key::kSeq).value(), 1000u);
  EXPECT_EQ(decodeUrl("seq=1e300").notices[0].code, NoticeCode::kUnknownValue);
  EXPECT_EQ(decodeUrl("seq=99999999999").notices[0].code, NoticeCode::kOutOfRange);
  EXPECT_EQ(decodeUrl(std::string(100000, 'x')).notices.size(), 2u);
}

TEST(QueryUrl, AmountsKeepTheirUnit) {
  const auto roundTrip = [](const char* text) {
    Query query;
    Notices notices;
    setFromText(query, fieldOf(Key::kReserve), text, notices);
    return notices.empty() ? valueText(query, fieldOf(Key::kReserve)) : "refused";
  };
  EXPECT_EQ(roundTrip("2GB"), "2GB");
  EXPECT_EQ(roundTrip("512 MiB"), "512MiB");
  EXPECT_EQ(roundTrip("1.5gib"), "1536MiB");
  EXPECT_EQ(roundTrip("1073741824"), "1GiB");
  EXPECT_EQ(roundTrip("12.5%"), "12.5%");
  EXPECT_EQ(roundTrip("7"), "7B");
  EXPECT_EQ(roundTrip("101%"), "refused");
  EXPECT_EQ(roundTrip("-1GB"), "refused");
  EXPECT_EQ(roundTrip("GB"), "refused");
}

TEST(QueryJson, TakesNumbersAndTheirTexts) {
  const auto decoded =
      decodeJson(R"({"task":"full","params":0.5,"seq":"8192","tied":true,"engine":null})");
  ASSERT_TRUE(decoded.ok());
  EXPECT_TRUE(decoded->notices.empty());
  EXPECT_EQ(decoded->query.number(Key::kParams), 500000000);
  EXPECT_EQ(encodeJson(decoded->query), R"({"task":"full","params":0.5,"tied":true,"seq":8192})");
}

TEST(QueryJson, ConfigMayBeTextOrObject) {
  const auto fromObject = decodeJson(R"({"config":{"hidden_size":64,"rope_theta":1e6}})");
  ASSERT_TRUE(fromObject.ok());
  EXPECT_EQ(fromObject->query.text(Key::kConfig), R"({"hidden_size":64,"rope_theta":1000000.0})");
  const auto fromText = decodeJson(R"({"config":"{\"hidden_size\":64}"})");
  EXPECT_EQ(fromText->query.text(Key::kConfig), R"({"hidden_size":64})");
}

TEST(QueryJson, RefusesWhatIsNoObject) {
  for (const char* text : {"", "{", "[]", "5", "nul", "{\"seq\":}", "{\"seq\":1} x"}) {
    const auto decoded = decodeJson(text);
    ASSERT_FALSE(decoded.ok()) << text;
    EXPECT_EQ(decoded.error().code, ErrorCode::kBadJson);
  }
  EXPECT_FALSE(decodeJson(std::string(200, '[')).ok());
  EXPECT_EQ(decodeJson(R"({"seq":[1]})")->notices[0].code, NoticeCode::kUnknownValue);
  EXPECT_EQ(decodeJson(R"({"sequence":1})")->notices[0].code, NoticeCode::kUnknownKey);
}

}  // namespace
}  // namespace memfit
