// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the rows of the table say about who reads a field, held against the estimator: a field that
// is said to be idle never moves an answer, and one that is said to matter moves some answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "bindings/json_report.h"
#include "device/fit.h"
#include "query/matters.h"
#include "query/query_io.h"

namespace memfit {
namespace {

// The same queries in every run: xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
class Dice {
 public:
  std::size_t roll(std::size_t sides) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::size_t>(state_ % sides);
  }
  template <typename List>
  auto pick(const List& list) {
    return list[roll(std::size(list))];
  }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15;
};

// Dense, windowed, latent, recurrent and hybrid models, of experts, with towers and with
// next-token-prediction layers.
constexpr std::string_view kModels[] = {"llama-3.1-8b",  "gemma-3-27b", "gpt-oss-20b",
                                        "deepseek-v3",   "mamba-2.8b",  "qwen2.5-vl-7b",
                                        "llama-4-scout", "qwen3-0.6b",  "glm-4.5-air"};
constexpr std::string_view kDevices[] = {"h100-80-sxm", "rtx-4090", "24GB", "apple-m1-pro-32",
                                         "l40s",        "a40",      "80GB", ""};

std::string anyValue(const Field& field, Dice& dice) {
  switch (field.kind) {
    case Kind::kChoice: return std::string(dice.pick(field.values));
    case Kind::kInteger: {
      constexpr std::int64_t kSome[] = {0, 1, 2, 3, 4, 8, 20, 64, 512, 2048, 16384};
      return std::to_string(std::clamp(dice.pick(kSome), field.min, field.max));
    }
    case Kind::kReal: {
      constexpr std::string_view kSome[] = {"0.1", "0.5", "0.9", "3", "30"};
      return std::string(dice.pick(kSome));
    }
    case Kind::kFlag: return dice.roll(2) == 0 ? "true" : "false";
    case Kind::kAmount: return dice.roll(2) == 0 ? "2GB" : "10%";
    case Kind::kText: {
      constexpr std::string_view kTargets[] = {"all-linear", "attention", "q,v"};
      constexpr std::string_view kReleases[] = {"0.6", "0.19", "0.21", "b5000", "b5300", "b9867"};
      if (field.key == Key::kRelease) return std::string(dice.pick(kReleases));
      if (field.key == Key::kModel) return std::string(dice.pick(kModels));
      if (field.key == Key::kDevice) return std::string(dice.pick(kDevices));
      return std::string(dice.pick(kTargets));
    }
    case Kind::kDocument: break;
  }
  return R"({"model_type":"llama","hidden_size":1024,"num_hidden_layers":4,)"
         R"("num_attention_heads":8,"vocab_size":1000,"intermediate_size":2048})";
}

void setAny(Query& query, Key key, Dice& dice) {
  Notices refused;
  setFromText(query, fieldOf(key), anyValue(fieldOf(key), dice), refused);
}

// Every field now and then, on top of what is given; dimensions of the model seldom.
Query anyQuery(Query query, Dice& dice) {
  query.setText(Key::kModel, dice.pick(kModels));
  for (const Field& field : fields()) {
    if (field.kind == Kind::kDocument || field.group == Group::kPage) continue;
    if (query.has(field.key) || dice.roll(field.group == Group::kShape ? 60 : 6) != 0) continue;
    setAny(query, field.key, dice);
  }
  if (dice.roll(3) == 0) query.clear(Key::kModel);
  return query;
}

// Everything that is answered except what repeats the question.
std::string answered(const Query& query) {
  const Result<Answer> result = answer(query);
  if (!result) return cat("error: ", result.error().message);
  Answer told = *result;
  Notices kept;
  for (const Notice& notice : told.report.notices) {
    if (notice.code != NoticeCode::kNoEffect) kept.push_back(notice);
  }
  told.report.notices = std::move(kept);
  told.report.query = Query();
  told.report.engine = Engine{};
  JsonWriter json;
  writeAnswer(json, told);
  return json.take();
}

// The model says itself which of its dimensions it lacks.
std::vector<Key> noticedAsIdle(const Query& query) {
  std::vector<Key> keys;
  const Result<Answer> result = answer(query);
  if (!result) return keys;
  for (const Notice& notice : result->report.notices) {
    if (notice.code != NoticeCode::kNoEffect) continue;
    const Field& field = *findField(notice.field);
    if (field.group != Group::kShape || !matters(query, field.key)) keys.push_back(field.key);
  }
  return keys;
}

TEST(IdleFields, NeverMoveAnAnswer) {
  Dice dice;
  int asked = 0;
  for (int i = 0; i < 4000; ++i) {
    const Query query = anyQuery(Query(), dice);
    const std::string before = answered(query);
    if (before.starts_with("error")) continue;
    for (const Field& field : fields()) {
      if (matters(query, field.key) || dice.roll(6) != 0) continue;
      Query other = query;
      if (query.has(field.key) && dice.roll(2) == 0) {
        other.clear(field.key);
      } else {
        setAny(other, field.key, dice);
      }
      ++asked;
      ASSERT_EQ(answered(other), before)
          << field.name << ": " << encodeUrl(query) << " -> " << encodeUrl(other);
    }
  }
  EXPECT_GT(asked, 5000);
}

TEST(IdleFields, AreNoticedWhereTheyAreGivenAndOnlyThere) {
  Dice dice;
  for (int i = 0; i < 4000; ++i) {
    const Query query = anyQuery(Query(), dice);
    if (!answer(query).ok()) continue;
    std::vector<Key> idle;
    for (const Field& field : fields()) {
      if (query.has(field.key) && !matters(query, field.key)) idle.push_back(field.key);
    }
    ASSERT_EQ(noticedAsIdle(query), idle) << encodeUrl(query);
  }
}

// The query with what the field's row says that other settings must be.
Query withNeedMet(Query query, Key key) {
  switch (fieldOf(key).reads.need) {
    case Need::kSize: query.set(Key::kParams, std::int64_t{7000000000}); break;
    case Need::kTensorParallel: query.set(Key::kTp, 2); break;
    case Need::kQuantizedWeights:
    case Need::kNf4Weights: query.set(Key::kWeights, WeightFormat::kNf4); break;
    default: break;
  }
  return query;
}

// Whether some query on top of the given one is answered otherwise without the field, or with
// another value of it.
bool movesSomething(const Query& given, Key key, Dice& dice) {
  for (int i = 0; i < 1000; ++i) {
    Query query = anyQuery(given, dice);
    setAny(query, key, dice);
    if (!matters(query, key) || !query.has(key)) continue;
    Query other = query;
    if (dice.roll(2) == 0) {
      setAny(other, key, dice);
    } else {
      other.clear(key);
    }
    if (other != query && answered(other) != answered(query)) return true;
  }
  return false;
}

void expectEachToMove(const Query& given) {
  Dice dice;
  for (const Field& field : fields()) {
    // A test of the overrides asks each dimension; the page's own change no answer.
    if (field.group == Group::kShape || field.group == Group::kPage) continue;
    const Query met = withNeedMet(given, field.key);
    if (given.has(field.key) || !matters(met, field.key)) continue;
    EXPECT_TRUE(movesSomething(met, field.key, dice))
        << field.name << " is said to matter: " << encodeUrl(given);
  }
}

TEST(FieldsThatMatter, MoveSomeAnswerOfEveryEngine) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(Engine::kCount); ++i) {
    Query query;
    query.set(Key::kMethod, Method::kArchitecture);
    query.set(Key::kTask, Task::kInference);
    query.set(Key::kEngine, static_cast<Engine>(i));
    expectEachToMove(query);
  }
}

TEST(FieldsThatMatter, MoveSomeAnswerOfEveryTrainer) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(Trainer::kCount); ++i) {
    for (const Task task : {Task::kFull, Task::kLora, Task::kQlora}) {
      Query query;
      query.set(Key::kMethod, Method::kArchitecture);
      query.set(Key::kTask, task);
      query.set(Key::kTrainer, static_cast<Trainer>(i));
      expectEachToMove(query);
    }
  }
}

TEST(FieldsThatMatter, MoveSomeAnswerOfEveryPublishedRule) {
  for (const Method method : {Method::kPai, Method::kPerBillion, Method::kKarakuri}) {
    for (const Task task : {Task::kInference, Task::kFull, Task::kLora, Task::kQlora}) {
      if (!covers(method, task)) continue;
      Query query;
      query.set(Key::kMethod, method);
      query.set(Key::kTask, task);
      expectEachToMove(query);
    }
  }
}

// The sentences that a query is told about idle fields, one a line.
std::string idleSentences(const Query& query) {
  std::string lines;
  const Result<Answer> result = answer(query);
  for (const Notice& notice : result->report.notices) {
    if (notice.code == NoticeCode::kNoEffect) lines += notice.message + "\n";
  }
  return lines;
}

std::string idleSentences(std::string_view url) { return idleSentences(decodeUrl(url).query); }

TEST(IdleFields, OfAnotherEngineAreNamedWithTheEngine) {
  EXPECT_EQ(idleSentences("engine=vllm&gpu_layers=10&cpu_moe=3&ubatch=64"),
            "\"gpu_layers\" changes nothing: vllm does not read it.\n"
            "\"cpu_moe\" changes nothing: vllm does not read it.\n"
            "\"ubatch\" changes nothing: vllm does not read it.\n");
  EXPECT_EQ(idleSentences("engine=llama.cpp&gpu_layers=10&cpu_moe=3&ubatch=64"), "");
  EXPECT_EQ(idleSentences("engine=sglang&utilization=0.5&batched_tokens=512&max_seqs=8&graphs=off"),
            "\"max_seqs\" changes nothing: sglang does not read it.\n");
  EXPECT_EQ(idleSentences("engine=mlx&attention=eager"),
            "\"attention\" changes nothing: mlx does not read it.\n");
}

TEST(IdleFields, OfAdaptersAreNamedWhereThereAreNone) {
  EXPECT_EQ(idleSentences("task=full&rank=8&dora=true"),
            "\"rank\" changes nothing for the method architecture and the task full.\n"
            "\"dora\" changes nothing for the method architecture and the task full.\n");
  EXPECT_EQ(idleSentences("task=lora&rank=8&dora=true"), "");
  EXPECT_EQ(idleSentences("task=lora&method=per-billion&recipe=mixed"),
            "\"recipe\" changes nothing for the method per-billion and the task lora.\n");
  EXPECT_EQ(idleSentences("task=full&method=per-billion&recipe=mixed"), "");
}

TEST(IdleFields, OfAnotherTrainerAreNamedWithTheTrainer) {
  EXPECT_EQ(idleSentences("task=full&trainer=megatron&accumulation=8"),
            "\"accumulation\" changes nothing: the trainer megatron does not read it.\n");
  EXPECT_EQ(idleSentences("task=full&accumulation=8"), "");
}

TEST(IdleFields, SayWhichOtherSettingLeavesThemNothing) {
  EXPECT_EQ(idleSentences("model=llama-3.1-8b&params=70&active=5"),
            "\"params\" changes nothing: the model itself is given, not only its size.\n"
            "\"active\" changes nothing: the model is not given by its size.\n");
  EXPECT_EQ(idleSentences("params=7&layers=3"),
            "\"layers\" changes nothing: the model is known only by its size.\n");
  EXPECT_EQ(idleSentences("kv=fp8&kv_k=q8_0&kv_v=q4_0&engine=llama.cpp"),
            "\"kv\" changes nothing: kv_k and kv_v say it for both sides.\n");
  EXPECT_EQ(idleSentences("engine=llama.cpp&slots=4&concurrency=8"),
            "\"concurrency\" changes nothing: the slots are the sequences.\n");
  EXPECT_EQ(idleSentences("engine=vllm&slots=4&concurrency=8"),
            "\"slots\" changes nothing: vllm does not read it.\n");
  EXPECT_EQ(idleSentences("task=full&sequence_parallel=off"),
            "\"sequence_parallel\" changes nothing: there is no tensor parallelism.\n");
  EXPECT_EQ(idleSentences("task=full&tp=2&sequence_parallel=off"), "");
  EXPECT_EQ(idleSentences("task=lora&upcast=on&quant_experts=on&double_quant=off"),
            "\"double_quant\" changes nothing: the weights are not in nf4.\n"
            "\"quant_experts\" changes nothing: the frozen weights are not quantized.\n"
            "\"upcast\" changes nothing: the frozen weights are not quantized.\n");
  EXPECT_EQ(idleSentences("task=lora&weights=nf4&upcast=on&quant_experts=on&double_quant=off"), "");
}

TEST(IdleFields, AreWhatNamesAModelBesideItsConfig) {
  Query query = decodeUrl("model=qwen3-8b&params=7&active=2&layers=3").query;
  query.setText(Key::kConfig, R"({"model_type":"llama","hidden_size":1024,"num_hidden_layers":4,)"
                              R"("num_attention_heads":8,"vocab_size":1000,)"
                              R"("intermediate_size":2048})");
  EXPECT_EQ(idleSentences(query),
            "\"model\" changes nothing: config is the model.\n"
            "\"params\" changes nothing: the model itself is given, not only its size.\n"
            "\"active\" changes nothing: the model is not given by its size.\n");
  EXPECT_EQ(answer(query)->report.model->architecture.layerCount(), 3u);
  query.clear(Key::kModel);
  query.clear(Key::kActive);
  EXPECT_EQ(idleSentences(query),
            "\"params\" changes nothing: the model itself is given, not only its size.\n");
}

// Which formats training holds a frozen base in is said twice: here it is held together.
TEST(FieldsThatMatter, AreThoseOfQuantizedWeightsInEachFormat) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(WeightFormat::kCount); ++i) {
    const auto format = static_cast<WeightFormat>(i);
    if (format == WeightFormat::kStored) continue;  // as the checkpoint is
    Query query = decodeUrl("task=lora&model=llama-3.1-8b").query;
    query.set(Key::kWeights, format);
    Query upcast = query;
    upcast.set(Key::kUpcast, OnOffAuto::kOn);
    EXPECT_EQ(matters(query, Key::kUpcast), answered(upcast) != answered(query))
        << fieldOf(Key::kWeights).values[i];
  }
}

TEST(Methods, TheFirstAnswersWhereTheOneAskedForSaysNothing) {
  const auto method = [](std::string_view url) { return methodOf(decodeUrl(url).query); };
  EXPECT_EQ(method(""), Method::kArchitecture);
  EXPECT_EQ(method("method=pai"), Method::kPai);
  EXPECT_EQ(method("method=karakuri"), Method::kKarakuri);
  EXPECT_EQ(method("method=karakuri&task=full"), Method::kKarakuri);
  EXPECT_EQ(method("method=karakuri&task=lora"), Method::kArchitecture);
  EXPECT_EQ(method("method=karakuri&task=qlora"), Method::kArchitecture);
  EXPECT_EQ(method("method=per-billion"), Method::kArchitecture);
  EXPECT_EQ(method("method=per-billion&task=qlora"), Method::kPerBillion);
}

// They were said to change nothing, and took the spread over the devices away.
TEST(IdleFields, DoNotSpreadTheWork) {
  const auto devices = [](std::string_view url) {
    const Result<Answer> result = answer(decodeUrl(url).query);
    return result->fit ? result->fit->count.value() : result->report.devices.value();
  };
  EXPECT_EQ(devices("engine=vllm&count=2&zero=3"), 2u);
  EXPECT_EQ(devices("engine=vllm&cp=4&device=h100-80-sxm"), 1u);
  EXPECT_EQ(devices("method=pai&params=7&tp=4&device=h100-80-sxm"), 1u);
  EXPECT_EQ(devices("engine=vllm&tp=4&device=h100-80-sxm"), 4u);
  EXPECT_EQ(devices("task=full&cp=4&device=h100-80-sxm"), 4u);
}

}  // namespace
}  // namespace memfit
