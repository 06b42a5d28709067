// memfit - SPDX-License-Identifier: Apache-2.0
//
// Reading and writing a Query as URL parameters and as JSON. Both take untrusted input: what cannot
// be used as given is left at its default and named in a notice; it never vanishes and never stops
// the rest from being read.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "query/query.h"

namespace memfit {

struct DecodedQuery {
  Query query;
  Notices notices;
};

// The most bytes of URL parameters that are read; links are far shorter.
inline constexpr std::size_t kMaxQueryText = 64 * 1024;

// URL parameters, with or without a leading "?" or "#": "task=lora&params=7". Percent escapes and
// "+" are decoded. Of a key given twice the last stands.
DecodedQuery decodeUrl(std::string_view text);

// The given fields as URL parameters in the order of the table, without a leading "?". Fields that
// equal their default are left out, `config` too: decodeUrl(encodeUrl(q)) asks the same as q.
std::string encodeUrl(const Query& query);

// One value, as a text: what decodeUrl does for each key, and what a control of the page does with
// what was typed. Adds a notice and leaves the field alone when the text is not accepted.
void setFromText(Query& query, const Field& field, std::string_view text, Notices& notices);

// The reverse: a field's value (given or default) as text; empty when it has none.
std::string valueText(const Query& query, const Field& field);

// What a field accepts, for messages and documentation: "inference, full, lora or qlora".
std::string acceptedText(const Field& field);

// A JSON object of fields. Numbers and words may come as strings or as JSON numbers and booleans;
// null counts as absent. Error (kBadJson) when the text is no JSON object; anything less is a
// notice.
Result<DecodedQuery> decodeJson(std::string_view json);

// The given fields as a JSON object: numbers as numbers, `config` as the text it was given as.
std::string encodeJson(const Query& query);

}  // namespace memfit
