// memfit - SPDX-License-Identifier: Apache-2.0
#include "device/device.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <set>
#include <string>

#include "device/fit.h"
#include "query/query_io.h"

namespace memfit {
namespace {

Query query(const char* url) {
  const DecodedQuery decoded = decodeUrl(url);
  EXPECT_TRUE(decoded.notices.empty()) << url;
  return decoded.query;
}

Usable usable(const char* id, const char* url = "") {
  const auto device = findDevice(id);
  EXPECT_TRUE(device.has_value()) << id;
  return usableOf(*device, query(url));
}

FitRow row(const char* id, const char* url) {
  const auto rows = fit(query(url), {id}, {});
  EXPECT_TRUE(rows.ok());
  return rows->front();
}

// tests/data/devices.jsonl: 173 devices with their sources, read 2026-11-29.
TEST(Devices, AgreeWithTheirData) {
  std::ifstream file(MEMFIT_TEST_DATA "/devices.jsonl");
  ASSERT_TRUE(file.is_open());
  std::size_t count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    rapidjson::Document row;
    ASSERT_FALSE(row.Parse(line.c_str()).HasParseError());
    const auto device = findDevice(row["id"].GetString());
    ASSERT_TRUE(device.has_value()) << row["id"].GetString();
    const auto mib = [&row](const char* key) {
      return row[key].IsNull() ? 0u : row[key].GetUint();
    };
    EXPECT_EQ(device->visibleMib, mib("memory_visible_mib")) << device->id;
    // The one figure that stands in the notes alone: HIP allocates 96 of an MI300A's 128 GiB.
    const std::uint32_t noted = device->id == "mi300a" ? 98304u : 0u;
    EXPECT_EQ(device->frameworkMib, mib("memory_framework_total_mib") + noted) << device->id;
    EXPECT_EQ(device->unified(), row["unified"].GetBool()) << device->id;
    EXPECT_EQ(device->year, row["year"].GetInt()) << device->id;
    EXPECT_FALSE(device->source.empty()) << device->id;
  }
  EXPECT_EQ(count, 173u);
  EXPECT_EQ(devices().size(), count);
}

TEST(Devices, IdsAreUnique) {
  std::set<std::string_view> ids;
  for (const Device& device : devices()) EXPECT_TRUE(ids.insert(device.id).second) << device.id;
}

TEST(Devices, UsableIsWhatTheFrameworkCallsTotal) {
  EXPECT_EQ(usable("rtx-4090").bytes.value(), 24202u * std::uint64_t{1048576});
  EXPECT_EQ(usable("RTX-4090").basis, Basis::kFramework);
  // Only nvidia-smi's figure is known: less the gap, 2 % of 81,559 capped at 750 MiB.
  EXPECT_EQ(usable("h800-80").bytes.value(), (81559u - 750u) * std::uint64_t{1048576});
  EXPECT_EQ(usable("h800-80").basis, Basis::kDriver);
  EXPECT_EQ(usable("gaudi2-96").bytes.value(), 96000000000u);
  EXPECT_EQ(usable("gaudi2-96").basis, Basis::kLabel);
}

TEST(Devices, DriverGapCoversThePairsSeen) {
  // nvidia-smi and CUDA totals in MiB, device_facts.md section 1; the gap must not be below the
  // seen one by more than 200 MiB, or a model would be promised room that is not there.
  struct Pair {
    std::uint32_t visible, framework;
  };
  for (const Pair& pair : {Pair{183359, 182633},
                           {143771, 143156},
                           {81559, 81110},
                           {81920, 81154},
                           {46068, 45468},
                           {23034, 22693},
                           {32607, 32109},
                           {24564, 24058},
                           {12288, 12037},
                           {8188, 7806}}) {
    Device device = *findDevice("h800-80");
    device.visibleMib = pair.visible;
    const Bytes bytes = usableOf(device, Query()).bytes;
    EXPECT_LT(bytes.value(), (pair.framework + std::uint64_t{200}) * 1048576) << pair.visible;
    EXPECT_GT(bytes.value(), (pair.framework - std::uint64_t{400}) * 1048576) << pair.visible;
  }
}

TEST(Devices, UnifiedMemoryByMeasureByOlderMacosOrByThreeQuarters) {
  EXPECT_EQ(usable("apple-m3-max-36").bytes.value(), 28753u * std::uint64_t{1048576});
  EXPECT_EQ(usable("apple-m3-max-36", "unified=older-macos").bytes.value(),
            27648u * std::uint64_t{1048576});
  EXPECT_EQ(usable("apple-m3-max-36", "unified=plan").bytes.value(),
            27u * (std::uint64_t{1} << 30));
  EXPECT_EQ(usable("apple-m3-max-36", "unified=plan").basis, Basis::kThreeQuarters);
  // No limit was seen: the plan stands in, and says so.
  EXPECT_EQ(usable("apple-m3-ultra-256").basis, Basis::kThreeQuarters);
}

TEST(Devices, ErrorCorrectionTakesASixteenth) {
  EXPECT_EQ(usable("a40").total.value(), (46068u - 750u) * std::uint64_t{1048576});
  EXPECT_EQ(usable("a40", "ecc=off").total.value(),
            (49139u - 750u) * std::uint64_t{1048576} + 209715);
  EXPECT_LT(usable("rtx-a6000", "ecc=on").total, usable("rtx-a6000").total);
  EXPECT_EQ(usable("rtx-4090", "ecc=on").total, usable("rtx-4090").total);
}

TEST(Devices, ReserveIsKeptFree) {
  EXPECT_EQ(usable("24GB", "reserve=2GB").bytes.value(), 22000000000u);
  EXPECT_EQ(usable("24GB", "reserve=10%25").bytes.value(), 21600000000u);
  EXPECT_EQ(usable("24GB", "reserve=30GB").bytes.value(), 0u);
}

TEST(Devices, SizesAreDevicesToo) {
  EXPECT_EQ(usable("40GiB").bytes.value(), 40u * (std::uint64_t{1} << 30));
  EXPECT_EQ(usable("24.5 GB").basis, Basis::kGiven);
  for (const char* text : {"", "24", "GB", "0GB", "-1GB", "50%", "rtx", "24XB"}) {
    EXPECT_FALSE(findDevice(text).has_value()) << text;
  }
}

// "What counts as free" of the published rule per-billion: shared/facts/published_rules.md
// section 2.
TEST(GoldenFits, On36GbOfUnifiedMemory) {
  for (const char* policy : {"&unified=measured", "&unified=older-macos", "&unified=plan"}) {
    const auto fits = [policy](std::string url) {
      return row("apple-m3-max-36", (url + policy).c_str()).verdict;
    };
    const std::string rule = "method=per-billion&params=";
    EXPECT_NE(fits("task=full&" + rule + "1.5"), Verdict::kNeeds);  // 22 GB
    EXPECT_EQ(fits("task=lora&" + rule + "7"), Verdict::kFits);     // 17 GB
    EXPECT_EQ(fits("task=lora&" + rule + "14"), Verdict::kNeeds);   // 31 GB
    EXPECT_EQ(fits("task=full&" + rule + "3"), Verdict::kNeeds);    // 40 GB
    EXPECT_EQ(fits("task=qlora&" + rule + "27"), Verdict::kFits);   // 22 GB
    EXPECT_NE(fits("task=qlora&" + rule + "32"), Verdict::kNeeds);  // 26 GB
  }
}

TEST(GoldenFits, On16GbNvidiaCards) {
  for (const char* id : {"rtx-4080-16", "rtx-5080-16", "t4", "rtx-4060-ti-16", "v100-16"}) {
    EXPECT_EQ(row(id, "task=lora&method=per-billion&params=8").verdict, Verdict::kNeeds) << id;
    EXPECT_EQ(row(id, "task=qlora&method=per-billion&params=8").verdict, Verdict::kFits) << id;
  }
}

TEST(Fit, JudgesOnTheHighEndAndSaysWhatItTakes) {
  const FitRow short24 = row("24GB", "task=lora&method=per-billion&params=14");  // 31 GB
  EXPECT_EQ(short24.verdict, Verdict::kNeeds);
  EXPECT_EQ(short24.devicesNeeded.value(), 2u);
  EXPECT_EQ(short24.headroom, -7000000000);
  EXPECT_EQ(verdictText(short24.verdict, short24.devicesNeeded), "needs-2-devices");
  // 17 of 17.5 GB: less than a twentieth is left.
  EXPECT_EQ(row("17.5GB", "task=lora&method=per-billion&params=7").verdict, Verdict::kTight);
  EXPECT_EQ(row("17GB", "task=lora&method=per-billion&params=7").verdict, Verdict::kTight);
  EXPECT_EQ(row("18GB", "task=lora&method=per-billion&params=7").verdict, Verdict::kFits);
  EXPECT_EQ(row("1MB", "task=lora&method=per-billion&params=7").verdict, Verdict::kNo);
  EXPECT_EQ(row("24GB", "task=lora&method=per-billion&params=7&reserve=100%25").verdict,
            Verdict::kNo);
}

// The ledger on show is that of the devices which the verdict is about, however they are asked for.
TEST(Fit, TheRowIsTheReportsOwn) {
  struct Case {
    const char* asked;
    std::uint64_t devices;
    std::uint64_t count;
  };
  constexpr Case kCases[] = {
      {"model=llama-3.1-70b&engine=vllm&device=h100-80-sxm&tp=8", 8, 8},
      {"model=llama-3.1-70b&engine=vllm&device=h100-80-sxm&count=8", 8, 8},
      {"model=llama-3.1-70b&engine=vllm&device=h100-80-sxm&tp=2&count=8", 2, 8},
      {"model=llama-3.1-70b&engine=vllm&device=h100-80-sxm&tp=4&count=2", 4, 4},
      {"model=llama-3.1-8b&task=full&device=h100-80-sxm&count=8", 8, 8},
      {"model=llama-3.1-8b&task=full&device=h100-80-sxm&count=8&zero=3", 8, 8},
      {"model=llama-3.1-8b&task=full&device=h100-80-sxm&count=8&zero=1", 8, 8},
      {"model=llama-3.1-8b&task=full&device=h100-80-sxm&dp=8&zero=2", 8, 8},
      {"model=llama-3.1-8b&task=full&device=h100-80-sxm&tp=2&count=4", 4, 4},
  };
  for (const Case& one : kCases) {
    const auto made = answer(query(one.asked));
    ASSERT_TRUE(made.ok()) << one.asked;
    EXPECT_EQ(made->report.devices, Count(one.devices)) << one.asked;
    ASSERT_TRUE(made->fit) << one.asked;
    EXPECT_EQ(made->fit->count, Count(one.count)) << one.asked;
    EXPECT_EQ(made->fit->need.expected, made->report.perDevice.expected) << one.asked;
    EXPECT_EQ(made->fit->need.high, made->report.perDevice.high) << one.asked;
  }
  const auto small =
      answer(query("model=llama-3.1-70b&engine=vllm&device=h100-80-sxm&tp=4&count=2"));
  ASSERT_FALSE(small->report.notices.empty());
  EXPECT_EQ(small->report.notices.back().message,
            "The settings spread the work over 4 devices: count 2 is taken as 4.");
}

TEST(Fit, ManyDevicesSplitAPublishedTotal) {
  const auto rows =
      fit(query("task=full&method=per-billion&params=7"), {"24GB"}, {Count(1), Count(2), Count(4)});
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ((*rows)[0].verdict, Verdict::kNeeds);
  EXPECT_EQ((*rows)[1].need.high.value(), 44000000000u);
  EXPECT_EQ((*rows)[2].verdict, Verdict::kFits);
  EXPECT_EQ((*rows)[2].devicesNeeded.value(), 4u);
}

// vLLM takes a share of the device: Llama-3.1-8B's 15 GiB fit 24 GB, but not half of it, however
// much the other half would hold.
TEST(Fit, AnEnginesShareIsWhatItIsJudgedOn) {
  const FitRow whole = row("24GB", "model=llama-3.1-8b&engine=vllm");
  EXPECT_DOUBLE_EQ(whole.fraction, 0.92);
  EXPECT_TRUE(whole.verdict == Verdict::kFits || whole.verdict == Verdict::kTight);
  const FitRow half = row("24GB", "model=llama-3.1-8b&engine=vllm&utilization=0.5");
  EXPECT_DOUBLE_EQ(half.fraction, 0.5);
  EXPECT_LT(half.need.high, half.usable.bytes);
  EXPECT_LT(half.headroom, 0);
  EXPECT_EQ(half.verdict, Verdict::kNeeds);
  // Engines that take what they need have none.
  EXPECT_EQ(row("24GB", "model=llama-3.1-8b&engine=llama.cpp&weights=q4_k_m").fraction, 0);
}

// 141 GB of weights: 47 GB on each of three devices, 71 on each of two, of which vLLM takes 59 GB.
TEST(Fit, TheQuerysOwnSpreadIsTriedToo) {
  const auto needed = [](const char* url) { return row("64GB", url).devicesNeeded; };
  EXPECT_EQ(needed("model=llama-3.1-70b&engine=vllm"), Count(4));
  EXPECT_EQ(needed("model=llama-3.1-70b&engine=vllm&pp=3"), Count(3));
  EXPECT_EQ(needed("model=llama-3.1-70b&engine=vllm&pp=3&count=6"), Count(3));  // two replicas
  EXPECT_EQ(row("64GB", "model=llama-3.1-70b&engine=vllm&pp=3").verdict, Verdict::kFits);
}

// Llama 3.1 8B has 32 layers and llama.cpp cuts between layers: of 64 devices half idle, and each
// of the others needs what one of 33 parts (the head counts as a layer) does.
TEST(Fit, DevicesWithoutALayerIdle) {
  const auto at = [](const char* url, Count count) {
    return fit(query(url), {"24GB"}, {count})->front();
  };
  const char* url = "model=llama-3.1-8b&engine=llama.cpp&weights=fp16";
  const FitRow idle = at(url, 64);
  EXPECT_EQ(idle.verdict, Verdict::kFits);
  EXPECT_EQ(idle.devicesNeeded, Count(1));
  EXPECT_EQ(idle.need, at(url, 1024).need);
  EXPECT_LT(idle.need.high, at(url, 2).need.high);
  EXPECT_GT(idle.need.high, Bytes(0));
  // As a question of its own.
  const auto asked =
      answer(query("model=llama-3.1-8b&engine=llama.cpp&weights=fp16&count=64&device=24GB"));
  ASSERT_TRUE(asked.ok());
  EXPECT_EQ(asked->fit->verdict, Verdict::kFits);
  EXPECT_EQ(asked->fit->need, asked->report.perDevice);
}

TEST(Fit, AnAmountBeyondAllCountingIsAnError) {
  const auto rows = fit(query("model=llama-3.1-405b&seq=100000000&batch=1000000"), {}, {});
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().code, ErrorCode::kOverflow);
}

TEST(Fit, UnknownDevicesAreErrorsOrNotices) {
  const auto rows = fit(Query(), {"rtx-9999"}, {});
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().code, ErrorCode::kUnknown);
  const auto judged = answer(query("method=pai&params=7&device=rtx-9999"));
  ASSERT_TRUE(judged.ok());
  EXPECT_FALSE(judged->fit.has_value());
  ASSERT_EQ(judged->report.notices.size(), 1u);
  EXPECT_EQ(judged->report.notices[0].field, "device");
}

}  // namespace
}  // namespace memfit
