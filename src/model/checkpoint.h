// memfit - SPDX-License-Identifier: Apache-2.0
//
// How large a model's checkpoint is on disk, by what its config says of dtypes and quantization.
#pragma once

#include "base/count.h"
#include "model/model.h"

namespace memfit {

// Bytes of one group's tensors as the checkpoint stores them, scales included.
Bytes storedBytesOf(const Model& model, const TensorGroup& group);

// Bytes of all tensors of the checkpoint: the file's own word where the model was read from one
// (Model::stored), else the sum over the inventory, next-token-prediction layers included
// (checkpoints store them whether an engine loads them or not). Buffers and copies of a tied head,
// which no config mentions, are not in it.
Bytes checkpointBytes(const Model& model);

}  // namespace memfit
