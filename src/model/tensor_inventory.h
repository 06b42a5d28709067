// memfit - SPDX-License-Identifier: Apache-2.0
//
// TensorInventory: an Architecture expanded to groups of equal tensors. What wants to know about
// weights - parameter counts, bytes in any format, what an adapter attaches to, what an optimizer
// holds, how parallelism cuts them - is a policy over these groups; nothing multiplies "parameters
// x bytes" beside it. Identical layers share a group, so even the largest model has a few dozen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/count.h"
#include "model/architecture.h"
#include "model/block_format.h"
#include "model/role.h"

namespace memfit {

enum class TensorKind : std::uint8_t {
  kMatrix,  // rows output features x cols input features
  kBias,    // 1-D, of the matrix with the same role
  kVector,  // 1-D otherwise: norms, scalars, decays
  kKernel,  // a convolution's kernel, rows channels x cols taps
};

struct TensorGroup {
  Role role = Role::kOther;
  Part part = Part::kMain;
  TensorKind kind = TensorKind::kMatrix;
  Count rows = 1;              // output features; 1 for 1-D tensors
  Count cols;                  // input features, the contiguous dimension (ggml's ne0)
  Count perLayer = 1;          // tensors like this in each layer of the set: routed experts, else 1
  Count activePerLayer = 1;    // of these a token uses
  std::uint32_t layerSet = 0;  // index for TensorInventory::layersOf

  Count elements() const { return rows * cols; }  // of one tensor
  bool oneDimensional() const { return kind == TensorKind::kBias || kind == TensorKind::kVector; }
};

class TensorInventory {
 public:
  TensorInventory() = default;
  explicit TensorInventory(const Architecture& architecture);

  std::span<const TensorGroup> groups() const { return groups_; }
  // The layers (0-based, ascending) that have the group's tensors; empty for what lies outside the
  // layers: embeddings, the head, the final norm, towers.
  std::span<const std::uint16_t> layersOf(const TensorGroup& group) const {
    return layerSets_[group.layerSet];
  }
  // How many layers have it; 1 for what lies outside.
  Count layerCountOf(const TensorGroup& group) const {
    const std::size_t count = layerSets_[group.layerSet].size();
    return group.layerSet == 0 ? Count(1) : Count(count);
  }
  Count tensorsOf(const TensorGroup& group) const { return layerCountOf(group) * group.perLayer; }
  Count parametersOf(const TensorGroup& group) const { return tensorsOf(group) * group.elements(); }
  Bytes bytesOf(const TensorGroup& group, Format format) const {
    return tensorsOf(group) * memfit::bytesOf(format, group.cols, group.rows);
  }

  // Unique weights of a part.
  Count parameters(Part part) const;
  // The main model with its vision tower: what a model card calls its size. Next-token-prediction
  // layers and audio towers are apart.
  Count parameters() const { return parameters(Part::kMain) + parameters(Part::kVision); }
  // What a text token uses: the main model without the routed experts that it does not go through.
  // Embedding and head are in; the vision tower, which image patches alone go through, is not.
  Count activeParameters() const;
  // Of the parts that parameters() sums, by role.
  Count parameters(Role role) const;

 private:
  std::vector<TensorGroup> groups_;
  std::vector<std::vector<std::uint16_t>> layerSets_ = {{}};  // [0]: outside the layers
};

}  // namespace memfit
