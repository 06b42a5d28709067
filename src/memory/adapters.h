// memfit - SPDX-License-Identifier: Apache-2.0
//
// Low-rank adapters by role: which linear layers they attach to, and how many weights they are.
#pragma once

#include <string_view>

#include "memory/training_setup.h"

namespace memfit {

// "all-linear" (also when empty: every linear layer but the output head), "attention", or names
// separated by commas or spaces: q k v o qkv gate up down mlp experts embed head, with the usual
// endings (q_proj, query, c_attn, lm_head, ...). Names that nothing has are a notice.
void readTargets(std::string_view text, TrainingSetup& setup, Notices& notices);

// Weights of the adapters on one group, over all its layers and experts: for a matrix [out x in]
// r (in + out), with DoRA a magnitude of `out` more (arXiv 2106.09685, 2402.09353). Experts count
// each. A fused projection of which only parts are asked for has an adapter a part.
Count adapterElements(const TrainingSetup& setup, const TensorGroup& group);

// Of all groups: the "trainable parameters" that a trainer prints, without modules_to_save.
Count adapterElements(const TrainingSetup& setup);

}  // namespace memfit
