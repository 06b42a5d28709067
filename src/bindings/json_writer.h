// memfit - SPDX-License-Identifier: Apache-2.0
//
// JsonWriter: writes JSON text, one call a thing. RapidJSON stays inside the .cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/count.h"

namespace memfit {

class JsonWriter {
 public:
  JsonWriter();
  ~JsonWriter();
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  void beginObject();
  void endObject();
  void beginList();
  void endList();
  void key(std::string_view name);

  void text(std::string_view value);
  void count(Count value);
  void integer(std::int64_t value);
  // Whole numbers without a fraction; otherwise the shortest text that reads back the same.
  void number(double value);
  void flag(bool value);
  void null();
  // A piece that is JSON already.
  void raw(std::string_view json);

  std::string take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace memfit
