// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/gguf.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"

namespace memfit {
namespace {

constexpr std::uint64_t kMaxTensors = 262144;
constexpr std::uint64_t kMaxKeys = 65536;
constexpr std::uint64_t kMaxName = 65535;
constexpr std::uint64_t kMaxKeptText = 4096;
constexpr std::uint64_t kMaxKeptArray = 16384;
constexpr std::size_t kMaxKept = std::size_t{4} << 20;

enum Type : std::uint32_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kBool,
  kString,
  kArray,
  kU64,
  kI64,
  kF64,
  kTypes,
};
constexpr std::uint64_t kWidth[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

template <typename T>
T little(const char* bytes) {
  // Assembled byte by byte: right whatever the host's order is.
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  T result;
  if constexpr (std::is_same_v<T, float>) {
    const auto bits = static_cast<std::uint32_t>(value);
    std::memcpy(&result, &bits, sizeof result);
  } else if constexpr (std::is_same_v<T, double>) {
    std::memcpy(&result, &value, sizeof result);
  } else {
    result = static_cast<T>(value);
  }
  return result;
}

GgufValue scalar(std::uint32_t type, const char* bytes) {
  switch (type) {
    case kU8:
    case kBool: return std::int64_t{little<std::uint8_t>(bytes)};
    case kI8: return std::int64_t{little<std::int8_t>(bytes)};
    case kU16: return std::int64_t{little<std::uint16_t>(bytes)};
    case kI16: return std::int64_t{little<std::int16_t>(bytes)};
    case kU32: return std::int64_t{little<std::uint32_t>(bytes)};
    case kI32: return std::int64_t{little<std::int32_t>(bytes)};
    case kU64: {
      const auto value = little<std::uint64_t>(bytes);
      return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX));
    }
    case kI64: return little<std::int64_t>(bytes);
    case kF32: return double{little<float>(bytes)};
    default: return little<double>(bytes);
  }
}

bool isInteger(std::uint32_t type) { return type != kF32 && type != kF64; }

}  // namespace

Count GgufTensor::elements() const {
  Count product = 1;
  for (const Count dim : dims) product *= dim;
  return product;
}

Bytes GgufTensor::bytes() const {
  if (dims.empty()) return 0;
  const Count rows = dims.front() == 0 ? Count(0) : elements() / dims.front();
  return bytesOf(format, dims.front(), rows);
}

std::optional<std::int64_t> GgufHead::integer(std::string_view key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return std::nullopt;
  if (const auto* value = std::get_if<std::int64_t>(&found->second)) return *value;
  return std::nullopt;
}

std::vector<std::int64_t> GgufHead::integers(std::string_view key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return {};
  if (const auto* value = std::get_if<std::vector<std::int64_t>>(&found->second)) return *value;
  return {};
}

std::optional<std::string_view> GgufHead::text(std::string_view key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return std::nullopt;
  if (const auto* value = std::get_if<std::string>(&found->second)) return *value;
  return std::nullopt;
}

// Reads from the buffer; a read beyond it notes how much is missing and gives nothing.
struct GgufReader::Cursor {
  std::string_view bytes;
  std::size_t at = 0;
  std::uint64_t missing = 0;

  bool has(std::uint64_t n) {
    if (bytes.size() - at >= n) return true;
    missing = n - (bytes.size() - at);
    return false;
  }
  template <typename T>
  T take() {
    const T value = little<T>(bytes.data() + at);
    at += sizeof(T);
    return value;
  }
  std::string_view takeText(std::uint64_t n) {
    const std::string_view text = bytes.substr(at, static_cast<std::size_t>(n));
    at += static_cast<std::size_t>(n);
    return text;
  }
};

Error GgufReader::bad(std::string message) const {
  return {ErrorCode::kBadFile, key_, cat("GGUF, byte ", position_ + at_, ": ", message)};
}

Result<bool> GgufReader::readHeader(Cursor& in) {
  if (!in.has(4)) return false;
  const std::string_view magic = in.takeText(4);
  if (magic != "GGUF") {
    return bad(cat("the file begins with ", quoted(magic), ", not with \"GGUF\"."));
  }
  if (!in.has(20)) return false;
  const auto version = in.take<std::uint32_t>();
  if ((version & 0xFFFF) == 0) return bad("the file is big-endian; little-endian is accepted.");
  if (version != 2 && version != 3) {
    return bad(cat("the version is ", version, "; 2 and 3 are accepted."));
  }
  head_.version = version;
  tensors_ = in.take<std::uint64_t>();
  keys_ = in.take<std::uint64_t>();
  if (tensors_ > kMaxTensors) {
    return bad(cat("the file claims ", tensors_, " tensors; at most 262,144 are accepted."));
  }
  if (keys_ > kMaxKeys) {
    return bad(cat("the file claims ", keys_, " metadata keys; at most 65,536 are accepted."));
  }
  if (tensors_ == 0) return bad("the file has no tensors.");
  return afterKey();
}

Result<bool> GgufReader::afterKey() {
  stage_ = keys_ > 0 ? Stage::kKey : Stage::kTensor;
  return true;
}

Result<bool> GgufReader::readKey(Cursor& in) {
  if (!in.has(8)) return false;
  const auto length = in.take<std::uint64_t>();
  if (length == 0 || length > kMaxName) {
    return bad(cat("a metadata key is ", length, " bytes long; 1 to 65,535 are accepted."));
  }
  if (!in.has(length + 4)) return false;
  key_ = std::string(in.takeText(length));
  const auto type = in.take<std::uint32_t>();
  if (type >= kTypes) {
    return bad(cat(quoted(key_), " has the value type ", type, "; 0 to 12 are accepted."));
  }
  const bool keep = !key_.starts_with("tokenizer.");
  if (type == kString) {
    if (!in.has(8)) return false;
    const auto size = in.take<std::uint64_t>();
    if (size > (std::uint64_t{1} << 32)) {
      return bad(cat(quoted(key_), " is a text of ", size, " bytes; at most 4 GiB are accepted."));
    }
    if (keep && size <= kMaxKeptText) {
      if (!in.has(size)) return false;
      kept_ += key_.size() + static_cast<std::size_t>(size) + 64;
      head_.metadata.insert_or_assign(key_, std::string(in.takeText(size)));
    } else {
      skip_ = size;
    }
  } else if (type == kArray) {
    if (!in.has(12)) return false;
    arrayType_ = in.take<std::uint32_t>();
    arrayLeft_ = in.take<std::uint64_t>();
    if (arrayType_ >= kTypes || arrayType_ == kArray) {
      return bad(cat(quoted(key_), " is an array of type ", arrayType_,
                     "; numbers, booleans and texts are accepted."));
    }
    if (arrayLeft_ > (std::uint64_t{1} << 32)) {
      return bad(cat(quoted(key_), " is an array of ", arrayLeft_,
                     " elements; at most 2^32 are accepted."));
    }
    if (key_ == "tokenizer.ggml.tokens") head_.vocabulary = arrayLeft_;
    keepArray_ = keep && arrayType_ != kString && arrayLeft_ <= kMaxKeptArray;
    integers_.clear();
    numbers_.clear();
    if (arrayType_ != kString && !keepArray_) {
      skip_ = arrayLeft_ * kWidth[arrayType_];
      arrayLeft_ = 0;
    }
    stage_ = Stage::kArray;
    return true;
  } else {
    if (!in.has(kWidth[type])) return false;
    const std::string_view bytes = in.takeText(kWidth[type]);
    if (keep) {
      kept_ += key_.size() + 64;
      head_.metadata.insert_or_assign(key_, scalar(type, bytes.data()));
    }
  }
  if (kept_ > kMaxKept) return bad("the metadata is larger than 4 MiB.");
  --keys_;
  return afterKey();
}

Result<bool> GgufReader::readArray(Cursor& in) {
  // Numbers that are kept come here one by one, and so do texts, which are passed over.
  if (arrayLeft_ > 0) {
    if (arrayType_ == kString) {
      if (!in.has(8)) return false;
      const auto size = in.take<std::uint64_t>();
      if (size > (std::uint64_t{1} << 32)) {
        return bad(
            cat(quoted(key_), " has a text of ", size, " bytes; at most 4 GiB are accepted."));
      }
      skip_ = size;
    } else {
      const std::uint64_t width = kWidth[arrayType_];
      if (!in.has(width)) return false;
      const GgufValue value = scalar(arrayType_, in.takeText(width).data());
      if (isInteger(arrayType_)) {
        integers_.push_back(*std::get_if<std::int64_t>(&value));
      } else {
        numbers_.push_back(*std::get_if<double>(&value));
      }
    }
    --arrayLeft_;
    return true;
  }
  if (keepArray_) {
    kept_ += key_.size() + 64 + (integers_.size() + numbers_.size()) * 8;
    if (isInteger(arrayType_)) {
      head_.metadata.insert_or_assign(key_, std::move(integers_));
    } else {
      head_.metadata.insert_or_assign(key_, std::move(numbers_));
    }
    integers_ = {};
    numbers_ = {};
    if (kept_ > kMaxKept) return bad("the metadata is larger than 4 MiB.");
  }
  --keys_;
  return afterKey();
}

Result<bool> GgufReader::readTensor(Cursor& in) {
  if (tensors_ == 0) {
    const std::int64_t alignment = head_.integer("general.alignment").value_or(32);
    if (alignment < 1 || alignment > 1 << 20 || (alignment & (alignment - 1)) != 0) {
      key_ = "general.alignment";
      return bad(
          cat("general.alignment is ", alignment, "; a power of two up to 2^20 is accepted."));
    }
    for (const GgufTensor& tensor : head_.tensors) {
      if (tensor.offset % static_cast<std::uint64_t>(alignment) != 0) {
        key_ = tensor.name;
        return bad(cat("the tensor ", quoted(tensor.name), " lies at offset ", tensor.offset,
                       ", which is no multiple of the alignment ", alignment, "."));
      }
    }
    const std::uint64_t end = position_ + at_ + in.at;
    const auto step = static_cast<std::uint64_t>(alignment);
    head_.dataOffset = (end + step - 1) / step * step;
    stage_ = Stage::kDone;
    return true;
  }
  if (!in.has(8)) return false;
  const auto length = in.take<std::uint64_t>();
  if (length == 0 || length > kMaxName) {
    return bad(cat("a tensor's name is ", length, " bytes long; 1 to 65,535 are accepted."));
  }
  if (!in.has(length + 4)) return false;
  GgufTensor tensor;
  tensor.name = std::string(in.takeText(length));
  key_ = tensor.name;
  const auto dims = in.take<std::uint32_t>();
  if (dims == 0 || dims > 4) {
    return bad(cat("the tensor ", quoted(tensor.name), " has ", dims,
                   " dimensions; 1 to 4 are accepted."));
  }
  if (!in.has(std::uint64_t{dims} * 8 + 12)) return false;
  for (std::uint32_t i = 0; i < dims; ++i) tensor.dims.emplace_back(in.take<std::uint64_t>());
  const auto type = in.take<std::uint32_t>();
  tensor.offset = in.take<std::uint64_t>();
  const std::optional<Format> format = formatOfGgmlType(type);
  if (!format) {
    return bad(cat("the tensor ", quoted(tensor.name), " has the type ", type,
                   ", which ggml does not have (a fork's file?)."));
  }
  tensor.format = *format;
  const Count elements = tensor.elements();
  if (elements.overflowed() || elements == 0 || tensor.bytes().overflowed()) {
    return bad(cat("the tensor ", quoted(tensor.name), " has ",
                   elements.overflowed() ? "more than 2^53" : "no", " elements."));
  }
  const std::uint32_t block = blockFormat(*format).elements;
  if (tensor.dims.front().value() % block != 0) {
    return bad(cat("the tensor ", quoted(tensor.name), " has rows of ", tensor.dims.front().value(),
                   " elements, which are no whole blocks of ", block, " (", formatName(*format),
                   ")."));
  }
  head_.tensors.push_back(std::move(tensor));
  --tensors_;
  return true;
}

Result<bool> GgufReader::step() {
  Cursor in{std::string_view(buffer_).substr(at_)};
  const Stage before = stage_;
  const std::string key = key_;
  Result<bool> result = false;
  switch (stage_) {
    case Stage::kHeader: result = readHeader(in); break;
    case Stage::kKey: result = readKey(in); break;
    case Stage::kArray: result = readArray(in); break;
    case Stage::kTensor: result = readTensor(in); break;
    case Stage::kDone: return false;
  }
  if (!result) return result;
  if (*result) {
    at_ += in.at;
  } else {
    // The item is read again when there is more.
    stage_ = before;
    key_ = key;
    skip_ = 0;
    wants_ = in.missing;
  }
  return result;
}

void GgufReader::skip(std::uint64_t bytes) {
  const std::uint64_t left = std::min(bytes, skip_);
  skip_ -= left;
  position_ += left;
}

Result<std::uint64_t> GgufReader::feed(std::string_view bytes) {
  // The buffer holds only an item that was cut: a few bytes.
  while (!done()) {
    if (skip_ > 0) {
      const std::uint64_t buffered = std::min<std::uint64_t>(skip_, buffer_.size() - at_);
      at_ += static_cast<std::size_t>(buffered);
      skip_ -= buffered;
      if (skip_ > 0) {
        position_ += at_;
        buffer_.clear();
        at_ = 0;
        const std::uint64_t passed = std::min<std::uint64_t>(skip_, bytes.size());
        bytes.remove_prefix(static_cast<std::size_t>(passed));
        position_ += passed;
        skip_ -= passed;
        if (skip_ > 0) return skip_ + 1;
      }
    }
    const Result<bool> stepped = step();
    if (!stepped) return stepped.error();
    if (*stepped) continue;
    if (bytes.empty()) {
      position_ += at_;
      buffer_.erase(0, at_);
      at_ = 0;
      return wants_;
    }
    // In pieces, so that what is passed over is not copied first.
    constexpr std::size_t kPiece = std::size_t{1} << 16;
    const std::size_t take = std::min(
        bytes.size(),
        std::max(kPiece, static_cast<std::size_t>(std::min<std::uint64_t>(wants_, kMaxName + 16))));
    position_ += at_;
    buffer_.erase(0, at_);
    at_ = 0;
    buffer_.append(bytes.substr(0, take));
    bytes.remove_prefix(take);
  }
  return std::uint64_t{0};
}

}  // namespace memfit
