// memfit - SPDX-License-Identifier: Apache-2.0
#include "device/fit.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "memory/estimate.h"
#include "memory/kept_plans.h"
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
  explicit Needs(const Query& query)
      : query_(query),
        training_(query.isTraining()),
        spreadIsGiven_(spreadIsGiven(query)),
        devicesAsked_(devicesAsked(query)),
        engine_(query.choice<Engine>(Key::kEngine)),
        sizeClass_(training_ ? nullptr : engineModel(engine_).sizeClass) {}

  // The report on the query as it is, on a device of this kind; an error when it cannot be
  // estimated. The other questions may be asked where this is no error.
  Result<Report*> report(Bytes deviceTotal) {
    const int kind = kindOf(deviceTotal);
    if (const auto found = reports_.find(kind); found != reports_.end()) return &found->second;
    Result<Report> made = estimate(query_, deviceTotal);
    if (!made) return made.error();
    return &reports_.emplace(kind, std::move(*made)).first->second;
  }

  Need of(Count count, Bytes deviceTotal) {
    const std::pair key(count.value(), kindOf(deviceTotal));
    auto found = levels_.find(key);
    if (found == levels_.end()) found = levels_.emplace(key, levelOf(count, deviceTotal)).first;
    const Level& level = found->second;
    Need need{level.bytes, level.capacity};
    if (level.training.known()) {
      // The driver's figure follows the device's memory, but the plan of a step does not.
      need.bytes = level.training.perDevice(deviceTotal);
      if ((need.bytes.high * count).overflowed()) return Need{};
    }
    if (need.capacity) {
      // The level's may be of another device of the same kind.
      need.capacity->fraction = defaultFraction(engine_, deviceTotal, level.spread);
      need.capacity->share = shareOf(deviceTotal, need.capacity->fraction);
    }
    return need;
  }

  // The smallest number of devices that holds it; 0 for none.
  Count devicesNeeded(Bytes usable, Bytes deviceTotal) {
    if (usable == Bytes(0)) return 0;
    const Report& asked = **report(deviceTotal);
    if (asked.method != Method::kArchitecture) {
      const Count needed = asked.perDevice.high.ceilDiv(usable);
      return needed.value() <= kMostDevices ? max(needed, 1) : Count(0);
    }
    for (std::uint64_t count = 1; count <= kMostDevices; count *= 2) {
      if (of(count, deviceTotal).holds(usable)) return count;
    }
    return 0;
  }

 private:
  // What one of so many devices needs, as far as devices of a kind have it in common. All zero
  // where the work cannot be spread over so many.
  struct Level {
    Band bytes;
    std::optional<Capacity> capacity;
    Query spread = {};  // that the capacity is of
    TrainingPoint training = {};
  };

  Level levelOf(Count count, Bytes deviceTotal) {
    const Report& asked = **report(deviceTotal);
    if (asked.method != Method::kArchitecture) {
      const auto share = [count](Bytes bytes) { return bytes.ceilDiv(count); };
      const Band& need = asked.perDevice;
      return Level{{share(need.low), share(need.expected), share(need.high)}, std::nullopt};
    }
    // Devices beyond the query's own spread hold replicas, and need as much.
    const bool own = count == asked.devices || (spreadIsGiven_ && count == devicesAsked_);
    if (!own && count >= tooMany_) return Level{};
    if (own && !training_) return Level{asked.perDevice, asked.capacity, query_};
    Query spread = own ? query_ : spreadOver(query_, count);
    if (training_) {
      const PreparedTraining prepared(spread, asked.model);
      if (!own && !takes(count, prepared.devices())) return Level{};
      Level level;
      level.training = prepared.at(query_.count(Key::kBatch), query_.count(Key::kSeq));
      return level;
    }
    // As estimate(), without the reasons.
    const auto kept = inferencePlan(spread, asked.model, deviceTotal);
    if (!takes(count, kept->plan.parallelism().devices())) return Level{};
    const Load load = loadOf(query_);
    const Band need = kept->plan.perDevice(load);
    if ((need.high * count).overflowed()) return Level{};
    return Level{need, kept->plan.capacity(load), std::move(spread)};
  }

  int kindOf(Bytes deviceTotal) const {
    return sizeClass_ == nullptr ? 0 : sizeClass_(deviceTotal);
  }

  // A spread that the model or the engine cannot take uses fewer devices than it was given; then it
  // takes no more than those.
  bool takes(Count given, Count used) {
    if (used != given) tooMany_ = min(tooMany_, given);
    return used == given;
  }

  const Query& query_;
  const bool training_, spreadIsGiven_;
  const Count devicesAsked_;
  const Engine engine_;
  int (*const sizeClass_)(Bytes);
  Count tooMany_ = kMostDevices + 1;
  std::map<int, Report> reports_;
  std::map<std::pair<std::uint64_t, int>, Level> levels_;
};

// Where needs.report() is no error.
FitRow rowFor(const Device& device, Count count, const Query& query, Needs& needs, bool onMore) {
  FitRow row;
  row.device = device;
  row.count = count;
  row.usable = usableOf(device, query);
  const Need need = needs.of(count, row.usable.total);
  row.need = need.bytes;
  if (need.capacity) row.fraction = need.capacity->fraction;

  const Bytes usable = row.usable.bytes;
  row.headroom = need.headroom(usable);
  const bool holds = need.holds(usable);
  if (holds) {
    const Bytes all = need.capacity ? min(usable, need.capacity->share) : usable;
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
    const Result<Report*> report = needs.report(usableOf(device, query).total);
    if (!report) return report.error();
    for (const Count count : asked) rows.push_back(rowFor(device, count, query, needs, true));
  }
  return rows;
}

namespace {

Result<Answer> answer(const Query& query, bool onMore) {
  const std::string_view id = query.text(Key::kDevice);
  std::optional<Device> device;
  if (!id.empty()) device = findDevice(id);

  Needs needs(query);
  const Result<Report*> report = needs.report(device ? usableOf(*device, query).total : Bytes(0));
  if (!report) return report.error();
  Answer result;
  if (device) result.fit = rowFor(*device, devicesAsked(query), query, needs, onMore);
  result.report = std::move(**report);
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
