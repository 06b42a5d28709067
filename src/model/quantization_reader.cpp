// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/quantization_reader.h"

#include <algorithm>

#include "base/text.h"

namespace memfit {
namespace {

struct MethodName {
  std::string_view word;  // as quant_method says it
  QuantMethod method;
};
constexpr MethodName kMethods[] = {
    {"gptq", QuantMethod::kGptq},
    {"awq", QuantMethod::kAwq},
    {"bitsandbytes", QuantMethod::kBitsAndBytes},
    {"fp8", QuantMethod::kFp8},
    {"fbgemm_fp8", QuantMethod::kFp8},
    {"compressed-tensors", QuantMethod::kCompressedTensors},
    {"mxfp4", QuantMethod::kMxfp4},
    {"modelopt", QuantMethod::kModelOpt},
    {"modelopt_fp4", QuantMethod::kModelOpt},
    {"quark", QuantMethod::kQuark},
    {"mlx", QuantMethod::kMlx},
    {"bitnet", QuantMethod::kBitNet},
};

std::uint32_t small(const ConfigView& view, Keys keys, std::uint32_t otherwise) {
  const std::optional<Count> value = view.count(keys);
  if (!value) return otherwise;
  return static_cast<std::uint32_t>(min(*value, Count(1u << 20)).value());
}

void addNames(const ConfigView& view, std::string_view key, std::vector<std::string>& names) {
  if (!view.isList(key)) return;
  for (const std::string_view name : view.texts(key)) names.emplace_back(name);
}

bool containsWord(std::string_view text, std::string_view word) {
  return toLower(text).find(word) != std::string::npos;
}

// One scheme of compressed-tensors (config_groups) or Quark: a `weights` object.
void readWeights(const ConfigView& weights, std::string_view bitsKey, Quantization& q) {
  q.bits = small(weights, {bitsKey, "num_bits", "bits"}, q.bits);
  q.floating = containsWord(weights.text({"type", "dtype"}).value_or(""), "f");
  q.groupSize = small(weights, {"group_size"}, 0);
  q.zeroPoints = !weights.flag({"symmetric"}).value_or(true);
  const std::vector<Count> block = weights.counts("block_structure");
  if (block.size() == 2) {
    q.blockRows = static_cast<std::uint32_t>(min(block[0], Count(1u << 20)).value());
    q.blockCols = static_cast<std::uint32_t>(min(block[1], Count(1u << 20)).value());
  }
  if (containsWord(weights.text({"scale_dtype"}).value_or(""), "uint8")) q.scaleBits = 8;
}

void readAlgorithm(std::string_view algorithm, Quantization& q) {
  q.name = std::string(algorithm);
  if (containsWord(algorithm, "nvfp4")) {
    q.bits = 4;
    q.floating = true;
    q.groupSize = 16;
    q.scaleBits = 8;
  } else if (containsWord(algorithm, "fp8")) {
    q.bits = 8;
    q.floating = true;
  } else if (containsWord(algorithm, "w4a16") || containsWord(algorithm, "int4")) {
    q.bits = 4;
    q.groupSize = 128;
  } else if (containsWord(algorithm, "int8") || containsWord(algorithm, "w8a8")) {
    q.bits = 8;
  }
}

Quantization readShape(const ConfigView& view) {
  Quantization q;
  const std::string method = toLower(view.text({"quant_method", "quant_algo"}).value_or(""));
  q.name = method;
  q.method = QuantMethod::kOther;
  for (const MethodName& row : kMethods) {
    if (row.word == method) q.method = row.method;
  }
  // MLX writes no quant_method: {"group_size": 64, "bits": 4}.
  if (method.empty() && view.has("bits") && view.has("group_size")) q.method = QuantMethod::kMlx;
  if (view.has("quant_algo")) q.method = QuantMethod::kModelOpt;

  addNames(view, "modules_to_not_convert", q.kept);
  addNames(view, "ignore", q.kept);
  addNames(view, "exclude_modules", q.kept);
  addNames(view, "exclude", q.kept);
  addNames(view, "ignored_layers", q.kept);
  addNames(view, "llm_int8_skip_modules", q.kept);
  addNames(view, "modules_to_save", q.kept);

  switch (q.method) {
    case QuantMethod::kGptq:
      q.bits = small(view, {"bits"}, 4);
      q.groupSize = small(view, {"group_size"}, 128);
      q.zeroPoints = true;
      q.groupIndex = true;
      addNames(view, "modules_in_block_to_quantize", q.only);
      break;
    case QuantMethod::kAwq:
      q.bits = small(view, {"bits", "w_bit"}, 4);
      q.groupSize = small(view, {"group_size", "q_group_size"}, 128);
      q.zeroPoints = view.flag({"zero_point"}).value_or(true);
      break;
    case QuantMethod::kBitsAndBytes:
      if (view.flag({"load_in_8bit", "_load_in_8bit"}).value_or(false)) {
        q.bits = 8;
        q.scaleBits = 32;
      } else {
        q.bits = 4;
        q.floating = true;
        q.groupSize = 64;
        q.scaleBits = 32;
        q.doubleQuantized = view.flag({"bnb_4bit_use_double_quant"}).value_or(false);
        q.name = std::string(view.text({"bnb_4bit_quant_type"}).value_or("nf4"));
      }
      break;
    case QuantMethod::kFp8: {
      q.bits = 8;
      q.floating = true;
      q.scaleBits = 32;
      const std::vector<Count> block = view.counts("weight_block_size");
      if (block.size() == 2) {
        q.blockRows = static_cast<std::uint32_t>(min(block[0], Count(1u << 20)).value());
        q.blockCols = static_cast<std::uint32_t>(min(block[1], Count(1u << 20)).value());
      }
      break;
    }
    case QuantMethod::kCompressedTensors: {
      for (const auto& [name, group] : view.child("config_groups").members()) {
        const ConfigView weights = group.child("weights");
        if (weights.valid()) {
          readWeights(weights, "num_bits", q);
          break;
        }
      }
      if (const auto format = view.text({"format"})) q.name = std::string(*format);
      q.fp8Cache = view.child("kv_cache_scheme").valid();
      break;
    }
    case QuantMethod::kMxfp4:
      q.bits = 4;
      q.floating = true;
      q.groupSize = 32;
      q.scaleBits = 8;
      break;
    case QuantMethod::kModelOpt:
      readAlgorithm(view.text({"quant_algo"}).value_or(method), q);
      q.groupSize = small(view, {"group_size"}, q.groupSize);
      q.fp8Cache = containsWord(view.text({"kv_cache_quant_algo"}).value_or(""), "fp8") ||
                   view.child("kv_cache_scheme").valid();
      for (const auto& [name, layer] : view.child("quantized_layers").members()) {
        q.only.emplace_back(name);
        if (q.bits == 16) readAlgorithm(layer.text({"quant_algo"}).value_or(""), q);
      }
      break;
    case QuantMethod::kQuark: {
      const ConfigView global = view.child("global_quant_config").child("weight");
      if (global.valid()) readWeights(global, "bits", q);
      if (!global.valid() || q.bits == 16) {
        q.bits = 4;
        q.floating = true;
        q.groupSize = 32;
        q.scaleBits = 8;
      }
      break;
    }
    case QuantMethod::kMlx:
      q.bits = small(view, {"bits"}, 4);
      q.groupSize = small(view, {"group_size"}, 64);
      q.zeroPoints = true;
      break;
    case QuantMethod::kBitNet:
      q.bits = 2;  // four ternary values a byte
      q.groupSize = 0;
      break;
    case QuantMethod::kNone:
    case QuantMethod::kOther:
      q.bits = small(view, {"bits", "w_bit", "num_bits"}, 16);
      q.groupSize = small(view, {"group_size", "q_group_size"}, 0);
      break;
  }
  return q;
}

}  // namespace

std::string_view quantMethodName(QuantMethod method) {
  switch (method) {
    case QuantMethod::kNone: return "none";
    case QuantMethod::kGptq: return "gptq";
    case QuantMethod::kAwq: return "awq";
    case QuantMethod::kBitsAndBytes: return "bitsandbytes";
    case QuantMethod::kFp8: return "fp8";
    case QuantMethod::kCompressedTensors: return "compressed-tensors";
    case QuantMethod::kMxfp4: return "mxfp4";
    case QuantMethod::kModelOpt: return "modelopt";
    case QuantMethod::kQuark: return "quark";
    case QuantMethod::kMlx: return "mlx";
    case QuantMethod::kBitNet: return "bitnet";
    case QuantMethod::kOther: return "other";
  }
  return "other";
}

Result<Quantization> readQuantization(const ConfigView& root, const ConfigView& text,
                                      std::string_view separate) {
  Quantization quantization;
  const ConfigView places[] = {root.child("quantization_config"), text.child("quantization_config"),
                               root.child("compression_config"), root.child("quantization")};
  for (const ConfigView& place : places) {
    if (place.valid() && !place.keys().empty()) {
      quantization = readShape(place);
      break;
    }
  }
  if (!trim(separate).empty()) {
    Result<ConfigDocument> document = ConfigDocument::parse(separate, "hf_quant_config.json");
    if (!document) return document.error();
    const ConfigView inner = document->root().child("quantization");
    quantization = readShape(inner.valid() ? inner : document->root());
    if (!document->errors().found.empty()) return document->errors().found.front();
  }
  return quantization;
}

bool quantizes(const Quantization& q, const TensorGroup& group) {
  if (q.method == QuantMethod::kNone || q.bits >= 16) return false;
  const RoleTraits& traits = roleTraits(group.role);
  if (!traits.linear || group.kind != TensorKind::kMatrix) return false;
  if (group.part != Part::kMain && group.part != Part::kNextTokens) return false;
  // DeepSeek-V3's checkpoint keeps it in 16 bits.
  if (group.role == Role::kNextTokenProjection) return false;
  // gpt-oss: the scheme names attention, router, embedding and head as kept; what remains is
  // experts. Patterns match by the words of Hugging Face's module names.
  const auto names = [&](std::string_view pattern) {
    const bool expert = traits.lora == LoraTarget::kExpert;
    const bool shared = traits.lora == LoraTarget::kShared;
    const bool ffn = traits.lora == LoraTarget::kGate || traits.lora == LoraTarget::kUp ||
                     traits.lora == LoraTarget::kDown || traits.lora == LoraTarget::kGateUp;
    if (containsWord(pattern, "self_attn") || containsWord(pattern, "linear_attn")) {
      return !expert && !shared && !ffn;
    }
    if (containsWord(pattern, "shared_expert")) return shared;
    if (containsWord(pattern, "experts")) return expert;
    // "mlp.(gate|up|gate_up|down)_proj" spares dense layers: experts have "mlp.experts" in theirs.
    if (containsWord(pattern, "mlp\\.") && containsWord(pattern, "_proj")) return ffn;
    return false;
  };
  if (!q.only.empty()) {
    if (std::any_of(q.only.begin(), q.only.end(),
                    [&](const std::string& name) { return containsWord(name, "experts"); }) &&
        traits.lora != LoraTarget::kExpert) {
      return false;
    }
  }
  // A pattern that names one numbered layer spares that layer, not the role.
  return std::none_of(q.kept.begin(), q.kept.end(), [&](const std::string& pattern) {
    const bool general = pattern.find_first_of("0123456789") == std::string::npos;
    return general && names(pattern);
  });
}

}  // namespace memfit
