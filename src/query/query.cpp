// memfit - SPDX-License-Identifier: Apache-2.0
#include "query/query.h"

namespace memfit {

namespace {

// Shares are stored below zero (and above kUnset), bytes at or above it.
constexpr std::int64_t kShareBase = -1;

std::size_t textSlot(Key key) { return fieldOf(key).textSlot; }

}  // namespace

std::int64_t Query::number(Key key) const {
  const std::int64_t value = values_[index(key)];
  return value != kUnset ? value : defaultOf(*this, key);
}

Count Query::count(Key key) const {
  const std::int64_t value = number(key);
  return value == kUnset ? Count(0) : Count(value);
}

Amount Query::amount(Key key) const {
  const std::int64_t value = number(key);
  if (value >= 0) return {false, value};
  return {true, kShareBase - value};
}

std::uint64_t Query::hash() const {
  constexpr std::uint64_t kPrime = 0x100000001b3;  // of FNV-1a, here over whole values
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&hash](std::uint64_t value) {
    hash = (hash ^ value) * kPrime;
    hash ^= hash >> 32;
  };
  for (const std::int64_t value : values_) mix(static_cast<std::uint64_t>(value));
  for (const std::string& text : texts_) mix(text.size());
  return hash;
}

void Query::setAmount(Key key, Amount amount) {
  set(key, amount.isShare ? kShareBase - amount.value : amount.value);
}

std::string_view Query::text(Key key) const {
  return has(key) ? std::string_view(texts_[textSlot(key)]) : std::string_view();
}

void Query::setText(Key key, std::string_view text) {
  texts_[textSlot(key)] = text;
  set(key, 0);
}

void Query::clear(Key key) {
  set(key, kUnset);
  const Kind kind = fieldOf(key).kind;
  if (kind == Kind::kText || kind == Kind::kDocument) texts_[textSlot(key)].clear();
}

void forgetModel(Query& query) {
  for (const Field& field : fields()) {
    if (saysWhichModel(field)) query.clear(field.key);
  }
}

std::int64_t defaultOf(const Query& query, Key key) {
  if (key == Key::kWeights && query.task() == Task::kQlora) {
    return static_cast<std::int64_t>(WeightFormat::kNf4);
  }
  if (key == Key::kRecipe && query.choice<Method>(Key::kMethod) == Method::kPerBillion) {
    return static_cast<std::int64_t>(Recipe::kBf16);
  }
  return fieldOf(key).fallback;
}

std::string_view noticeCodeName(NoticeCode code) {
  constexpr std::string_view kNames[] = {"unknown-key", "unknown-value",  "out-of-range",
                                         "no-effect",   "not-applicable", "assumption"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(NoticeCode::kCount));
  return kNames[static_cast<std::size_t>(code)];
}

}  // namespace memfit
