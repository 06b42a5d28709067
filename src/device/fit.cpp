// memfit - SPDX-License-Identifier: Apache-2.0
#include "device/fit.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "memory/estimate.h"
#include "memory/parallelism.h"
#include "memory/training.h"

namespace memfit {

namespace {

constexpr std::uint64_t kMostDevices = 1024;

// What one of n devices needs, and where the engine takes a share of it, of that.
struct Need {
  Band bytes;
  std::optional<Capacity> capacity;

  // What is left of `usable` and of the share; negative when short.
  std::int64_t headroom(Bytes usable) const {
    const auto left = [](Bytes have, Bytes need) {
      return static_cast<std::int64_t>(have.value()) - static_cast<std::int64_t>(need.value());
    };
    const std::int64_t room = left(usable, bytes.high);
    return capacity ? std::min(room, left(capacity->share, capacity->needed)) : room;
  }
  bool holds(Bytes usable) const { return bytes.high != Bytes(0) && headroom(usable) >= 0; }
};

// What each of n devices needs. It is worked out once a number of devices, and where an engine has
// other defaults on large devices than on small ones, once for each kind; most devices differ only
// in what they hold.
class Needs {
 public:
  explicit Needs(const Query& query) : query_(query) {}

  // Error when the query cannot be estimated at all.
  Result<Need> of(Count count, Bytes deviceTotal) {
    const Result<Report*> whole = report(kOwn, deviceTotal);
    if (!whole) return whole.error();
    const Report& asked = **whole;
    if (asked.method != Method::kArchitecture) {
      const auto share = [count](Bytes bytes) { return bytes.ceilDiv(count); };
      const Band& need = asked.perDevice;
      return Need{{share(need.low), share(need.expected), share(need.high)}, std::nullopt};
    }
    // Devices beyond the query's own spread hold replicas, and need as much.
    const bool own =
        count == asked.devices || (spreadIsGiven(query_) && count == devicesAsked(query_));
    if (!own && count >= tooMany_) return Need{};
    const std::uint64_t spread = own ? kOwn : count.value();
    if (query_.isTraining()) {
      return ofTraining(spread, own ? asked.devices : count, asked.model, deviceTotal);
    }
    const Result<Report*> made = report(spread, deviceTotal);
    if (!made) return made.error();
    if (!own && !takes(count, (*made)->devices)) return Need{};
    Need need{(*made)->perDevice, (*made)->capacity};
    if (need.capacity) {
      // The report's may be of another device of the same kind.
      need.capacity->fraction =
          defaultFraction(query_.choice<Engine>(Key::kEngine), deviceTotal, (*made)->query);
      need.capacity->share = shareOf(deviceTotal, need.capacity->fraction);
    }
    return need;
  }

  // The report on the query as it is, made for this device; nothing is to be asked afterwards.
  Result<Report> takeReport(Bytes deviceTotal) {
    const Result<Report*> whole = report(kOwn, deviceTotal);
    if (!whole) return whole.error();
    return std::move(**whole);
  }

  // The smallest number of devices that holds it; 0 for none.
  Count devicesNeeded(Bytes usable, Bytes deviceTotal) {
    const Result<Report*> whole = report(kOwn, deviceTotal);
    if (!whole || usable == Bytes(0)) return 0;
    if ((*whole)->method != Method::kArchitecture) {
      const Count needed = (*whole)->perDevice.high.ceilDiv(usable);
      return needed.value() <= kMostDevices ? max(needed, 1) : Count(0);
    }
    for (std::uint64_t count = 1; count <= kMostDevices; count *= 2) {
      const Result<Need> need = of(count, deviceTotal);
      if (need && need->holds(usable)) return count;
    }
    return 0;
  }

 private:
  // Over how many devices the query is spread; kOwn: as it says itself.
  static constexpr std::uint64_t kOwn = 0;
  Query spreadQuery(std::uint64_t spread) const {
    return spread == kOwn ? query_ : spreadOver(query_, spread);
  }

  Result<Report*> report(std::uint64_t spread, Bytes deviceTotal) {
    const auto sizeClass = engineModel(query_.choice<Engine>(Key::kEngine)).sizeClass;
    const bool alike = query_.isTraining() || sizeClass == nullptr;
    const std::pair key(spread, alike ? 0 : sizeClass(deviceTotal));
    if (const auto found = reports_.find(key); found != reports_.end()) return &found->second;
    Result<Report> made = estimate(spreadQuery(spread), deviceTotal);
    if (!made) return made.error();
    return &reports_.emplace(key, std::move(*made)).first->second;
  }

  // The driver's figure follows the device's memory, but the plan of a step does not.
  Need ofTraining(std::uint64_t spread, Count count, const std::shared_ptr<const Model>& model,
                  Bytes deviceTotal) {
    auto found = trainings_.find(spread);
    if (found == trainings_.end()) {
      found = trainings_.emplace(spread, PreparedTraining(spreadQuery(spread), model)).first;
    }
    PreparedTraining& training = found->second;
    if (!takes(count, training.devices())) return Need{};
    training.setDeviceTotal(deviceTotal);
    const Band need = training.perDevice(query_.count(Key::kBatch), query_.count(Key::kSeq));
    if ((need.high * count).overflowed()) return Need{};
    return Need{need, std::nullopt};
  }

  // A spread that the model or the engine cannot take uses fewer devices than it was given; then it
  // takes no more than those.
  bool takes(Count given, Count used) {
    if (used != given) tooMany_ = min(tooMany_, given);
    return used == given;
  }

  const Query& query_;
  Count tooMany_ = kMostDevices + 1;
  std::map<std::pair<std::uint64_t, int>, Report> reports_;
  std::map<std::uint64_t, PreparedTraining> trainings_;
};

Result<FitRow> rowFor(const Device& device, Count count, const Query& query, Needs& needs,
                      bool onMore) {
  FitRow row;
  row.device = device;
  row.count = count;
  row.usable = usableOf(device, query);
  const Result<Need> need = needs.of(count, row.usable.total);
  if (!need) return need.error();
  row.need = need->bytes;
  if (need->capacity) row.fraction = need->capacity->fraction;

  const Bytes usable = row.usable.bytes;
  row.headroom = need->headroom(usable);
  const bool holds = need->holds(usable);
  if (holds) {
    const Bytes all = need->capacity ? min(usable, need->capacity->share) : usable;
    row.verdict = Bytes(row.headroom) * 20 < all ? Verdict::kTight : Verdict::kFits;
  }
  if (holds || onMore) row.devicesNeeded = needs.devicesNeeded(usable, row.usable.total);
  if (!holds) {
    const bool more = row.devicesNeeded > count;
    row.verdict = more ? Verdict::kNeeds : Verdict::kNo;
    if (!more) row.devicesNeeded = 0;
  }
  return row;
}

}  // namespace

std::string verdictText(Verdict verdict, Count devicesNeeded) {
  switch (verdict) {
    case Verdict::kFits: return "fits";
    case Verdict::kTight: return "tight";
    case Verdict::kNeeds: return cat("needs-", devicesNeeded.value(), "-devices");
    case Verdict::kNo: break;
  }
  return "no";
}

Result<std::vector<FitRow>> fit(const Query& query, const std::vector<std::string_view>& ids,
                                const std::vector<Count>& counts) {
  std::vector<Device> chosen;
  for (const std::string_view id : ids) {
    const std::optional<Device> device = findDevice(id);
    if (!device) {
      return Error{ErrorCode::kUnknown, "devices",
                   cat("There is no device ", quoted(id),
                       "; ids of memfit.devices() and sizes such as 24GB are accepted.")};
    }
    chosen.push_back(*device);
  }
  if (chosen.empty()) chosen.assign(devices().begin(), devices().end());

  std::vector<Count> asked = counts;
  if (asked.empty()) asked.push_back(devicesAsked(query));

  Needs needs(query);
  std::vector<FitRow> rows;
  rows.reserve(chosen.size() * asked.size());
  for (const Device& device : chosen) {
    for (const Count count : asked) {
      Result<FitRow> row = rowFor(device, count, query, needs, true);
      if (!row) return row.error();
      rows.push_back(std::move(*row));
    }
  }
  return rows;
}

namespace {

Result<Answer> answer(const Query& query, bool onMore) {
  const std::string_view id = query.text(Key::kDevice);
  std::optional<Device> device;
  if (!id.empty()) device = findDevice(id);

  Needs needs(query);
  Answer result;
  if (device) {
    Result<FitRow> row = rowFor(*device, devicesAsked(query), query, needs, onMore);
    if (!row) return row.error();
    result.fit = std::move(*row);
  }
  Result<Report> report = needs.takeReport(result.fit ? result.fit->usable.total : Bytes(0));
  if (!report) return report.error();
  result.report = std::move(*report);
  const std::uint64_t given = query.count(Key::kCount).value();
  const std::uint64_t asked = devicesAsked(query).value();
  if (query.has(Key::kCount) && asked > given) {
    result.report.notices.push_back({NoticeCode::kAssumption, "count", cat(given), cat(asked),
                                     cat("The settings spread the work over ", asked,
                                         " devices: count ", given, " is taken as ", asked, ".")});
  }
  if (!device && !id.empty()) {
    result.report.notices.push_back(
        {NoticeCode::kUnknownValue, "device", std::string(id), "ids of memfit.devices(), or 24GB",
         cat("There is no device ", quoted(id),
             "; ids of memfit.devices() and sizes such as 24GB are accepted. None is judged.")});
  }
  return result;
}

}  // namespace

Result<Answer> answer(const Query& query) { return answer(query, true); }
Result<Answer> ownAnswer(const Query& query) { return answer(query, false); }

}  // namespace memfit
