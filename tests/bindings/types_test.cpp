// memfit - SPDX-License-Identifier: Apache-2.0
//
// The unions of web/memfit.d.ts that tables of the core decide: every word of the table, in its
// order, and no other.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/result.h"
#include "memory/ledger.h"
#include "query/query.h"

namespace memfit {
namespace {

std::string typesFile() {
  std::ifstream file(MEMFIT_SOURCE_DIR "/web/memfit.d.ts");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// export type NAME = ...;
std::string unionOf(const std::string& name) {
  const std::string types = typesFile();
  const std::string head = "export type " + name + " =\n";
  const std::size_t at = types.find(head);
  if (at == std::string::npos) return "no type " + name;
  const std::size_t from = at + head.size();
  // On one line or on many, as the formatter has it.
  std::string words;
  for (const char c : types.substr(from, types.find(';', from) - from)) {
    if (c == '|' && words.empty()) continue;
    if (c != ' ' && c != '\n') words += c;
  }
  return words;
}

template <typename Enum, typename Name>
std::string unionOf(Name name) {
  std::string text;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Enum::kCount); ++i) {
    text += text.empty() ? "\"" : "|\"";
    text += name(static_cast<Enum>(i));
    text += '"';
  }
  return text;
}

TEST(Types, UnionsAreTheTables) {
  EXPECT_EQ(unionOf("Component"), unionOf<Component>(componentName));
  EXPECT_EQ(unionOf("ErrorCode"), unionOf<ErrorCode>(errorCodeName));
  EXPECT_EQ(unionOf("NoticeCode"), unionOf<NoticeCode>(noticeCodeName));
}

}  // namespace
}  // namespace memfit
