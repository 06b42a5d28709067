// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/safetensors.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/json.h"
#include "base/text.h"
#include "model/tensor_names.h"
#include "rapidjson/document.h"
#include "rapidjson/error/en.h"

namespace memfit {
namespace {

constexpr std::uint64_t kMaxHeader = std::uint64_t{32} << 20;
constexpr std::size_t kMaxTensors = 262144;

Error bad(std::string_view field, std::string message) {
  return {ErrorCode::kBadFile, std::string(field), cat("Safetensors: ", message)};
}

std::string_view textOf(const rapidjson::Value& value) {
  return {value.GetString(), value.GetStringLength()};
}

// Bits of one element.
struct Dtype {
  std::string_view name;
  std::uint32_t bits;
};
constexpr Dtype kDtypes[] = {
    {"BOOL", 8},    {"U8", 8},   {"I8", 8},   {"F8_E5M2", 8}, {"F8_E4M3", 8},
    {"F8_E8M0", 8}, {"I16", 16}, {"U16", 16}, {"F16", 16},    {"BF16", 16},
    {"I32", 32},    {"U32", 32}, {"F32", 32}, {"I64", 64},    {"U64", 64},
    {"F64", 64},    {"C64", 64}, {"F4", 4},   {"F6_E2M3", 6}, {"F6_E3M2", 6},
};

std::optional<std::uint32_t> bitsOf(std::string_view dtype) {
  for (const Dtype& row : kDtypes) {
    if (row.name == dtype) return row.bits;
  }
  return std::nullopt;
}

Result<rapidjson::Document> parseObject(std::string_view json, std::string_view what) {
  rapidjson::Document document;
  if (!parseJson(json, document)) {
    return Error{ErrorCode::kBadJson, "",
                 cat(what, " is no JSON: ", rapidjson::GetParseError_En(document.GetParseError()),
                     " At byte ", document.GetErrorOffset(), ".")};
  }
  if (!document.IsObject()) {
    return Error{ErrorCode::kBadJson, "", cat(what, " is no JSON object.")};
  }
  return document;
}

}  // namespace

Count SafetensorsTensor::elements() const {
  Count product = 1;
  for (const Count dim : shape) product *= dim;
  return product;
}

Result<std::uint64_t> safetensorsHeaderSize(std::string_view beginning) {
  if (beginning.size() < 8) {
    return bad("",
               cat("the file is ", beginning.size(), " bytes long; the header's length takes 8."));
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    length |= static_cast<std::uint64_t>(static_cast<unsigned char>(beginning[i])) << (8 * i);
  }
  if (length < 2 || length > kMaxHeader) {
    return bad("", cat("the header's length is ", length, "; 2 bytes to 32 MiB are accepted."));
  }
  return length + 8;
}

Result<SafetensorsHeader> readSafetensorsHeader(std::string_view beginning) {
  const Result<std::uint64_t> size = safetensorsHeaderSize(beginning);
  if (!size) return size.error();
  if (beginning.size() < *size) {
    return bad("", cat("the header is ", *size - 8, " bytes long, ", beginning.size() - 8,
                       " of them are there."));
  }
  Result<rapidjson::Document> document = parseObject(
      beginning.substr(8, static_cast<std::size_t>(*size) - 8), "The safetensors header");
  if (!document) return document.error();
  if (document->MemberCount() > kMaxTensors + 1) {
    return bad("", cat("the header lists ", document->MemberCount(),
                       " tensors; at most 262,144 are accepted."));
  }
  SafetensorsHeader header;
  for (const auto& member : document->GetObject()) {
    const std::string_view name = textOf(member.name);
    if (name == "__metadata__") continue;
    const rapidjson::Value& value = member.value;
    if (!value.IsObject()) return bad(name, cat("the entry of ", quoted(name), " is no object."));
    const auto dtype = value.FindMember("dtype");
    const auto shape = value.FindMember("shape");
    const auto offsets = value.FindMember("data_offsets");
    if (dtype == value.MemberEnd() || !dtype->value.IsString()) {
      return bad(name, cat(quoted(name), " has no dtype."));
    }
    if (shape == value.MemberEnd() || !shape->value.IsArray() || shape->value.Size() > 8) {
      return bad(name, cat(quoted(name), " has no shape of at most 8 dimensions."));
    }
    if (offsets == value.MemberEnd() || !offsets->value.IsArray() || offsets->value.Size() != 2 ||
        !offsets->value[0].IsUint64() || !offsets->value[1].IsUint64()) {
      return bad(name, cat(quoted(name), " has no data_offsets of two numbers."));
    }
    SafetensorsTensor tensor;
    tensor.name = std::string(name);
    tensor.dtype = std::string(textOf(dtype->value));
    for (const rapidjson::Value& dim : shape->value.GetArray()) {
      if (!dim.IsUint64()) {
        return bad(name, cat(quoted(name), " has a dimension that is no whole number."));
      }
      tensor.shape.emplace_back(dim.GetUint64());
    }
    const std::uint64_t begin = offsets->value[0].GetUint64();
    const std::uint64_t end = offsets->value[1].GetUint64();
    if (end < begin) {
      return bad(name,
                 cat(quoted(name), " ends at byte ", end, ", before it begins at ", begin, "."));
    }
    tensor.bytes = Count(end - begin);
    const std::optional<std::uint32_t> bits = bitsOf(tensor.dtype);
    if (!bits) {
      return bad(name, cat(quoted(name), " has the dtype ", quoted(tensor.dtype),
                           ", which safetensors does not have."));
    }
    const Bytes expected = (tensor.elements() * *bits).ceilDiv(8);
    if (expected.overflowed() || expected != tensor.bytes) {
      return bad(name, cat(quoted(name), " takes ", tensor.bytes.value(),
                           " bytes, but its shape and dtype make ",
                           expected.overflowed() ? std::string("more than 2^53")
                                                 : std::to_string(expected.value()),
                           "."));
    }
    header.bytes += tensor.bytes;
    header.tensors.push_back(std::move(tensor));
  }
  if (header.tensors.empty()) return bad("", "the header lists no tensors.");
  if (header.bytes.overflowed()) return bad("", "the tensors take more than 2^53 bytes.");
  return header;
}

Result<SafetensorsIndex> readSafetensorsIndex(std::string_view json) {
  if (json.size() > kMaxHeader) {
    return bad("", cat("the index is ", json.size(), " bytes long; at most 32 MiB are accepted."));
  }
  Result<rapidjson::Document> document = parseObject(json, "The safetensors index");
  if (!document) return document.error();
  const auto map = document->FindMember("weight_map");
  if (map == document->MemberEnd() || !map->value.IsObject()) {
    return Error{ErrorCode::kMissing, "weight_map", "The safetensors index has no weight_map."};
  }
  if (map->value.MemberCount() == 0 || map->value.MemberCount() > kMaxTensors) {
    return bad("weight_map", cat("the index lists ", map->value.MemberCount(),
                                 " tensors; 1 to 262,144 are accepted."));
  }
  SafetensorsIndex index;
  std::set<std::string> files;
  for (const auto& member : map->value.GetObject()) {
    if (!member.value.IsString()) {
      return bad(textOf(member.name),
                 cat("the index gives ", quoted(textOf(member.name)), " no file name."));
    }
    index.tensors.emplace_back(textOf(member.name));
    files.emplace(textOf(member.value));
  }
  index.files.assign(files.begin(), files.end());
  const auto metadata = document->FindMember("metadata");
  if (metadata != document->MemberEnd() && metadata->value.IsObject()) {
    const auto size = metadata->value.FindMember("total_size");
    if (size != metadata->value.MemberEnd()) {
      // Some writers make it a float.
      if (size->value.IsUint64()) {
        index.bytes = Count(size->value.GetUint64());
      } else if (size->value.IsDouble() && size->value.GetDouble() >= 0 &&
                 size->value.GetDouble() < 9e15) {
        index.bytes = Count(static_cast<std::uint64_t>(size->value.GetDouble()));
      } else {
        return bad("metadata.total_size", "metadata.total_size is no number of bytes.");
      }
    }
  }
  if (index.bytes.overflowed()) {
    return bad("metadata.total_size", "metadata.total_size is beyond 2^53 bytes.");
  }
  return index;
}

StoredTensors storedTensors(std::span<const SafetensorsHeader> headers, bool complete,
                            const Quantization& quantization, Count layers, bool tied) {
  StoredTensors stored;
  stored.complete = complete;
  for (const SafetensorsHeader& header : headers) {
    for (const SafetensorsTensor& tensor : header.tensors) {
      const NamedTensor named = huggingFaceTensor(tensor.name);
      StoredTensor one;
      one.role = named.role;
      one.part = named.part;
      one.kind = named.kind;
      one.layer = named.layer;
      if (layers > 0 && one.layer >= 0 && Count(one.layer) >= layers && one.part == Part::kMain) {
        one.part = Part::kNextTokens;
      }
      one.format = formatNamed(tensor.dtype).value_or(Format::kInt8);
      const Count elements = tensor.elements();
      one.cols = tensor.shape.empty() ? Count(1) : tensor.shape.back();
      one.rows = one.cols == 0 ? Count(0) : elements / one.cols;
      one.bytes = tensor.bytes;
      stored.bytes += tensor.bytes;
      // A linear layer in 8-bit integers of another shape, or in 32-bit ones, is packed.
      const bool packed =
          named.packed || (named.kind == TensorKind::kMatrix && roleTraits(named.role).linear &&
                           (tensor.dtype == "U8" || tensor.dtype == "I32"));
      const bool copy = tied && named.role == Role::kOutputHead;
      if (named.scale || named.buffer || copy) {
        stored.otherBytes += tensor.bytes;
      } else if (one.part == Part::kMain || one.part == Part::kVision) {
        const std::uint32_t bits =
            quantization.bits > 0 && quantization.bits < 16 ? quantization.bits : 4;
        stored.parameters += packed ? tensor.bytes * 8 / bits : elements;
      }
      stored.tensors.push_back(one);
    }
  }
  return stored;
}

Result<Model> modelFromSafetensors(std::span<const SafetensorsHeader> headers, bool complete,
                                   std::string_view name) {
  // What each role's tensors look like: the first of each, and the largest layer number.
  struct Seen {
    Count rows, cols;
    bool any = false;
  };
  std::map<Role, Seen> seen;
  std::int32_t last = -1;
  Count experts = 0;
  bool queryBias = false;
  std::string dtype = "bfloat16";
  std::int32_t firstExpertLayer = -1;
  Count vocabulary = 0;
  for (const SafetensorsHeader& header : headers) {
    for (const SafetensorsTensor& tensor : header.tensors) {
      const NamedTensor named = huggingFaceTensor(tensor.name);
      if (named.part != Part::kMain || named.scale || named.buffer) continue;
      last = std::max(last, named.layer);
      if (named.kind == TensorKind::kBias) {
        if (named.role == Role::kAttnQ || named.role == Role::kAttnQkv) queryBias = true;
        continue;
      }
      if (named.role == Role::kQkNorm && tensor.shape.size() == 1) {
        Seen& norm = seen[Role::kQkNorm];
        if (!norm.any) norm = {1, tensor.shape[0], true};
      }
      if (tensor.shape.size() < 2) continue;
      const bool expert = named.role == Role::kExpertGate || named.role == Role::kExpertUp ||
                          named.role == Role::kExpertDown;
      if (expert) {
        if (firstExpertLayer < 0 || named.layer < firstExpertLayer) firstExpertLayer = named.layer;
        const std::size_t at = tensor.name.find("experts.");
        if (at != std::string::npos) {
          std::uint64_t number = 0;
          for (std::size_t i = at + 8; i < tensor.name.size() && tensor.name[i] >= '0' &&
                                       tensor.name[i] <= '9' && number < 100000;
               ++i) {
            number = number * 10 + static_cast<std::uint64_t>(tensor.name[i] - '0');
          }
          experts = max(experts, Count(number + 1));
        }
      }
      Seen& first = seen[named.role];
      if (!first.any) first = {tensor.shape[0], tensor.shape.back(), true};
      if (named.role == Role::kTokenEmbedding) {
        vocabulary = tensor.shape[0];
        if (const auto format = formatNamed(tensor.dtype)) dtype = std::string(formatName(*format));
      }
    }
  }
  const Seen embedding = seen[Role::kTokenEmbedding];
  const Seen q = seen[Role::kAttnQ];
  const Seen k = seen[Role::kAttnK];
  const Seen down = seen[Role::kFfnDown];
  const Seen expertDown = seen[Role::kExpertDown];
  if (!embedding.any || !q.any || !k.any || (!down.any && !expertDown.any) || last < 0) {
    return Error{ErrorCode::kUnsupported, "",
                 cat("The tensors of ", quoted(name, 80),
                     " have no Llama-like names (embed_tokens, layers.N.self_attn.q_proj, ...); "
                     "its config.json says what it is.")};
  }
  // Key heads share a width with the queries' heads: a norm's, if it is one head wide, else 128 as
  // in most models, else the largest power of two that divides both.
  Count headDim = 0;
  const Seen norm = seen[Role::kQkNorm];
  const auto divides = [](Count small, Count large) {
    return small > 0 && large / small * small == large;
  };
  const bool known = norm.any && norm.cols <= 512 && divides(norm.cols, q.rows) &&
                     divides(norm.cols, k.rows) && norm.cols != q.rows;
  if (known) headDim = norm.cols;
  for (std::uint64_t width = 128; headDim == 0 && width >= 1; width /= 2) {
    if (divides(width, q.rows) && divides(width, k.rows)) headDim = width;
  }
  const std::string type = queryBias ? "qwen2" : known ? "qwen3" : "llama";
  std::string config =
      cat(R"({"model_type":")", type, R"(","hidden_size":)", embedding.cols.value(),
          R"(,"vocab_size":)", vocabulary.value(), R"(,"num_hidden_layers":)", last + 1,
          R"(,"num_attention_heads":)", (q.rows / headDim).value(), R"(,"num_key_value_heads":)",
          (k.rows / headDim).value(), R"(,"head_dim":)", headDim.value(), R"(,"torch_dtype":")",
          dtype, R"(","tie_word_embeddings":)", seen[Role::kOutputHead].any ? "false" : "true",
          R"(,"intermediate_size":)", (down.any ? down : expertDown).cols.value());
  if (experts > 0) {
    config += cat(R"(,"num_experts":)", experts.value(), R"(,"num_experts_per_tok":)",
                  min(experts, 2).value(), R"(,"moe_intermediate_size":)", expertDown.cols.value(),
                  R"(,"first_k_dense_replace":)", std::max(firstExpertLayer, 0));
  }
  config += "}";
  Result<Model> model = modelFromConfig(config, name);
  if (!model) return model.error();
  model->notices.push_back(
      cat("Read from the shapes of tensors alone: a head is ", known ? "" : "taken to be ",
          headDim.value(), " wide", experts > 0 ? ", two experts a token are assumed" : "",
          "; windows and context length are not known. The config.json says all of it."));
  model->stored = storedTensors(headers, complete, model->quantization, 0, false);
  if (!complete) {
    model->notices.emplace_back(
        "This is one file of several: the bytes and the layers are those of this file.");
  }
  return model;
}

}  // namespace memfit
