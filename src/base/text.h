// memfit - SPDX-License-Identifier: Apache-2.0
//
// Text and numbers, without locales and without iostream (which costs the wasm 37 KB compressed).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace memfit {

// "1234567" -> "1,234,567".
std::string groupDigits(std::uint64_t value);

// A decimal number scaled to an integer, exactly: parseScaled("0.92", 1000000) is 920000.
// Accepts an optional sign, digits, an optional fraction and an optional exponent, nothing else;
// digits beyond the scale round to the nearest (halves away from zero).
// nullopt when the text is no number or the result does not fit.
std::optional<std::int64_t> parseScaled(std::string_view text, std::int64_t scale);

// The reverse, with no trailing zeros: formatScaled(920000, 1000000) is "0.92".
std::string formatScaled(std::int64_t value, std::int64_t scale);

// "a, b or c": how messages list what is accepted.
std::string listOf(std::span<const std::string_view> words);

// ASCII lower case. Ids and keys are ASCII; other bytes stay.
std::string toLower(std::string_view text);

std::string_view trim(std::string_view text);

// Bytes as UTF-8: each maximal part of a sequence that is none becomes U+FFFD (Unicode 16, table
// 3-7 and "U+FFFD Substitution of Maximal Subparts" in 3.9), as browsers decode. For what comes
// from outside: a URL can say any byte.
std::string asUtf8(std::string_view bytes);

// A piece of somebody's input, fit for a message: at most `limit` bytes (cut at a UTF-8 boundary,
// marked "..."), control characters replaced.
std::string quoted(std::string_view text, std::size_t limit = 40);

// Joins text and integers: cat("K = ", 32, " x ", 128). Doubles are left out on purpose: say how
// many decimals you mean with formatFixed.
namespace internal {
inline void appendPiece(std::string& out, std::string_view piece) { out += piece; }
inline void appendPiece(std::string& out, const std::string& piece) { out += piece; }
inline void appendPiece(std::string& out, const char* piece) { out += piece; }
template <typename Integer>
requires std::is_integral_v<Integer>
void appendPiece(std::string& out, Integer value) { out += std::to_string(value); }
}  // namespace internal
template <typename... Pieces>
std::string cat(const Pieces&... pieces) {
  std::string out;
  (internal::appendPiece(out, pieces), ...);
  return out;
}

// How deep brackets and braces nest in a JSON text, strings left out. JSON libraries write (and
// some read) by recursion: untrusted text that nests deeper than kMaxJsonDepth is refused before
// that.
std::size_t jsonDepth(std::string_view json);
inline constexpr std::size_t kMaxJsonDepth = 64;

// Fixed decimals, 0 to 9, point as separator, rounded as printf does: formatFixed(18.75, 1) is
// "18.8".
// "?" for what is no number or not below 9e18.
std::string formatFixed(double value, int decimals);

}  // namespace memfit
