// memfit - SPDX-License-Identifier: Apache-2.0
//
// Does a field change the answer to this query? One question, asked of the field's own row: the
// notices about idle fields, the canvas and the plain view all ask here.
#pragma once

#include <string>
#include <string_view>

#include "query/query.h"

namespace memfit {

// Why a field changes nothing, the first that holds.
enum class Idle : std::uint8_t {
  kNot,      // it matters
  kTask,     // the method does not read it for the task
  kEngine,   // the engine does not read it
  kTrainer,  // the trainer does not
  kModel,    // something else says which model is meant; a form puts that aside when it is edited
  kSetting,  // another setting leaves it nothing to change
  kCount
};
std::string_view idleName(Idle idle);  // "", "task", "engine", ...

// Whether a method says anything about a task.
bool covers(Method method, Task task);
// The method that answers: the one asked for where it covers the task, else the default.
Method methodOf(const Query& query);

// Whether the field would change something if it were given (or does, where it is). What depends on
// the model at hand, such as a vision tower that it lacks, is not asked.
Idle whyIdle(const Query& query, Key key);
inline bool matters(const Query& query, Key key) { return whyIdle(query, key) == Idle::kNot; }

// The reason as the end of an English sentence, "vllm does not read it"; empty for kNot and kTask.
std::string idleReason(const Query& query, Key key);

}  // namespace memfit
