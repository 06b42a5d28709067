// memfit - SPDX-License-Identifier: Apache-2.0
//
// How work is spread over devices.
#pragma once

#include "memory/report.h"
#include "query/query.h"

namespace memfit {

// Whether the query says itself how to spread: any of tp, pp, ep, cp, dp or zero was given.
bool spreadIsGiven(const Query& query);

// The query's own spread; where it says none and `count` is more than one, what people do first
// with that many devices:
//   vLLM, SGLang           tensor parallelism over all of them
//   llama.cpp, MLX,
//   Transformers           whole layers in turn (layer split, device_map): pipeline stages
//   training               full sharding (ZeRO-3, FSDP) over all of them
Parallelism parallelismOf(const Query& query);

// The same question asked of `devices` devices: `count` set, and the query's own spread taken out.
Query spreadOver(const Query& query, Count devices);

}  // namespace memfit
