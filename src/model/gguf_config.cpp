// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/gguf_config.h"

#include <algorithm>

#include "base/text.h"
#include "model/gguf_names.h"
#include "model/tensor_names.h"

namespace memfit {
namespace {

class ConfigWriter {
 public:
  void number(std::string_view key, std::uint64_t value) {
    start(key);
    out_ += std::to_string(value);
  }
  void flag(std::string_view key, bool value) {
    start(key);
    out_ += value ? "true" : "false";
  }
  void word(std::string_view key, std::string_view value) {
    start(key);
    out_ += cat("\"", value, "\"");
  }
  void raw(std::string_view key, std::string_view json) {
    start(key);
    out_ += json;
  }
  std::string take() { return std::move(out_) + "}"; }

 private:
  void start(std::string_view key) { out_ += cat(out_.size() > 1 ? ",\"" : "\"", key, "\":"); }
  std::string out_ = "{";
};

std::string words(const std::vector<std::string_view>& list) {
  std::string out = "[";
  for (const std::string_view word : list) out += cat(out.size() > 1 ? ",\"" : "\"", word, "\"");
  return out + "]";
}

std::string numbers(const std::vector<std::int64_t>& list, std::size_t count) {
  std::string out = "[";
  for (std::size_t i = 0; i < count && i < list.size(); ++i) {
    out += cat(i > 0 ? "," : "", std::max<std::int64_t>(list[i], 0));
  }
  return out + "]";
}

class Translator {
 public:
  explicit Translator(std::span<const GgufHead> parts) : head_(&headOfGguf(parts)) {
    for (const GgufHead& part : parts) {
      for (const GgufTensor& tensor : part.tensors) note(tensor);
    }
  }

  Result<GgufConfig> config();

 private:
  std::string key(std::string_view name) const { return cat(architecture_, ".", name); }
  std::optional<std::int64_t> number(std::string_view name) const {
    return head_->integer(key(name));
  }
  std::vector<std::int64_t> list(std::string_view name) const { return head_->integers(key(name)); }
  // A scalar, or the largest of a list.
  std::int64_t largest(std::string_view name, std::int64_t otherwise) const {
    if (const auto scalar = number(name)) return *scalar;
    const std::vector<std::int64_t> values = list(name);
    return values.empty() ? otherwise : *std::max_element(values.begin(), values.end());
  }

  void note(const GgufTensor& tensor) {
    const std::string_view name = tensor.name;
    if (name == "token_embd.weight" && tensor.dims.size() == 2) vocab_ = tensor.dims[1].value();
    if (name == "output.weight") hasHead_ = true;
    if (name == "output.bias") hasHeadBias_ = true;
    if (name.ends_with(".attn_q.bias") || name.ends_with(".attn_qkv.bias")) hasQueryBias_ = true;
    if (name.ends_with(".attn_output.bias")) hasOutputBias_ = true;
    if (name.ends_with(".ffn_up.bias") || name.ends_with(".ffn_down.bias")) hasMlpBias_ = true;
    if (name.ends_with(".attn_q_norm.weight")) hasQueryNorm_ = true;
    if (name.ends_with(".exp_probs_b.bias") || name.ends_with(".exp_probs_b"))
      hasCorrection_ = true;
    if (name.ends_with(".ffn_norm.weight")) hasSecondNorm_ = true;
    const NamedTensor named = ggufTensor(name);
    if (named.role == Role::kAttnK) keyLayers_.push_back(named.layer);
    if (named.role == Role::kAttnV) valueLayers_.push_back(named.layer);
  }

  // What is read first: the rest asks for it. An error, or nothing.
  std::optional<Error> readArchitecture();
  std::optional<Error> readLayers();
  bool is(std::string_view modelType) const { return modelType_ == modelType; }
  bool isLatent() const { return number("attention.kv_lora_rank").value_or(0) > 0; }

  // Each writes its part of the config.
  void writeVocabulary(ConfigWriter& out) const;
  void writeHeads(ConfigWriter& out) const;
  void writeHeadSizes(ConfigWriter& out) const;
  void writeGemma4(ConfigWriter& out) const;
  void writeFeedForward(ConfigWriter& out) const;
  void writeBlocks(ConfigWriter& out) const;
  void writeLayerKinds(ConfigWriter& out) const;
  void writeKimiLayers(ConfigWriter& out, const std::vector<std::int64_t>& keyHeads) const;
  void writeStateSpace(ConfigWriter& out) const;
  void writeWhatTensorsSay(ConfigWriter& out) const;

  const GgufHead* head_;
  std::string architecture_;  // as the file says it
  std::string modelType_;     // as the families say it
  std::int64_t layers_ = 0, experts_ = 0;
  std::uint64_t vocab_ = 0;
  std::vector<std::int32_t> keyLayers_, valueLayers_;
  // Which tensors the files have.
  bool hasHead_ = false, hasHeadBias_ = false, hasQueryBias_ = false, hasOutputBias_ = false;
  bool hasMlpBias_ = false, hasQueryNorm_ = false, hasCorrection_ = false, hasSecondNorm_ = false;
};

std::optional<Error> Translator::readArchitecture() {
  const std::optional<std::string_view> architecture = head_->text("general.architecture");
  if (!architecture) {
    return Error{ErrorCode::kMissing, "general.architecture",
                 "The GGUF metadata has no general.architecture; without it no key can be read."};
  }
  architecture_ = std::string(*architecture);
  if (architecture_ == "clip") {
    return Error{
        ErrorCode::kUnsupported, "general.architecture",
        "This GGUF is a vision projector (mmproj); the language model's own file is needed."};
  }
  for (const ArchitectureName& row : kArchitectures) {
    if (row.gguf == architecture_) modelType_ = std::string(row.modelType);
  }
  if (modelType_.empty()) {
    // Letters, digits, dashes: it goes into a JSON text.
    for (const char c : architecture_.substr(0, 40)) {
      modelType_ += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ? c : '_';
    }
  }
  experts_ = number("expert_count").value_or(0);
  if (is("llama") && experts_ > 0) modelType_ = "mixtral";
  if (is("deepseek_v2") && hasCorrection_) modelType_ = "deepseek_v3";
  return std::nullopt;
}

std::optional<Error> Translator::readLayers() {
  layers_ = number("block_count").value_or(0);
  if (layers_ < 1 || layers_ > 10000) {
    return Error{ErrorCode::kOutOfRange, key("block_count"),
                 cat(key("block_count"), " is ", layers_, "; 1 to 10,000 layers are accepted.")};
  }
  // The blocks of next-token prediction are counted in block_count.
  const std::int64_t next = number("nextn_predict_layers").value_or(0);
  if (next < 0 || next >= layers_) {
    return Error{ErrorCode::kOutOfRange, key("nextn_predict_layers"),
                 cat(key("nextn_predict_layers"), " is ", next, " of ", layers_, " blocks.")};
  }
  layers_ -= next;
  return std::nullopt;
}

void Translator::writeVocabulary(ConfigWriter& out) const {
  const std::uint64_t vocab =
      vocab_ > 0 ? vocab_
                 : static_cast<std::uint64_t>(std::max<std::int64_t>(
                       number("vocab_size")
                           .value_or(static_cast<std::int64_t>(
                               std::min<std::uint64_t>(head_->vocabulary, 1u << 30))),
                       0));
  if (vocab > 0) out.number("vocab_size", vocab);
}

void Translator::writeHeads(ConfigWriter& out) const {
  const std::int64_t heads = largest("attention.head_count", 0);
  const std::int64_t keyHeads = largest("attention.head_count_kv", heads);
  if (heads > 0) out.number("num_attention_heads", static_cast<std::uint64_t>(heads));
  if (keyHeads > 0) {
    out.number(is("chatglm") ? "multi_query_group_num" : "num_key_value_heads",
               static_cast<std::uint64_t>(isLatent() ? heads : keyHeads));
  }
  if (is("chatglm")) out.flag("multi_query_attention", true);
  if (is("falcon")) {
    out.flag("new_decoder_architecture", keyHeads > 1);
    out.flag("multi_query", keyHeads == 1);
  }
  if (is("gpt_bigcode")) out.flag("multi_query", keyHeads == 1);
}

void Translator::writeHeadSizes(ConfigWriter& out) const {
  const std::int64_t keyLength = number("attention.key_length").value_or(0);
  const std::int64_t valueLength = number("attention.value_length").value_or(0);
  if (isLatent()) {
    const std::int64_t rope = number("rope.dimension_count").value_or(64);
    const std::int64_t whole = number("attention.key_length_mla").value_or(keyLength);
    const std::int64_t value = number("attention.value_length_mla").value_or(valueLength);
    if (rope >= 0 && whole > rope) {
      out.number("qk_rope_head_dim", static_cast<std::uint64_t>(rope));
      out.number("qk_nope_head_dim", static_cast<std::uint64_t>(whole - rope));
    }
    if (value > 0) out.number("v_head_dim", static_cast<std::uint64_t>(value));
  } else {
    const std::int64_t windowed = number("attention.key_length_swa").value_or(0);
    if (is("gemma4") && windowed > 0) {
      out.number("head_dim", static_cast<std::uint64_t>(windowed));
      if (keyLength > 0) out.number("global_head_dim", static_cast<std::uint64_t>(keyLength));
    } else if (keyLength > 0) {
      out.number("head_dim", static_cast<std::uint64_t>(keyLength));
      if (valueLength > 0) out.number("v_head_dim", static_cast<std::uint64_t>(valueLength));
    }
  }
}

// Full layers have key-value heads of their own number, and no value projection where V is K.
void Translator::writeGemma4(ConfigWriter& out) const {
  const std::vector<std::int64_t> each = list("attention.head_count_kv");
  const std::vector<std::int64_t> windows = list("attention.sliding_window_pattern");
  for (std::size_t i = 0; i < each.size() && i < windows.size(); ++i) {
    if (windows[i] == 0 && each[i] > 0) {
      out.number("num_global_key_value_heads", static_cast<std::uint64_t>(each[i]));
      break;
    }
  }
  std::size_t withoutValue = 0;
  for (const std::int32_t layer : keyLayers_) {
    if (std::find(valueLayers_.begin(), valueLayers_.end(), layer) == valueLayers_.end()) {
      ++withoutValue;
    }
  }
  out.flag("attention_k_eq_v", withoutValue > 0);
  out.flag("enable_moe_block", experts_ > 0);
}

void Translator::writeFeedForward(ConfigWriter& out) const {
  const std::vector<std::int64_t> widths = list("feed_forward_length");
  if (!widths.empty() && !is("nemotron_h") && !is("nemotron-nas")) {
    out.raw("intermediate_size", numbers(widths, static_cast<std::size_t>(layers_)));
  } else if (const std::int64_t width = largest("feed_forward_length", 0);
             width > 0 && !is("mamba")) {
    out.number("intermediate_size", static_cast<std::uint64_t>(width));
  }
  if (experts_ > 0) out.number("num_experts", static_cast<std::uint64_t>(experts_));
  if (experts_ > 0 && number("moe_every_n_layers").value_or(0) > 1) {
    out.number("decoder_sparse_step", static_cast<std::uint64_t>(*number("moe_every_n_layers")));
  }
  if (is("llama4")) {
    out.number("intermediate_size_mlp", static_cast<std::uint64_t>(std::max<std::int64_t>(
                                            largest("feed_forward_length", 0), 0)));
  }
}

// Kimi's full attention layers are listed, from 1; the others are KDA.
void Translator::writeKimiLayers(ConfigWriter& out,
                                 const std::vector<std::int64_t>& keyHeads) const {
  std::vector<std::int64_t> full;
  for (std::size_t i = 0; i < static_cast<std::size_t>(layers_); ++i) {
    if (keyHeads[i] > 0) full.push_back(static_cast<std::int64_t>(i) + 1);
  }
  out.raw("linear_attn_config",
          cat("{\"full_attn_layers\":", numbers(full, full.size()),
              ",\"num_heads\":", largest("attention.head_count", 1),
              ",\"head_dim\":", number("kda.head_dim").value_or(128),
              ",\"short_conv_kernel_size\":", number("ssm.conv_kernel").value_or(4), "}"));
}

// Which layers are recurrent, attention or feed-forward, from the per-layer head counts.
void Translator::writeLayerKinds(ConfigWriter& out) const {
  const std::vector<std::int64_t> keyHeads = list("attention.head_count_kv");
  const std::vector<std::int64_t> widths = list("feed_forward_length");
  const std::vector<std::int64_t> windows = list("attention.sliding_window_pattern");
  const auto count = static_cast<std::size_t>(layers_);
  std::vector<std::string_view> kinds;
  if (is("nemotron_h") && keyHeads.size() >= count && widths.size() >= count) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool experts = number("expert_count").value_or(0) > 0;
      kinds.push_back(keyHeads[i] > 0  ? "attention"
                      : widths[i] == 0 ? "mamba"
                      : experts        ? "moe"
                                       : "mlp");
    }
    out.raw("layers_block_type", words(kinds));
    return;
  }
  if (is("nemotron-nas")) return;
  if (keyHeads.size() >= count && std::count(keyHeads.begin(), keyHeads.end(), 0) > 0) {
    const bool conv = is("lfm2") || is("lfm2_moe");
    for (std::size_t i = 0; i < count; ++i) {
      kinds.push_back(keyHeads[i] > 0 ? (conv ? "full_attention" : "attention")
                      : conv          ? "conv"
                                      : "mamba");
    }
    if (is("kimi_linear")) return writeKimiLayers(out, keyHeads);
  } else if (windows.size() >= count) {
    for (std::size_t i = 0; i < count; ++i) {
      kinds.push_back(windows[i] > 0 ? "sliding_attention" : "full_attention");
    }
  }
  if (!kinds.empty()) out.raw("layer_types", words(kinds));
}

void Translator::writeStateSpace(ConfigWriter& out) const {
  const auto inner = number("ssm.inner_size");
  const auto rank = number("ssm.time_step_rank");
  if (!inner || !rank || *rank <= 0 || *inner <= 0) return;
  const auto width = static_cast<std::uint64_t>(*inner);
  const auto steps = static_cast<std::uint64_t>(*rank);
  if (modelType_.starts_with("qwen3")) {
    out.number("linear_num_value_heads", steps);
    out.number("linear_value_head_dim", width / steps);
    out.number("linear_num_key_heads", static_cast<std::uint64_t>(std::max<std::int64_t>(
                                           number("ssm.group_count").value_or(16), 1)));
    out.number("linear_key_head_dim", static_cast<std::uint64_t>(std::max<std::int64_t>(
                                          number("ssm.state_size").value_or(128), 1)));
    out.number("linear_conv_kernel_dim", static_cast<std::uint64_t>(std::max<std::int64_t>(
                                             number("ssm.conv_kernel").value_or(4), 1)));
  } else if (is("mamba") || is("jamba")) {
    out.number("time_step_rank", steps);
    if (is("mamba")) out.number("intermediate_size", width);
  } else {
    out.number("mamba_num_heads", steps);
    out.number("mamba_head_dim", width / steps);
    out.number("mamba_d_ssm", width);
    const auto hidden = static_cast<std::uint64_t>(
        std::max<std::int64_t>(number("embedding_length").value_or(1), 1));
    out.number("mamba_expand", std::max<std::uint64_t>(width / hidden, 1));
  }
}

// Nemotron-NAS: each layer its own heads and width.
void Translator::writeBlocks(ConfigWriter& out) const {
  const std::vector<std::int64_t> heads = list("attention.head_count");
  const std::vector<std::int64_t> keyHeads = list("attention.head_count_kv");
  const std::vector<std::int64_t> widths = list("feed_forward_length");
  std::string json = "[";
  for (std::size_t i = 0; i < static_cast<std::size_t>(layers_); ++i) {
    const std::int64_t a = i < heads.size() ? heads[i] : largest("attention.head_count", 0);
    const std::int64_t k =
        i < keyHeads.size() ? keyHeads[i] : largest("attention.head_count_kv", a);
    const std::int64_t w = i < widths.size() ? widths[i] : largest("feed_forward_length", 0);
    json += i > 0 ? ",{\"attention\":{" : "{\"attention\":{";
    if (a <= 0) {
      json += "\"no_op\":true";
    } else if (k <= 0) {
      json += "\"replace_with_linear\":true";
    } else {
      json += cat("\"n_heads_in_group\":", a / k);
    }
    json += "},\"ffn\":{";
    json += w <= 0 ? std::string("\"no_op\":true") : cat("\"intermediate_size\":", w);
    json += "}}";
  }
  out.raw("block_configs", json + "]");
}

// What the files of a family do not say in words, their tensors do.
void Translator::writeWhatTensorsSay(ConfigWriter& out) const {
  out.flag("tie_word_embeddings", !hasHead_);
  if (hasHeadBias_) out.flag("lm_head_bias", true);
  for (const std::string_view word :
       {"attention_bias", "qkv_bias", "use_qkv_bias", "add_qkv_bias"}) {
    out.flag(word, hasQueryBias_);
  }
  if (!is("starcoder2") && !is("bailing_moe")) out.flag("bias", hasQueryBias_);
  out.flag("attention_out_bias", hasOutputBias_);
  out.flag("mlp_bias", hasMlpBias_);
  out.flag("use_bias", hasOutputBias_ || hasMlpBias_);
  out.flag("use_qk_norm", hasQueryNorm_);
  // The width is the tensors' own already.
  if (is("lfm2")) out.flag("block_auto_adjust_ff_dim", false);
  if (is("minimax_m2")) out.flag("use_routing_bias", hasCorrection_);
  if (is("stablelm")) out.flag("use_parallel_residual", !hasSecondNorm_);
  if (is("step3p5")) out.flag("use_moe_router_bias", hasCorrection_);
}

Result<GgufConfig> Translator::config() {
  if (const std::optional<Error> error = readArchitecture()) return *error;
  if (const std::optional<Error> error = readLayers()) return *error;
  ConfigWriter out;
  out.word("model_type", modelType_);
  out.number("num_hidden_layers", static_cast<std::uint64_t>(layers_));
  for (const KeyName& row : kNumbers) {
    const auto value = number(row.gguf);
    if (value && *value >= 0) out.number(row.config, static_cast<std::uint64_t>(*value));
  }
  writeVocabulary(out);
  writeHeads(out);
  writeHeadSizes(out);
  if (is("gemma4")) writeGemma4(out);
  writeFeedForward(out);
  if (const auto period = number("attention.sliding_window_pattern"); period && *period > 0) {
    out.number("sliding_window_pattern", static_cast<std::uint64_t>(*period));
  }
  if (is("nemotron-nas")) writeBlocks(out);
  writeLayerKinds(out);
  writeStateSpace(out);
  writeWhatTensorsSay(out);
  return GgufConfig{out.take(), layers_};
}

}  // namespace

const GgufHead& headOfGguf(std::span<const GgufHead> parts) {
  const GgufHead* head = &parts.front();
  for (const GgufHead& part : parts) {
    if (part.integer("split.no").value_or(0) == 0) head = &part;
  }
  return *head;
}

Result<GgufConfig> configOfGguf(std::span<const GgufHead> parts) {
  return Translator(parts).config();
}

}  // namespace memfit
