// memfit - SPDX-License-Identifier: Apache-2.0
//
// Questions of tests, as the text of a URL. What a question says must be understood: a notice of
// reading it, or a model that is not known, fails the test.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {

inline Query ask(std::string_view url) {
  const DecodedQuery decoded = decodeUrl(url);
  for (const Notice& notice : decoded.notices) ADD_FAILURE() << url << ": " << notice.message;
  return decoded.query;
}

inline Report reportFor(std::string_view url, Bytes deviceTotal = 0) {
  const Result<Report> report = estimate(ask(url), deviceTotal);
  EXPECT_TRUE(report.ok()) << url << ": " << (report.ok() ? "" : report.error().message);
  if (!report) return {};
  for (const Notice& notice : report->notices) {
    EXPECT_NE(notice.field, "model") << url << ": " << notice.message;
  }
  return *report;
}

inline double mib(Bytes bytes) { return bytes.toDouble() / 1048576.0; }
inline double gib(Bytes bytes) { return bytes.toDouble() / 1073741824.0; }

}  // namespace memfit
