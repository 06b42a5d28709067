// memfit - SPDX-License-Identifier: Apache-2.0
//
// EnumSet: which words of an enum something applies to, as a table's row says it. The enum ends in
// kCount and has at most 64 words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace memfit {

template <typename Enum>
class EnumSet {
 public:
  static_assert(static_cast<std::size_t>(Enum::kCount) <= 64);

  constexpr EnumSet() = default;
  constexpr EnumSet(std::initializer_list<Enum> words) {
    for (const Enum word : words) bits_ |= bit(word);
  }

  static constexpr EnumSet all() {
    EnumSet set;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Enum::kCount); ++i) {
      set.bits_ |= std::uint64_t{1} << i;
    }
    return set;
  }
  // The words from `first` to `last`, both included.
  static constexpr EnumSet range(Enum first, Enum last) {
    EnumSet set;
    for (auto i = static_cast<std::size_t>(first); i <= static_cast<std::size_t>(last); ++i) {
      set.bits_ |= std::uint64_t{1} << i;
    }
    return set;
  }

  constexpr bool has(Enum word) const { return (bits_ & bit(word)) != 0; }

  friend constexpr EnumSet operator|(EnumSet a, EnumSet b) { return EnumSet(a.bits_ | b.bits_); }
  // What `a` has and `b` has not.
  friend constexpr EnumSet operator-(EnumSet a, EnumSet b) { return EnumSet(a.bits_ & ~b.bits_); }
  friend constexpr bool operator==(EnumSet, EnumSet) = default;

 private:
  constexpr explicit EnumSet(std::uint64_t bits) : bits_(bits) {}
  static constexpr std::uint64_t bit(Enum word) {
    return std::uint64_t{1} << static_cast<std::size_t>(word);
  }

  std::uint64_t bits_ = 0;
};

}  // namespace memfit
