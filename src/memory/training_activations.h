// memfit - SPDX-License-Identifier: Apache-2.0
//
// What one layer's forward pass leaves for its backward pass, and what that adds at its worst
// moment. Counted tensor by tensor, as autograd saves them; all in bytes a token of the device's
// share (tensor and sequence parallelism are in, context parallelism cuts the tokens).
#pragma once

#include "memory/training_setup.h"

namespace memfit {

struct LayerActivations {
  Count norms;        // inputs of norms, the residual stream, outputs of norms that are kept
  Count mixers;       // queries, keys, values, outputs, recurrent inputs
  Count feedForward;  // gate, activation, up, product
  Count adapters;     // inputs that adapters keep for themselves
  Count output;       // the layer's own output, alive while its backward pass runs
  // While the backward pass runs: the gradient that comes in, and the gradients inside the
  // feed-forward block, where most layers peak.
  Count transient;
  // Eager attention: bytes for each pair of tokens of a row, kept and transient.
  Count scores, scoresTransient;
  // For selective checkpointing: what is kept of a layer.
  Count selective;

  Count kept() const { return norms + mixers + feedForward + adapters; }
};

LayerActivations layerActivations(const TrainingSetup& setup, const Layer& layer);

// Of the last norm and the head's input: bytes a token beside the logits.
Count finalNormBytes(const TrainingSetup& setup);

}  // namespace memfit
