// memfit - SPDX-License-Identifier: Apache-2.0
//
// Rows of measured_serving.jsonl: what vLLM, SGLang and others logged of their weights, activation
// peaks and caches.
#include <algorithm>
#include <cmath>
#include <vector>

#include "accuracy/inference_row.h"
#include "accuracy/section.h"
#include "base/text.h"
#include "memory/gguf_file_types.h"

namespace memfit::accuracy {

namespace {

// --- releases

struct Month {
  std::string_view text;
  int minor;
};
// vLLM by the date that stands in place of a version.
constexpr Month kMonths[] = {{"2024", 6},      {"Mar 2025", 8},  {"Jul 2025", 9},
                             {"Sep 2025", 10}, {"Oct 2025", 11}, {"Nov 2025", 11},
                             {"Dec 2025", 12}, {"Jan 2026", 14}, {"Apr 2026", 19},
                             {"Jun 2026", 22}, {"Jul 2026", 25}, {"Aug 2026", 27}};

EngineRelease releaseOf(std::string_view version) {
  EngineRelease release;
  bool found = false;
  const std::size_t zero = version.find("0.");
  if (zero != std::string_view::npos &&
      (zero == 0 || version[zero - 1] == ' ' || version[zero - 1] == '~')) {
    if (const auto minor = firstNumber(version.substr(zero + 2))) {
      // "0.1.dev20073" counts commits, not releases.
      if (!contains(version, "dev")) {
        release.vllmMinor = static_cast<int>(*minor);
        found = true;
      }
    }
  }
  for (const Month& month : kMonths) {
    if (!found && contains(version, month.text)) release.vllmMinor = month.minor;
  }
  release.vllmV0 = contains(version, "V0") || (release.vllmMinor < 8 && !contains(version, "V1"));
  return release;
}

// --- formats

struct FormatWord {
  std::string_view word;
  WeightFormat format;
};
// Read from the top; in the row's words for its quantization, its type and its model.
constexpr FormatWord kFormatWords[] = {
    {"w8a8", WeightFormat::kInt8},    {"smoothquant", WeightFormat::kInt8},
    {"w4a16", WeightFormat::kGptq4},  {"awq", WeightFormat::kAwq4},
    {"gptq", WeightFormat::kGptq4},   {"int4", WeightFormat::kGptq4},
    {"nvfp4", WeightFormat::kNvfp4},  {"mxfp4", WeightFormat::kStored},
    {"nf4", WeightFormat::kNf4},      {"bnb", WeightFormat::kNf4},
    {"fp8", WeightFormat::kFp8},      {"int8", WeightFormat::kInt8},
    {"float32", WeightFormat::kFp32}, {"fp32", WeightFormat::kFp32},
};

WeightFormat formatOf(std::string_view words, const Model& model) {
  for (const FormatWord& row : kFormatWords) {
    if (contains(words, row.word)) return row.format;
  }
  // A checkpoint that only exists quantized.
  return model.quantization.method != QuantMethod::kNone ? WeightFormat::kStored
                                                         : WeightFormat::kBf16;
}

std::optional<KvFormat> kvOf(std::string_view words, std::string_view dtype) {
  if (contains(words, " vs ")) return std::nullopt;
  if (contains(words, "fp8")) return KvFormat::kFp8;
  if (contains(words, "int8")) return KvFormat::kInt8;
  if (contains(words, "nvfp4")) return KvFormat::kNvfp4;
  if (contains(dtype, "32")) return KvFormat::kFp32;
  return KvFormat::kBf16;
}

// --- devices: what the runtime calls the total, in GiB

struct DeviceWord {
  std::string_view word;
  double gib;
};
constexpr DeviceWord kDevices[] = {{"h100", 79.19},     {"h200", 139.72},       {"b200", 178.35},
                                   {"a100 80", 79.25},  {"a100-80", 79.25},     {"a100-40", 39.49},
                                   {"a100 40", 39.49},  {"rtx 3090", 23.58},    {"rtx 4090", 23.55},
                                   {"rtx 5090", 31.36}, {"thor", 122.82},       {"gb10", 121.69},
                                   {"spark", 121.69},   {"l40s", 44.40},        {"l4", 22.16},
                                   {"a10", 22.18},      {"rtx pro 6000", 94.97}};

double deviceGib(const ConfigView& row, std::string_view gpu) {
  if (const auto total = numberIn(row.child("measured"), "total_gpu_gib")) return *total;
  for (const DeviceWord& device : kDevices) {
    if (contains(gpu, device.word)) return device.gib;
  }
  return 0;
}

std::string words(const ConfigView& view, std::string_view key) {
  if (!view.valid() || !view.has(key) || !view.isText(key)) return {};
  return toLower(view.text({key}).value_or(""));
}

bool isTrue(const ConfigView& settings, std::string_view key) {
  return settings.valid() && settings.has(key) && !settings.isText(key) && !settings.isList(key) &&
         (settings.flag({key}).value_or(false));
}

struct MeasuredKey {
  std::string_view key;
  double unit;
};

}  // namespace

Result<Section> servingRows(std::string_view jsonLines) {
  Section section;
  const Result<std::size_t> rows =
      forEachRow(jsonLines, "The serving rows", [&](const ConfigView& row) {
        const std::string id(row.text({"id"}).value_or("?"));
        const auto refuse = [&](std::string why) {
          section.unmapped.push_back({id, std::move(why)});
        };
        const std::string engineName = words(row, "engine");
        const std::string name(row.text({"model"}).value_or(""));
        const ConfigView settings = row.child("settings");
        const ConfigView measured = row.child("measured");
        const std::string version(row.text({"engine_version"}).value_or(""));
        const std::string note = words(row, "note");

        const std::shared_ptr<const Model> model = modelOfRow(name);
        if (!model) return refuse(cat("The model is not stated: ", quoted(name, 80), "."));
        const bool vllm = engineName.starts_with("vllm");
        const bool sglang = engineName.starts_with("sglang");
        const bool foreign = !vllm && !sglang;  // its cache and weights alone are compared
        if (contains(note, "experts on cpu") || contains(toLower(name), "experts on cpu")) {
          return refuse("Experts on the host are a feature of a fork (ktransformers).");
        }

        EngineRelease release = releaseOf(version);
        if (contains(engineName, "v0")) release.vllmV0 = true;
        const std::string device = words(settings, "gpu");
        release.marlin = contains(words(settings, "quant"), "marlin") || contains(device, "a100") ||
                         contains(device, "3090") || contains(device, "4090");
        Query query;
        query.set(Key::kEngine, sglang ? Engine::kSglang : Engine::kVllm);
        if (contains(engineName, "transformers")) query.set(Key::kEngine, Engine::kTransformers);

        // Numbers of the run.
        const std::string tpText = words(settings, "tp");
        if (contains(tpText, ">") || contains(tpText, "x")) {
          return refuse(cat("The spread is not stated: tp ", quoted(tpText), "."));
        }
        auto tp = static_cast<std::int64_t>(numberIn(settings, "tp").value_or(1));
        auto dp = static_cast<std::int64_t>(numberIn(settings, "dp").value_or(1));
        const auto pp = static_cast<std::int64_t>(numberIn(settings, "pp").value_or(1));
        std::int64_t ep = 1;
        if (isTrue(settings, "dp_attention")) {
          // Attention replicated over `dp` of the `tp` devices, experts over all of them.
          ep = tp;
          tp = std::max<std::int64_t>(tp / dp, 1);
        }
        if (isTrue(settings, "expert_parallel")) ep = tp * dp;
        if (contains(note, "no tp sharding")) tp = 1;
        query.set(Key::kTp, tp);
        query.set(Key::kPp, pp);
        query.set(Key::kDp, dp);
        query.set(Key::kEp, ep);

        const std::string dtype = words(settings, "dtype");
        const std::string quant = words(settings, "quant");
        const std::string text = cat(quant == "none" ? "" : quant, " ", toLower(name), " ", dtype);
        WeightFormat format = formatOf(text, *model);
        // The model's own checkpoint, when that is quantized in the way that the row names.
        if (format == WeightFormat::kFp8 && model->quantization.method == QuantMethod::kFp8) {
          format = WeightFormat::kStored;
        }
        query.set(Key::kWeights, format);
        const std::string kvText = words(settings, "kv_dtype");
        const auto kv = kvOf(kvText, dtype);
        if (!kv) return refuse("Two cache types in one row.");
        query.set(Key::kKv, *kv);
        const std::string gpu = words(settings, "gpu");
        // SGLang's sparse latent cache is fp8 on Blackwell unless asked otherwise.
        bool sparse = false;
        for (const CacheKindCount& kind :
             cacheKinds(model->architecture, 0, model->architecture.layerCount())) {
          sparse = sparse || (kind.shape.latent && kind.shape.indexElements > Count(0));
        }
        if (sglang && sparse && contains(gpu, "b200")) query.set(Key::kKv, KvFormat::kFp8);

        const auto seq = static_cast<std::int64_t>(
            numberIn(settings, "max_model_len")
                .value_or(numberIn(settings, "context_len").value_or(8192)));
        query.set(Key::kSeq, seq);
        if (const auto n = numberIn(settings, "max_num_batched_tokens")) {
          query.set(Key::kBatchedTokens, static_cast<std::int64_t>(*n));
        }
        if (const auto n = numberIn(settings, "max_num_seqs")) {
          query.set(Key::kMaxSeqs, static_cast<std::int64_t>(*n));
        }
        // arg_utils.py: an A100 of 80 GB gets the batches of a smaller device.
        if (vllm && contains(gpu, "a100")) {
          if (!query.has(Key::kBatchedTokens) && !release.vllmV0)
            query.set(Key::kBatchedTokens, 2048);
          if (!query.has(Key::kMaxSeqs)) query.set(Key::kMaxSeqs, 256);
        }
        if (isTrue(settings, "enforce_eager")) query.set(Key::kGraphs, OnOffAuto::kOff);
        const bool draft =
            settings.valid() &&
            (settings.has("mtp") || settings.has("mtp_drafter") || contains(toLower(name), "mtp"));
        if (draft) query.set(Key::kDraft, Include::kInclude);
        bool tower = false;
        for (const TensorGroup& group : model->inventory.groups()) {
          tower = tower || group.part == Part::kVision || group.part == Part::kAudio;
        }
        if (tower && !foreign) query.set(Key::kVision, Include::kInclude);

        // The share: the row's, or the release's default.
        std::optional<double> share = numberIn(settings, "gpu_memory_utilization");
        if (sglang) share = numberIn(settings, "mem_fraction_static");
        if (!share && vllm) share = release.vllmMinor < 27 ? 0.9 : 0.92;
        if (share) query.set(Key::kUtilization, std::llround(*share * 1e6));

        const double gib = deviceGib(row, gpu);
        const auto total = Bytes(static_cast<std::uint64_t>(gib * kGibBytes));
        Report report;
        report.query = query;
        const InferencePlan plan(query, *model, total, release, nullptr);
        plan.write(loadOf(query), report);
        const StageSums sums = sumsOf(report);
        std::size_t compared = 0;
        std::vector<std::string> left;  // what the row measured and nothing was compared with
        const auto leave = [&](std::string why) { left.push_back(std::move(why)); };
        const auto compare = [&](std::string_view component, const Band& band, double value,
                                 double rounding = 0) {
          section.add(component, sample(id, band, value, rounding));
          ++compared;
        };

        // Weights.
        constexpr MeasuredKey kWeightKeys[] = {{"weights_gib_per_gpu", kGibBytes},
                                               {"weights_gb_printed_per_gpu", kGibBytes},
                                               {"weights_gb_printed", kGibBytes},
                                               {"weights_mb_printed", kMibBytes}};
        const bool mixed =
            contains(text, "nvfp4") || contains(text, "gguf") || contains(text, "autoround");
        const bool anomaly = measured.valid() && measured.has("expected_weights_gib");
        for (const MeasuredKey& key : kWeightKeys) {
          const auto value = numberIn(measured, key.key);
          if (!value) continue;
          if (mixed || anomaly) {
            leave(anomaly ? "weights: the loader kept a second copy, says the row"
                          : "weights: which layers the file keeps in 16 bits is not stated");
          } else {
            compare("weights", sums.weights, *value * key.unit, 0.005 * key.unit);
          }
          break;
        }

        // Bytes a token, of models whose layers all keep every token.
        const auto kvGib = numberIn(measured, "kv_gib");
        const auto tokens = numberIn(measured, "kv_tokens");
        const bool single = plan.stages().front().caches.size() == 1 &&
                            plan.stages().front().statePerSequence == Bytes(0);
        const bool sharded = settings.valid() && settings.has("decode_context_parallel");
        std::optional<double> perToken = numberIn(measured, "bytes_per_token_from_print");
        if (!perToken && kvGib && tokens) perToken = *kvGib * kGibBytes / *tokens;
        if (!perToken && tokens) {
          if (const auto all = numberIn(measured, "kv_gb_printed")) {
            perToken = *all * kGibBytes / *tokens;
          }
          const auto keys = numberIn(measured, "k_gb");
          const auto values = numberIn(measured, "v_gb");
          if (keys && values) perToken = (*keys + *values) * kGibBytes / *tokens;
          const auto keySize = numberIn(measured, "k_size_gb_printed");
          const auto valueSize = numberIn(measured, "v_size_gb_printed");
          if (keySize && valueSize) perToken = (*keySize + *valueSize) * kGibBytes / *tokens;
          if (const auto bytes = numberIn(measured, "kv_bytes")) perToken = *bytes / *tokens;
          if (const auto pool = numberIn(measured, "kv_mib"))
            perToken = *pool * kMibBytes / *tokens;
          const auto block = numberIn(measured, "block_size_mb");
          const auto inBlock = numberIn(settings, "block_tokens");
          if (block && inBlock) perToken = *block * kMibBytes / *inBlock;
          if (const auto index = numberIn(measured, "kv_with_index_gb")) {
            perToken = *index * kGibBytes / *tokens;
          }
        }
        // Decode context parallelism spreads a sequence's tokens over so many of the devices.
        if (const auto spread = numberIn(settings, "decode_context_parallel"); spread && perToken) {
          perToken = *perToken * *spread;
        }
        const bool doubtful =
            contains(note, "do not use as an exact") || contains(note, "other worker");
        if (perToken && !single) {
          leave(
              "kv_bytes_per_token: its layers cache at different rates, so the printed tokens are "
              "no rate");
        } else if (perToken && doubtful) {
          leave("kv_bytes_per_token: the row says that its two lines are of different workers");
        }
        if (perToken && *perToken > 0 && single && !doubtful) {
          Bytes predicted;
          for (const StagePlan& stage : plan.stages()) {
            const CacheGroup& group = stage.caches.front();
            predicted =
                max(predicted, (group.perToken * group.slots).ceilDiv(group.tokensPerEntry));
          }
          // The pool is printed in GiB with two decimals, and is a little more than its blocks.
          const double rounding =
              kvGib ? *perToken * 0.005 / std::max(*kvGib, 0.01) : 0.001 * *perToken;
          compare("kv_bytes_per_token", Band::exact(predicted), *perToken, rounding);
        }

        // Tokens that fit: the engine's own accounts.
        const bool stated = settings.valid() && (settings.has("gpu_memory_utilization") ||
                                                 settings.has("mem_fraction_static"));
        const bool known = gib > 0 && stated && !foreign && !mixed && !anomaly && !sharded;
        const bool capped = settings.valid() && settings.has("max_total_tokens");
        if (tokens && !(known && !capped)) {
          leave(foreign    ? "kv_tokens: the engine's budget is not modelled"
                : capped   ? "kv_tokens: the run capped them itself"
                : !stated  ? "kv_tokens: the fraction that the engine took is not stated"
                : gib <= 0 ? "kv_tokens: the device is not stated"
                : sharded  ? "kv_tokens: decode context parallelism spreads them"
                           : "kv_tokens: the weights beside them are not known exactly");
        }
        if (tokens && known && !capped && total > Bytes(0)) {
          // A log speaks of one replica.
          Capacity capacity = plan.leastCapacity(Count(seq));
          capacity.tokens = capacity.tokens / plan.parallelism().dp;
          // Before 2026 a model with several groups printed blocks over groups; what it means is
          // the same within a block.
          const Band free{capacity.tokens, capacity.tokens, capacity.tokens.scaled(105, 100)};
          double printed = *tokens;
          if (const auto concurrency = numberIn(measured, "max_concurrency");
              concurrency && !single && settings.has("max_model_len")) {
            printed = *concurrency * static_cast<double>(seq);
          }
          if (capacity.tokens > Count(0)) compare("kv_tokens", free, printed);
        }

        if (vllm) {
          // With pipeline stages the log is the first one's.
          Band activations = sums.activations;
          if (plan.stages().size() > 1) {
            Ledger first;
            engineModel(Engine::kVllm).ledger(plan, plan.stages().front(), loadOf(query), first);
            activations = first.total(memfit::Component::kActivations);
          }
          if (const auto value = numberIn(measured, "activation_gib")) {
            compare("activations", activations, *value * kGibBytes);
          }
          const auto weights = numberIn(measured, "weights_gib_per_gpu");
          const auto activation = numberIn(measured, "activation_gib");
          const auto outside = numberIn(measured, "non_torch_gib");
          if (weights && activation && outside && !mixed && !anomaly) {
            Band band = sums.weights;
            band += activations;
            band += report.ledger.total(memfit::Component::kCommunication);
            compare("total", band, (*weights + *activation + *outside) * kGibBytes);
          }
        } else if (const auto value = numberIn(measured, "total_mib");
                   value && contains(engineName, "transformers") && settings.has("max_model_len")) {
          compare("total", sums.total, *value * kMibBytes);
        }
        if (compared > 0) {
          ++section.mapped;
          for (std::string& why : left) section.inexact.push_back({id, std::move(why)});
          return;
        }
        std::string why;
        for (const std::string& each : left) why += cat(why.empty() ? "" : "; ", each);
        if (why.empty()) {
          why =
              "It measured none of weights, bytes a token, tokens, activations as one number of "
              "one "
              "rank; what it has (ranges, lists of ranks, a pool without its tokens, a whole "
              "process) cannot be compared by component";
        }
        refuse(cat(why, "."));
      });
  if (!rows) return rows.error();
  section.rows = *rows;
  return section;
}

}  // namespace memfit::accuracy
