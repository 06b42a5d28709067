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
  // Error when the query cannot be estimated at all.
  static Result<Needs> of(const Query& query) {
    Result<MethodChoice> choice = methodChoice(query);
    if (!choice) return choice.error();
    Needs needs(query, std::move(*choice));
    if (needs.choice_.method == Method::kArchitecture) return needs;
    const Result<Report> report = estimate(query);
    if (!report) return report.error();
    needs.rule_ = report->perDevice;
    return needs;
  }

  Need of(Count count, Bytes deviceTotal) {
    const Level& level = levelAt(count, deviceTotal);
    Need need{level.bytes, level.capacity};
    if (level.training.known()) {
      // The driver's figure follows the device's memory, but the plan of a step does not.
      need.bytes = level.training.perDevice(deviceTotal);
      if ((need.bytes.high * count).overflowed()) return Need{};
    }
    if (need.capacity) {
      // The level's may be of another device of the same kind.
      need.capacity->fraction = shareTaken(*engine_, level.spread, deviceTotal);
      need.capacity->share = shareOf(deviceTotal, need.capacity->fraction);
    }
    return need;
  }

  // The smallest number of devices that holds it; 0 for none.
  Count devicesNeeded(Bytes usable, Bytes deviceTotal) {
    if (usable == Bytes(0)) return 0;
    if (choice_.method != Method::kArchitecture) {
      const Count needed = rule_.high.ceilDiv(usable);
      return needed.value() <= kMostDevices ? max(needed, 1) : Count(0);
    }
    const auto hold = [&](Count count) { return of(count, deviceTotal).holds(usable); };
    for (std::uint64_t count = 1; count <= kMostDevices; count *= 2) {
      // The query's own spread may lie between.
      if (own_ > Count(count / 2) && own_ < Count(count) && hold(own_)) return own_;
      if (hold(count)) return count;
    }
    return 0;
  }

 private:
  Needs(const Query& query, MethodChoice choice)
      : query_(query),
        choice_(std::move(choice)),
        training_(query.isTraining()),
        devicesAsked_(devicesAsked(query)),
        engine_(&engineOf(query)),
        sizeClass_(training_ ? nullptr : engine_->sizeClass) {
    Parallelism spread = parallelismOf(query);
    if (!training_) spread.cp = 1;  // as InferencePlan
    own_ = spread.devices();
  }

  // What one of so many devices needs, as far as devices of a kind have it in common. All zero
  // where it is beyond all counting.
  struct Level {
    Band bytes;
    std::optional<Capacity> capacity;
    Query spread = {};  // that the capacity is of
    TrainingPoint training = {};
  };

  const Level& levelAt(Count count, Bytes deviceTotal) {
    const std::pair key(count.value(), sizeClass_ == nullptr ? 0 : sizeClass_(deviceTotal));
    const auto found = levels_.find(key);
    if (found != levels_.end()) return found->second;
    return levels_.emplace(key, levelOf(count, deviceTotal)).first->second;
  }

  // As estimate(), without the reasons.
  Level levelOf(Count count, Bytes deviceTotal) {
    if (choice_.method != Method::kArchitecture) {
      const auto share = [count](Bytes bytes) { return bytes.ceilDiv(count); };
      return Level{{share(rule_.low), share(rule_.expected), share(rule_.high)}, std::nullopt};
    }
    // A model of few layers cannot be cut in so many parts; the devices that are left over idle.
    if (count > most_) return levelAt(most_, deviceTotal);
    // Devices beyond the query's own spread hold replicas, and need as much.
    const bool own = count == own_ || count == devicesAsked_;
    Query spread = own ? query_ : spreadOver(query_, count);
    if (training_) {
      Level level;
      level.training = PreparedTraining(spread, choice_.model)
                           .at(query_.count(Key::kBatch), query_.count(Key::kSeq));
      return level;
    }
    const auto kept = inferencePlan(spread, choice_.model, deviceTotal);
    const Count used = kept->plan.parallelism().devices();
    if (!own && used < count) most_ = count;
    const Load load = loadOf(query_);
    const Band need = kept->plan.perDevice(load);
    if ((need.high * used).overflowed()) return Level{};
    return Level{need, kept->plan.capacity(load), std::move(spread)};
  }

  const Query& query_;
  MethodChoice choice_;
  Band rule_;  // of a published rule: the total
  bool training_;
  Count devicesAsked_;
  Count own_;  // devices that the query's own spread takes
  const EngineModel* engine_;
  int (*sizeClass_)(Bytes);
  Count most_ = Count::overflow();  // devices beyond these have nothing to do
  std::map<std::pair<std::uint64_t, int>, Level> levels_;
};

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

// On as many devices as the query asks about.
Result<FitRow> rowOf(const Query& query, const Device& device, bool onMore) {
  Result<Needs> needs = Needs::of(query);
  if (!needs) return needs.error();
  return rowFor(device, devicesAsked(query), query, *needs, onMore);
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

  Result<Needs> needs = Needs::of(query);
  if (!needs) return needs.error();
  if (needs->of(devicesAsked(query), 0).bytes.high == Bytes(0)) {
    const Result<Report> report = estimate(query);
    if (!report) return report.error();
  }
  std::vector<FitRow> rows;
  rows.reserve(chosen.size() * asked.size());
  for (const Device& device : chosen) {
    for (const Count count : asked) rows.push_back(rowFor(device, count, query, *needs, true));
  }
  return rows;
}

Result<Answer> answer(const Query& query) {
  const std::string_view id = query.text(Key::kDevice);
  std::optional<Device> device;
  if (!id.empty()) device = findDevice(id);

  Result<Report> report = estimate(query, device ? usableOf(*device, query).total : Bytes(0));
  if (!report) return report.error();
  Answer result;
  result.report = std::move(*report);
  if (device) {
    Result<FitRow> row = rowOf(query, *device, true);
    if (!row) return row.error();
    result.fit = std::move(*row);
  }
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
  return rowOf(query, *findDevice(query.text(Key::kDevice)), false);
}

}  // namespace memfit
