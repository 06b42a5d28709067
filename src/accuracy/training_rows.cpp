// memfit - SPDX-License-Identifier: Apache-2.0
//
// Rows of measured_training.jsonl: a training run with its settings as a log or a table states
// them, and what one of three meters showed. A row is read into a query by its settings alone; one
// that leaves open what moves the peak (tokens, checkpointing, a method that is not offered) is
// listed with the reason.
#include <optional>
#include <string>

#include "accuracy/section.h"
#include "base/text.h"
#include "device/device.h"
#include "memory/estimate.h"
#include "model/catalogue.h"

namespace memfit::accuracy {

namespace {

constexpr double kGibBytes = 1073741824.0;

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// The number right after `word`: parallelNumber("tp2pp1", "tp") is 2; 1 where there is none. A
// space or an equals sign may stand between.
std::int64_t parallelNumber(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    std::size_t end = at + word.size();
    if (end < text.size() && (text[end] == ' ' || text[end] == '=')) ++end;
    std::int64_t value = 0;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9' && value < 100000) {
      value = value * 10 + (text[end++] - '0');
    }
    if (value > 0) return value;
  }
  return 1;
}

// A setting as text, whatever its type: "true", "4096", "FSDP2"; empty when absent.
std::string textOf(const ConfigView& settings, std::string_view key) {
  if (!settings.has(key)) return {};
  if (const auto text = settings.text({key})) return std::string(*text);
  if (const auto flag = settings.flag({key})) return *flag ? "true" : "false";
  if (const auto number = settings.number({key})) {
    return cat(static_cast<std::int64_t>(*number));
  }
  std::string joined;
  for (const std::string_view each : settings.texts(key)) joined += cat(each, "; ");
  return joined;
}

// Names that a table gives a shape which the catalogue calls otherwise.
struct RowModel {
  std::string_view name;
  std::string_view id;
};
constexpr RowModel kModels[] = {
    {"llama3-70b cut to 12 layers", "simumax/llama3-70b-12layers"},
    {"llama3-405b cut to 4 layers", "simumax/llama3-405b-4layers"},
    {"deepseekv2 cut to 4 layers", "simumax/deepseekv2-4layers"},
    {"deepseekv3 cut to 4 layers", "simumax/deepseekv3-4layers"},
    {"Llama-2-7B (Chinese, 55k vocab class)", "ziqingyang/chinese-llama-2-7b"},
    {"Llama-2-7B class (PP2)", "meta-llama/Llama-2-7b-hf"},
    {"phi-1.5 1.3B", "microsoft/phi-1_5"},
    {"StableLM-Alpha 3B", "stabilityai/stablelm-base-alpha-3b"},
    {"Plano-Orchestrator-4B (Qwen3-4B class)", "qwen3-4b"},
    {"Llama2-1B", "torchao/Llama2-1B"},
};

std::string_view modelId(std::string_view name) {
  if (findModel(name) != nullptr) return name;
  for (const RowModel& row : kModels) {
    if (row.name == name) return findModel(row.id) != nullptr ? row.id : std::string_view();
  }
  // "Llama-3-8B bf16", "Qwen3-14B (bnb 4bit)", "GLM-4.7-Flash (MoE)": what follows describes a run.
  const std::string_view head = name.substr(0, name.find(' '));
  return findModel(head) != nullptr ? head : std::string_view();
}

// Fills the query; the reason when the row does not say enough.
class RowReader {
 public:
  explicit RowReader(const ConfigView& row)
      : row_(row),
        settings_(row.child("settings")),
        framework_(row.text({"framework"}).value_or("")),
        id_(row.text({"id"}).value_or("")),
        method_(toLower(textOf(settings_, "method"))),
        precision_(textOf(settings_, "precision")),
        sharding_(textOf(settings_, "sharding")),
        extras_(textOf(settings_, "extras")),
        optimizer_(textOf(settings_, "optimizer")),
        note_(row.text({"note"}).value_or("")) {}

  // Empty when the query is complete.
  std::string read(Query& query) {
    const std::string_view name = row_.text({"model"}).value_or("");
    std::string_view id = modelId(name);
    if (id.empty() && cutModel(name, query)) {
      id = query.text(Key::kModel);
    }
    if (id.empty()) return cat("No public shape is known for the model ", quoted(name, 60), ".");
    query.setText(Key::kModel, id);
    query.set(Key::kMethod, Method::kArchitecture);
    if (has(note_, "is not stated") || has(optimizer_, "not stated") || has(note_, "ambiguous")) {
      return "The row's own note says that settings which move the peak are not stated.";
    }
    if (std::string why = task(query); !why.empty()) return why;
    if (std::string why = tokens(query); !why.empty()) return why;
    if (std::string why = spread(query); !why.empty()) return why;
    trainer(query);
    recipe(query);
    if (std::string why = checkpointing(query); !why.empty()) return why;
    kernels(query);
    if (std::string why = optimizer(query); !why.empty()) return why;
    adapters(query);
    return {};
  }

  // The device's memory as CUDA sees it, where the row names a device of the catalogue.
  Bytes deviceTotal() const {
    const std::string device = textOf(settings_, "device");
    struct Known {
      std::string_view word, id;
    };
    constexpr Known kKnown[] = {{"A100-80GB", "a100-80-sxm"},
                                {"A100-40GB", "a100-40-sxm"},
                                {"A10G", "a10g"},
                                {"RTX4090", "rtx-4090"},
                                {"RTX3090", "rtx-3090"}};
    for (const Known& known : kKnown) {
      if (!has(device, known.word)) continue;
      const auto found = findDevice(known.id);
      if (found) return usableOf(*found, Query()).total;
    }
    return 0;
  }

  bool isFms() const { return has(id_, "fms-"); }

 private:
  std::int64_t gpus() const {
    return static_cast<std::int64_t>(settings_.number({"gpus"}).value_or(1));
  }

  // "llama3-70b cut to 12 layers": a known model with fewer layers.
  bool cutModel(std::string_view name, Query& query) {
    constexpr std::string_view kCut = " cut to ";
    const std::size_t at = name.find(kCut);
    if (at == std::string_view::npos || findModel(name.substr(0, at)) == nullptr) return false;
    const std::int64_t layers = parallelNumber(name, "cut to");
    if (layers < 2) return false;
    query.setText(Key::kModel, name.substr(0, at));
    query.set(Key::kLayers, layers);
    return true;
  }

  std::string task(Query& query) {
    constexpr std::string_view kOther[] = {"galore",   "lisa",    "llamapro",         "adalora",
                                           "randlora", "lora-fa", "lorafa",           "lora_fa",
                                           "vblora",   "xlora",   "block-coordinate", "adapter",
                                           "dpo",      "grpo",    "q-galore",         "layerwise"};
    for (const std::string_view other : kOther) {
      if (has(method_, other)) return cat("The method ", quoted(method_), " is not offered.");
    }
    const bool four = has(method_, "nf4") || has(method_, "4bit") || has(method_, "4-bit");
    const bool eight = has(method_, "8bit") || has(method_, "int8");
    const bool gptq = has(method_, "gptq") || has(method_, "awq") || has(method_, "hqq");
    if (has(method_, "lora") || has(method_, "qlora") || has(method_, "dora")) {
      quantized_ = four || eight || gptq || has(method_, "qlora");
      query.set(Key::kTask, quantized_ ? Task::kQlora : Task::kLora);
      if (eight) query.set(Key::kWeights, WeightFormat::kInt8);
      if (gptq) query.set(Key::kWeights, WeightFormat::kGptq4);
      if (has(method_, "dora")) query.set(Key::kDora, 1);
      if (has(method_, "embed_tokens")) query.set(Key::kSaveModules, SaveModules::kEmbedHead);
      if (has(method_, "only lora-adapted linears")) {
        return "Only the adapted linear layers were quantized there.";
      }
      adapters_ = true;
      return {};
    }
    if (method_.starts_with("full") || method_.starts_with("pretrain")) {
      if (has(precision_, "int8 weight")) return "Quantized training is not offered.";
      query.set(Key::kTask, Task::kFull);
      return {};
    }
    return cat("The method ", quoted(method_), " is not offered.");
  }

  std::string tokens(Query& query) {
    const auto number = settings_.number({"seq_len"});
    const auto batch = settings_.number({"micro_batch"});
    if (!number && !batch && framework_ == "plain torch" && gpus() == 1) {
      // An optimizer benchmark: the step sets the peak, whatever the few tokens are.
      query.set(Key::kSeq, 64);
      query.set(Key::kBatch, 1);
      query.set(Key::kCheckpointing, Checkpointing::kFull);
      stepOnly_ = true;
      return {};
    }
    if (!number) {
      return cat(
          "The tokens of a row are not stated (seq_len: ",
          quoted(textOf(settings_, "seq_len").empty() ? "absent" : textOf(settings_, "seq_len")),
          ").");
    }
    if (!batch) return "The micro-batch is not stated.";
    if (textOf(settings_, "padding_free") == "false" || has(method_, "(moe)")) {
      return "Rows are padded to unknown lengths.";
    }
    if (*batch >= 4 && !has(id_, "fms-") && !has(id_, "litgpt-") &&
        textOf(settings_, "packed") != "true" &&
        (has(framework_, "swift") || has(framework_, "torchtune"))) {
      return "Rows are padded to the longest of several of unknown lengths.";
    }
    query.set(Key::kSeq, static_cast<std::int64_t>(*number));
    query.set(Key::kBatch, static_cast<std::int64_t>(*batch));
    const std::string packed = textOf(settings_, "packed");
    if (packed == "true") query.set(Key::kPacking, OnOff::kOn);
    if (const auto accumulation = settings_.number({"num_microbatches"})) {
      query.set(Key::kAccumulation, static_cast<std::int64_t>(*accumulation));
    }
    return {};
  }

  std::string spread(Query& query) {
    const std::int64_t n = gpus();
    std::string lower = toLower(sharding_);
    const auto degree = [&](std::string_view word) { return parallelNumber(lower, word); };
    const std::int64_t tp = degree("tp"), pp = degree("pp"), ep = degree("ep"), cp = degree("cp");
    megatron_ = has(framework_, "Megatron") || has(optimizer_, "Megatron") ||
                ((tp > 1 || pp > 1 || ep > 1) && !has(framework_, "titan")) ||
                lower == "megatron" || has(optimizer_, "dist_muon");
    if (has(lower, "sequence parallel ") && !megatron_) {
      return "The trainer's own sequence parallelism is not offered.";
    }
    if (lower == "megatron") return "How the model was spread is not stated.";
    if (n <= 1) return {};
    if (sharding_.empty()) return "How the model was spread is not stated.";
    query.set(Key::kTp, tp);
    query.set(Key::kPp, pp);
    query.set(Key::kEp, ep);
    query.set(Key::kCp, cp);
    const std::int64_t dp = n / (tp * pp * cp);
    if (dp < 1) return "More devices are named in the parallelism than in the row.";
    query.set(Key::kDp, dp);
    if (megatron_) {
      query.set(Key::kZero, 1);
    } else if (has(sharding_, "FSDP")) {
      query.set(Key::kZero, 3);
    } else if (has(sharding_, "ZeRO-")) {
      query.set(Key::kZero, parallelNumber(sharding_, "ZeRO-"));
      deepspeed_ = true;
    }
    offloaded_ = has(lower, "offload") || has(note_, "with CPU offload");
    if (offloaded_) query.set(Key::kOffload, Offload::kAll);
    return {};
  }

  void trainer(Query& query) {
    struct Name {
      std::string_view word;
      Trainer trainer;
    };
    constexpr Name kNames[] = {
        {"litgpt", Trainer::kLitgpt},     {"torchtune", Trainer::kTorchtune},
        {"Megatron", Trainer::kMegatron}, {"DeepSpeed", Trainer::kDeepspeed},
        {"Unsloth", Trainer::kUnsloth},   {"mlx", Trainer::kMlx},
    };
    trainer_ = Trainer::kHf;
    for (const Name& name : kNames) {
      if (has(framework_, name.word)) trainer_ = name.trainer;
    }
    if (megatron_) trainer_ = Trainer::kMegatron;
    if (deepspeed_) trainer_ = Trainer::kDeepspeed;
    query.set(Key::kTrainer, trainer_);
  }

  void recipe(Query& query) {
    const bool full = query.task() == Task::kFull;
    Recipe recipe = Recipe::kBf16;
    if (has(precision_, "AMP")) {
      recipe = Recipe::kAutocast;
    } else if (has(precision_, "fp32 load") || precision_ == "fp32") {
      recipe = Recipe::kFp32;
    } else if (has(precision_, "no autocast") || has(precision_, "everything") ||
               has(precision_, "bf16-true") || has(precision_, "pure") ||
               has(precision_, "bf16 load")) {
      recipe = Recipe::kBf16;
    } else if (has(precision_, "fp32 params") || has(precision_, "fp32 sharded") ||
               has(precision_, "fp32 main")) {
      recipe = gpus() > 1 ? Recipe::kMixed : Recipe::kAutocast;
    } else if (megatron_ || deepspeed_) {
      recipe = Recipe::kMixed;
    } else if (has(precision_, "mixed precision flag") || trainer_ == Trainer::kHf) {
      // The Trainer's flag switches autocast on. Weights stay as they were loaded, in 16 bits, on
      // one device; FSDP makes 32-bit shards of what is trained.
      recipe = !full || gpus() > 1 ? Recipe::kMixed : Recipe::kBf16;
    }
    query.set(Key::kRecipe, recipe);
  }

  std::string checkpointing(Query& query) {
    if (stepOnly_) return {};
    const std::string text = toLower(textOf(settings_, "grad_ckpt"));
    Checkpointing value = Checkpointing::kFull;
    if (text.empty()) {
      return "Whether gradient checkpointing was on is not stated.";
    }
    if (text == "false" || text.starts_with("none")) {
      value = Checkpointing::kNone;
    } else if (has(text, "selective") || text == "op") {
      value = Checkpointing::kSelective;
    } else if (has(text, "may enable") || has(text, "not stated") || has(text, "apparently")) {
      return "Whether gradient checkpointing was on is not stated.";
    } else if (textOf(settings_, "activation_offload") == "true") {
      value = Checkpointing::kOffloaded;
    }
    query.set(Key::kCheckpointing, value);
    return {};
  }

  void kernels(Query& query) {
    const bool liger = textOf(settings_, "liger") == "true" || has(extras_, "liger");
    const bool compiled = textOf(settings_, "compile") == "true" || has(precision_, "compile");
    const std::string loss = textOf(settings_, "loss");
    if (has(extras_, "RMSNorm kernels")) {
      query.set(Key::kKernels, Kernels::kNorms);
    } else if (isFms()) {
      query.set(Key::kKernels, Kernels::kPlain);
    } else if (liger) {
      query.set(Key::kKernels, Kernels::kFused);
    } else if (compiled) {
      query.set(Key::kKernels, Kernels::kCompiled);
    } else if (trainer_ == Trainer::kTorchtune) {
      query.set(Key::kKernels, Kernels::kPlain);
    }
    Loss kind = Loss::kStandard;
    if (has(loss, "Cut Cross")) {
      kind = Loss::kCut;
    } else if (liger) {
      kind = Loss::kFused;
    } else if (has(loss, "hunk")) {
      kind = Loss::kChunked;
    } else if (has(extras_, "fused CE") || has(loss, "fusion")) {
      kind = Loss::kInPlace;
    } else if (compiled) {
      kind = Loss::kCompiled;
    }
    query.set(Key::kLoss, kind);

    const std::string attention = textOf(settings_, "flash_attn");
    AttentionKernel kernel = AttentionKernel::kSdpa;
    if (has(attention, "FA") || attention == "true" || megatron_) kernel = AttentionKernel::kFlash;
    if (attention == "false" || attention == "eager") kernel = AttentionKernel::kEager;
    query.set(Key::kAttention, kernel);
    if (has(extras_, "prepare_model_for_kbit_training") || has(method_, "qlora with prepare")) {
      query.set(Key::kUpcast, OnOffAuto::kOn);
    }
  }

  std::string optimizer(Query& query) {
    const std::string lower = toLower(optimizer_);
    if (has(lower, "4-bit") || has(lower, "4bit")) return "4-bit optimizer state is not offered.";
    Optimizer value = Optimizer::kAdamW;
    const bool eight = has(lower, "8bit") || has(lower, "8-bit") || has(lower, "fp8");
    if (has(lower, "paged")) value = Optimizer::kPagedAdamW;
    if (eight) value = has(lower, "paged") ? Optimizer::kPagedAdamW8bit : Optimizer::kAdamW8bit;
    if (has(lower, "muon")) value = Optimizer::kMuon;
    if (has(lower, "adafactor")) value = Optimizer::kAdafactor;
    if (has(lower, "lion")) value = Optimizer::kLion;
    if (has(lower, "bf16 moments")) value = Optimizer::kAdamWBf16;
    query.set(Key::kOptimizer, value);
    if (has(lower, "in backward") || has(lower, "in_bwd")) {
      query.set(Key::kStep, StepKernel::kBackward);
    } else if (has(lower, "foreach=false") || has(lower, "fused")) {
      query.set(Key::kStep, StepKernel::kFused);
    } else if (has(lower, "foreach") || framework_ == "plain torch") {
      query.set(Key::kStep, StepKernel::kForeach);
    }
    if (has(lower, "offload + gradients")) {
      query.set(Key::kOffload, Offload::kAll);
    } else if (offloaded_) {
      // Said with the spread already.
    } else if (has(lower, "on cpu") || has(lower, "offload=ao")) {
      query.set(Key::kOffload, Offload::kOptimizer);
    }
    return {};
  }

  void adapters(Query& query) {
    if (!adapters_) return;
    if (const auto rank = settings_.number({"lora_rank"})) {
      query.set(Key::kRank, static_cast<std::int64_t>(*rank));
    } else {
      query.set(Key::kRank, 8);
    }
    std::string targets = textOf(settings_, "targets");
    targets = targets.substr(0, targets.find('('));
    if (targets.starts_with("all")) targets = "all-linear";
    if (!targets.empty()) query.setText(Key::kTargets, targets);
    // fms-acceleration scripts/benchmarks/scenarios.yaml: 0.1; litgpt's and ms-swift's default:
    // 0.05.
    if (isFms()) query.set(Key::kLoraDropout, 100000);
    if (trainer_ == Trainer::kLitgpt || has(framework_, "swift")) {
      query.set(Key::kLoraDropout, 50000);
    }
    if (quantized_) {
      const bool single = has(precision_, "no double quant") ||
                          (trainer_ == Trainer::kLitgpt && !has(method_, "dq"));
      query.set(Key::kDoubleQuant, single ? OnOff::kOff : OnOff::kOn);
      if (has(method_, "experts quantized")) query.set(Key::kQuantExperts, OnOffAuto::kOn);
    }
  }

  const ConfigView& row_;
  ConfigView settings_;
  std::string framework_, id_, method_, precision_, sharding_, extras_, optimizer_, note_;
  Trainer trainer_ = Trainer::kHf;
  bool adapters_ = false, quantized_ = false, megatron_ = false, deepspeed_ = false;
  bool stepOnly_ = false, offloaded_ = false;
};

// A measured figure by the key that a row has it under.
enum class Meter : std::uint8_t { kAllocated, kSteady, kReserved, kDriver };
struct MeterKey {
  std::string_view key;
  Meter meter;
  double unit;  // bytes
};
constexpr MeterKey kMeters[] = {
    {"peak_allocated_gib", Meter::kAllocated, kGibBytes},
    {"steady_allocated_gib", Meter::kSteady, kGibBytes},
    {"peak_reserved_gib", Meter::kReserved, kGibBytes},
    {"peak_reserved_gb", Meter::kReserved, 1e9},
    {"peak_reserved_gb_printed", Meter::kReserved, 1e9},
    // Logs that print a figure without saying which: torch's reserved memory, as a rule.
    {"unspecified_gib", Meter::kReserved, kGibBytes},
    {"unspecified_gb", Meter::kReserved, 1e9},
    {"nvidia_smi_gib", Meter::kDriver, kGibBytes},
    {"nvidia_smi_gb", Meter::kDriver, 1e9},
    {"unified_gb", Meter::kAllocated, 1e9},
};
constexpr std::string_view kMeterNames[] = {"peak_allocated", "steady_allocated", "peak_reserved",
                                            "nvidia_smi"};

}  // namespace

Result<Section> trainingRows(std::string_view jsonLines) {
  Section section;
  const Result<std::size_t> rows =
      forEachRow(jsonLines, "The training rows", [&](const ConfigView& row) {
        const std::string id(row.text({"id"}).value_or("?"));
        if (row.text({"scope"}).value_or("") != "end_to_end") {
          section.unmapped.push_back(
              {id, "Not a whole run: an operator or a stage, for unit tests."});
          return;
        }
        const std::string quality(row.text({"quality"}).value_or("C"));
        if (quality == "D") {
          section.unmapped.push_back({id, "Inconsistent with its own settings (quality D)."});
          return;
        }
        RowReader reader(row);
        Query query;
        if (std::string why = reader.read(query); !why.empty()) {
          section.unmapped.push_back({id, std::move(why)});
          return;
        }
        const Result<Report> report = estimate(query, reader.deviceTotal());
        if (!report) {
          section.unmapped.push_back({id, report.error().message});
          return;
        }
        const TrainingFigures& figures = *report->training;
        const ConfigView measured = row.child("measured");
        bool any = false;
        for (const MeterKey& key : kMeters) {
          if (!measured.has(key.key) || measured.isText(key.key)) continue;
          const auto value = measured.number({key.key});
          if (!value) continue;
          any = true;
          Band band;
          // torchao's scripts and torchtune's logs print max_memory_allocated.
          Meter meter = key.meter;
          const std::string_view framework = row.text({"framework"}).value_or("");
          if (key.key.starts_with("unspecified") &&
              (has(framework, "torchao") || has(framework, "torchtune"))) {
            meter = Meter::kAllocated;
          }
          switch (meter) {
            case Meter::kAllocated: band = figures.allocated; break;
            case Meter::kSteady: band = Band::exact(figures.steady); break;
            case Meter::kReserved: band = figures.reserved; break;
            case Meter::kDriver: band = figures.driver; break;
          }
          // What verdicts are judged on, whichever meter is read.
          const bool judged = meter == Meter::kReserved || meter == Meter::kDriver;
          const Bytes high = judged ? report->perDevice.high : band.high;
          const Sample sample{id, band.expected.toDouble(), high.toDouble(), *value * key.unit};
          const std::string_view name = kMeterNames[static_cast<std::size_t>(meter)];
          section.add(name, sample);
          // The groups of issue 5's targets.
          const bool single = report->devices == Count(1);
          if (quality == "A" && meter == Meter::kAllocated) {
            section.add(single ? "a_single_peak_allocated" : "a_several_peak_allocated", sample);
          }
          if (quality == "A" && meter == Meter::kSteady) section.add("a_steady_allocated", sample);
          if (reader.isFms() && meter == Meter::kDriver) section.add("fms_nvidia_smi", sample);
          if (quality == "B") section.add("b_as_printed", sample);
          if (meter == Meter::kReserved || meter == Meter::kDriver) {
            section.add("reserved_or_nvidia_smi", sample);
          }
        }
        if (any) {
          ++section.mapped;
        } else {
          section.unmapped.push_back({id, "No figure of the row is one number of one meter."});
        }
      });
  if (!rows) return rows.error();
  section.rows = *rows;
  return section;
}

}  // namespace memfit::accuracy
