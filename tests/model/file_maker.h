// memfit - SPDX-License-Identifier: Apache-2.0
//
// Small model files with the layouts of real ones.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace memfit {

// GGUF version 3, little-endian: header, metadata, tensor infos.
class GgufMaker {
 public:
  explicit GgufMaker(std::uint32_t version = 3) : version_(version) {}

  GgufMaker& text(std::string_view key, std::string_view value) {
    start(key, 8);
    string(metadata_, value);
    return *this;
  }
  GgufMaker& number(std::string_view key, std::uint32_t value) {
    start(key, 4);
    put(metadata_, value, 4);
    return *this;
  }
  GgufMaker& numbers(std::string_view key, const std::vector<std::uint32_t>& values) {
    start(key, 9);
    put(metadata_, 4, 4);
    put(metadata_, values.size(), 8);
    for (const std::uint32_t value : values) put(metadata_, value, 4);
    return *this;
  }
  GgufMaker& texts(std::string_view key, const std::vector<std::string>& values) {
    start(key, 9);
    put(metadata_, 8, 4);
    put(metadata_, values.size(), 8);
    for (const std::string& value : values) string(metadata_, value);
    return *this;
  }
  // dims: ne0 first. type: ggml's id. Every tensor lies at an aligned offset.
  GgufMaker& tensor(std::string_view name, const std::vector<std::uint64_t>& dims,
                    std::uint32_t type, std::uint64_t offset = 0) {
    ++tensorCount_;
    string(tensors_, name);
    put(tensors_, dims.size(), 4);
    for (const std::uint64_t dim : dims) put(tensors_, dim, 8);
    put(tensors_, type, 4);
    put(tensors_, offset, 8);
    return *this;
  }
  std::string bytes() const {
    std::string out = "GGUF";
    put(out, version_, 4);
    put(out, tensorCount_, 8);
    put(out, keyCount_, 8);
    return out + metadata_ + tensors_;
  }

  static void put(std::string& out, std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  }
  static void string(std::string& out, std::string_view value) {
    put(out, value.size(), 8);
    out += value;
  }

 private:
  void start(std::string_view key, std::uint32_t type) {
    ++keyCount_;
    string(metadata_, key);
    put(metadata_, type, 4);
  }

  std::uint32_t version_;
  std::uint64_t keyCount_ = 0, tensorCount_ = 0;
  std::string metadata_, tensors_;
};

// A safetensors header: 8 bytes of length, JSON, no data.
class SafetensorsMaker {
 public:
  SafetensorsMaker& tensor(std::string_view name, std::string_view dtype,
                           const std::vector<std::uint64_t>& shape, std::uint64_t bytesEach = 2) {
    std::uint64_t bytes = bytesEach;
    std::string dims;
    for (const std::uint64_t dim : shape) {
      bytes *= dim;
      dims += cat(dims.empty() ? "" : ",", dim);
    }
    json_ += cat(json_.empty() ? "" : ",", "\"", name, R"(":{"dtype":")", dtype, R"(","shape":[)",
                 dims, R"(],"data_offsets":[)", end_, ",", end_ + bytes, "]}");
    names_.emplace_back(name);
    end_ += bytes;
    return *this;
  }
  std::string bytes() const {
    return withLength(cat(R"({"__metadata__":{"format":"pt"},)", json_, "}"));
  }
  std::string index() const {
    std::string map;
    for (const std::string& name : names_) {
      map += cat(map.empty() ? "" : ",", "\"", name, R"(":"model.safetensors")");
    }
    return cat(R"({"metadata":{"total_size":)", end_, R"(},"weight_map":{)", map, "}}");
  }
  static std::string withLength(std::string_view json) {
    std::string out;
    GgufMaker::put(out, json.size(), 8);
    return out + std::string(json);
  }

 private:
  std::string json_;
  std::vector<std::string> names_;
  std::uint64_t end_ = 0;
};

}  // namespace memfit
