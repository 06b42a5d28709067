// memfit - SPDX-License-Identifier: Apache-2.0
//
// How the weights of a model lie in memory: a format for each tensor, and the piece of each tensor
// that a device holds. Both are policies over roles (see model/role.h).
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "base/count.h"
#include "memory/gguf_file_types.h"
#include "memory/report.h"
#include "model/model.h"
#include "query/choices.h"

namespace memfit {

struct EngineModel;

// A storage scheme of linear layers, for a weight [rows = output features x cols = input features].
struct LinearScheme {
  std::uint32_t bits = 16;         // a weight
  std::uint32_t group = 0;         // weights of a row that share a scale; 0: none do
  std::uint32_t groupBits = 0;     // of that scale, with its zero point or bias
  std::uint32_t groupsShared = 0;  // bitsandbytes: scales that share a second, 32-bit scale
  std::uint32_t rowBytes = 0;      // a scale for each output feature
  std::uint32_t tileRows = 0, tileCols = 0;  // a 32-bit scale for each tile (fp8 128 x 128)
  std::uint32_t tensorBytes = 0;             // scales for the whole tensor
  std::uint32_t columnBytes = 0;             // for each input feature: GPTQ's g_idx

  bool operator==(const LinearScheme&) const = default;
};
Bytes bytesOfLinear(const LinearScheme& scheme, Count rows, Count cols);

// The piece of a group's tensors that one device holds.
struct Slice {
  Count rows, cols;
  Count tensors;  // in each layer that has them
};

// What divides the weights of one pipeline stage.
struct Split {
  Count tp = 1;
  Count expertDevices = 1;  // whole experts spread over so many
  Count expertSlices = 1;   // and each of them cut into so many
  // Padded by an engine for its kernels: the model's width and the expert's.
  Count expertHiddenMultiple = 1, expertWidthMultiple = 1;
  Count vocabularyMultiple = 1;  // embedding and head padded to this before the cut
};
Split splitOf(const Parallelism& parallelism, const EngineModel& engine);
// Column and row cuts round up: the device with the larger piece counts. Key and value heads are
// cut as far as there are heads, and replicated beyond.
Slice sliceOf(const TensorGroup& group, const Architecture& architecture, const Split& split);

// The format of every tensor.
class WeightPolicy {
 public:
  WeightPolicy(const Model& model, WeightFormat format, const EngineModel& engine);

  // Of the slice's tensors in one layer (`layer` is ignored outside the layers).
  Bytes bytesOf(const TensorGroup& group, std::uint16_t layer, const Slice& slice) const;
  // Whether layers with equal tensors can differ in bytes.
  bool variesByLayer() const { return gguf_.has_value() || !file_.empty(); }
  // 4-bit floats with an 8-bit exponent for 32, as gpt-oss ships.
  bool isMxfp4() const {
    return scheme_ && scheme_->bits == 4 && scheme_->group == 32 && scheme_->groupBits == 8;
  }
  // Bytes of a number that is not quantized: the model's data type while it runs.
  std::uint32_t plainBytes() const { return plainBytes_; }

 private:
  bool quantizesGroup(const TensorGroup& group) const;

  // The tensors of one role in one layer of a file that was read.
  struct FileTensors {
    Role role = Role::kOther;
    Part part = Part::kMain;
    bool flat = false;
    std::int32_t layer = -1;
    Bytes bytes = 0;
    Count elements = 0;

    friend bool operator<(const FileTensors& a, const FileTensors& b) {
      return std::tie(a.role, a.part, a.flat, a.layer) < std::tie(b.role, b.part, b.flat, b.layer);
    }
  };

  const Model* model_;
  std::vector<FileTensors> file_;  // in order; empty when no file was read
  std::optional<GgufRecipe> gguf_;
  std::optional<LinearScheme> scheme_;
  std::uint32_t plainBytes_ = 2;
  bool stored_ = false;          // the checkpoint says which layers
  bool expertsOnly_ = false;     // of a mixture: MXFP4
  bool withVocabulary_ = false;  // embedding and head too: MLX
};

// Weights of the layers [first, last) of a part, and of what lies outside the layers.
struct WeightBytes {
  Bytes embedding, attention, feedForward, experts, recurrent, other, head;
  Bytes largestTensor;  // of the layers: what is staged when a host tensor is used on a device

  Bytes sum() const {
    return embedding + attention + feedForward + experts + recurrent + other + head;
  }
  WeightBytes& operator+=(const WeightBytes& more);
};
WeightBytes weightsOfLayers(const Model& model, const WeightPolicy& policy, const Split& split,
                            std::size_t first, std::size_t last);
// Embedding, head and what else of the main part lies outside the layers. A tied head is not
// counted: `head` is what a device needs that holds the head, but not the embedding.
WeightBytes weightsOutside(const Model& model, const WeightPolicy& policy, const Split& split);
Bytes weightsOfPart(const Model& model, const WeightPolicy& policy, const Split& split, Part part);

}  // namespace memfit
