// memfit - SPDX-License-Identifier: Apache-2.0
//
// A Query is what is asked: a value, or its absence, for each field of the table in fields.h.
// Absent fields answer with their default, so code reads a query without caring who gave what.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/count.h"
#include "query/choices.h"
#include "query/fields.h"

namespace memfit {

// An amount of memory that is either bytes or a share of the device, as the field `reserve` takes
// it.
struct Amount {
  bool isShare = false;
  std::int64_t value = 0;  // bytes, or millionths of the device

  // Of a device with `total` bytes.
  Bytes of(Bytes total) const { return isShare ? total.scaled(value, 1000000) : Bytes(value); }

  friend bool operator==(const Amount&, const Amount&) = default;
};

class Query {
 public:
  Query() { values_.fill(kUnset); }

  // Whether the field was given. A given value that equals the default counts as given.
  bool has(Key key) const { return values_[index(key)] != kUnset; }

  // The stored value (see Kind), or the default; kUnset for a field that has neither.
  std::int64_t number(Key key) const;
  // A number that counts something; 0 for a field that has neither value nor default.
  Count count(Key key) const;
  bool flag(Key key) const { return number(key) == 1; }
  template <typename Enum>
  Enum choice(Key key) const {
    return static_cast<Enum>(number(key));
  }
  Amount amount(Key key) const;
  // kText and kDocument; empty when absent.
  std::string_view text(Key key) const;

  // No checks: the value must be in the field's range (query_io.h reads untrusted input).
  void set(Key key, std::int64_t value) { values_[index(key)] = value; }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void set(Key key, Enum value) { set(key, static_cast<std::int64_t>(value)); }
  void setAmount(Key key, Amount amount);
  void setText(Key key, std::string_view text);
  void clear(Key key);

  Task task() const { return choice<Task>(Key::kTask); }
  bool isTraining() const { return task() != Task::kInference; }

  friend bool operator==(const Query&, const Query&) = default;
  // The same for equal queries; of the texts only the lengths count.
  std::uint64_t hash() const;

 private:
  static std::size_t index(Key key) { return static_cast<std::size_t>(key); }

  std::array<std::int64_t, kKeyCount> values_;
  std::array<std::string, kTextCount> texts_;  // at each field's textSlot
};

// Clears every field that says which model is meant: another is meant from here on, and a shape
// belongs to the model that it was given for.
void forgetModel(Query& query);

// The default of a field *in this query*: some depend on other fields. `weights` is nf4 for qlora
// and bf16 otherwise; `recipe` is bf16 under the method per-billion, whose published table counts
// no master copy, and mixed otherwise. kUnset where there is none.
std::int64_t defaultOf(const Query& query, Key key);

// Something that the reader should know about an estimate: an input that was not used as given, or
// an assumption that was made. Never an error: the estimate goes on.
enum class NoticeCode : std::uint8_t {
  kUnknownKey,     // no field has this name
  kUnknownValue,   // the field has no such word, or the text is no number
  kOutOfRange,     // a number outside the field's range
  kNoEffect,       // given, but it changes nothing here (matters.h)
  kNotApplicable,  // the chosen method or setting cannot do this task: another is used
  kAssumption,     // what was assumed where the input says nothing
  kCount
};
std::string_view noticeCodeName(NoticeCode code);  // "unknown-key", ...

struct Notice {
  NoticeCode code = NoticeCode::kAssumption;
  std::string field;        // the key, as given
  std::string given;        // what was given, shortened for display
  std::string accepted;     // what is accepted, or what is used instead
  std::string message;      // one English sentence with all of it
  std::string reason = {};  // kNoEffect: what the message says after its colon; empty where the
                            // method and the task are the reason
};
using Notices = std::vector<Notice>;

}  // namespace memfit
