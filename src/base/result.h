// memfit - SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value, or an Error that says which field, what was given and what is accepted.
// memfit throws nothing (wasm builds have no exceptions); everything that can fail returns this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace memfit {

enum class ErrorCode : std::uint8_t {
  kBadJson,      // text that is not JSON, or not the JSON that the place takes
  kBadFile,      // a model file that breaks its format: the message says where
  kMissing,      // something required is absent
  kOutOfRange,   // a number outside what the place accepts
  kOverflow,     // an amount beyond 2^53 - 1
  kUnknown,      // a name that no table lists
  kUnsupported,  // well-formed, but nothing here can estimate it: the message says what
  kCount
};

// The word that JavaScript sees as MemfitError.code: "bad-json", "out-of-range", ...
std::string_view errorCodeName(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kUnknown;
  std::string field;    // the key, path or file part at fault; empty when there is none
  std::string message;  // one English sentence: what was given, what is accepted
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  // Only when ok().
  T& value() { return *std::get_if<T>(&state_); }
  const T& value() const { return *std::get_if<T>(&state_); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }

  // Only when not ok().
  const Error& error() const { return *std::get_if<Error>(&state_); }

 private:
  std::variant<T, Error> state_;
};

// Of what has nothing to say but that it is done: `return Done{};`. Result<bool> stays for where
// the bool tells something.
struct Done {};
using Status = Result<Done>;

}  // namespace memfit
