// memfit - SPDX-License-Identifier: Apache-2.0
#include "query/query_io.h"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <optional>

#include "base/json.h"
#include "base/text.h"

namespace memfit {

namespace {

// ---- URL escapes (RFC 3986: unreserved characters stay as they are) ----

bool isUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Percent signs can say any bytes: what is no UTF-8 ends here, and notices quote clean text.
std::string unescapeUrl(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] == '%' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 &&
               hexDigit(text[i + 2]) >= 0) {
      out += static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return asUtf8(out);
}

std::string escapeUrl(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (isUnreserved(c) || c == ',' || c == ':' || c == '/') {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

// ---- Amounts: bytes with a unit, or a percentage ----

struct AmountUnit {
  std::string_view name;
  std::int64_t bytes;
};
// Larger first, so that "2GiB" is not read as "2Gi" bytes. A plain number is bytes, as every amount
// in the JavaScript API.
constexpr AmountUnit kAmountUnits[] = {{"GiB", std::int64_t{1} << 30},
                                       {"MiB", 1 << 20},
                                       {"GB", 1000000000},
                                       {"MB", 1000000},
                                       {"B", 1},
                                       {"", 1}};

std::optional<Amount> parseAmount(std::string_view text) {
  text = trim(text);
  if (!text.empty() && text.back() == '%') {
    const auto share = parseScaled(text.substr(0, text.size() - 1), 10000);
    if (!share || *share < 0 || *share > 1000000) return std::nullopt;
    return Amount{true, *share};
  }
  const std::string lower = toLower(text);
  for (const AmountUnit& unit : kAmountUnits) {
    if (!std::string_view(lower).ends_with(toLower(unit.name))) continue;
    const auto bytes =
        parseScaled(std::string_view(lower).substr(0, lower.size() - unit.name.size()), unit.bytes);
    if (!bytes || *bytes < 0 || Count(*bytes).overflowed()) return std::nullopt;
    return Amount{false, *bytes};
  }
  return std::nullopt;
}

std::string amountText(Amount amount) {
  if (amount.isShare) return formatScaled(amount.value, 10000) + "%";
  if (amount.value == 0) return "0";
  for (const AmountUnit& unit : kAmountUnits) {
    if (amount.value % unit.bytes == 0) return cat(amount.value / unit.bytes, unit.name);
  }
  return cat(amount.value, "B");
}

// ---- Values ----

std::optional<bool> parseFlag(std::string_view text) {
  const std::string lower = toLower(trim(text));
  for (const char* yes : {"true", "1", "yes", "on"}) {
    if (lower == yes) return true;
  }
  for (const char* no : {"false", "0", "no", "off"}) {
    if (lower == no) return false;
  }
  return std::nullopt;
}

void addNotice(Notices& notices, NoticeCode code, std::string_view field, std::string_view given,
               std::string accepted) {
  std::string message = code == NoticeCode::kUnknownKey
                            ? cat("There is no field ", quoted(field), ": it was left out.")
                            : cat("\"", field, "\" was given as ", quoted(given), "; it accepts ",
                                  accepted, ". The default is used.");
  notices.push_back({code, std::string(field.substr(0, 80)), std::string(given.substr(0, 80)),
                     std::move(accepted), std::move(message)});
}

// A JSON value as text. The shortest decimal that is read as a number again: 0.1 stays 0.1.
std::string textOf(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace

std::string acceptedText(const Field& field) {
  const std::string unit = field.unit.empty() ? std::string() : cat(" ", field.unit);
  switch (field.kind) {
    case Kind::kChoice: return listOf(field.values);
    case Kind::kInteger:
      return cat("whole numbers from ", field.min, " to ", field.max, unit,
                 field.word.empty() ? "" : cat(", or ", field.word));
    case Kind::kReal:
      return cat("numbers from ", formatScaled(field.min, field.scale), " to ",
                 formatScaled(field.max, field.scale), unit);
    case Kind::kFlag: return "true or false";
    case Kind::kAmount: return "bytes such as 2GB or 512MiB, or a percentage such as 5%";
    case Kind::kText: return "a name of at most 200 bytes";
    case Kind::kDocument: return "a config.json";
  }
  return {};
}

void setFromText(Query& query, const Field& field, std::string_view text, Notices& notices) {
  const std::string_view value = trim(text);
  const auto refuse = [&](NoticeCode code) {
    addNotice(notices, code, field.name, value, acceptedText(field));
  };
  switch (field.kind) {
    case Kind::kChoice: {
      const std::string lower = toLower(value);
      for (std::size_t i = 0; i < field.values.size(); ++i) {
        if (toLower(field.values[i]) == lower) {
          query.set(field.key, static_cast<std::int64_t>(i));
          return;
        }
      }
      return refuse(NoticeCode::kUnknownValue);
    }
    case Kind::kInteger:
    case Kind::kReal: {
      if (!field.word.empty() && toLower(value) == field.word) {
        query.clear(field.key);
        return;
      }
      // Whole numbers are read with three decimals, so that 1.5 is refused and not rounded.
      const std::int64_t precision = field.kind == Kind::kInteger ? 1000 : 1;
      auto number = parseScaled(value, field.scale * precision);
      if (!number && parseScaled(value, 1)) return refuse(NoticeCode::kOutOfRange);
      if (!number || *number % precision != 0) return refuse(NoticeCode::kUnknownValue);
      *number /= precision;
      if (*number < field.min || *number > field.max) return refuse(NoticeCode::kOutOfRange);
      query.set(field.key, *number);
      return;
    }
    case Kind::kFlag: {
      const auto flag = parseFlag(value);
      if (!flag) return refuse(NoticeCode::kUnknownValue);
      query.set(field.key, *flag ? 1 : 0);
      return;
    }
    case Kind::kAmount: {
      const auto amount = parseAmount(value);
      if (!amount) return refuse(NoticeCode::kUnknownValue);
      query.setAmount(field.key, *amount);
      return;
    }
    case Kind::kText:
      if (value.empty()) {
        query.clear(field.key);
        return;
      }
      if (value.size() > 200) return refuse(NoticeCode::kOutOfRange);
      query.setText(field.key, value);
      return;
    case Kind::kDocument: query.setText(field.key, text); return;
  }
}

std::string valueText(const Query& query, const Field& field) {
  if (field.kind == Kind::kText || field.kind == Kind::kDocument) {
    return std::string(query.text(field.key));
  }
  const std::int64_t value = query.number(field.key);
  if (field.kind == Kind::kAmount) return amountText(query.amount(field.key));
  if (value == kUnset) return std::string(field.word);
  if (field.kind == Kind::kChoice) return std::string(field.values[static_cast<size_t>(value)]);
  if (field.kind == Kind::kFlag) return value == 1 ? "true" : "false";
  return formatScaled(value, field.scale);
}

DecodedQuery decodeUrl(std::string_view text) {
  DecodedQuery decoded;
  if (!text.empty() && (text.front() == '?' || text.front() == '#')) text.remove_prefix(1);
  if (text.size() > kMaxQueryText) {
    decoded.notices.push_back({NoticeCode::kOutOfRange, "", cat(text.size(), " bytes"),
                               cat("at most ", kMaxQueryText, " bytes"),
                               cat("The parameters have ", text.size(), " bytes; only the first ",
                                   kMaxQueryText, " were read.")});
    text = text.substr(0, kMaxQueryText);
  }
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view pair = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const std::string name = unescapeUrl(pair.substr(0, equals));
    const std::string value =
        equals == std::string_view::npos ? std::string() : unescapeUrl(pair.substr(equals + 1));
    const Field* field = findField(name);
    if (field == nullptr || field->kind == Kind::kDocument) {
      addNotice(decoded.notices, NoticeCode::kUnknownKey, name, value, "");
    } else {
      setFromText(decoded.query, *field, value, decoded.notices);
    }
  }
  return decoded;
}

std::string encodeUrl(const Query& query) {
  std::string text;
  for (const Field& field : fields()) {
    if (!query.has(field.key) || field.kind == Kind::kDocument) continue;
    const bool isText = field.kind == Kind::kText;
    if (!isText && query.number(field.key) == defaultOf(query, field.key)) continue;
    if (!text.empty()) text += '&';
    text += field.name;
    text += '=';
    text += escapeUrl(valueText(query, field));
  }
  return text;
}

Result<DecodedQuery> decodeJson(std::string_view json) {
  if (jsonDepth(json) > kMaxJsonDepth) {
    return Error{ErrorCode::kBadJson, "query",
                 cat("The query is nested more than ", kMaxJsonDepth, " levels deep.")};
  }
  rapidjson::Document document;
  if (!parseJson(json, document)) {
    return Error{ErrorCode::kBadJson, "query",
                 cat("The query is no JSON: it breaks off at byte ", document.GetErrorOffset(),
                     "; an object of fields is accepted.")};
  }
  if (!document.IsObject()) {
    return Error{ErrorCode::kBadJson, "query",
                 "The query is no JSON object; an object of fields is accepted."};
  }

  DecodedQuery decoded;
  for (const auto& member : document.GetObject()) {
    const std::string_view name(member.name.GetString(), member.name.GetStringLength());
    const rapidjson::Value& value = member.value;
    const Field* field = findField(name);
    if (field == nullptr) {
      addNotice(decoded.notices, NoticeCode::kUnknownKey, name,
                value.IsString() ? value.GetString() : "", "");
    } else if (value.IsNull()) {
      continue;
    } else if (value.IsString()) {
      setFromText(decoded.query, *field, {value.GetString(), value.GetStringLength()},
                  decoded.notices);
    } else if (value.IsBool()) {
      setFromText(decoded.query, *field, value.GetBool() ? "true" : "false", decoded.notices);
    } else if (value.IsNumber()) {
      setFromText(decoded.query, *field, textOf(value), decoded.notices);
    } else if (field->kind == Kind::kDocument && value.IsObject()) {
      decoded.query.setText(field->key, textOf(value));
    } else {
      addNotice(decoded.notices, NoticeCode::kUnknownValue, name,
                value.IsObject() ? "an object" : "a list", acceptedText(*field));
    }
  }
  return decoded;
}

std::string encodeJson(const Query& query) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  const auto writeText = [&writer](std::string_view text) {
    writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  };
  writer.StartObject();
  for (const Field& field : fields()) {
    if (!query.has(field.key)) continue;
    writer.Key(field.name.data(), static_cast<rapidjson::SizeType>(field.name.size()));
    const std::string text = valueText(query, field);
    if (field.kind == Kind::kInteger || field.kind == Kind::kReal) {
      writer.RawValue(text.data(), text.size(), rapidjson::kNumberType);
    } else if (field.kind == Kind::kFlag) {
      writer.Bool(query.flag(field.key));
    } else {
      writeText(text);
    }
  }
  writer.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace memfit
