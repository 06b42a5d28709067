// memfit - SPDX-License-Identifier: Apache-2.0
//
// The page's state: a Query, and how it is looked at. Everything shown is computed from the query
// by the estimator, once a change, and kept here; panels compute nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advice/variants.h"
#include "app/app.h"
#include "app/layout.h"
#include "app/texts.h"
#include "base/result.h"
#include "device/fit.h"
#include "memory/estimate.h"
#include "query/query.h"

namespace memfit::app {

enum class Tab : std::uint8_t { kDevices, kBreakdown, kMethods, kCount };

enum class DeviceColumn : std::uint8_t { kBest, kName, kUsable, kNeed, kHeadroom, kNeeded };

// How the page is looked at: nothing here changes a number.
struct Look {
  Tab tab = Tab::kDevices;
  DeviceColumn sort = DeviceColumn::kBest;
  bool ascending = true;
  std::optional<Vendor> vendor;
  std::optional<DeviceClass> deviceClass;
  std::string deviceSearch;
  std::string listSearch;  // in an open select
  bool allDevices = false;
  bool moreSettings = false;
  bool moreWeights = false;
  bool allNotices = false;
  double copiedUntil = 0;
};

class AppState {
 public:
  Surface surface;
  Query query;
  Notices decodeNotices;  // of the URL that was read
  Look look;

  // A new query from outside.
  void read(std::string_view url);

  // Asks again although the query is the same: what the estimator knows has grown.
  void recompute() { fresh_ = false; }

  // Brings what follows up to date with `query`; called once a frame, before anything is drawn.
  void refresh();

  // The answer, or why there is none.
  const Answer* answer() const { return answer_ ? &*answer_ : nullptr; }
  const Error* error() const { return error_ ? &*error_ : nullptr; }
  // All notices: of reading the query, and of the answer.
  const Notices& notices() const { return notices_; }

  // Computed when first asked for after a change.
  const std::vector<FitRow>& fitRows();
  // A few well-known devices: what the sentence below the bar speaks of.
  const std::vector<FitRow>& knownRows();
  const Comparisons* comparisons();
  const std::vector<memfit::Variant>& variants();

  // What of the answer is shown per device: a published rule's total is split.
  Band need() const;
  Count deviceCount() const;
  // Whether a field changes the answer as things stand.
  bool hasEffect(const Field& field) const;

  Units units() const { return query.choice<Units>(Key::kUnits); }
  const NumberStyle& numbers() const { return languageInUse().numbers; }
  std::string amount(Bytes bytes) const { return formatBytes(bytes, units(), numbers()).whole(); }

  // Another question in place of this one; how the page looks stays.
  void apply(const Query& other);
  // Sets a field from a text, as a URL would; a refused one leaves a notice.
  void setField(Key key, std::string_view text);

 private:
  Query asked_;  // what the results below answer
  bool fresh_ = false;
  std::optional<Answer> answer_;
  std::optional<Error> error_;
  Notices notices_;
  std::optional<std::vector<FitRow>> rows_, known_;
  std::optional<Comparisons> comparisons_;
  std::optional<std::vector<memfit::Variant>> variants_;
};

// What a device is called: the catalogue's name, or its size for one that was given.
std::string deviceName(const AppState& state, const Device& device);
std::string timesDevice(const AppState& state, Count count, const Device& device);

// The panels, top to bottom. Each fills a column from its top and moves it on.
void drawHeader(AppState& state, const Rect& rect);
void drawControls(AppState& state, Column& column);
void drawAnswer(AppState& state, Column& column);
void drawVariants(AppState& state, Column& column);
void drawNotices(AppState& state, Column& column);
void drawTabs(AppState& state, Column& column);
void drawDevices(AppState& state, Column& column);
void drawBreakdown(AppState& state, Column& column);
void drawMethods(AppState& state, Column& column);

}  // namespace memfit::app
