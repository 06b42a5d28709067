// memfit - SPDX-License-Identifier: Apache-2.0
#include "base/sort.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace memfit {
namespace {

const auto kByNumber = [](const auto& a, const auto& b) { return a.first < b.first; };

TEST(SortStably, OrdersAndKeepsTheOrderOfEquals) {
  std::vector<std::pair<int, std::string>> items{{3, "a"}, {1, "b"}, {2, "c"}, {1, "d"},
                                                 {3, "e"}, {0, "f"}, {1, "g"}};
  sortStably(items.begin(), items.end(), kByNumber);
  std::string order;
  for (const auto& item : items) order += item.second;
  EXPECT_EQ(order, "fbdgcae");
}

TEST(SortStably, LeavesEmptyAndSingleAlone) {
  std::vector<std::pair<int, std::string>> items;
  sortStably(items.begin(), items.end(), kByNumber);
  EXPECT_TRUE(items.empty());
  items.emplace_back(1, "a");
  sortStably(items.begin(), items.end(), kByNumber);
  EXPECT_EQ(items.front().second, "a");
}

TEST(SortStably, SortsAPart) {
  std::vector<std::pair<int, std::string>> items{{9, "a"}, {3, "b"}, {2, "c"}};
  sortStably(items.begin() + 1, items.end(), kByNumber);
  EXPECT_EQ(items[0].first, 9);
  EXPECT_EQ(items[1].first, 2);
  EXPECT_EQ(items[2].first, 3);
}

}  // namespace
}  // namespace memfit
