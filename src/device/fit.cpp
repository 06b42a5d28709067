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
    const Result<Report*> whole = report(query_, 0, deviceTotal);
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
    const Query spread = own ? query_ : spreadOver(query_, count);
    if (query_.isTraining()) {
      return ofTraining(spread, own ? asked.devices : count, *asked.model, deviceTotal);
    }
    const Result<Report*> made = report(spread, own ? 0 : count.value(), deviceTotal);
    if (!made) return made.error();
    // A spread that the model or the engine cannot take uses fewer devices than it was given.
    if (!own && (*made)->devices != count) return Need{};
    Need need{(*made)->perDevice, (*made)->capacity};
    if (need.capacity) {
      // The report's may be of another device of the same kind.
      need.capacity->fraction =
          defaultFraction(query_.choice<Engine>(Key::kEngine), deviceTotal, spread);
      need.capacity->share = shareOf(deviceTotal, need.capacity->fraction);
    }
    return need;
  }

  // The report on the query as it is, made for this device; nothing is to be asked afterwards.
  Result<Report> takeReport(Bytes deviceTotal) {
    const Result<Report*> whole = report(query_, 0, deviceTotal);
    if (!whole) return whole.error();
    return std::move(**whole);
  }

  // The smallest number of devices that holds it; 0 for none.
  Count devicesNeeded(Bytes usable, Bytes deviceTotal) {
    const Result<Report*> whole = report(query_, 0, deviceTotal);
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
  // `count` 0: the query as it is.
  Result<Report*> report(const Query& query, std::uint64_t count, Bytes deviceTotal) {
    const auto sizeClass = engineModel(query.choice<Engine>(Key::kEngine)).sizeClass;
    const bool alike = query.isTraining() || sizeClass == nullptr;
    const std::pair key(count, alike ? 0 : sizeClass(deviceTotal));
    if (const auto found = reports_.find(key); found != reports_.end()) return &found->second;
    Result<Report> made = estimate(query, deviceTotal);
    if (!made) return made.error();
    return &reports_.emplace(key, std::move(*made)).first->second;
  }

  // The driver's figure follows the device's memory, but the plan of a step does not.
  Need ofTraining(const Query& spread, Count count, const Model& model, Bytes deviceTotal) {
    const auto found = trainings_.find(count.value());
    PreparedTraining& training =
        found != trainings_.end()
            ? found->second
            : trainings_.emplace(count.value(), PreparedTraining(spread, model)).first->second;
    if (training.devices() != count) return Need{};
    training.setDeviceTotal(deviceTotal);
    const Band need = training.perDevice(spread.count(Key::kBatch), spread.count(Key::kSeq));
    if ((need.high * count).overflowed()) return Need{};
    return Need{need, std::nullopt};
  }

  const Query& query_;
  std::map<std::pair<std::uint64_t, int>, Report> reports_;
  std::map<std::uint64_t, PreparedTraining> trainings_;
};

Result<FitRow> rowFor(const Device& device, Count count, const Query& query, Needs& needs,
                      bool onMore = true) {
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
      Result<FitRow> row = rowFor(device, count, query, needs);
      if (!row) return row.error();
      rows.push_back(std::move(*row));
    }
  }
  return rows;
}

Result<Answer> answer(const Query& query) {
  const std::string_view id = query.text(Key::kDevice);
  std::optional<Device> device;
  if (!id.empty()) device = findDevice(id);

  Needs needs(query);
  Answer result;
  if (device) {
    Result<FitRow> row = rowFor(*device, devicesAsked(query), query, needs);
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

Result<FitRow> ownRow(const Query& query) {
  Needs needs(query);
  return rowFor(*findDevice(query.text(Key::kDevice)), devicesAsked(query), query, needs, false);
}

}  // namespace memfit
