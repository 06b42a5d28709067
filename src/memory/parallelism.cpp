// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/parallelism.h"

#include "memory/engine.h"
#include "query/matters.h"

namespace memfit {

// What changes nothing does not spread the work either: a ZeRO stage under inference, or any of it
// under a published rule.
bool spreadIsGiven(const Query& query) {
  for (const Field& field : fields()) {
    if (isSpread(field) && query.has(field.key) && matters(query, field.key)) return true;
  }
  return false;
}

Parallelism parallelismOf(const Query& query) {
  Parallelism spread;
  if (spreadIsGiven(query)) {
    spread.tp = query.count(Key::kTp);
    spread.pp = query.count(Key::kPp);
    spread.ep = query.count(Key::kEp);
    if (matters(query, Key::kCp)) spread.cp = query.count(Key::kCp);
    spread.dp = query.count(Key::kDp);
    spread.zero = static_cast<int>(query.number(Key::kZero));
    const Count one = spread.tp * spread.pp * spread.cp;
    const Count all = query.count(Key::kCount);
    if (query.isTraining() && !query.has(Key::kDp) && all > one && all.value() % one.value() == 0) {
      spread.dp = Count(all.value() / one.value());
    }
    return spread;
  }
  const Count devices = query.count(Key::kCount);
  if (devices == Count(1)) return spread;
  if (query.isTraining()) {
    spread.dp = devices;
    spread.zero = 3;
    return spread;
  }
  (engineOf(query).spread == Spread::kTensors ? spread.tp : spread.pp) = devices;
  return spread;
}

Count devicesAsked(const Query& query) {
  const Count given = query.count(Key::kCount);
  return spreadIsGiven(query) ? max(given, parallelismOf(query).devices()) : given;
}

Query spreadOver(const Query& query, Count devices) {
  Query spread = query;
  for (const Field& field : fields()) {
    if (isSpread(field)) spread.clear(field.key);
  }
  spread.set(Key::kCount, static_cast<std::int64_t>(devices.value()));
  return spread;
}

}  // namespace memfit
