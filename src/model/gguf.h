// memfit - SPDX-License-Identifier: Apache-2.0
//
// GGUF heads, versions 2 and 3, little-endian: metadata and tensor infos, which come before the
// data. Source: ggml-org/ggml d99724f (2026-08-21), docs/gguf.md and src/gguf.cpp.
//
// The file is untrusted, and is fed in pieces: most of a head is the tokenizer's arrays, which are
// passed over without being kept. At most 262,144 tensors, 65,536 keys and 4 MiB of kept metadata.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/count.h"
#include "base/result.h"
#include "model/block_format.h"
#include "model/model.h"

namespace memfit {

// A metadata value; integers and booleans of every width are the same here.
using GgufValue =
    std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;

struct GgufTensor {
  std::string name;
  Format format = Format::kFp32;
  std::vector<Count> dims;  // ne0 first
  std::uint64_t offset = 0;

  Count elements() const;
  Bytes bytes() const;
};

struct GgufHead {
  std::uint32_t version = 0;
  std::map<std::string, GgufValue, std::less<>> metadata;  // without tokenizer.*
  std::uint64_t vocabulary = 0;  // entries of tokenizer.ggml.tokens; 0 when it is absent
  std::vector<GgufTensor> tensors;
  std::uint64_t dataOffset = 0;  // where the data begins in the file

  std::optional<std::int64_t> integer(std::string_view key) const;
  std::vector<std::int64_t> integers(std::string_view key) const;  // an array, or nothing
  std::optional<std::string_view> text(std::string_view key) const;
};

// Reads a head as its bytes come.
//
//   GgufReader reader;
//   while (!reader.done()) {
//     Result<std::uint64_t> wants = reader.feed(next piece of the file);
//     if (!wants) return wants.error();   // says where and what
//   }
class GgufReader {
 public:
  // Takes the next bytes of the file, in order, any number of them. Gives how many more it wants at
  // least; 0 when the head is complete (whatever follows is ignored).
  Result<std::uint64_t> feed(std::string_view bytes);
  bool done() const { return stage_ == Stage::kDone; }
  // How many of the bytes to come next it will not look at: who can seek may leave them out, and
  // says so with skip().
  std::uint64_t skippable() const { return skip_; }
  void skip(std::uint64_t bytes);
  // Only when done().
  const GgufHead& head() const { return head_; }

 private:
  enum class Stage : std::uint8_t { kHeader, kKey, kArray, kTensor, kDone };
  struct Cursor;

  Result<bool> step();  // one item; false: it needs more bytes
  Result<bool> readHeader(Cursor& in);
  Result<bool> readKey(Cursor& in);
  Result<bool> readArray(Cursor& in);
  Result<bool> readTensor(Cursor& in);
  Result<bool> afterKey();
  Error bad(std::string message) const;

  Stage stage_ = Stage::kHeader;
  std::string buffer_;
  std::size_t at_ = 0;          // what of the buffer is read
  std::uint64_t position_ = 0;  // of buffer_[0] in the file
  std::uint64_t skip_ = 0;
  std::uint64_t wants_ = 24;
  std::uint64_t keys_ = 0, tensors_ = 0;  // still to come
  std::size_t kept_ = 0;                  // bytes of metadata kept
  std::string key_;
  std::uint32_t arrayType_ = 0;
  std::uint64_t arrayLeft_ = 0;
  bool keepArray_ = false;
  std::vector<std::int64_t> integers_;
  std::vector<double> numbers_;
  GgufHead head_;
};

// The model of a file, or of all parts of a split file in any order. The architecture comes from
// the metadata, by the families that read a config.json; the stored tensors are the file's own.
// Where the two disagree on the parameters, a notice says so.
Result<Model> modelFromGguf(std::span<const GgufHead> parts, std::string_view name);

}  // namespace memfit
