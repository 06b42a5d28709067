// memfit - SPDX-License-Identifier: Apache-2.0
//
// Reports and the other answers as JSON. The shapes are those of web/memfit.d.ts.
#pragma once

#include <vector>

#include "advice/advise.h"
#include "advice/solve.h"
#include "base/result.h"
#include "bindings/json_writer.h"
#include "device/fit.h"
#include "memory/estimate.h"
#include "query/query.h"

namespace memfit {

void writeError(JsonWriter& json, const Error& error);
void writeNotices(JsonWriter& json, const Notices& notices);
void writeModel(JsonWriter& json, const Report& report);
// A report, and the verdict on the query's device where there is one.
void writeAnswer(JsonWriter& json, const Answer& answer);
void writeFitRow(JsonWriter& json, const FitRow& row);
void writeComparisons(JsonWriter& json, const Comparisons& comparisons);
void writeSolution(JsonWriter& json, const Solution& solution, Key vary);
void writeAdvice(JsonWriter& json, const std::vector<Advice>& list);
void writeFields(JsonWriter& json);
void writeDevices(JsonWriter& json);

}  // namespace memfit
