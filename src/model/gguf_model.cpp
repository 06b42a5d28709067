// memfit - SPDX-License-Identifier: Apache-2.0
//
// A model out of GGUF files: its architecture from the metadata, its weights from the tensors.
#include <algorithm>

#include "base/text.h"
#include "model/gguf.h"
#include "model/gguf_config.h"
#include "model/tensor_names.h"

namespace memfit {
namespace {

// general.file_type (llama_ftype in llama.cpp's include/llama.h).
struct FileType {
  std::int64_t id;
  std::string_view name;
};
constexpr FileType kFileTypes[] = {
    {0, "fp32"},     {1, "fp16"},     {2, "q4_0"},    {3, "q4_1"},    {7, "q8_0"},
    {8, "q5_0"},     {9, "q5_1"},     {10, "q2_k"},   {11, "q3_k_s"}, {12, "q3_k_m"},
    {13, "q3_k_l"},  {14, "q4_k_s"},  {15, "q4_k_m"}, {16, "q5_k_s"}, {17, "q5_k_m"},
    {18, "q6_k"},    {19, "iq2_xxs"}, {20, "iq2_xs"}, {21, "q2_k_s"}, {22, "iq3_xs"},
    {23, "iq3_xxs"}, {24, "iq1_s"},   {25, "iq4_nl"}, {26, "iq3_s"},  {27, "iq3_m"},
    {28, "iq2_s"},   {29, "iq2_m"},   {30, "iq4_xs"}, {31, "iq1_m"},  {32, "bf16"},
    {36, "tq1_0"},   {37, "tq2_0"},   {38, "mxfp4"},  {39, "nvfp4"},  {40, "q1_0"},
    {41, "q2_0"},
};

// Of all parts. Blocks beyond the `layers` predict further tokens.
StoredTensors tensorsOf(std::span<const GgufHead> parts, std::int64_t layers) {
  StoredTensors stored;
  for (const GgufHead& part : parts) {
    for (const GgufTensor& tensor : part.tensors) {
      const NamedTensor named = ggufTensor(tensor.name);
      StoredTensor one;
      one.role = named.role;
      one.part = named.part;
      one.kind = named.kind;
      one.layer = named.layer;
      if (one.layer >= layers) one.part = Part::kNextTokens;
      one.format = tensor.format;
      one.cols = tensor.dims.front();
      one.rows = tensor.elements() / tensor.dims.front();
      one.bytes = tensor.bytes();
      stored.bytes += one.bytes;
      if (named.buffer) {
        stored.otherBytes += one.bytes;
      } else if (one.part != Part::kNextTokens) {
        stored.parameters += one.elements();
      }
      stored.tensors.push_back(one);
    }
  }
  return stored;
}

}  // namespace

Result<Model> modelFromGguf(std::span<const GgufHead> parts, std::string_view name) {
  if (parts.empty()) {
    return Error{ErrorCode::kMissing, "", "There is no GGUF file to read."};
  }
  const Result<GgufConfig> config = configOfGguf(parts);
  if (!config) return config.error();
  Result<Model> read = modelFromConfig(config->json, name);
  if (!read) {
    Error error = read.error();
    error.message = cat("The GGUF metadata does not describe a model: ", error.message);
    return error;
  }
  Model& model = *read;
  const GgufHead& head = headOfGguf(parts);
  if (const auto title = head.text("general.name"); title && !title->empty()) {
    model.name = std::string(title->substr(0, 120));
  }
  if (const auto license = head.text("general.license")) {
    model.license = std::string(license->substr(0, 60));
  }
  for (const FileType& type : kFileTypes) {
    if (head.integer("general.file_type") == type.id) model.fileType = std::string(type.name);
  }

  StoredTensors stored = tensorsOf(parts, config->layers);
  if (stored.bytes.overflowed() || stored.parameters.overflowed()) {
    return Error{ErrorCode::kOverflow, "", "The GGUF file claims more than 2^53 bytes of tensors."};
  }
  const std::int64_t count = head.integer("split.count").value_or(1);
  stored.complete = count <= static_cast<std::int64_t>(parts.size());
  if (!stored.complete) {
    model.notices.push_back(cat("This is ", parts.size(), " of ", count,
                                " parts of a split file: the bytes are those of these parts."));
  } else if (stored.parameters != model.inventory.parameters(Part::kMain)) {
    model.notices.push_back(cat("The file holds ", groupDigits(stored.parameters.value()),
                                " parameters, its metadata describe ",
                                groupDigits(model.inventory.parameters(Part::kMain).value()),
                                ": weights are taken from the file."));
  }
  model.stored = std::move(stored);
  return read;
}

}  // namespace memfit
