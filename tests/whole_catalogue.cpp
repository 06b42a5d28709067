// memfit - SPDX-License-Identifier: Apache-2.0
//
// WebAssembly has the popular models compiled in and takes the rest from a file, as the page does.
// The tests are to find the same models as natively, so the file is read before the first of them.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "model/catalogue.h"

namespace memfit {
namespace {

class WholeCatalogue : public ::testing::Environment {
 public:
  void SetUp() override {
    std::FILE* file = std::fopen(MEMFIT_TEST_DATA "/../../src/model/catalogue/models.jsonl", "rb");
    ASSERT_NE(file, nullptr);
    std::string text;
    char buffer[65536];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) {
      text.append(buffer, n);
    }
    std::fclose(file);
    ASSERT_TRUE(loadCatalogue(text).ok());
  }
};

// GoogleTest owns it.
const ::testing::Environment* const kWholeCatalogue =
    ::testing::AddGlobalTestEnvironment(new WholeCatalogue);

}  // namespace
}  // namespace memfit
