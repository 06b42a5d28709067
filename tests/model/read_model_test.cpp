// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/read_model.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "model/file_maker.h"
#include "model/gguf.h"
#include "model/safetensors.h"
#include "model/tensor_names.h"

namespace memfit {
namespace {

// A Llama of 2 layers: H 256, I 512, 4 heads of 64, 2 key-value heads, vocabulary 1000, head not
// tied.
//   2 x 1000 x 256 + 256 + 2 (2 x 256 x 256 + 2 x 128 x 256 + 3 x 512 x 256 + 2 x 256) = 1,692,928.
constexpr std::uint64_t kParameters = 2 * 256000 + 256 + 2 * (131072 + 65536 + 393216 + 512);
constexpr std::string_view kConfig =
    R"({"model_type":"llama","hidden_size":256,"intermediate_size":512,"num_hidden_layers":2,)"
    R"("num_attention_heads":4,"num_key_value_heads":2,"vocab_size":1000,)"
    R"("tie_word_embeddings":false,"torch_dtype":"bfloat16","max_position_embeddings":2048})";

GgufMaker smallGguf() {
  GgufMaker maker;
  maker.text("general.architecture", "llama")
      .text("general.name", "Small")
      .number("general.file_type", 7)
      .number("llama.block_count", 2)
      .number("llama.embedding_length", 256)
      .number("llama.feed_forward_length", 512)
      .number("llama.attention.head_count", 4)
      .number("llama.attention.head_count_kv", 2)
      .number("llama.context_length", 2048)
      .texts("tokenizer.ggml.tokens", {"<s>", "</s>", "a"})
      .numbers("tokenizer.ggml.token_type", {3, 3, 1});
  maker.tensor("token_embd.weight", {256, 1000}, 8);
  maker.tensor("output.weight", {256, 1000}, 8);
  maker.tensor("output_norm.weight", {256}, 0);
  for (int i = 0; i < 2; ++i) {
    const std::string blk = cat("blk.", i, ".");
    maker.tensor(blk + "attn_norm.weight", {256}, 0);
    maker.tensor(blk + "attn_q.weight", {256, 256}, 8);
    maker.tensor(blk + "attn_k.weight", {256, 128}, 8);
    maker.tensor(blk + "attn_v.weight", {256, 128}, 8);
    maker.tensor(blk + "attn_output.weight", {256, 256}, 8);
    maker.tensor(blk + "ffn_norm.weight", {256}, 0);
    maker.tensor(blk + "ffn_gate.weight", {256, 512}, 8);
    maker.tensor(blk + "ffn_up.weight", {256, 512}, 8);
    maker.tensor(blk + "ffn_down.weight", {512, 256}, 8);
  }
  return maker;
}

SafetensorsMaker smallSafetensors() {
  SafetensorsMaker maker;
  maker.tensor("model.embed_tokens.weight", "BF16", {1000, 256});
  maker.tensor("lm_head.weight", "BF16", {1000, 256});
  maker.tensor("model.norm.weight", "BF16", {256});
  for (int i = 0; i < 2; ++i) {
    const std::string layer = cat("model.layers.", i, ".");
    maker.tensor(layer + "input_layernorm.weight", "BF16", {256});
    maker.tensor(layer + "post_attention_layernorm.weight", "BF16", {256});
    maker.tensor(layer + "self_attn.q_proj.weight", "BF16", {256, 256});
    maker.tensor(layer + "self_attn.k_proj.weight", "BF16", {128, 256});
    maker.tensor(layer + "self_attn.v_proj.weight", "BF16", {128, 256});
    maker.tensor(layer + "self_attn.o_proj.weight", "BF16", {256, 256});
    maker.tensor(layer + "mlp.gate_proj.weight", "BF16", {512, 256});
    maker.tensor(layer + "mlp.up_proj.weight", "BF16", {512, 256});
    maker.tensor(layer + "mlp.down_proj.weight", "BF16", {256, 512});
  }
  return maker;
}

Model good(const Result<Model>& model) {
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.error().message);
  return model.ok() ? *model : Model();
}

// Names of an mmproj file: llama.cpp's tools/mtmd/clip-impl.h.
TEST(Gguf, TensorsOfTowersAreOfTheirParts) {
  EXPECT_EQ(ggufTensor("v.blk.3.attn_q.weight").part, Part::kVision);
  EXPECT_EQ(ggufTensor("mm.0.weight").part, Part::kVision);
  EXPECT_EQ(ggufTensor("a.blk.3.attn_q.weight").part, Part::kAudio);
  EXPECT_EQ(ggufTensor("a.conv1d.1.weight").part, Part::kAudio);
  EXPECT_EQ(ggufTensor("mm.a.mlp.1.weight").part, Part::kAudio);
  EXPECT_EQ(ggufTensor("blk.3.attn_q.weight").part, Part::kMain);
}

TEST(ReadModel, ConfigGgufAndSafetensorsOfTheSameModelAgree) {
  const Model config = good(readModel(kConfig, "config.json"));
  const Model gguf = good(readModel(smallGguf().bytes(), "small.gguf"));
  const Model header = good(readModel(smallSafetensors().bytes(), "model.safetensors"));
  EXPECT_EQ(config.parameters().value(), kParameters);
  EXPECT_EQ(gguf.parameters().value(), kParameters);
  EXPECT_EQ(gguf.stored->parameters.value(), kParameters);
  EXPECT_EQ(header.parameters().value(), kParameters);
  EXPECT_EQ(header.stored->parameters.value(), kParameters);
  for (const Model* model : {&config, &gguf, &header}) {
    EXPECT_EQ(kvElementsPerToken(model->architecture).value(), 2u * 2 * 128);
    EXPECT_EQ(model->architecture.layerCount(), 2u);
  }
  EXPECT_TRUE(gguf.notices.empty());
  EXPECT_EQ(gguf.name, "Small");
  EXPECT_EQ(gguf.fileType, "q8_0");
  EXPECT_EQ(gguf.architecture.maxContext.value(), 2048u);
}

// Matrices in q8_0 (34 bytes for 32 elements), norms in fp32.
TEST(ReadModel, GgufTypesGiveExactBytes) {
  const Model gguf = good(readModel(smallGguf().bytes(), "small.gguf"));
  const std::uint64_t norms = 256 * 5;
  EXPECT_EQ(gguf.stored->bytes.value(), (kParameters - norms) / 32 * 34 + norms * 4);
  EXPECT_TRUE(gguf.stored->complete);
}

TEST(ReadModel, AnIndexWithTheConfigGivesBytesAndShapes) {
  const std::string index = smallSafetensors().index();
  const NamedFile files[] = {{"model.safetensors.index.json", index}, {"config.json", kConfig}};
  const Model model = good(readModel(files));
  EXPECT_EQ(model.parameters().value(), kParameters);
  EXPECT_EQ(model.stored->bytes.value(), kParameters * 2);
  // Alone it names no shapes: about the size, and it says so.
  const Model alone = good(readModel(index, "model.safetensors.index.json"));
  EXPECT_EQ(alone.stored->bytes.value(), kParameters * 2);
  EXPECT_TRUE(alone.typical);
  EXPECT_EQ(alone.notices.size(), 2u);
}

// A stored copy of a tied head, a buffer and a quantizer's scales are bytes, not parameters.
TEST(ReadModel, CopiesBuffersAndScalesAreNotParameters) {
  SafetensorsMaker maker = smallSafetensors();
  maker.tensor("model.layers.0.self_attn.rotary_emb.inv_freq", "F32", {32}, 4);
  maker.tensor("model.layers.0.mlp.up_proj.weight_scale_inv", "F32", {4, 2}, 4);
  const std::string header = maker.bytes();
  std::string tied(kConfig);
  tied.replace(tied.find("false"), 5, "true");
  const NamedFile files[] = {{"config.json", tied}, {"model.safetensors", header}};
  const Model model = good(readModel(files));
  EXPECT_EQ(model.parameters().value(), kParameters - 256000);
  EXPECT_EQ(model.stored->parameters.value(), kParameters - 256000);
  EXPECT_EQ(model.stored->otherBytes.value(), 512000u + 128 + 32);
  EXPECT_EQ(model.stored->bytes.value(), kParameters * 2 + 128 + 32);
}

// A head comes in pieces of any size, one byte at a time included.
TEST(ReadModel, GgufInPieces) {
  const std::string bytes = smallGguf().bytes();
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{100}}) {
    GgufReader reader;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      EXPECT_FALSE(reader.done());
      const Result<std::uint64_t> wants = reader.feed(std::string_view(bytes).substr(at, piece));
      ASSERT_TRUE(wants.ok()) << wants.error().message;
      // It never wants more than there is, and 0 only at the end.
      EXPECT_LE(*wants, bytes.size() - std::min(bytes.size(), at + piece));
    }
    ASSERT_TRUE(reader.done());
    EXPECT_EQ(reader.head().tensors.size(), 21u);
    EXPECT_EQ(reader.head().vocabulary, 3u);
    EXPECT_EQ(reader.head().dataOffset, (bytes.size() + 31) / 32 * 32);
  }
}

// A tokenizer's array of numbers need not be read at all: 4 MB left out.
TEST(ReadModel, WhatIsPassedOverCanBeLeftOut) {
  std::string bytes = "GGUF";
  GgufMaker::put(bytes, 3, 4);
  GgufMaker::put(bytes, 1, 8);
  GgufMaker::put(bytes, 1, 8);
  GgufMaker::string(bytes, "tokenizer.ggml.scores");
  GgufMaker::put(bytes, 9, 4);
  GgufMaker::put(bytes, 6, 4);
  GgufMaker::put(bytes, 1000000, 8);
  GgufReader reader;
  ASSERT_TRUE(reader.feed(bytes).ok());
  EXPECT_EQ(reader.skippable(), 4000000u);
  reader.skip(4000000);
  std::string rest;
  GgufMaker::string(rest, "token_embd.weight");
  GgufMaker::put(rest, 1, 4);
  GgufMaker::put(rest, 32, 8);
  GgufMaker::put(rest, 0, 4);
  GgufMaker::put(rest, 0, 8);
  const Result<std::uint64_t> wants = reader.feed(rest);
  ASSERT_TRUE(wants.ok());
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(reader.head().tensors.at(0).elements().value(), 32u);
}

TEST(ReadModel, PartsOfASplitFile) {
  GgufMaker first;
  first.text("general.architecture", "llama")
      .number("split.no", 0)
      .number("split.count", 2)
      .number("llama.block_count", 1)
      .number("llama.embedding_length", 32)
      .number("llama.feed_forward_length", 64)
      .number("llama.attention.head_count", 2)
      .tensor("token_embd.weight", {32, 100}, 1)
      .tensor("output_norm.weight", {32}, 0);
  GgufMaker second;
  second.number("split.no", 1).number("split.count", 2);
  for (const char* name : {"attn_q", "attn_k", "attn_v", "attn_output"}) {
    second.tensor(cat("blk.0.", name, ".weight"), {32, 32}, 1);
  }
  second.tensor("blk.0.ffn_gate.weight", {32, 64}, 1);
  second.tensor("blk.0.ffn_up.weight", {32, 64}, 1);
  second.tensor("blk.0.ffn_down.weight", {64, 32}, 1);
  second.tensor("blk.0.attn_norm.weight", {32}, 0);
  second.tensor("blk.0.ffn_norm.weight", {32}, 0);
  const std::string a = first.bytes();
  const std::string b = second.bytes();
  const NamedFile both[] = {{"m-00002-of-00002.gguf", b}, {"m-00001-of-00002.gguf", a}};
  const Model model = good(readModel(both));
  EXPECT_TRUE(model.stored->complete);
  EXPECT_EQ(model.stored->parameters, model.parameters());
  EXPECT_TRUE(model.notices.empty()) << model.notices.front();
  const Model one = good(readModel(a, "m-00001-of-00002.gguf"));
  EXPECT_FALSE(one.stored->complete);
  EXPECT_EQ(one.notices.front(),
            "This is 1 of 2 parts of a split file: the bytes are those of these parts.");
}

// gpt-oss-20b's layout at two layers: stacked experts in mxfp4, the rest bf16. Published total_size
// of gpt-oss-20b: experts x 4.25 / 8 + the rest x 2 (config_facts section 13).
TEST(ReadModel, StackedExperts) {
  GgufMaker maker;
  maker.text("general.architecture", "gpt-oss")
      .number("gpt-oss.block_count", 2)
      .number("gpt-oss.embedding_length", 64)
      .number("gpt-oss.feed_forward_length", 64)
      .number("gpt-oss.expert_feed_forward_length", 64)
      .number("gpt-oss.expert_count", 4)
      .number("gpt-oss.expert_used_count", 2)
      .number("gpt-oss.attention.head_count", 4)
      .number("gpt-oss.attention.head_count_kv", 2)
      .number("gpt-oss.attention.key_length", 32)
      .number("gpt-oss.attention.value_length", 32)
      .number("gpt-oss.attention.sliding_window", 128)
      .tensor("token_embd.weight", {64, 500}, 30)
      .tensor("output.weight", {64, 500}, 30)
      .tensor("output_norm.weight", {64}, 0);
  for (int i = 0; i < 2; ++i) {
    const std::string blk = cat("blk.", i, ".");
    maker.tensor(blk + "attn_norm.weight", {64}, 0)
        .tensor(blk + "post_attention_norm.weight", {64}, 0)
        .tensor(blk + "attn_q.weight", {64, 128}, 30)
        .tensor(blk + "attn_q.bias", {128}, 0)
        .tensor(blk + "attn_k.weight", {64, 64}, 30)
        .tensor(blk + "attn_k.bias", {64}, 0)
        .tensor(blk + "attn_v.weight", {64, 64}, 30)
        .tensor(blk + "attn_v.bias", {64}, 0)
        .tensor(blk + "attn_output.weight", {128, 64}, 30)
        .tensor(blk + "attn_output.bias", {64}, 0)
        .tensor(blk + "attn_sinks.weight", {4}, 0)
        .tensor(blk + "ffn_gate_inp.weight", {64, 4}, 0)
        .tensor(blk + "ffn_gate_inp.bias", {4}, 0)
        .tensor(blk + "ffn_gate_exps.weight", {64, 64, 4}, 39)
        .tensor(blk + "ffn_gate_exps.bias", {64, 4}, 0)
        .tensor(blk + "ffn_up_exps.weight", {64, 64, 4}, 39)
        .tensor(blk + "ffn_up_exps.bias", {64, 4}, 0)
        .tensor(blk + "ffn_down_exps.weight", {64, 64, 4}, 39)
        .tensor(blk + "ffn_down_exps.bias", {64, 4}, 0);
  }
  const Model model = good(readModel(maker.bytes(), "gpt-oss.gguf"));
  EXPECT_EQ(model.stored->parameters, model.parameters());
  EXPECT_TRUE(model.notices.empty()) << model.notices.front();
  EXPECT_EQ(cacheOf(model.architecture.layer(0))->window.value(), 128u);
  EXPECT_EQ(cacheOf(model.architecture.layer(1))->window.value(), 0u);
}

// DeepSeek-V2-Lite's keys: a latent of 512 + 64 elements is all that a token leaves in a layer.
TEST(ReadModel, LatentAttentionFromMetadata) {
  GgufMaker maker;
  maker.text("general.architecture", "deepseek2")
      .number("deepseek2.block_count", 2)
      .number("deepseek2.embedding_length", 256)
      .number("deepseek2.feed_forward_length", 512)
      .number("deepseek2.leading_dense_block_count", 2)
      .number("deepseek2.attention.head_count", 4)
      .number("deepseek2.attention.head_count_kv", 1)
      .number("deepseek2.attention.kv_lora_rank", 512)
      .number("deepseek2.attention.key_length", 576)
      .number("deepseek2.attention.value_length", 512)
      .number("deepseek2.attention.key_length_mla", 192)
      .number("deepseek2.attention.value_length_mla", 128)
      .number("deepseek2.rope.dimension_count", 64)
      .tensor("token_embd.weight", {256, 100}, 1)
      .tensor("output.weight", {256, 100}, 1)
      .tensor("output_norm.weight", {256}, 0);
  for (int i = 0; i < 2; ++i) {
    const std::string blk = cat("blk.", i, ".");
    maker.tensor(blk + "attn_norm.weight", {256}, 0)
        .tensor(blk + "attn_q.weight", {256, 4 * 192}, 1)
        .tensor(blk + "attn_kv_a_mqa.weight", {256, 576}, 1)
        .tensor(blk + "attn_kv_a_norm.weight", {512}, 0)
        .tensor(blk + "attn_k_b.weight", {128, 512, 4}, 1)
        .tensor(blk + "attn_v_b.weight", {512, 128, 4}, 1)
        .tensor(blk + "attn_output.weight", {512, 256}, 1)
        .tensor(blk + "ffn_norm.weight", {256}, 0)
        .tensor(blk + "ffn_gate.weight", {256, 512}, 1)
        .tensor(blk + "ffn_up.weight", {256, 512}, 1)
        .tensor(blk + "ffn_down.weight", {512, 256}, 1);
  }
  const Model model = good(readModel(maker.bytes(), "mla.gguf"));
  EXPECT_EQ(kvElementsPerToken(model.architecture).value(), 2u * 576);
  EXPECT_EQ(model.stored->parameters, model.parameters());
  EXPECT_TRUE(model.notices.empty()) << model.notices.front();
}

// LFM2 and granite-hybrid say by a 0 in head_count_kv which layers have no attention.
TEST(ReadModel, HybridLayersFromHeadCounts) {
  GgufMaker maker;
  maker.text("general.architecture", "lfm2")
      .number("lfm2.block_count", 3)
      .number("lfm2.embedding_length", 64)
      .number("lfm2.feed_forward_length", 128)
      .number("lfm2.attention.head_count", 4)
      .numbers("lfm2.attention.head_count_kv", {0, 0, 2})
      .number("lfm2.shortconv.l_cache", 3)
      .tensor("token_embd.weight", {64, 100}, 1);
  const Model model = good(readModel(maker.bytes(), "lfm2.gguf"));
  EXPECT_EQ(kvElementsPerToken(model.architecture).value(), 2u * 2 * 16);
  EXPECT_TRUE(recurrentStateOf(model.architecture.layer(0), 64).has_value());
  EXPECT_FALSE(recurrentStateOf(model.architecture.layer(2), 64).has_value());
}

struct Malformed {
  std::string bytes;
  const char* message;
};

void expectErrors(const std::vector<Malformed>& cases) {
  for (const Malformed& each : cases) {
    const Result<Model> model = readModel(each.bytes, "file");
    ASSERT_FALSE(model.ok()) << each.message;
    EXPECT_NE(model.error().message.find(each.message), std::string::npos)
        << model.error().message << "\n(expected: " << each.message << ")";
  }
}

std::string with(std::string_view key, std::string_view value) {
  std::string text(kConfig);
  text.pop_back();
  // The first of two equal keys counts: put it in front.
  return cat("{\"", key, "\":", value, ",", text.substr(1), "}");
}

TEST(ReadModel, TenMalformedConfigs) {
  expectErrors({
      {"{\"hidden_size\": 256", "is no JSON: "},
      {"{}", "has no hidden_size, num_hidden_layers and vocab_size; without them"},
      {R"({"model_type":"llama","hidden_size":256,"num_attention_heads":4,"vocab_size":10})",
       "has no num_hidden_layers; without it"},
      {with("hidden_size", "\"wide\""), "hidden_size is the text \"wide\"; a whole number"},
      {with("hidden_size", "-4096"), "hidden_size is -4096; a whole number from 0 to 2^40"},
      {with("num_hidden_layers", "100000"), "num_hidden_layers is 100000; at most 10000"},
      {with("vocab_size", "1e300"), "vocab_size is a number beyond 1e15"},
      {with("num_key_value_heads", "2.5"), "num_key_value_heads is 2.5000; a whole number"},
      {with("text_config", "[1]"), "text_config is a list of 1; an object is accepted."},
      {with("tie_word_embeddings", "\"yes\""),
       "tie_word_embeddings is the text \"yes\"; true or false"},
      {with("layer_types", "[1,2]"), "layer_types[0] is 1; a text is accepted."},
      {with("quantization_config", "{\"quant_method\":4}"),
       "quantization_config.quant_method is 4; a text"},
      {R"({"model_type":"llama","hidden_size":256,"num_hidden_layers":2,"vocab_size":10})",
       "has no num_attention_heads, num_key_value_heads, head_dim and intermediate_size;"},
      {with("hidden_size", "Infinity"), "hidden_size is Infinity"},
      {with("hidden_size", "1099511627776"), "hidden_size is 1099511627776; at most"},
  });
}

TEST(ReadModel, TenMalformedGgufFiles) {
  const std::string good = smallGguf().bytes();
  const auto patched = [&](std::size_t at, std::uint64_t value, std::size_t width) {
    std::string bytes = good;
    std::string put;
    GgufMaker::put(put, value, width);
    bytes.replace(at, width, put);
    return bytes;
  };
  const auto tensor = [](const std::vector<std::uint64_t>& dims, std::uint32_t type,
                         std::uint64_t offset = 0) {
    return smallGguf().tensor("odd.weight", dims, type, offset).bytes();
  };
  expectErrors({
      {good.substr(0, 100), "is cut within its head: at least"},
      {patched(4, 1, 4), "the version is 1; 2 and 3 are accepted."},
      {patched(4, 0x03000000, 4), "the file is big-endian"},
      {patched(8, 1u << 30, 8), "the file claims 1073741824 tensors"},
      {patched(16, 1u << 30, 8), "the file claims 1073741824 metadata keys"},
      {patched(24, 1u << 20, 8), "a metadata key is 1048576 bytes long"},
      {patched(24 + 8 + 20, 13, 4), "has the value type 13; 0 to 12"},
      {tensor({32}, 4), "the tensor \"odd.weight\" has the type 4, which ggml does not have"},
      {tensor({33, 2}, 8), "has rows of 33 elements, which are no whole blocks of 32 (q8_0)."},
      {tensor({32, 2, 2, 2, 2}, 0), "has 5 dimensions; 1 to 4 are accepted."},
      {tensor({std::uint64_t{1} << 40, std::uint64_t{1} << 40}, 0), "more than 2^53 elements"},
      {tensor({32}, 0, 7), "lies at offset 7, which is no multiple of the alignment 32."},
      {GgufMaker().number("a", 1).tensor("t", {32}, 0).bytes(), "has no general.architecture"},
      {GgufMaker().text("general.architecture", "llama").tensor("t", {32}, 0).bytes(),
       "llama.block_count is 0; 1 to 10,000 layers"},
      {GgufMaker().text("general.architecture", "clip").tensor("t", {32}, 0).bytes(),
       "is a vision projector (mmproj)"},
      {GgufMaker().bytes(), "the file has no tensors."},
  });
}

TEST(ReadModel, TenMalformedSafetensors) {
  const auto header = [](std::string_view json) { return SafetensorsMaker::withLength(json); };
  expectErrors({
      {header("{"), "the header's length is 1; 2 bytes to 32 MiB"},
      {header("{}"), "the header lists no tensors."},
      {header("{\"a\":1}"), "the entry of \"a\" is no object."},
      {header("{\"a\":{\"shape\":[1],\"data_offsets\":[0,2]}}"), "\"a\" has no dtype."},
      {header("{\"a\":{\"dtype\":\"BF16\",\"data_offsets\":[0,2]}}"), "\"a\" has no shape"},
      {header("{\"a\":{\"dtype\":\"BF16\",\"shape\":[1],\"data_offsets\":[0]}}"),
       "\"a\" has no data_offsets of two numbers."},
      {header("{\"a\":{\"dtype\":\"BF16\",\"shape\":[-1],\"data_offsets\":[0,2]}}"),
       "\"a\" has a dimension that is no whole number."},
      {header("{\"a\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[4,0]}}"),
       "\"a\" ends at byte 0, before it begins at 4."},
      {header("{\"a\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,5]}}"),
       "\"a\" takes 5 bytes, but its shape and dtype make 4."},
      {header("{\"a\":{\"dtype\":\"Q9\",\"shape\":[2],\"data_offsets\":[0,4]}}"),
       "\"a\" has the dtype \"Q9\", which safetensors does not have."},
      {header("{\"a\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,4]}}"),
       "have no Llama-like names"},
      {smallSafetensors().bytes().substr(0, 200), "of them are there."},
      {"{\"weight_map\":[]}", "The safetensors index has no weight_map."},
      {"{\"weight_map\":{}}", "the index lists 0 tensors"},
      {"{\"weight_map\":{\"a\":1}}", "the index gives \"a\" no file name."},
      {"{\"metadata\":{\"total_size\":\"x\"},\"weight_map\":{\"a\":\"f\"}}",
       "metadata.total_size is no number of bytes."},
      {"{\"weight_map\":{\"a\":\"f\"}}", "The index says no total_size"},
  });
}

TEST(ReadModel, OtherFiles) {
  expectErrors({
      {"", "is empty."},
      {"\x89PNG\r\n\x1a\n....", "it is no config.json, GGUF, safetensors file"},
      {R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":"FP8"}})",
       "hf_quant_config.json says how a model is quantized, not what it is"},
  });
}

}  // namespace
}  // namespace memfit
