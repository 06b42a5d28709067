// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/state.h"

#include <array>
#include <utility>

#include "memory/methods.h"
#include "query/query_io.h"

namespace memfit::app {
namespace {

constexpr std::string_view kKnownDevices[] = {
    "rtx-4090",    "rtx-5090-32", "rtx-pro-6000-ws", "l4",       "l40s",
    "a100-40-sxm", "a100-80-sxm", "h100-80-sxm",     "h200-141", "rx-7900-xtx"};

// The rows of the published calculator: for serving by the bits of the weights, for fine-tuning by
// the way of training.
struct VariantRow {
  Task task;
  WeightFormat weights;
  Text label;
  int bits;
  std::string_view name;
};
constexpr VariantRow kServingRows[] = {{Task::kInference, WeightFormat::kBf16, Text::kBits, 16, {}},
                                       {Task::kInference, WeightFormat::kInt8, Text::kBits, 8, {}},
                                       {Task::kInference, WeightFormat::kNf4, Text::kBits, 4, {}}};
constexpr VariantRow kServingRowsGguf[] = {
    {Task::kInference, WeightFormat::kBf16, Text::kBits, 16, {}},
    {Task::kInference, WeightFormat::kQ8_0, Text::kBits, 8, "Q8_0"},
    {Task::kInference, WeightFormat::kQ4KM, Text::kBits, 4, "Q4_K_M"}};
constexpr VariantRow kTrainingRows[] = {
    {Task::kFull, WeightFormat::kBf16, Text::kEnd, 0, {}},
    {Task::kLora, WeightFormat::kBf16, Text::kEnd, 0, {}},
    {Task::kQlora, WeightFormat::kInt8, Text::kQloraBits, 8, {}},
    {Task::kQlora, WeightFormat::kNf4, Text::kQloraBits, 4, {}}};

std::span<const VariantRow> variantRows(const Query& query) {
  if (query.isTraining()) return kTrainingRows;
  if (query.choice<Engine>(Key::kEngine) == Engine::kLlamaCpp) return kServingRowsGguf;
  return kServingRows;
}

// A query without any model gets one of this size, where the estimator has none of its own.
constexpr std::int64_t kFirstSize = 8000000000;
bool namesNoModel(const Query& query) {
  for (const Key key : {Key::kModel, Key::kParams, Key::kConfig}) {
    if (query.has(key)) return false;
  }
  return true;
}

// Fields of the page itself: no number depends on them.
Query withoutLook(const Query& query) {
  Query bare = query;
  for (const Key key : {Key::kLang, Key::kTheme, Key::kUnits, Key::kView}) bare.clear(key);
  return bare;
}

}  // namespace

void AppState::read(std::string_view url) {
  DecodedQuery decoded = decodeUrl(url);
  query = std::move(decoded.query);
  decodeNotices = std::move(decoded.notices);
  fresh_ = false;
}

void AppState::refresh() {
  Query bare = withoutLook(query);
  if (fresh_ && bare == asked_) return;
  asked_ = std::move(bare);
  fresh_ = true;
  answer_.reset();
  error_.reset();
  rows_.reset();
  known_.reset();
  comparisons_.reset();
  variants_.reset();
  notices_ = decodeNotices;
  Result<memfit::Answer> result = memfit::answer(asked_);
  if (!result && namesNoModel(query)) {
    query.set(Key::kParams, kFirstSize);
    asked_.set(Key::kParams, kFirstSize);
    result = memfit::answer(asked_);
  }
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

const std::vector<Variant>& AppState::variants() {
  if (variants_) return *variants_;
  variants_.emplace();
  for (const VariantRow& row : variantRows(asked_)) {
    Variant variant;
    variant.query = query;
    variant.query.set(Key::kTask, row.task);
    variant.query.set(Key::kWeights, row.weights);
    if (static_cast<std::int64_t>(row.weights) == defaultOf(variant.query, Key::kWeights)) {
      variant.query.clear(Key::kWeights);
    }
    variant.label = row.label;
    variant.bits = row.bits;
    variant.name = row.name;
    if (row.label == Text::kEnd) {
      const Field& task = fieldOf(Key::kTask);
      variant.name = wordOf(task, static_cast<std::size_t>(row.task));
    }
    variant.chosen =
        asked_.task() == row.task && asked_.choice<WeightFormat>(Key::kWeights) == row.weights;
    Result<memfit::Answer> answer = memfit::answer(withoutLook(variant.query));
    if (answer) variant.answer = std::move(*answer);
    variants_->push_back(std::move(variant));
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

bool AppState::hasEffect(const Field& field) const {
  const Method method = answer_ ? answer_->report.method : defaultMethod(query.task());
  const MethodInfo& info = methodInfo(method);
  const std::uint16_t effects =
      kAlways | (query.isTraining() ? info.trainingEffect : info.inferenceEffect);
  return (field.effect & effects) != 0;
}

void AppState::setField(Key key, std::string_view text) {
  Notices refused;
  setFromText(query, fieldOf(key), text, refused);
  decodeNotices = std::move(refused);
  notices_ = decodeNotices;
  fresh_ = false;
}

std::string deviceName(const AppState& state, const Device& device) {
  if (device.deviceClass != DeviceClass::kCustom) return std::string(device.name);
  return say(Text::kCustomDevice, {state.amount(device.given)});
}

std::string timesDevice(const AppState& state, Count count, const Device& device) {
  return say(Text::kTimes, {formatWhole(static_cast<std::int64_t>(count.value()), state.numbers()),
                            deviceName(state, device)});
}

}  // namespace memfit::app
