// memfit - SPDX-License-Identifier: Apache-2.0
//
// SetOf: a set of words of an enum, as a table's row says whom something applies to. The enum ends
// in kCount and has at most 63 words. A word that is not named is not in it, one that is new
// neither: what many words share stands in `all()` and `without()`, or in a named set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace memfit {

template <typename Enum>
class SetOf {
 public:
  static_assert(static_cast<std::size_t>(Enum::kCount) < 64);

  constexpr SetOf() = default;
  constexpr SetOf(Enum one) : bits_(bit(one)) {}  // NOLINT(google-explicit-constructor)

  static constexpr SetOf all() { return SetOf(bit(Enum::kCount) - 1); }
  // The words from `first` to `last`, both included.
  static constexpr SetOf range(Enum first, Enum last) {
    return SetOf((bit(last) - bit(first)) | bit(last));
  }

  constexpr bool has(Enum one) const { return (bits_ & bit(one)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr SetOf without(SetOf other) const { return SetOf(bits_ & ~other.bits_); }

  friend constexpr SetOf operator|(SetOf a, SetOf b) { return SetOf(a.bits_ | b.bits_); }
  friend constexpr bool operator==(SetOf, SetOf) = default;

 private:
  using Bits = std::conditional_t<(static_cast<std::size_t>(Enum::kCount) < 32), std::uint32_t,
                                  std::uint64_t>;

  explicit constexpr SetOf(Bits bits) : bits_(bits) {}
  static constexpr Bits bit(Enum one) { return Bits{1} << static_cast<unsigned>(one); }

  Bits bits_ = 0;
};

}  // namespace memfit
