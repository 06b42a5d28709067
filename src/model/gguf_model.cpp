// memfit - SPDX-License-Identifier: Apache-2.0
//
// From GGUF metadata to a config.json: each architecture's keys under the names that the families
// read, so that one reader knows what a family is made of. Key names: gguf_facts section 8.1, after
// llama.cpp's src/llama-arch.cpp (2026-08).
#include <algorithm>

#include "base/text.h"
#include "model/gguf.h"
#include "model/tensor_names.h"

namespace memfit {
namespace {

struct ArchitectureName {
  std::string_view gguf;
  std::string_view modelType;
};
constexpr ArchitectureName kArchitectures[] = {
    {"llama", "llama"},
    {"llama4", "llama4"},
    {"mistral3", "mistral"},
    {"deci", "nemotron-nas"},
    {"falcon", "falcon"},
    {"gpt2", "gpt2"},
    {"gptj", "gptj"},
    {"gptneox", "gpt_neox"},
    {"bloom", "bloom"},
    {"mpt", "mpt"},
    {"starcoder", "gpt_bigcode"},
    {"starcoder2", "starcoder2"},
    {"qwen", "qwen"},
    {"qwen2", "qwen2"},
    {"qwen2vl", "qwen2"},
    {"qwen2moe", "qwen2_moe"},
    {"qwen3", "qwen3"},
    {"qwen3vl", "qwen3"},
    {"qwen3moe", "qwen3_moe"},
    {"qwen3vlmoe", "qwen3_moe"},
    {"qwen3next", "qwen3_next"},
    {"qwen35", "qwen3_5"},
    {"qwen35moe", "qwen3_5_moe"},
    {"phi2", "phi"},
    {"phi3", "phi3"},
    {"phimoe", "phimoe"},
    {"gemma", "gemma"},
    {"gemma2", "gemma2"},
    {"gemma3", "gemma3"},
    {"gemma3n", "gemma3n"},
    {"gemma4", "gemma4"},
    {"stablelm", "stablelm"},
    {"baichuan", "baichuan"},
    {"internlm2", "internlm2"},
    {"minicpm", "minicpm"},
    {"minicpm3", "minicpm3"},
    {"command-r", "cohere"},
    {"cohere2", "cohere2"},
    {"olmo", "olmo"},
    {"olmo2", "olmo2"},
    {"olmoe", "olmoe"},
    {"dbrx", "dbrx"},
    {"arctic", "arctic"},
    {"deepseek", "deepseek"},
    {"deepseek2", "deepseek_v2"},
    {"deepseek32", "deepseek_v32"},
    {"glm-dsa", "glm_moe_dsa"},
    {"chatglm", "chatglm"},
    {"glm4", "glm4"},
    {"glm4moe", "glm4_moe"},
    {"bitnet", "bitnet"},
    {"nemotron", "nemotron"},
    {"nemotron_h", "nemotron_h"},
    {"nemotron_h_moe", "nemotron_h"},
    {"exaone", "exaone"},
    {"exaone4", "exaone4"},
    {"granite", "granite"},
    {"granitemoe", "granitemoe"},
    {"granitehybrid", "granitemoehybrid"},
    {"mamba", "mamba"},
    {"mamba2", "mamba2"},
    {"jamba", "jamba"},
    {"falcon-h1", "falcon_h1"},
    {"lfm2", "lfm2"},
    {"lfm2moe", "lfm2_moe"},
    {"kimi-linear", "kimi_linear"},
    {"gpt-oss", "gpt_oss"},
    {"smollm3", "smollm3"},
    {"seed_oss", "seed_oss"},
    {"ernie4_5", "ernie4_5"},
    {"ernie4_5-moe", "ernie4_5_moe"},
    {"hunyuan-dense", "hunyuan_v1_dense"},
    {"hunyuan-moe", "hunyuan_v1_moe"},
    {"dots1", "dots1"},
    {"bailingmoe", "bailing_moe"},
    {"arcee", "arcee"},
    {"apertus", "apertus"},
    {"minimax-m2", "minimax_m2"},
    {"mimo2", "mimo_v2_flash"},
    {"step35", "step3p5"},
    {"rwkv6", "rwkv6"},
    {"rwkv7", "rwkv7"},
    {"llada", "llada"},
    {"llada-moe", "llada_moe"},
    {"dream", "Dream"},
    {"bert", "bert"},
    {"jina-bert-v2", "bert"},
};

struct KeyName {
  std::string_view gguf;  // after "{architecture}."
  std::string_view config;
};
// Numbers that mean the same under another name.
constexpr KeyName kNumbers[] = {
    {"embedding_length", "hidden_size"},
    {"context_length", "max_position_embeddings"},
    {"attention.sliding_window", "sliding_window"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_count", "n_shared_experts"},
    {"expert_shared_feed_forward_length", "shared_expert_intermediate_size"},
    {"leading_dense_block_count", "first_k_dense_replace"},
    {"interleave_moe_layer_step", "interleave_moe_layer_step"},
    {"nextn_predict_layers", "num_nextn_predict_layers"},
    {"moe_latent_size", "moe_latent_size"},
    {"attention.q_lora_rank", "q_lora_rank"},
    {"attention.kv_lora_rank", "kv_lora_rank"},
    {"attention.indexer.head_count", "index_n_heads"},
    {"attention.indexer.key_length", "index_head_dim"},
    {"attention.shared_kv_layers", "num_kv_shared_layers"},
    {"full_attention_interval", "full_attention_interval"},
    {"embedding_length_per_layer_input", "hidden_size_per_layer_input"},
    {"ssm.conv_kernel", "conv_kernel"},
    {"ssm.state_size", "state_size"},
    {"ssm.group_count", "n_groups"},
    {"shortconv.l_cache", "conv_L_cache"},
    {"wkv.head_size", "head_size"},
};

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

class Translator {
 public:
  explicit Translator(std::span<const GgufHead> parts) : parts_(parts) {
    // The metadata of a split file is whole in its first part.
    head_ = &parts.front();
    for (const GgufHead& part : parts) {
      if (part.integer("split.no").value_or(0) == 0) head_ = &part;
    }
    for (const GgufHead& part : parts) {
      for (const GgufTensor& tensor : part.tensors) note(tensor);
    }
  }

  Result<std::string> config();
  std::int64_t layers() const { return layers_; }
  const GgufHead& head() const { return *head_; }

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

  void layerKinds(ConfigWriter& out, std::string_view modelType);
  void stateSpace(ConfigWriter& out, std::string_view modelType);
  void blocks(ConfigWriter& out);

  std::span<const GgufHead> parts_;
  const GgufHead* head_;
  std::string architecture_;
  std::int64_t layers_ = 0;
  std::uint64_t vocab_ = 0;
  std::vector<std::int32_t> keyLayers_, valueLayers_;
  // Which tensors the files have.
  bool hasHead_ = false, hasHeadBias_ = false, hasQueryBias_ = false, hasOutputBias_ = false;
  bool hasMlpBias_ = false, hasQueryNorm_ = false, hasCorrection_ = false, hasSecondNorm_ = false;
};

// Which layers are recurrent, attention or feed-forward, from the per-layer head counts.
void Translator::layerKinds(ConfigWriter& out, std::string_view modelType) {
  const std::vector<std::int64_t> keyHeads = list("attention.head_count_kv");
  const std::vector<std::int64_t> widths = list("feed_forward_length");
  const std::vector<std::int64_t> windows = list("attention.sliding_window_pattern");
  const auto count = static_cast<std::size_t>(layers_);
  std::vector<std::string_view> kinds;
  if (modelType == "nemotron_h" && keyHeads.size() >= count && widths.size() >= count) {
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
  if (modelType == "nemotron-nas") return;
  if (keyHeads.size() >= count && std::count(keyHeads.begin(), keyHeads.end(), 0) > 0) {
    const bool conv = modelType == "lfm2" || modelType == "lfm2_moe";
    for (std::size_t i = 0; i < count; ++i) {
      kinds.push_back(keyHeads[i] > 0 ? (conv ? "full_attention" : "attention")
                      : conv          ? "conv"
                                      : "mamba");
    }
    if (modelType == "kimi_linear") {
      std::vector<std::int64_t> full;
      for (std::size_t i = 0; i < count; ++i) {
        if (keyHeads[i] > 0) full.push_back(static_cast<std::int64_t>(i) + 1);
      }
      out.raw("linear_attn_config",
              cat("{\"full_attn_layers\":", numbers(full, full.size()),
                  ",\"num_heads\":", largest("attention.head_count", 1),
                  ",\"head_dim\":", number("kda.head_dim").value_or(128),
                  ",\"short_conv_kernel_size\":", number("ssm.conv_kernel").value_or(4), "}"));
      return;
    }
  } else if (windows.size() >= count) {
    for (std::size_t i = 0; i < count; ++i) {
      kinds.push_back(windows[i] > 0 ? "sliding_attention" : "full_attention");
    }
  }
  if (!kinds.empty()) out.raw("layer_types", words(kinds));
}

void Translator::stateSpace(ConfigWriter& out, std::string_view modelType) {
  const auto inner = number("ssm.inner_size");
  const auto rank = number("ssm.time_step_rank");
  if (!inner || !rank || *rank <= 0 || *inner <= 0) return;
  const auto width = static_cast<std::uint64_t>(*inner);
  const auto steps = static_cast<std::uint64_t>(*rank);
  if (modelType.starts_with("qwen3")) {
    out.number("linear_num_value_heads", steps);
    out.number("linear_value_head_dim", width / steps);
    out.number("linear_num_key_heads", static_cast<std::uint64_t>(std::max<std::int64_t>(
                                           number("ssm.group_count").value_or(16), 1)));
    out.number("linear_key_head_dim", static_cast<std::uint64_t>(std::max<std::int64_t>(
                                          number("ssm.state_size").value_or(128), 1)));
    out.number("linear_conv_kernel_dim", static_cast<std::uint64_t>(std::max<std::int64_t>(
                                             number("ssm.conv_kernel").value_or(4), 1)));
  } else if (modelType == "mamba" || modelType == "jamba") {
    out.number("time_step_rank", steps);
    if (modelType == "mamba") out.number("intermediate_size", width);
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
void Translator::blocks(ConfigWriter& out) {
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

Result<std::string> Translator::config() {
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
  std::string modelType;
  for (const ArchitectureName& row : kArchitectures) {
    if (row.gguf == architecture_) modelType = std::string(row.modelType);
  }
  if (modelType.empty()) {
    // Letters, digits, dashes: it goes into a JSON text.
    for (const char c : architecture_.substr(0, 40)) {
      modelType += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ? c : '_';
    }
  }
  const std::int64_t experts = number("expert_count").value_or(0);
  if (modelType == "llama" && experts > 0) modelType = "mixtral";
  if (modelType == "deepseek_v2" && hasCorrection_) modelType = "deepseek_v3";

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

  ConfigWriter out;
  out.word("model_type", modelType);
  out.number("num_hidden_layers", static_cast<std::uint64_t>(layers_));
  for (const KeyName& row : kNumbers) {
    const auto value = number(row.gguf);
    if (value && *value >= 0) out.number(row.config, static_cast<std::uint64_t>(*value));
  }
  const std::uint64_t vocab =
      vocab_ > 0 ? vocab_
                 : static_cast<std::uint64_t>(std::max<std::int64_t>(
                       number("vocab_size")
                           .value_or(static_cast<std::int64_t>(
                               std::min<std::uint64_t>(head_->vocabulary, 1u << 30))),
                       0));
  if (vocab > 0) out.number("vocab_size", vocab);

  const std::int64_t heads = largest("attention.head_count", 0);
  const std::int64_t keyHeads = largest("attention.head_count_kv", heads);
  if (heads > 0) out.number("num_attention_heads", static_cast<std::uint64_t>(heads));
  const bool latent = number("attention.kv_lora_rank").value_or(0) > 0;
  if (keyHeads > 0) {
    out.number(modelType == "chatglm" ? "multi_query_group_num" : "num_key_value_heads",
               static_cast<std::uint64_t>(latent ? heads : keyHeads));
  }
  if (modelType == "chatglm") out.flag("multi_query_attention", true);
  if (modelType == "falcon") {
    out.flag("new_decoder_architecture", keyHeads > 1);
    out.flag("multi_query", keyHeads == 1);
  }
  if (modelType == "gpt_bigcode") out.flag("multi_query", keyHeads == 1);
  const std::int64_t keyLength = number("attention.key_length").value_or(0);
  const std::int64_t valueLength = number("attention.value_length").value_or(0);
  if (latent) {
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
    if (modelType == "gemma4" && windowed > 0) {
      out.number("head_dim", static_cast<std::uint64_t>(windowed));
      if (keyLength > 0) out.number("global_head_dim", static_cast<std::uint64_t>(keyLength));
    } else if (keyLength > 0) {
      out.number("head_dim", static_cast<std::uint64_t>(keyLength));
      if (valueLength > 0) out.number("v_head_dim", static_cast<std::uint64_t>(valueLength));
    }
  }
  if (modelType == "gemma4") {
    // Full layers have key-value heads of their own number, and no value projection where V is K.
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
    out.flag("enable_moe_block", experts > 0);
  }

  const std::vector<std::int64_t> widths = list("feed_forward_length");
  if (!widths.empty() && modelType != "nemotron_h" && modelType != "nemotron-nas") {
    out.raw("intermediate_size", numbers(widths, static_cast<std::size_t>(layers_)));
  } else if (const std::int64_t width = largest("feed_forward_length", 0);
             width > 0 && modelType != "mamba") {
    out.number("intermediate_size", static_cast<std::uint64_t>(width));
  }
  if (experts > 0) out.number("num_experts", static_cast<std::uint64_t>(experts));
  if (experts > 0 && number("moe_every_n_layers").value_or(0) > 1) {
    out.number("decoder_sparse_step", static_cast<std::uint64_t>(*number("moe_every_n_layers")));
  }
  if (modelType == "llama4") {
    out.number("intermediate_size_mlp", static_cast<std::uint64_t>(std::max<std::int64_t>(
                                            largest("feed_forward_length", 0), 0)));
  }
  if (const auto period = number("attention.sliding_window_pattern"); period && *period > 0) {
    out.number("sliding_window_pattern", static_cast<std::uint64_t>(*period));
  }
  if (modelType == "nemotron-nas") blocks(out);
  layerKinds(out, modelType);
  stateSpace(out, modelType);

  // What the files of a family do not say in words, their tensors do.
  out.flag("tie_word_embeddings", !hasHead_);
  if (hasHeadBias_) out.flag("lm_head_bias", true);
  for (const std::string_view word :
       {"attention_bias", "qkv_bias", "use_qkv_bias", "add_qkv_bias"}) {
    out.flag(word, hasQueryBias_);
  }
  if (modelType != "starcoder2" && modelType != "bailing_moe") out.flag("bias", hasQueryBias_);
  out.flag("attention_out_bias", hasOutputBias_);
  out.flag("mlp_bias", hasMlpBias_);
  out.flag("use_bias", hasOutputBias_ || hasMlpBias_);
  out.flag("use_qk_norm", hasQueryNorm_);
  // The width is the tensors' own already.
  if (modelType == "lfm2") out.flag("block_auto_adjust_ff_dim", false);
  if (modelType == "minimax_m2") out.flag("use_routing_bias", hasCorrection_);
  if (modelType == "stablelm") out.flag("use_parallel_residual", !hasSecondNorm_);
  if (modelType == "step3p5") out.flag("use_moe_router_bias", hasCorrection_);
  return out.take();
}

}  // namespace

Result<Model> modelFromGguf(std::span<const GgufHead> parts, std::string_view name) {
  if (parts.empty()) {
    return Error{ErrorCode::kMissing, "", "There is no GGUF file to read."};
  }
  Translator translator(parts);
  const Result<std::string> config = translator.config();
  if (!config) return config.error();
  Result<Model> read = modelFromConfig(*config, name);
  if (!read) {
    Error error = read.error();
    error.message = cat("The GGUF metadata does not describe a model: ", error.message);
    return error;
  }
  Model& model = *read;
  const GgufHead& head = translator.head();
  if (const auto title = head.text("general.name"); title && !title->empty()) {
    model.name = std::string(title->substr(0, 120));
  }
  if (const auto license = head.text("general.license")) {
    model.license = std::string(license->substr(0, 60));
  }
  for (const FileType& type : kFileTypes) {
    if (head.integer("general.file_type") == type.id) model.fileType = std::string(type.name);
  }

  StoredTensors stored;
  for (const GgufHead& part : parts) {
    for (const GgufTensor& tensor : part.tensors) {
      const NamedTensor named = ggufTensor(tensor.name);
      StoredTensor one;
      one.role = named.role;
      one.part = named.part;
      one.kind = named.kind;
      one.layer = named.layer;
      // Blocks beyond the layers predict further tokens.
      if (one.layer >= translator.layers()) one.part = Part::kNextTokens;
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
