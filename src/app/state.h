// memfit - SPDX-License-Identifier: Apache-2.0
//
// The page's state: a Query, and how it is looked at. Everything shown is computed from the query
// by the estimator, once a change, and kept here; panels compute nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advice/advise.h"
#include "advice/solve.h"
#include "advice/variants.h"
#include "app/app.h"
#include "app/draw/layout.h"
#include "app/map/fit_map.h"
#include "app/words/texts.h"
#include "base/result.h"
#include "device/fit.h"
#include "memory/estimate.h"
#include "query/query.h"

namespace memfit::app {

enum class Tab : std::uint8_t { kDevices, kBreakdown, kMap, kMethods, kAdvice, kModel, kCompare };

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

// How far one number goes until the device is full.
struct Limit {
  Key key;
  Solution solution;
};

class AppState {
 public:
  Surface surface;
  Query query;
  Notices decodeNotices;  // of the URL that was read
  Look look;
  std::string modelFile;  // the name of a file that `config` was read from

  // A new query from outside: URL text, or JSON.
  void read(std::string_view text);

  // Asks again although the query is the same: what the estimator knows has grown.
  void recompute() { fresh_ = map_.ok = false; }

  // Brings what follows up to date with `query`; called once a frame, before anything is drawn.
  void refresh();

  // The answer, or why there is none.
  const Answer* answer() const { return answer_ ? &*answer_ : nullptr; }
  const Error* error() const { return error_ ? &*error_ : nullptr; }
  // All notices: of reading the query, and of the answer.
  const Notices& notices() const { return notices_; }

  // A file of the reader's: its model in place of the query's, or a notice why not.
  void readModelFile(std::string_view name, std::string_view bytes);

  // One step back or forward through the questions asked; how the page looks stays. Changes made
  // in one go (a slider's drag: `hand` is the item that is held) are one step.
  void noteHand(unsigned hand) { hand_ = hand; }
  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  void undo();
  void redo();

  // A question kept to compare with.
  void keep();
  void swapKept();
  const Answer* kept() const { return kept_ ? &kept_->answer : nullptr; }
  const Query* keptQuery() const { return kept_ ? &kept_->query : nullptr; }

  // Computed when first asked for after a change.
  const std::vector<FitRow>& fitRows();
  // A few well-known devices: what the sentence below the bar speaks of.
  const std::vector<FitRow>& knownRows();
  const Comparisons* comparisons();
  const std::vector<memfit::Variant>& variants();
  const FitMap& map();
  int mapVersion() const { return mapVersion_; }
  const std::vector<Limit>& limits();
  const std::vector<Advice>& advice();

  // What of the answer is shown per device: a published rule's total is split.
  Band need() const;
  Count deviceCount() const;

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
  std::optional<std::vector<Limit>> limits_;
  std::optional<std::vector<Advice>> advice_;

  FitMap map_;
  Query mapQuery_;  // what the map answers: the query without its axes
  int mapVersion_ = 0;

  struct Kept {
    Query query;
    Answer answer;
  };
  std::optional<Kept> kept_;
  std::vector<Query> undo_, redo_;
  unsigned hand_ = 0, lastHand_ = 0;
  bool stepping_ = false;
};

// What a device is called: the catalogue's name, or its size for one that was given.
std::string deviceName(const AppState& state, const Device& device);
std::string timesDevice(const AppState& state, Count count, const Device& device);

// The whole page in one window, as draw() of app.h does with the page's own state.
float drawPage(AppState& state, const Surface& surface);

// The panels, top to bottom. Each fills a column from its top and moves it on.
void drawHeader(AppState& state, const Rect& rect);
void drawControls(AppState& state, Column& column);
void drawAnswer(AppState& state, Column& column);
void drawVariants(AppState& state, Column& column);
void drawNotices(AppState& state, Column& column);
void drawTabs(AppState& state, Column& column);
void showTab(AppState& state, std::string_view name);
void drawDevices(AppState& state, Column& column);
void drawBreakdown(AppState& state, Column& column);
void drawMap(AppState& state, Column& column);
void drawMapIn(AppState& state, Column& column, float height);
void drawMethods(AppState& state, Column& column);
void drawAdvice(AppState& state, Column& column);
void drawModelControl(AppState& state, Column& column);
void drawModel(AppState& state, Column& column);
void drawCompare(AppState& state, Column& column);
void drawPresets(AppState& state, Column& column);
// What can be taken along: a list below a place of the header.
void drawShareMenu(AppState& state, const Rect& anchor, bool open);

}  // namespace memfit::app
