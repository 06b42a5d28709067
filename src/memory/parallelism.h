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
//   inference              what the engine's row says (EngineModel::spread): tensor parallelism
//   over
//                          all of them, or whole layers in turn
//   training               full sharding (ZeRO-3, FSDP) over all of them
// A training query that gives a part of it but no dp, such as zero=1 or tp=2, has data parallelism
// over what is left of `count`, where that divides.
Parallelism parallelismOf(const Query& query);

// How many devices the question is about: `count`, or as many as its spread takes where that is
// more (tp=8 and no count is a question about eight). Where `count` is more, the others hold
// replicas.
Count devicesAsked(const Query& query);

// The same question asked of `devices` devices: `count` set, and the query's own spread taken out.
Query spreadOver(const Query& query, Count devices);

}  // namespace memfit
