// memfit - SPDX-License-Identifier: Apache-2.0
//
// ConfigView: looks into a config.json that somebody else wrote. A key that is absent or null is
// nullopt; one whose value has the wrong type or size is nullopt too and is remembered in the
// errors, so that a reader asks for everything it needs and looks once, at the end.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/count.h"
#include "base/result.h"

namespace memfit {

using Keys = std::initializer_list<std::string_view>;

struct ConfigErrors {
  std::vector<Error> found;
  std::vector<std::string> missing;  // needed and absent
};

class ConfigView {
 public:
  ConfigView() = default;

  bool valid() const { return node_ != nullptr; }
  bool has(std::string_view key) const;  // present and not null
  // Each takes the first of the keys that is present.
  std::optional<Count> count(Keys keys) const;  // an integer from 0 to 2^40
  std::optional<double> number(Keys keys) const;
  std::optional<bool> flag(Keys keys) const;
  std::optional<std::string_view> text(Keys keys) const;
  ConfigView child(std::string_view key) const;  // an object, or an invalid view
  // Lists. A scalar counts as no list. At most 10,000 elements.
  bool isList(std::string_view key) const;
  std::size_t listSize(std::string_view key) const;  // 0 for no list
  bool isObject(std::string_view key) const;
  bool isText(std::string_view key) const;
  std::vector<Count> counts(std::string_view key) const;
  std::vector<std::string_view> texts(std::string_view key) const;
  std::vector<ConfigView> children(std::string_view key) const;          // objects of a list
  std::vector<std::pair<std::string_view, ConfigView>> members() const;  // whose values are objects
  std::vector<std::string_view> keys() const;
  std::string json() const;  // minified; empty for an invalid view

  // Reports that what the key says cannot be.
  void refuse(std::string_view key, std::string message) const;

 private:
  friend class ConfigDocument;
  ConfigView(const void* node, ConfigErrors* errors, std::string path)
      : node_(node), errors_(errors), path_(std::move(path)) {}
  const void* node_ = nullptr;
  ConfigErrors* errors_ = nullptr;
  std::string path_;
};

// Owns the parsed text.
class ConfigDocument {
 public:
  static Result<ConfigDocument> parse(std::string_view text, std::string_view what);
  ConfigDocument(ConfigDocument&&) noexcept;
  ConfigDocument& operator=(ConfigDocument&&) noexcept;
  ~ConfigDocument();

  ConfigView root() const;
  ConfigErrors& errors() const;

  // The text again, minified.
  std::string text() const;

 private:
  struct State;
  explicit ConfigDocument(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace memfit
