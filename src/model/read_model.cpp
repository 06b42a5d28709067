// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/read_model.h"

#include <vector>

#include "base/text.h"
#include "model/config_view.h"
#include "model/gguf.h"
#include "model/safetensors.h"

namespace memfit {
namespace {

Result<GgufHead> readGguf(const NamedFile& file) {
  GgufReader reader;
  const Result<std::uint64_t> wants = reader.feed(file.bytes);
  if (!wants) return wants.error();
  if (!reader.done()) {
    return Error{ErrorCode::kBadFile, "",
                 cat(quoted(file.name, 80), " is cut within its head: at least ", *wants,
                     " more bytes are wanted after these ", file.bytes.size(), ".")};
  }
  return reader.head();
}

// A header is one file's; "-00001-of-00005" in the name says that there are others.
bool isPart(std::string_view name) { return name.find("-of-0") != std::string_view::npos; }

Error unknownFile(const NamedFile& file) {
  return {ErrorCode::kUnsupported, "",
          cat(quoted(file.name, 80), " begins with ", quoted(file.bytes.substr(0, 8)),
              ": it is no config.json, GGUF, safetensors file or safetensors index.")};
}

}  // namespace

FileKind fileKindOf(std::string_view bytes) {
  if (bytes.starts_with("GGUF")) return FileKind::kGguf;
  std::string_view text = bytes;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = trim(text.substr(0, std::min<std::size_t>(text.size(), 4096)));
  if (text.starts_with("{")) {
    // The keys of an index and of hf_quant_config.json are no config's.
    const std::string_view beginning = bytes.substr(0, std::min<std::size_t>(bytes.size(), 65536));
    const auto has = [&](std::string_view key) {
      return beginning.find(key) != std::string_view::npos;
    };
    if (has("\"weight_map\"")) return FileKind::kSafetensorsIndex;
    if (has("\"quantization\"") && has("\"quant_algo\"") && !has("hidden_size")) {
      return FileKind::kQuantConfig;
    }
    return FileKind::kConfig;
  }
  if (bytes.size() > 8 && bytes[8] == '{') return FileKind::kSafetensors;
  return FileKind::kUnknown;
}

Result<Model> readModel(std::string_view bytes, std::string_view name) {
  const NamedFile file{name, bytes};
  return readModel(std::span<const NamedFile>(&file, 1));
}

Result<Model> readModel(std::span<const NamedFile> files) {
  if (files.empty()) return Error{ErrorCode::kMissing, "", "There is no file to read."};
  const NamedFile* config = nullptr;
  std::string_view quantConfig;
  std::vector<GgufHead> parts;
  std::vector<SafetensorsHeader> headers;
  std::optional<SafetensorsIndex> index;
  bool complete = true;
  for (const NamedFile& file : files) {
    switch (fileKindOf(file.bytes)) {
      case FileKind::kConfig: config = &file; break;
      case FileKind::kQuantConfig: quantConfig = file.bytes; break;
      case FileKind::kGguf: {
        Result<GgufHead> head = readGguf(file);
        if (!head) return head.error();
        parts.push_back(*std::move(head));
        break;
      }
      case FileKind::kSafetensors: {
        Result<SafetensorsHeader> header = readSafetensorsHeader(file.bytes);
        if (!header) return header.error();
        headers.push_back(*std::move(header));
        if (isPart(file.name)) complete = false;
        break;
      }
      case FileKind::kSafetensorsIndex: {
        Result<SafetensorsIndex> read = readSafetensorsIndex(file.bytes);
        if (!read) return read.error();
        index = *std::move(read);
        break;
      }
      case FileKind::kUnknown:
        if (trim(file.bytes.substr(0, 64)).empty()) {
          return Error{ErrorCode::kBadFile, "", cat(quoted(file.name, 80), " is empty.")};
        }
        return unknownFile(file);
    }
  }
  if (!parts.empty()) return modelFromGguf(parts, files.front().name);
  if (index && index->files.size() <= headers.size()) complete = true;

  if (config != nullptr) {
    Result<Model> model = modelFromConfig(config->bytes, quantConfig, config->name);
    if (!model) return model;
    if (!headers.empty()) {
      model->stored =
          storedTensors(headers, complete, model->quantization,
                        Count(model->architecture.layerCount()), model->architecture.tied);
      if (complete && model->stored->parameters != model->parameters()) {
        model->notices.push_back(cat(
            "The files hold ", groupDigits(model->stored->parameters.value()),
            " parameters, the config describes ", groupDigits(model->parameters().value()), "."));
      }
    } else if (index && index->bytes > 0) {
      StoredTensors stored;
      stored.bytes = index->bytes;
      stored.parameters = model->parameters();
      model->stored = std::move(stored);
    }
    return model;
  }
  if (!headers.empty()) return modelFromSafetensors(headers, complete, files.front().name);
  if (index) {
    if (index->bytes == 0) {
      return Error{ErrorCode::kMissing, "metadata.total_size",
                   "The index says no total_size; its config.json says what the model is."};
    }
    Result<Model> model = typicalModel(index->bytes / 2);
    if (!model) return model;
    StoredTensors stored;
    stored.bytes = index->bytes;
    stored.parameters = index->bytes / 2;
    model->stored = std::move(stored);
    model->name = std::string(files.front().name);
    model->notices.push_back(
        cat("An index names ", index->tensors.size(),
            " tensors but no shapes: 16-bit weights are assumed. Add the config.json for the real "
            "architecture."));
    return model;
  }
  return Error{
      ErrorCode::kMissing, "",
      "hf_quant_config.json says how a model is quantized, not what it is; its config.json "
      "is needed too."};
}

}  // namespace memfit
