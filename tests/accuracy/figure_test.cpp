// memfit - SPDX-License-Identifier: Apache-2.0
#include "accuracy/figure.h"

#include <gtest/gtest.h>

#include "base/json.h"

namespace memfit::accuracy {
namespace {

// An answer about two unlike devices, in the shape that estimate() gives.
constexpr std::string_view kTwoDevices = R"({
  "perDevice": {"low": 1, "expected": 70, "high": 90}, "ledger": [],
  "parts": [
    {"perDevice": {"low": 10, "expected": 70, "high": 90},
     "ledger": [{"component": "weights", "where": "device", "low": 5, "expected": 5, "high": 6}]},
    {"perDevice": {"low": 10, "expected": 30, "high": 40},
     "ledger": [{"component": "weights", "where": "device", "low": 2, "expected": 3, "high": 4},
                {"component": "weights", "where": "host", "low": 8, "expected": 8, "high": 8},
                {"component": "weights", "where": "device", "low": 1, "expected": 1, "high": 1}]}
  ]})";

FigureRead read(std::string_view figure) {
  rapidjson::Document answer;
  EXPECT_TRUE(parseJson(kTwoDevices, answer));
  return readFigure(answer, figure);
}

TEST(Figure, OfOneOfSeveralDevicesIsReadInItsPart) {
  EXPECT_EQ(read("devices[0].weights").expected, 5);
  EXPECT_EQ(read("devices[0].weights").high, 6);
  EXPECT_EQ(read("devices[1].weights").expected, 4);
  EXPECT_EQ(read("devices[1].weights").high, 5);
  EXPECT_EQ(read("devices[1].weights@host").expected, 8);
  EXPECT_EQ(read("devices[1].perDevice").expected, 30);
  EXPECT_EQ(read("perDevice").expected, 70);
  EXPECT_EQ(read("weights").expected, 0);
}

TEST(Figure, OfADeviceThatIsNotThereIsMissing) {
  EXPECT_EQ(read("devices[2].weights").why, "The answer does not tell its devices apart.");
  EXPECT_EQ(read("devices[-1].weights").why, "No figure is called \"devices[-1].weights\".");
  EXPECT_EQ(read("devices[0]weights").why, "No figure is called \"devices[0]weights\".");
  EXPECT_EQ(read("devices[0].kv.bytesPerToken").why, "The answer has no kv.bytesPerToken.");
  EXPECT_EQ(read("devices[0].devices[0].weights").why,
            "No figure is called \"devices[0].weights\".");
}

}  // namespace
}  // namespace memfit::accuracy
