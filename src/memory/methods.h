// memfit - SPDX-License-Identifier: Apache-2.0
//
// The methods: our own, `architecture`, and three published rules of thumb. One table, one file a
// rule.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "memory/report.h"
#include "query/query.h"

namespace memfit {

// A method fills what it knows of a report whose query, model and sizes are set: the ledger, and
// what stands after it. It adds notices for what it assumes. perDevice, host and total are summed
// for it.
using MethodRun = Status (*)(Report& report);

struct MethodInfo {
  Method method;
  std::string_view title;   // as people know it
  std::string_view source;  // and the date it was read
  MethodRun run;
};

// In the order they are offered, that of Method. Which tasks each covers is asked in
// query/matters.h, and which fields it reads stands in their rows.
std::span<const MethodInfo> methods();
const MethodInfo& methodInfo(Method method);
// Ours: every amount from the model's own shape, and for every engine and trainer what it adds.
Status runArchitecture(Report& report);
Status runPai(Report& report);
Status runPerBillion(Report& report);
Status runKarakuri(Report& report);

}  // namespace memfit
