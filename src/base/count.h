// memfit - SPDX-License-Identifier: Apache-2.0
//
// Count: the one integer that amounts are computed in - bytes, elements, tokens, parameters.
//
// Every product of an estimate is a Count, so no formula needs its own overflow check: a result
// that does not fit is *overflowed*, and stays overflowed through whatever is computed from it. The
// caller looks once, at the end, and turns it into an error that names the field.
//
// What is smaller than a call is always inlined: the page's module is compiled for size, and a fit
// map is millions of these.
//
// The limit is 2^53 - 1 (about 9.0e15, 9 PB), the largest integer that JavaScript holds exactly:
// what is exact here is exact in the browser too.
#pragma once

#include <compare>
#include <cstdint>
#include <type_traits>

namespace memfit {

class Count {
 public:
  static constexpr std::uint64_t kMax = (std::uint64_t{1} << 53) - 1;

  [[gnu::always_inline]] constexpr Count() = default;
  // Negative values count as overflow: nothing that memfit counts can be below zero.
  template <typename Integer>
  requires std::is_integral_v<Integer>
  // NOLINTNEXTLINE(google-explicit-constructor): literals in formulas
  [[gnu::always_inline]] constexpr Count(Integer value)
      : value_(value < 0 || static_cast<std::uint64_t>(value) > kMax
                   ? kOverflow
                   : static_cast<std::uint64_t>(value)) {}

  static constexpr Count overflow() {
    Count count;
    count.value_ = kOverflow;
    return count;
  }

  [[gnu::always_inline]] constexpr bool overflowed() const { return value_ == kOverflow; }
  // The value; kMax when overflowed, so that a forgotten check shows as absurd, never as small.
  [[gnu::always_inline]] constexpr std::uint64_t value() const {
    return overflowed() ? kMax : value_;
  }
  [[gnu::always_inline]] constexpr double toDouble() const { return static_cast<double>(value()); }

  [[gnu::always_inline]] friend constexpr Count operator+(Count a, Count b) {
    return Count(a.value_ + b.value_);  // of two overflowed counts 2^63, which is none either
  }
  // Saturates at zero: "what is left after b", where b may be larger.
  [[gnu::always_inline]] friend constexpr Count operator-(Count a, Count b) {
    if (a.overflowed() || b.overflowed()) return overflow();
    return a.value_ > b.value_ ? Count(a.value_ - b.value_) : Count(0);
  }
  friend constexpr Count operator*(Count a, Count b) {
    // With fewer than 64 leading zeros in all, the product is at least 2^63.
    if (zeros(a.value_) + zeros(b.value_) < 64) return overflow();
    return a.overflowed() || b.overflowed() ? overflow() : Count(a.value_ * b.value_);
  }
  // Rounds down; division by zero is an overflow.
  friend constexpr Count operator/(Count a, Count b) {
    if (a.overflowed() || b.overflowed() || b.value_ == 0) return overflow();
    return Count(a.value_ / b.value_);
  }
  [[gnu::always_inline]] constexpr Count& operator+=(Count b) { return *this = *this + b; }
  constexpr Count& operator*=(Count b) { return *this = *this * b; }

  // An overflowed count is larger than every other.
  [[gnu::always_inline]] friend constexpr auto operator<=>(Count a, Count b) {
    return a.value_ <=> b.value_;
  }
  [[gnu::always_inline]] friend constexpr bool operator==(Count a, Count b) {
    return a.value_ == b.value_;
  }

  // this / divisor, rounded up.
  constexpr Count ceilDiv(Count divisor) const {
    if (overflowed() || divisor.overflowed() || divisor.value_ == 0) return overflow();
    return Count(value_ / divisor.value_ + (value_ % divisor.value_ != 0 ? 1 : 0));
  }
  // The smallest multiple of `multiple` that is not below this.
  constexpr Count roundUp(Count multiple) const { return ceilDiv(multiple) * multiple; }
  // this * numerator / denominator, the product in 128 bits, rounded to the nearest (halves up).
  constexpr Count scaled(Count numerator, Count denominator) const {
    if (overflowed() || numerator.overflowed() || denominator.overflowed() ||
        denominator.value_ == 0) {
      return overflow();
    }
    // Most products are below 2^63; to divide in 128 bits is slow where 64 are a machine word.
    if (zeros(value_) + zeros(numerator.value_) > 64) {
      return Count((value_ * numerator.value_ + denominator.value_ / 2) / denominator.value_);
    }
    const Wide wide =
        (Wide{value_} * numerator.value_ + denominator.value_ / 2) / denominator.value_;
    return wide > kMax ? overflow() : Count(static_cast<std::uint64_t>(wide));
  }

 private:
  using Wide = unsigned __int128;
  // Above kMax, as is every sum of it with another.
  static constexpr std::uint64_t kOverflow = std::uint64_t{1} << 62;

  [[gnu::always_inline]] static constexpr int zeros(std::uint64_t value) {
    return value == 0 ? 64 : __builtin_clzll(value);
  }

  std::uint64_t value_ = 0;
};

// A count of bytes. One type for all counts keeps formulas plain; the name says the unit.
using Bytes = Count;

inline constexpr Count kGB = std::uint64_t{1000000000};
inline constexpr Count kKiB = std::uint64_t{1} << 10;
inline constexpr Count kMiB = std::uint64_t{1} << 20;
inline constexpr Count kGiB = std::uint64_t{1} << 30;

[[gnu::always_inline]] constexpr Count min(Count a, Count b) { return a < b ? a : b; }
[[gnu::always_inline]] constexpr Count max(Count a, Count b) { return a < b ? b : a; }

}  // namespace memfit
