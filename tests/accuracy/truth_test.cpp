// memfit - SPDX-License-Identifier: Apache-2.0
//
// Truth rows with literal queries of a model of two layers, whose answers can be worked out by
// hand: 95,040 parameters, 190,080 bytes of weights in 16 bits, 512 bytes of cache a token.
#include "accuracy/truth.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "base/json.h"
#include "base/text.h"

namespace memfit::accuracy {
namespace {

constexpr std::string_view kTiny =
    R"("config":{"model_type":"llama","hidden_size":64,"num_attention_heads":4,)"
    R"("intermediate_size":128,"num_hidden_layers":2,"vocab_size":100})";

// One row that asks for the model of two layers.
std::string tiny(std::string_view id, std::string_view measured, std::string_view keys = "",
                 std::string_view members = "") {
  return cat("{\"id\":\"", id, "\"", members, ",\"query\":{", kTiny, keys, "},\"measured\":{",
             measured, "}}\n");
}

Tally tallyOf(std::string_view lines) {
  Tally tally;
  const Result<std::size_t> rows = addTruth(lines, "test.jsonl", tally);
  EXPECT_TRUE(rows.ok()) << rows.error().message;
  return tally;
}

std::string refusedLine(std::string_view lines) {
  Tally tally;
  const Result<std::size_t> rows = addTruth(lines, "test.jsonl", tally);
  EXPECT_FALSE(rows.ok());
  return rows.ok() ? std::string() : rows.error().message;
}

// The one sample of a figure.
Sample sampleOf(const Tally& tally, std::string_view figure) {
  for (const FigureSamples& each : tally.figures) {
    if (each.figure == figure && each.samples.size() == 1) return each.samples.front();
  }
  ADD_FAILURE() << "not one sample of " << figure;
  return {};
}

TEST(Truth, PrintsWhatWasAskedRefusedAndMissedWithTheErrorOfEachFigure) {
  const Tally tally = tallyOf(cat(tiny("right", R"("parameters":95040)", "", R"(,"tool":"a")"),
                                  tiny("wrong", R"("parameters":99000)", "", R"(,"tool":"b")"),
                                  "\n", R"({"id":"fork","cannot":"A fork's own format."})", "\n",
                                  tiny("more", R"("training.loaded":1)", R"(,"engine":"mlx")")));
  EXPECT_EQ(tallyJson(tally),
            R"({"rows":4,"asked":3,"cannot":[{"id":"fork","why":"A fork's own format."}],)"
            R"("missing":[{"id":"more","figure":"training.loaded",)"
            R"("why":"The answer has no training.loaded."}],)"
            R"("figures":{"parameters":{"n":2,"median_abs_pct":2,"p90_abs_pct":4,"bias_pct":-2,)"
            R"("within_1_pct":50,"covered_by_high_pct":50,)"
            R"("worst":[{"id":"wrong","predicted":95040,"measured":99000}]}},)"
            R"("by":{"a":{"parameters":{"n":1,"median_abs_pct":0,"p90_abs_pct":0,"bias_pct":0,)"
            R"("within_1_pct":100,"covered_by_high_pct":100,"worst":[]}},)"
            R"("b":{"parameters":{"n":1,"median_abs_pct":4,"p90_abs_pct":4,"bias_pct":-4,)"
            R"("within_1_pct":0,"covered_by_high_pct":0,)"
            R"("worst":[{"id":"wrong","predicted":95040,"measured":99000}]}}}})");
}

TEST(Truth, ReadsEachFigureOutOfTheAnswer) {
  const Tally tally = tallyOf(tiny("a",
                                   R"("parameters":1,"activeParameters":1,"weights":1,)"
                                   R"("kv_cache":1,"kv.bytesPerToken":1,"kv.bytesPerSequence":1,)"
                                   R"("perDevice":1,"host":1)",
                                   R"(,"seq":100,"engine":"transformers","weights":"bf16")"));
  EXPECT_TRUE(tally.missing.empty());
  EXPECT_EQ(sampleOf(tally, "parameters").predicted, 95040);
  EXPECT_EQ(sampleOf(tally, "activeParameters").predicted, 95040);
  EXPECT_EQ(sampleOf(tally, "weights").predicted, 190080);
  EXPECT_EQ(sampleOf(tally, "kv_cache").predicted, 51200);
  EXPECT_EQ(sampleOf(tally, "kv.bytesPerToken").predicted, 512);
  EXPECT_EQ(sampleOf(tally, "kv.bytesPerSequence").predicted, 51200);
  EXPECT_EQ(sampleOf(tally, "perDevice").predicted, 537240792);
  EXPECT_EQ(sampleOf(tally, "perDevice").high, 1074189104);
  EXPECT_EQ(sampleOf(tally, "host").predicted, 0);
}

TEST(Truth, SumsTheEntriesOfAComponentAtItsPlace) {
  // Two entries of the framework lie on the device; nothing of it lies on the host.
  const Tally tally = tallyOf(tiny("a", R"("framework":1,"framework@host":1,"adapters":1)",
                                   R"(,"seq":100,"engine":"transformers")"));
  EXPECT_EQ(sampleOf(tally, "framework").predicted, 536870912 + 25600);
  EXPECT_EQ(sampleOf(tally, "framework").high, 1073741824 + 51200);
  EXPECT_EQ(sampleOf(tally, "framework@host").predicted, 0);
  EXPECT_EQ(sampleOf(tally, "adapters").predicted, 0);
  EXPECT_EQ(sampleOf(tally, "adapters").errorPercent(), -100);
}

TEST(Truth, ReadsPoolsOfEnginesThatTakeAShare) {
  const Tally tally =
      tallyOf(tiny("a", R"("capacity.tokens":1,"capacity.pool":1)",
                   R"(,"engine":"vllm","device":"24GiB","utilization":0.5,"seq":16)"));
  EXPECT_TRUE(tally.missing.empty());
  EXPECT_GT(sampleOf(tally, "capacity.tokens").predicted, 0);
  // Each token takes 512 bytes of the pool.
  EXPECT_EQ(sampleOf(tally, "capacity.tokens").predicted,
            16 * static_cast<double>(static_cast<long>(sampleOf(tally, "capacity.pool").predicted) /
                                     8192));
}

// 24,107,144,315 bytes are the device's expected need and 29,757,329,899 its high end; the band of
// what the driver shows ends at the same, that of the allocator's reserved memory below.
TEST(Truth, JudgesReservedMemoryAndTheDriverOnTheHighEndOfTheDevice) {
  const Tally tally =
      tallyOf(R"({"id":"a","query":{"task":"full","model":"llama-3.2-1b","seq":2048},)"
              R"("measured":{"training.allocated":1,"training.reserved":29000000000,)"
              R"("training.driver":29800000000,"training.steady":1}})");
  EXPECT_EQ(sampleOf(tally, "training.allocated").high, 22847594988);
  EXPECT_EQ(sampleOf(tally, "training.reserved").predicted, 23248150856);
  EXPECT_EQ(sampleOf(tally, "training.reserved").high, 29757329899);
  EXPECT_EQ(sampleOf(tally, "training.driver").high, 29757329899);
  EXPECT_EQ(sampleOf(tally, "training.steady").predicted, 17318440960);
  const std::string json = tallyJson(tally);
  EXPECT_NE(json.find(R"("training.reserved":{"n":1,"median_abs_pct":19.8340)"), std::string::npos)
      << json;
}

TEST(Truth, ARoundingWidensWhatIsCoveredAndNothingElse) {
  const Tally tally = tallyOf(
      cat(tiny("a", R"("weights":190085)", R"(,"weights":"bf16")", R"(,"rounding":{"weights":5})"),
          tiny("b", R"("kv.bytesPerToken":513)", "", R"(,"rounding":{"weights":5})")));
  EXPECT_EQ(sampleOf(tally, "weights").predicted, 190080);
  EXPECT_EQ(sampleOf(tally, "weights").high, 190085);
  EXPECT_EQ(sampleOf(tally, "kv.bytesPerToken").high, 512);
}

struct Refusal {
  std::string_view query;
  std::string_view why;
};
constexpr Refusal kRefusals[] = {
    {R"({"model":"llama-3.2-1b","colour":"red"})",
     "There is no field \"colour\": it was left out."},
    {R"({"model":"llama-3.2-1b","graphs":"red"})",
     "\"graphs\" was given as \"red\"; it accepts auto, on or off. The default is used."},
    {R"({"model":"llama-3.2-1b","seq":0})",
     "\"seq\" was given as \"0\"; it accepts whole numbers from 1 to 100000000 tokens. The default "
     "is used."},
    {R"({"model":"no such model"})",
     "The catalogue has no model \"no such model\". The estimate is for llama-3.1-8b."},
    {R"({"model":"llama-3.2-1b","device":"abacus"})",
     "There is no device \"abacus\"; ids of memfit.devices() and sizes such as 24GB are accepted. "
     "None is judged."},
    {R"({"model":"llama-3.2-1b","method":"per-billion"})",
     "The method per-billion says nothing about the task inference; architecture is used. Offered: "
     "architecture, pai, karakuri."},
    {R"({"model":"custom","layers":2})",
     "A custom model needs hidden; layers, hidden, heads, vocab and intermediate (or experts with "
     "moe_intermediate) describe one."},
};

TEST(Truth, ARowThatIsNotAnsweredAsAskedIsCountedWithTheReason) {
  for (const Refusal& refusal : kRefusals) {
    const Tally tally = tallyOf(
        cat(R"({"id":"a","query":)", refusal.query, R"(,"measured":{"parameters":1235814400}})"));
    EXPECT_EQ(tally.rows, 1u);
    EXPECT_EQ(tally.asked, 0u) << refusal.query;
    EXPECT_TRUE(tally.figures.empty()) << refusal.query;
    ASSERT_EQ(tally.cannot.size(), 1u) << refusal.query;
    EXPECT_EQ(tally.cannot.front().why, refusal.why);
  }
}

TEST(Truth, ANoticeThatTheAnswerRestsOnAnAssumptionIsNoRefusal) {
  const Tally tally = tallyOf(
      R"({"id":"a","query":{"task":"full","model":"llama-3.2-1b"},"measured":{"parameters":1}})");
  EXPECT_EQ(tally.asked, 1u);
  EXPECT_TRUE(tally.cannot.empty());
}

TEST(Truth, AFigureThatTheAnswerLacksIsMissingWithTheReason) {
  const Tally tally = tallyOf(tiny("a",
                                   R"("devices[0].weights":1,"devices[x].weights":1,)"
                                   R"("ollama.ps":1,"weights@moon":1,"capacity.pool":1)",
                                   R"(,"engine":"transformers")"));
  EXPECT_EQ(tally.asked, 1u);
  ASSERT_EQ(tally.missing.size(), 5u);
  EXPECT_EQ(tally.missing[0].id, "a");
  EXPECT_EQ(tally.missing[0].figure, "devices[0].weights");
  EXPECT_EQ(tally.missing[0].why, "The answer does not tell its devices apart.");
  EXPECT_EQ(tally.missing[1].why, "No figure is called \"devices[x].weights\".");
  EXPECT_EQ(tally.missing[2].why, "No figure is called \"ollama.ps\".");
  EXPECT_EQ(tally.missing[3].why, "No figure is called \"weights@moon\".");
  EXPECT_EQ(tally.missing[4].why, "The answer has no capacity.pool.");
}

TEST(Truth, TheToolIsTheRowsOwnElseTheQuerysEngineOrTrainer) {
  const Tally tally = tallyOf(
      cat(tiny("a", R"("parameters":1)", R"(,"engine":"vllm")", R"(,"tool":"fork")"),
          tiny("b", R"("parameters":1)", R"(,"engine":"vllm")"),
          tiny("c", R"("parameters":1)", R"(,"task":"full","trainer":"litgpt")"),
          tiny("d", R"("parameters":1)", R"(,"task":"full","trainer":"hf","engine":"mlx")")));
  ASSERT_EQ(tally.byTool.size(), 4u);
  EXPECT_EQ(tally.byTool[0].tool, "fork");
  EXPECT_EQ(tally.byTool[1].tool, "vllm");
  EXPECT_EQ(tally.byTool[2].tool, "litgpt");
  EXPECT_EQ(tally.byTool[3].tool, "mlx");
}

TEST(Truth, ALineThatIsNoRowIsAnErrorThatNamesFileAndLine) {
  EXPECT_EQ(refusedLine(cat(tiny("a", R"("parameters":1)"), "\nnot json\n")),
            "test.jsonl, line 3: the row is no JSON: it breaks off at byte 1.");
  EXPECT_EQ(refusedLine("[1]"), "test.jsonl, line 1: the row is no object.");
  EXPECT_EQ(refusedLine(R"({"query":{},"measured":{"host":0}})"),
            "test.jsonl, line 1: the row has no \"id\".");
  EXPECT_EQ(refusedLine(R"({"id":"a","measured":{"host":0}})"),
            "test.jsonl, line 1: the row has neither a \"query\" nor \"cannot\".");
  EXPECT_EQ(refusedLine(R"({"id":"a","query":{}})"),
            "test.jsonl, line 1: the row has no \"measured\" of numbers.");
  EXPECT_EQ(refusedLine(R"({"id":"a","query":{},"measured":{"host":"0"}})"),
            "test.jsonl, line 1: the row has no \"measured\" of numbers.");
  EXPECT_EQ(refusedLine(R"({"id":"a","query":{},"measured":{}})"),
            "test.jsonl, line 1: the row has a \"measured\" without a figure.");
  EXPECT_EQ(refusedLine(R"({"id":"a","cannot":""})"),
            "test.jsonl, line 1: the row has a \"cannot\" that gives no reason.");
  EXPECT_EQ(refusedLine(R"({"id":"a","query":{},"measured":{"host":0},"rounding":5})"),
            "test.jsonl, line 1: the row has a \"rounding\" that is no object of numbers.");
}

struct TruthFile {
  std::string_view name;
  std::size_t rows;
};
constexpr TruthFile kFiles[] = {{"configs", 271},
                                {"llamacpp", 209},
                                {"serving", 118},
                                {"training", 496},
                                {"truth_examples", 30},
                                {"truth_fresh_inference", 46},
                                {"truth_fresh_training", 50}};

// How far their figures may be off is held by `bash tests/run.sh accuracy`.
TEST(Truth, EachRowOfTheRepositoryIsOneWithASourceAndAnIdOfItsOwn) {
  for (const TruthFile& file : kFiles) {
    std::ifstream stream(cat(MEMFIT_TEST_DATA, "/truth/", file.name, ".jsonl"));
    ASSERT_TRUE(stream.is_open()) << file.name;
    Tally tally;
    std::set<std::string> ids;
    for (std::string line; std::getline(stream, line);) {
      const Result<std::size_t> rows = addTruth(line, file.name, tally);
      ASSERT_TRUE(rows.ok()) << rows.error().message << line;
      rapidjson::Document row;
      ASSERT_TRUE(parseJson(line, row));
      EXPECT_TRUE(row.HasMember("source") && row["source"].GetStringLength() > 0) << line;
      EXPECT_TRUE(ids.insert(row["id"].GetString()).second) << row["id"].GetString();
    }
    EXPECT_EQ(tally.rows, file.rows) << file.name;
    EXPECT_EQ(tally.asked + tally.cannot.size(), file.rows) << file.name;
    for (const Refused& row : tally.cannot) EXPECT_GT(row.why.size(), 15u) << row.id;
  }
}

TEST(Truth, NoLinesAreNoRows) {
  Tally tally;
  EXPECT_EQ(addTruth("\n\n", "test.jsonl", tally).value(), 0u);
  EXPECT_EQ(tallyJson(tally),
            R"({"rows":0,"asked":0,"cannot":[],"missing":[],"figures":{},"by":{}})");
}

}  // namespace
}  // namespace memfit::accuracy
