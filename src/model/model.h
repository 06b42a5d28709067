// memfit - SPDX-License-Identifier: Apache-2.0
//
// Model: an architecture with a name, its tensors, and how a checkpoint of it is stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/count.h"
#include "base/result.h"
#include "model/architecture.h"
#include "model/block_format.h"
#include "model/overrides.h"
#include "model/tensor_inventory.h"
#include "query/query.h"

namespace memfit {

// quantization_config, as the checkpoint says it.
enum class QuantMethod : std::uint8_t {
  kNone,
  kGptq,
  kAwq,
  kBitsAndBytes,
  kFp8,
  kCompressedTensors,
  kMxfp4,
  kModelOpt,
  kQuark,
  kMlx,
  kBitNet,
  kOther,
};
std::string_view quantMethodName(QuantMethod method);

struct Quantization {
  QuantMethod method = QuantMethod::kNone;
  std::string name;             // quant_method, quant_algo or format as written
  std::uint32_t bits = 16;      // of a weight
  bool floating = false;        // fp8, fp4, nf4; else integers
  std::uint32_t groupSize = 0;  // elements of a row that share a scale; 0: one a row or a tensor
  std::uint32_t blockRows = 0;  // a 2-D block that shares a scale (fp8: 128 x 128); 0: none
  std::uint32_t blockCols = 0;
  std::uint32_t scaleBits = 16;
  bool zeroPoints = false;       // one of `bits` beside each scale
  bool doubleQuantized = false;  // bitsandbytes: the scales are quantized too
  bool groupIndex = false;       // GPTQ: a 32-bit index for each input row
  bool fp8Cache = false;         // the checkpoint asks for an 8-bit key-value cache
  // Which linear layers, by name as written; `kept` are left in 16 bits, `only` (when not empty)
  // are the ones that are quantized. "re:" marks a regular expression.
  std::vector<std::string> kept;
  std::vector<std::string> only;

  bool operator==(const Quantization&) const = default;
};

// Whether the scheme quantizes these tensors: linear layers that no pattern leaves out. Routers,
// norms, embeddings and the head stay in 16 bits unless the scheme names them.
bool quantizes(const Quantization& quantization, const TensorGroup& group);

// One tensor of a file.
struct StoredTensor {
  Role role = Role::kOther;
  Part part = Part::kMain;
  TensorKind kind = TensorKind::kMatrix;
  std::int32_t layer = -1;  // -1: outside the layers
  Format format = Format::kBf16;
  Count cols;  // ne0
  Count rows;  // all other dimensions together
  Bytes bytes;

  Count elements() const { return cols * rows; }
  bool oneDimensional() const { return kind == TensorKind::kBias || kind == TensorKind::kVector; }
};

// What a file says about its own tensors: exact, where it was read from GGUF or safetensors.
struct StoredTensors {
  std::vector<StoredTensor> tensors;
  Bytes bytes;           // of all tensors
  Count parameters;      // without scales, buffers and copies of a tied head
  Bytes otherBytes;      // of scales, buffers and copies
  bool complete = true;  // false: one part of a split file
};

struct Model {
  std::string id;
  std::string name;
  std::vector<std::string> aliases;
  std::string license;
  std::string release;  // ISO date

  Architecture architecture;
  TensorInventory inventory;

  Format checkpointFormat = Format::kBf16;  // torch_dtype
  Quantization quantization;
  std::optional<StoredTensors> stored;
  std::string fileType;  // GGUF general.file_type by name, as "q4_k_m"; empty when there is none

  bool typical = false;  // a typical shape of a size: the published numbers are all that is known
  std::vector<std::string> notices;
  std::string config;  // the config.json that it was read from, before overrides; empty when none

  Count parameters() const { return inventory.parameters(); }
  Count activeParameters() const { return inventory.activeParameters(); }
};

// A Hugging Face config.json. `name` is for messages and Model::name. Untrusted input: at most 4
// MiB, 10,000 layers, widths below 2^40; Error::field is the key at fault.
Result<Model> modelFromConfig(std::string_view configJson, std::string_view name);

// The same, with a separate hf_quant_config.json (ModelOpt) beside it, and with some of the
// architecture as a query says it.
Result<Model> modelFromConfig(std::string_view configJson, std::string_view quantConfigJson,
                              std::string_view name, const ArchitectureOverrides& overrides = {});

// The model with some of its architecture changed (overridden_models.cpp). Only a model that was
// read from a config.json (all of the catalogue's were) can be; Error::field is the query's key. A
// key that changes nothing gets a notice.
Result<Model> applyOverrides(const Model& model, const ArchitectureOverrides& overrides,
                             Notices& notices);

// The model `custom`: layers, hidden, heads, intermediate and vocab are needed, the rest has
// defaults.
Result<Model> customModel(const ArchitectureOverrides& overrides, Notices& notices);

// A typical shape (typical_model.cpp) of about `parameters`: like Llama, or like Mixtral when
// `active` is less. Never fewer than 1e6 parameters. What is exact of it is nothing: Model::typical
// says so.
Result<Model> typicalModel(Count parameters, std::optional<Count> active = std::nullopt);

}  // namespace memfit
