// memfit - SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <cmath>

namespace memfit {

namespace {

// What bytes begin with: a character, or the longest part of one that is not finished.
struct Utf8Part {
  std::size_t length;
  bool whole;
};

// `bytes` is not empty. Table 3-7 of Unicode: how many bytes follow the first, and what the second
// may be; it leaves out overlong forms, surrogates and what lies beyond U+10FFFF.
Utf8Part firstPart(std::string_view bytes) {
  struct Lead {
    unsigned char first, last;  // the first byte
    std::size_t following;
    unsigned char low, high;  // the second byte; all after it are 80 to BF
  };
  constexpr Lead kLeads[] = {
      {0x00, 0x7F, 0, 0x00, 0x00}, {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF},
      {0xE1, 0xEC, 2, 0x80, 0xBF}, {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF},
      {0xF0, 0xF0, 3, 0x90, 0xBF}, {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
  };
  const auto at = [bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  for (const Lead& lead : kLeads) {
    if (at(0) < lead.first || at(0) > lead.last) continue;
    for (std::size_t i = 1; i <= lead.following; ++i) {
      const unsigned char low = i == 1 ? lead.low : 0x80;
      const unsigned char high = i == 1 ? lead.high : 0xBF;
      if (i >= bytes.size() || at(i) < low || at(i) > high) return {i, false};
    }
    return {lead.following + 1, true};
  }
  return {1, false};
}

constexpr std::int64_t kInt64Max = INT64_MAX;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string groupDigits(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::optional<std::int64_t> parseScaled(std::string_view text, std::int64_t scale) {
  text = trim(text);
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }

  // The digits as one integer (value * 10^fractionDigits); more than 18 significant ones are
  // dropped, which is beyond what any field's scale resolves.
  std::int64_t mantissa = 0;
  int exponent = 0;
  bool anyDigit = false;
  bool afterPoint = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.' && !afterPoint) {
      afterPoint = true;
    } else if (isDigit(c)) {
      anyDigit = true;
      if (mantissa < 100000000000000000) {
        mantissa = mantissa * 10 + (c - '0');
        if (afterPoint) --exponent;
      } else if (!afterPoint) {
        ++exponent;
      }
    } else {
      break;
    }
  }
  if (!anyDigit) return std::nullopt;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    bool negativeExponent = false;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) {
      negativeExponent = text[i] == '-';
      ++i;
    }
    if (i >= text.size()) return std::nullopt;
    int given = 0;
    for (; i < text.size() && isDigit(text[i]); ++i) {
      if (given < 10000) given = given * 10 + (text[i] - '0');
    }
    exponent += negativeExponent ? -given : given;
  }
  if (i != text.size()) return std::nullopt;

  __int128 value = static_cast<__int128>(mantissa) * scale;
  for (; exponent > 0 && value != 0; --exponent) {
    value *= 10;
    if (value > kInt64Max) return std::nullopt;
  }
  if (exponent < 0) {
    __int128 divisor = 1;
    for (; exponent < 0 && divisor <= value * 2; ++exponent) divisor *= 10;
    value = exponent < 0 ? 0 : (value + divisor / 2) / divisor;
  }
  if (value > kInt64Max) return std::nullopt;
  const auto result = static_cast<std::int64_t>(value);
  return negative ? -result : result;
}

std::string formatScaled(std::int64_t value, std::int64_t scale) {
  const bool negative = value < 0;
  const std::uint64_t magnitude =
      negative ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
  const auto unit = static_cast<std::uint64_t>(scale);
  std::string text = std::to_string(magnitude / unit);
  std::uint64_t rest = magnitude % unit;
  if (rest != 0) {
    text += '.';
    for (std::uint64_t place = unit / 10; rest != 0 && place != 0; place /= 10) {
      text += static_cast<char>('0' + rest / place);
      rest %= place;
    }
  }
  return negative ? "-" + text : text;
}

std::string listOf(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string toLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string asUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const Utf8Part part = firstPart(bytes.substr(i));
    if (part.whole) {
      out += bytes.substr(i, part.length);
    } else {
      out += "\xEF\xBF\xBD";
    }
    i += part.length;
  }
  return out;
}

std::string quoted(std::string_view text, std::size_t limit) {
  std::size_t length = text.size();
  if (length > limit) {
    length = limit;
    // A UTF-8 continuation byte is 10xxxxxx: step back to the start of the character.
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  }
  std::string out = "\"";
  for (const char c : text.substr(0, length)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return out + (length < text.size() ? "...\"" : "\"");
}

std::size_t jsonDepth(std::string_view json) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool inString = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (inString) {
      if (c == '\\') ++i;
      if (c == '"') inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > deepest) deepest = depth;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

namespace {

// a * b - product, exactly: what the product lost in rounding (Dekker 1971, "A floating-point
// technique for extending the available precision").
double lostIn(double product, double a, double b) {
  constexpr double kSplit = 134217729;  // 2^27 + 1
  const double aHigh = kSplit * a - (kSplit * a - a);
  const double bHigh = kSplit * b - (kSplit * b - b);
  const double aLow = a - aHigh;
  const double bLow = b - bHigh;
  return ((aHigh * bHigh - product) + aHigh * bLow + aLow * bHigh) + aLow * bLow;
}

}  // namespace

std::string formatFixed(double value, int decimals) {
  // As printf("%.*f") rounds, the decimal value of the binary one to nearest and ties to even, but
  // without the 10 KB that printf takes for numbers of every kind.
  constexpr int kMostDecimals = 9;
  const double size = std::fabs(value);
  if (!(size < 9e18) || decimals < 0 || decimals > kMostDecimals) return "?";
  auto whole = static_cast<std::uint64_t>(size);
  std::uint64_t scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  const double fraction = size - static_cast<double>(whole);
  const double scaled = fraction * static_cast<double>(scale);
  auto digits = static_cast<std::uint64_t>(scaled);
  const double rest = scaled - static_cast<double>(digits);
  const double lost = lostIn(scaled, fraction, static_cast<double>(scale));
  const bool odd = (decimals == 0 ? whole : digits) % 2 != 0;
  if (rest > 0.5 || (rest == 0.5 && (lost > 0 || (lost == 0 && odd)))) ++digits;
  // The decimals behind a one, which is added to the whole where it has become a two.
  digits += scale;
  if (digits == 2 * scale) {
    digits = scale;
    ++whole;
  }
  std::string text = std::signbit(value) ? "-" : "";
  text += std::to_string(whole);
  if (decimals > 0) {
    text += '.';
    text += std::to_string(digits).substr(1);
  }
  return text;
}

}  // namespace memfit
