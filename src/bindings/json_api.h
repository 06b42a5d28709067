// memfit - SPDX-License-Identifier: Apache-2.0
//
// The JavaScript API over JSON text. Embind, the command-line tool and the tests call these, so
// that a result is the same bytes everywhere. web/memfit.d.ts says what each function takes and
// gives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memfit {

// {"fn":"estimate","args":[{...}]} -> {"ok":...} or {"error":{"code","field","message"}}.
// The functions: estimate, compare, fit, solve, sweep, advise, encode, decode, models, devices,
// fields, version. Never fails otherwise, whatever the text.
std::string callJson(std::string_view request);

// memfit.readModel: the bytes of a config.json, GGUF or safetensors file (its head is enough). The
// model is kept: its `id` is what a query's `model` takes (see model/kept_models.h). The answer has
// the form of callJson's.
std::string readModelJson(std::string_view bytes, std::string_view name);

// memfit.sweep without the text: the totals as floats, for textures. On an error the list is empty
// and `error` the JSON that callJson gives.
std::vector<float> sweepTotals(std::string_view request, std::string& error);

}  // namespace memfit
