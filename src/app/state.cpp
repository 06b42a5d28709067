// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/state.h"

#include <array>
#include <utility>

#include "model/read_model.h"
#include "query/matters.h"
#include "query/query_io.h"

namespace memfit::app {
namespace {

constexpr std::string_view kKnownDevices[] = {
    "rtx-4090",    "rtx-5090-32", "rtx-pro-6000-ws", "l4",       "l40s",
    "a100-40-sxm", "a100-80-sxm", "h100-80-sxm",     "h200-141", "rx-7900-xtx"};

constexpr std::size_t kMostUndo = 200;

Query withoutLook(const Query& query) {
  Query bare = query;
  for (const Field& field : fields()) {
    if (field.group == Group::kPage) bare.clear(field.key);
  }
  return bare;
}

}  // namespace

void AppState::read(std::string_view text) {
  DecodedQuery decoded;
  if (!text.starts_with('{')) {
    decoded = decodeUrl(text);
  } else if (Result<DecodedQuery> json = decodeJson(text)) {
    decoded = std::move(*json);
  }
  query = std::move(decoded.query);
  modelFile = query.has(Key::kConfig) ? "config.json" : "";
  decodeNotices = std::move(decoded.notices);
  fresh_ = false;
}

void AppState::refresh() {
  Query bare = withoutLook(query);
  if (fresh_ && bare == asked_) return;
  if (fresh_ && !stepping_) {
    const bool sameDrag = hand_ != 0 && hand_ == lastHand_ && !undo_.empty();
    if (!sameDrag) undo_.push_back(asked_);
    if (undo_.size() > kMostUndo) undo_.erase(undo_.begin());
    lastHand_ = hand_;
    redo_.clear();
  }
  stepping_ = false;
  asked_ = std::move(bare);
  fresh_ = true;
  answer_.reset();
  error_.reset();
  rows_.reset();
  known_.reset();
  comparisons_.reset();
  variants_.reset();
  limits_.reset();
  advice_.reset();
  notices_ = decodeNotices;
  Result<memfit::Answer> result = memfit::answer(asked_);
  if (!result) {
    error_ = result.error();
    return;
  }
  answer_ = std::move(*result);
  const Notices& more = answer_->report.notices;
  notices_.insert(notices_.end(), more.begin(), more.end());
}

const std::vector<FitRow>& AppState::fitRows() {
  if (!rows_) {
    Result<std::vector<FitRow>> rows = fit(asked_, {}, {});
    rows_ = rows ? std::move(*rows) : std::vector<FitRow>();
  }
  return *rows_;
}

const std::vector<FitRow>& AppState::knownRows() {
  if (!known_) {
    const std::vector<std::string_view> ids(std::begin(kKnownDevices), std::end(kKnownDevices));
    Result<std::vector<FitRow>> rows = fit(asked_, ids, {Count(1)});
    known_ = rows ? std::move(*rows) : std::vector<FitRow>();
  }
  return *known_;
}

const Comparisons* AppState::comparisons() {
  if (!comparisons_) {
    const Bytes total = answer_ ? answer_->report.deviceTotal : Bytes(0);
    Result<Comparisons> made = compare(asked_, total);
    comparisons_ = made ? std::move(*made) : Comparisons();
  }
  return &*comparisons_;
}

const std::vector<memfit::Variant>& AppState::variants() {
  if (!variants_) {
    Result<std::vector<memfit::Variant>> made = variantsOf(asked_);
    variants_ = made ? std::move(*made) : std::vector<memfit::Variant>();
  }
  return *variants_;
}

Band AppState::need() const {
  if (!answer_) return {};
  return answer_->fit ? answer_->fit->need : answer_->report.perDevice;
}

Count AppState::deviceCount() const {
  if (!answer_) return 1;
  return answer_->fit ? answer_->fit->count : answer_->report.devices;
}

const FitMap& AppState::map() {
  Query bare = asked_;
  bare.clear(Key::kSeq);
  bare.clear(asked_.isTraining() ? Key::kBatch : Key::kConcurrency);
  const auto reaches = [this](const Axis& axis) {
    const std::int64_t value = asked_.number(axis.key);
    return value >= axis.from && value <= axis.to;
  };
  if (map_.ok && bare == mapQuery_ && reaches(map_.x) && reaches(map_.y)) return map_;
  map_ = makeFitMap(asked_);
  mapQuery_ = std::move(bare);
  ++mapVersion_;
  return map_;
}

const std::vector<Limit>& AppState::limits() {
  if (limits_) return *limits_;
  limits_.emplace();
  for (const Key key : {Key::kSeq, Key::kConcurrency, Key::kBatch, Key::kParams}) {
    if (!matters(asked_, key)) continue;
    if (key == Key::kParams && !asked_.has(Key::kParams)) continue;
    Result<Solution> solution = solve(asked_, key);
    if (solution) limits_->push_back({key, std::move(*solution)});
  }
  return *limits_;
}

const std::vector<Advice>& AppState::advice() {
  if (!advice_) {
    Result<std::vector<Advice>> made = advise(asked_);
    advice_ = made ? std::move(*made) : std::vector<Advice>();
  }
  return *advice_;
}

void AppState::readModelFile(std::string_view name, std::string_view bytes) {
  Result<Model> model = readModel(bytes, name);
  if (!model) {
    decodeNotices = {{NoticeCode::kAssumption, std::string(name), "", "", model.error().message}};
    recompute();
    return;
  }
  Query next = query;
  forgetModel(next);
  next.setText(Key::kConfig, model->config);
  if (!model->fileType.empty()) {
    Notices refused;
    setFromText(next, fieldOf(Key::kWeights), model->fileType, refused);
  }
  modelFile = model->name.empty() ? std::string(name) : model->name;
  decodeNotices.clear();
  query = std::move(next);
}

void AppState::undo() {
  if (undo_.empty()) return;
  redo_.push_back(asked_);
  const Query back = std::move(undo_.back());
  undo_.pop_back();
  stepping_ = true;
  apply(back);
}

void AppState::redo() {
  if (redo_.empty()) return;
  undo_.push_back(asked_);
  const Query forward = std::move(redo_.back());
  redo_.pop_back();
  stepping_ = true;
  apply(forward);
}

void AppState::keep() {
  if (answer_) kept_ = Kept{asked_, *answer_};
}

void AppState::swapKept() {
  if (!kept_ || !answer_) return;
  const Query other = kept_->query;
  kept_ = Kept{asked_, *answer_};
  apply(other);
}

void AppState::apply(const Query& other) {
  Query next = other;
  for (const Field& field : fields()) {
    if (field.group != Group::kPage) continue;
    next.clear(field.key);
    if (query.has(field.key)) next.set(field.key, query.number(field.key));
  }
  query = std::move(next);
}

void AppState::setField(Key key, std::string_view text) {
  Notices refused;
  setFromText(query, fieldOf(key), text, refused);
  decodeNotices = std::move(refused);
  notices_ = decodeNotices;
  fresh_ = false;
}

std::string deviceName(const AppState& state, const Device& device) {
  if (device.deviceClass != DeviceClass::kCustom) return sentence(device.name);
  return say(Text::kCustomDevice, {state.amount(device.given)});
}

std::string timesDevice(const AppState& state, Count count, const Device& device) {
  return say(Text::kTimes, {formatWhole(static_cast<std::int64_t>(count.value()), state.numbers()),
                            deviceName(state, device)});
}

}  // namespace memfit::app
