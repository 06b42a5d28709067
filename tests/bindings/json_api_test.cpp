// memfit - SPDX-License-Identifier: Apache-2.0
#include "bindings/json_api.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <string>
#include <string_view>

#include "base/text.h"

namespace memfit {
namespace {

rapidjson::Document call(const std::string& request) {
  rapidjson::Document document;
  const std::string text = callJson(request);
  EXPECT_FALSE(document.Parse(text.c_str()).HasParseError()) << text;
  EXPECT_TRUE(document.IsObject() && document.MemberCount() == 1) << text;
  return document;
}

std::string errorOf(const std::string& request) {
  const rapidjson::Document document = call(request);
  if (!document.HasMember("error")) return "no error";
  return std::string(document["error"]["code"].GetString()) + " " +
         document["error"]["field"].GetString();
}

// The "done when" of the first issue: 18.8 GB with four named entries.
TEST(JsonApi, EstimatesSevenBillionParameters) {
  const auto answer = call(
      R"({"fn":"estimate","args":[{"task":"inference","method":"pai","params":7,"seq":2048}]})");
  const auto& report = answer["ok"];
  EXPECT_EQ(report["total"]["expected"].GetUint64(), 18800000000u);
  EXPECT_EQ(report["ledger"].Size(), 4u);
  EXPECT_STREQ(report["ledger"][0]["component"].GetString(), "weights");
  EXPECT_EQ(report["ledger"][0]["expected"].GetUint64(), 14000000000u);
  EXPECT_STREQ(report["ledger"][0]["formula"].GetString(), "P * bits / 8");
  EXPECT_EQ(report["ledger"][0]["inputs"]["P"].GetUint64(), 7000000000u);
  EXPECT_EQ(report["model"]["parameters"].GetUint64(), 7000000000u);
  EXPECT_FALSE(report.HasMember("fit"));
}

TEST(JsonApi, JudgesTheQuerysDevice) {
  const auto answer =
      call(R"({"fn":"estimate","args":[{"method":"pai","params":7,"device":"rtx-4090"}]})");
  EXPECT_STREQ(answer["ok"]["fit"]["verdict"].GetString(), "fits");
  EXPECT_EQ(answer["ok"]["fit"]["usable"].GetUint64(), 25377636352u);
}

TEST(JsonApi, ProblemsOfTheQueryAreNotices) {
  const auto answer = call(R"({"fn":"estimate","args":[{"params":7,"sequence":1,"seq":-1}]})");
  ASSERT_GE(answer["ok"]["notices"].Size(), 2u);
  EXPECT_STREQ(answer["ok"]["notices"][0]["code"].GetString(), "unknown-key");
  EXPECT_STREQ(answer["ok"]["notices"][1]["code"].GetString(), "out-of-range");
  EXPECT_STREQ(answer["ok"]["notices"][1]["given"].GetString(), "-1");
}

TEST(JsonApi, FitsAndSolves) {
  const auto rows = call(
      R"({"fn":"fit","args":[{"method":"pai","params":7},{"devices":["rtx-4090","24GB"],"counts":[1,2]}]})");
  ASSERT_EQ(rows["ok"].Size(), 4u);
  EXPECT_EQ(rows["ok"][1]["count"].GetInt(), 2);
  EXPECT_EQ(call(R"({"fn":"fit","args":[{"method":"pai","params":7}]})")["ok"].Size(), 173u);
  const auto solution =
      call(R"({"fn":"solve","args":[{"method":"pai","params":7,"device":"24GB"},{"vary":"seq"}]})");
  EXPECT_EQ(solution["ok"]["value"].GetInt(), 5851);
}

TEST(JsonApi, SweepsAsTextAndAsFloats) {
  const std::string request =
      R"({"fn":"sweep","args":[{"method":"pai","params":7},{"x":{"key":"seq","from":2048,"to":4096},"y":{"key":"batch","from":1,"to":2},"nx":2,"ny":2}]})";
  const auto answer = call(request);
  ASSERT_EQ(answer["ok"].Size(), 4u);
  EXPECT_EQ(answer["ok"][0].GetDouble(), static_cast<double>(18800000000.0f));
  std::string error;
  const auto totals = sweepTotals(request, error);
  EXPECT_TRUE(error.empty());
  ASSERT_EQ(totals.size(), 4u);
  EXPECT_EQ(totals[0], 18800000000.0f);
  EXPECT_TRUE(sweepTotals(R"({"fn":"sweep","args":[{}]})", error).empty());
  EXPECT_NE(error.find("\"error\""), std::string::npos);
}

TEST(JsonApi, EncodesAndDecodes) {
  EXPECT_STREQ(call(R"({"fn":"encode","args":[{"task":"lora","params":7}]})")["ok"].GetString(),
               "task=lora&params=7");
  const auto decoded = call(R"({"fn":"decode","args":["?task=lora&params=7&x=1"]})");
  EXPECT_STREQ(decoded["ok"]["query"]["task"].GetString(), "lora");
  EXPECT_EQ(decoded["ok"]["notices"].Size(), 1u);
  // The words of absent fields: those of this task.
  EXPECT_STREQ(decoded["ok"]["defaults"]["weights"].GetString(), "bf16");
  EXPECT_STREQ(decoded["ok"]["defaults"]["task"].GetString(), "inference");
  const auto qlora = call(R"({"fn":"decode","args":["task=qlora&weights=int8"]})");
  EXPECT_STREQ(qlora["ok"]["defaults"]["weights"].GetString(), "nf4");
}

// Forms show a field where it changes the answer: "always" fields everywhere, `batch` not under a
// rule that has no batch.
TEST(JsonApi, FieldsSayWhatTheyChange) {
  const auto fields = call(R"({"fn":"fields"})");
  const auto effectsOf = [&fields](std::string_view name) {
    std::string effects;
    for (const auto& field : fields["ok"].GetArray()) {
      if (field["name"].GetString() != name) continue;
      for (const auto& effect : field["effects"].GetArray()) {
        effects += effect.GetString() + std::string(" ");
      }
    }
    return effects;
  };
  EXPECT_EQ(effectsOf("task"), "always ");
  EXPECT_EQ(effectsOf("device"), "always ");
  EXPECT_NE(effectsOf("batch").find("pai-inference "), std::string::npos);
  EXPECT_EQ(effectsOf("batch").find("per-billion"), std::string::npos);
}

// What the plain view makes its form of.
TEST(JsonApi, FieldsSayWhoReadsThemAndWhereTheyStand) {
  const auto fields = call(R"({"fn":"fields"})");
  const auto rowOf = [&fields](std::string_view name) {
    std::string row;
    for (const auto& field : fields["ok"].GetArray()) {
      if (field["name"].GetString() != name) continue;
      for (const char* member : {"group", "control", "shown"}) {
        row += cat(field[member].GetString(), " ");
      }
      for (const auto& set : field["reads"].GetObject()) {
        row += cat(set.name.GetString(), ":");
        for (const auto& word : set.value.GetArray()) row += cat(" ", word.GetString());
        row += "; ";
      }
    }
    return row;
  };
  EXPECT_EQ(rowOf("seq"), "workload doubling compact ");
  EXPECT_EQ(rowOf("layers"), "shape entry more ");
  EXPECT_EQ(rowOf("max_seqs"), "engine entry more engines: vllm; ");
  EXPECT_EQ(rowOf("attention"), "training select more engines: transformers llama.cpp; ");
  EXPECT_EQ(rowOf("dora"), "training switch more tasks: lora qlora; ");
  EXPECT_EQ(rowOf("double_quant"),
            "training select more tasks: lora qlora; trainers: hf torchtune litgpt megatron "
            "deepspeed unsloth; ");
}

TEST(JsonApi, DecodingSaysWhatIsIdle) {
  const auto idleOf = [](std::string_view url, const char* name) -> std::string {
    const auto decoded = call(cat(R"({"fn":"decode","args":[")", url, R"("]})"));
    const auto& idle = decoded["ok"]["idle"];
    return idle.HasMember(name) ? idle[name].GetString() : "";
  };
  EXPECT_EQ(idleOf("engine=vllm", "gpu_layers"), "engine");
  EXPECT_EQ(idleOf("engine=llama.cpp", "gpu_layers"), "");
  EXPECT_EQ(idleOf("task=full", "rank"), "task");
  EXPECT_EQ(idleOf("task=lora", "rank"), "");
  EXPECT_EQ(idleOf("task=full&trainer=megatron", "accumulation"), "trainer");
  EXPECT_EQ(idleOf("model=qwen3-8b", "params"), "model");
  EXPECT_EQ(idleOf("params=7", "layers"), "setting");
  EXPECT_EQ(idleOf("params=7", "theme"), "");
}

TEST(JsonApi, NoticesGiveTheReasonApartWhereThereIsOne) {
  const auto answer = call(R"({"fn":"estimate","args":[{"engine":"vllm","ubatch":64,"rank":8}]})");
  const auto& notices = answer["ok"]["notices"];
  ASSERT_EQ(notices.Size(), 2u);
  EXPECT_STREQ(notices[0]["field"].GetString(), "ubatch");
  EXPECT_STREQ(notices[0]["reason"].GetString(), "vllm does not read it");
  EXPECT_STREQ(notices[1]["field"].GetString(), "rank");
  EXPECT_FALSE(notices[1].HasMember("reason"));
}

TEST(JsonApi, ListsItsTables) {
  EXPECT_EQ(call(R"({"fn":"devices"})")["ok"].Size(), 173u);
  const auto fields = call(R"({"fn":"fields"})");
  EXPECT_STREQ(fields["ok"][0]["name"].GetString(), "task");
  EXPECT_STREQ(fields["ok"][0]["default"].GetString(), "inference");
  EXPECT_EQ(fields["ok"][0]["values"].Size(), 4u);
  EXPECT_TRUE(call(R"({"fn":"version"})")["ok"].IsString());
}

TEST(JsonApi, ReadsAModelAndEstimatesWithIt) {
  // Llama 3.1 8B: 8,030,261,248 parameters.
  const std::string config =
      R"({"model_type":"llama","hidden_size":4096,"intermediate_size":14336,"num_attention_heads":32,"num_key_value_heads":8,"num_hidden_layers":32,"vocab_size":128256,"tie_word_embeddings":false})";
  rapidjson::Document model;
  model.Parse(readModelJson(config, "config.json").c_str());
  EXPECT_EQ(model["ok"]["parameters"].GetUint64(), 8030261248u);
  EXPECT_EQ(model["ok"]["kvElementsPerToken"].GetUint64(), 65536u);
  std::uint64_t sum = 0;
  for (const auto& group : model["ok"]["inventory"].GetArray())
    sum += group["parameters"].GetUint64();
  EXPECT_EQ(sum, 8030261248u);

  const auto answer =
      call(R"({"fn":"estimate","args":[{"method":"pai","seq":2048,"config":)" + config + "}]}");
  EXPECT_EQ(answer["ok"]["ledger"][0]["expected"].GetUint64(), 16060522496u);

  EXPECT_STREQ(model["ok"]["id"].GetString(), "file:config.json");
  const auto byId =
      call(R"({"fn":"estimate","args":[{"method":"pai","model":"file:config.json"}]})");
  EXPECT_EQ(byId["ok"]["model"]["parameters"].GetUint64(), 8030261248u);

  rapidjson::Document bad;
  bad.Parse(readModelJson("{}", "config.json").c_str());
  EXPECT_TRUE(bad.HasMember("error"));
}

TEST(JsonApi, ListsModelsAndTakesTheRestOfTheCatalogue) {
  const auto models = call(R"({"fn":"models"})");
  EXPECT_STREQ(models["ok"][0]["id"].GetString(), "llama-3.1-8b");
  EXPECT_EQ(models["ok"][0]["parameters"].GetUint64(), 8030261248u);
  // A line that is there already is skipped; what it says is not looked at again.
  const auto loaded = call(
      R"({"fn":"loadCatalogue","args":["{\"id\":\"llama-3.1-8b\",\"name\":\"x\",\"aliases\":[],\"config\":{}}\n"]})");
  EXPECT_GE(loaded["ok"].GetUint64(), models["ok"].Size());
  const auto answer = call(R"({"fn":"estimate","args":[{"model":"llama3.1:8b","method":"pai"}]})");
  EXPECT_STREQ(answer["ok"]["model"]["name"].GetString(), "Llama 3.1 8B");
  EXPECT_EQ(errorOf(R"({"fn":"loadCatalogue","args":["{"]})").substr(0, 3), "bad");
}

TEST(JsonApi, ErrorsSayWhatAndWhere) {
  EXPECT_EQ(errorOf(""), "bad-json request");
  EXPECT_EQ(errorOf("[]"), "bad-json request");
  EXPECT_EQ(errorOf("{}"), "bad-json request");
  EXPECT_EQ(errorOf(R"({"fn":"estimate","args":{}})"), "bad-json request");
  EXPECT_EQ(errorOf(R"({"fn":"guess"})"), "unknown fn");
  EXPECT_EQ(errorOf(R"({"fn":"estimate","args":[5]})"), "bad-json query");
  EXPECT_EQ(errorOf(R"({"fn":"estimate","args":[{"config":"{"}]})").substr(0, 8), "bad-json");
  EXPECT_EQ(errorOf(R"({"fn":"fit","args":[{},{"devices":["x"]}]})"), "unknown devices");
  EXPECT_EQ(errorOf(R"({"fn":"fit","args":[{},{"devices":"t4"}]})"), "bad-json devices");
  EXPECT_EQ(errorOf(R"({"fn":"fit","args":[{},{"counts":[0]}]})"), "out-of-range counts");
  EXPECT_EQ(errorOf(R"({"fn":"solve","args":[{},{"vary":"seq"}]})"), "missing device");
  EXPECT_EQ(errorOf(R"({"fn":"solve","args":[{},{"vary":7}]})"), "unknown vary");
  EXPECT_EQ(errorOf(R"({"fn":"decode","args":[{}]})"), "bad-json text");
  EXPECT_EQ(errorOf(std::string(100000, '[')), "bad-json request");
}

// A URL says any bytes; the JSON that comes back, and its notices, are UTF-8.
TEST(JsonApi, BytesThatAreNoUtf8NeverComeBack) {
  const std::string bad = "\xEF\xBF\xBD";
  for (const char* text : {"%FF%FE=1", "model=%FF%FE", "seq=%FF%FE", "model=x%C3"}) {
    const std::string request = std::string(R"({"fn":"decode","args":[")") + text + "\"]}";
    const std::string answer = callJson(request);
    EXPECT_NE(answer.find(bad), std::string::npos) << answer;
    rapidjson::Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag>(answer.c_str());
    EXPECT_FALSE(document.HasParseError()) << text;
  }
  // Nor do those of a query as JSON.
  const std::string answer = callJson("{\"fn\":\"estimate\",\"args\":[{\"model\":\"\xFF\xFE\"}]}");
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(answer.c_str());
  EXPECT_FALSE(document.HasParseError()) << answer;
}

}  // namespace
}  // namespace memfit
