// memfit - SPDX-License-Identifier: Apache-2.0
//
// Rows of measured_llamacpp.jsonl: the buffers that llama.cpp, its fork ik_llama.cpp and what is
// built on them logged.
#include <algorithm>
#include <cmath>
#include <vector>

#include "accuracy/inference_row.h"
#include "accuracy/section.h"
#include "base/text.h"
#include "memory/gguf_file_types.h"

namespace memfit::accuracy {

namespace {

std::string words(const ConfigView& view, std::string_view key) {
  if (!view.valid() || !view.has(key) || !view.isText(key)) return {};
  return toLower(view.text({key}).value_or(""));
}

// --- buffers: a map of names, or a list of {"buf", "mib"}

struct Buffer {
  std::string name;
  double mib = 0;
  bool device() const {
    const std::string lower = toLower(name);
    return !lower.starts_with("cpu") && !contains(lower, "_host") && lower != "host";
  }
};

std::vector<Buffer> buffersOf(const ConfigView& measured, std::string_view key) {
  std::vector<Buffer> buffers;
  if (!measured.valid() || !measured.has(key)) return buffers;
  if (measured.isList(key)) {
    for (const ConfigView& entry : measured.children(key)) {
      if (const auto mib = entry.number({"mib"})) {
        buffers.push_back({std::string(entry.text({"buf"}).value_or("")), *mib});
      }
    }
    return buffers;
  }
  const ConfigView map = measured.child(key);
  if (!map.valid()) return buffers;
  for (const std::string_view name : map.keys()) {
    const auto mib = map.number({name});
    if (!mib) continue;
    // "CANN1-6 each" stands for several.
    int times = 1;
    if (contains(name, " each")) {
      const std::size_t dash = name.find('-');
      const auto from = firstNumber(name);
      const auto to =
          dash == std::string_view::npos ? std::nullopt : firstNumber(name.substr(dash + 1));
      if (from && to) times = static_cast<int>(*to - *from) + 1;
    }
    for (int i = 0; i < times; ++i) buffers.push_back({std::string(name), *mib});
  }
  return buffers;
}

double sumOf(const std::vector<Buffer>& buffers, bool device) {
  double sum = 0;
  for (const Buffer& buffer : buffers) {
    if (buffer.device() == device && !contains(buffer.name, "repack")) sum += buffer.mib;
  }
  return sum;
}

// --- file types

// The file type that a row's words name; labels of mixes and forks give nothing.
std::optional<WeightFormat> fileTypeOf(std::string_view quant) {
  if (const auto whole = ggufFileTypeNamed(quant)) return whole;
  const std::string lower = toLower(quant);
  if (contains(lower, "ud-") || contains(lower, "label in") || contains(lower, "_l") ||
      contains(lower, "_r4") || contains(lower, "mix")) {
    return std::nullopt;
  }
  // The longest label inside: "Llama-2-7B Q4_K - Medium", "Dream-v0-Instruct-7B-Q4_K_M".
  std::optional<WeightFormat> found;
  std::size_t longest = 0;
  for (std::size_t from = 0; from < quant.size(); ++from) {
    if (from > 0 && quant[from - 1] != ' ' && quant[from - 1] != '-') continue;
    for (std::size_t size = 2; from + size <= quant.size(); ++size) {
      const std::size_t end = from + size;
      if (end < quant.size() && quant[end] != ' ' && quant[end] != '-' && quant[end] != '(') {
        continue;
      }
      const auto type = ggufFileTypeNamed(quant.substr(from, size));
      if (type && size > longest) {
        found = type;
        longest = size;
      }
    }
  }
  return found;
}

std::optional<KvFormat> kvTypeOf(std::string_view type) {
  struct Row {
    std::string_view word;
    KvFormat format;
  };
  constexpr Row kTypes[] = {
      {"f16", KvFormat::kFp16},  {"bf16", KvFormat::kBf16}, {"f32", KvFormat::kFp32},
      {"q8_0", KvFormat::kQ8_0}, {"q5_1", KvFormat::kQ5_1}, {"q5_0", KvFormat::kQ5_0},
      {"q4_1", KvFormat::kQ4_1}, {"q4_0", KvFormat::kQ4_0}, {"iq4_nl", KvFormat::kIq4Nl}};
  for (const Row& row : kTypes) {
    if (row.word == type) return row.format;
  }
  return std::nullopt;
}

// --- builds

// llama-server of 2026 reserves logits for its slots alone; tools and libraries a physical batch.
bool logitsPerSlot(std::string_view source, std::string_view engine, double build, double slots) {
  if (contains(engine, "llama-server")) return true;
  if (contains(source, "gguf-parser-go/issues") || contains(source, "unslothai/unsloth"))
    return true;
  return build >= 9000 && slots == 4;  // four slots are the server's own choice
}

bool windowed(const Model& model) {
  for (const CacheKindCount& kind :
       cacheKinds(model.architecture, 0, model.architecture.layerCount())) {
    if (kind.shape.window > Count(0)) return true;
  }
  return false;
}

bool latent(const Model& model) {
  for (const CacheKindCount& kind :
       cacheKinds(model.architecture, 0, model.architecture.layerCount())) {
    if (kind.shape.latent) return true;
  }
  return false;
}

// Next-token prediction runs in a context of its own, whose buffers a log mixes in.
bool draftInRow(std::string_view name) { return contains(toLower(name), "mtp"); }

struct Run {
  Report report;
  Band wholeKv;                             // of layers without a window
  Band weights, kv, state, compute, total;  // device, all stages; compute of the heaviest
  Bytes fileBytes;                          // all tensors of the file
};

Run runOf(const Query& query, const Model& model, const EngineRelease& release) {
  Run run;
  const InferencePlan plan(query, model, 0, release, nullptr);
  run.report.query = query;
  const Load load = loadOf(query);
  plan.write(load, run.report);
  // A log's largest compute buffer may lie on another device than its heaviest one.
  for (const StagePlan& stage : plan.stages()) {
    Ledger ledger;
    engineModel(Engine::kLlamaCpp).ledger(plan, stage, load, ledger);
    const Band compute = ledger.total(memfit::Component::kComputeBuffer);
    if (compute.expected > run.compute.expected) run.compute = compute;
  }
  const Count sequences = load.sequences();
  for (const StagePlan& stage : plan.stages()) {
    run.weights += stage.fixed.total(memfit::Component::kWeights);
    Bytes kv;
    for (const CacheGroup& group : stage.caches) {
      const Bytes bytes = group.bytesPerSequence(load.seq) * sequences;
      kv += bytes;
      if (group.limit == Count(0)) run.wholeKv += Band::exact(bytes);
    }
    run.kv += Band::exact(kv);
    run.state += Band::exact(stage.statePerSequence * sequences);
  }
  // The host's share is the same in every stage.
  const StagePlan& first = plan.stages().front();
  for (const CacheGroup& group : first.hostCaches) {
    const Bytes bytes = group.bytesPerSequence(load.seq) * sequences;
    run.kv += Band::exact(bytes);
    if (group.limit == Count(0)) run.wholeKv += Band::exact(bytes);
  }
  run.state += Band::exact(first.hostStatePerSequence * sequences);
  run.total = run.weights;
  run.total += run.kv;
  run.total += run.state;
  run.total += run.compute;

  const std::size_t layers = model.architecture.layerCount();
  WeightBytes file = weightsOfLayers(model, plan.policy(), plan.split(), 0, layers);
  const WeightBytes outside = weightsOutside(model, plan.policy(), plan.split());
  file += outside;
  run.fileBytes = file.sum();
  if (model.architecture.tied) run.fileBytes = run.fileBytes - outside.head;
  return run;
}

}  // namespace

Result<Section> llamacppRows(std::string_view jsonLines) {
  Section section;
  const Result<std::size_t> rows =
      forEachRow(jsonLines, "The llama.cpp rows", [&](const ConfigView& row) {
        const std::string id(row.text({"id"}).value_or("?"));
        const auto refuse = [&](std::string why) {
          section.unmapped.push_back({id, std::move(why)});
        };
        const std::string name(row.text({"model"}).value_or(""));
        const std::string engine = words(row, "engine");
        const std::string source = words(row, "source");
        const double build = numberIn(row, "engine_build").value_or(0);
        const ConfigView settings = row.child("settings");
        const ConfigView measured = row.child("measured");
        const std::shared_ptr<const Model> model = modelOfRow(name);
        if (!model) return refuse(cat("The model is not stated: ", quoted(name, 80), "."));
        const bool fork = contains(engine, "fork");
        const bool ik = contains(engine, "ik_llama");
        std::vector<std::string> left;  // what the row measured and nothing was compared with
        std::size_t compared = 0;
        // Logs print MiB with two decimals.
        const auto compare = [&](std::string_view component, const Band& band, double mib,
                                 double rounding = 0.005) {
          section.add(component, sample(id, band, mib * kMibBytes, rounding * kMibBytes));
          ++compared;
        };
        const auto leave = [&](std::string why) { left.push_back(std::move(why)); };

        Query query;
        query.set(Key::kEngine, Engine::kLlamaCpp);
        EngineRelease release;
        const double slots = numberIn(settings, "n_seq_max").value_or(1);
        release.logitsPerSlot = logitsPerSlot(source, engine, build, slots);

        // Context: of all slots together.
        auto context = numberIn(settings, "n_ctx");
        if (!context) context = numberIn(settings, "kv_size");
        if (context && model->architecture.maxContext > Count(0) &&
            contains(words(settings, "n_ctx"), "capped")) {
          context = std::min(*context, model->architecture.maxContext.toDouble());
        }
        // The server of 2026 puts the slots that it chose itself on one stream.
        const bool unified = settings.valid() &&
                             (settings.has("kv_unified") || (release.logitsPerSlot && slots == 4));
        const auto sequences = static_cast<std::int64_t>(slots);
        if (context) {
          const auto cells = static_cast<std::int64_t>(*context);
          query.set(Key::kSeq, unified ? cells : std::max<std::int64_t>(cells / sequences, 1));
          query.set(Key::kConcurrency, unified ? std::int64_t{1} : sequences);
        }
        if (const auto n = numberIn(settings, "n_ubatch")) {
          query.set(Key::kUbatch, static_cast<std::int64_t>(*n));
        }
        const auto flash = numberIn(settings, "flash_attn");
        // Before August 2025 flash attention was off unless asked for.
        const bool eager = flash ? *flash == 0 : build > 0 && build < 6300;
        if (eager) query.set(Key::kAttention, AttentionKernel::kEager);
        const auto typeK = kvTypeOf(words(settings, "type_k"));
        const auto typeV = kvTypeOf(words(settings, "type_v"));
        if (typeK) query.set(Key::kKvK, *typeK);
        if (typeK || typeV) query.set(Key::kKvV, typeV ? *typeV : *typeK);

        // Windows: a log with one line for the whole cache is of a build without window caches, and
        // the fork has none.
        release.wholeWindows =
            windowed(*model) &&
            (ik || (measured.valid() && measured.has("kv_mib") && !measured.has("kv_swa_mib")));
        // Latents: the fork's modes, and files of before spring 2025.
        const auto mla = numberIn(settings, "mla_attn");
        const bool isLatent = latent(*model);
        release.wholeLatents = isLatent && (mla ? *mla == 0 : build > 0 && build < 5150);

        release.encoderCaches = numberIn(measured, "kv_mib").value_or(0) > 0;

        // Where things lie.
        const std::string offloaded = words(settings, "offloaded");
        const std::string device = words(settings, "device");
        const std::vector<Buffer> weightBuffers = buffersOf(measured, "weights_mib");
        const std::vector<Buffer> computeBuffers = buffersOf(measured, "compute_mib");
        bool anyDevice = false;
        for (const Buffer& buffer : computeBuffers) anyDevice = anyDevice || buffer.device();
        for (const Buffer& buffer : weightBuffers) anyDevice = anyDevice || buffer.device();
        const auto perBuffer = buffersOf(measured, "kv_per_buf_mib");
        bool partial = false;
        if (!offloaded.empty() && offloaded != "all") {
          const std::size_t slash = offloaded.find('/');
          const auto some = firstNumber(offloaded);
          const auto all =
              slash == std::string::npos ? some : firstNumber(offloaded.substr(slash + 1));
          if (some && all && *some < *all && anyDevice) {
            partial = true;
            query.set(Key::kGpuLayers, static_cast<std::int64_t>(*some));
          }
        }
        if (const auto n = numberIn(settings, "n_gpu_layers")) {
          partial = true;
          query.set(Key::kGpuLayers, static_cast<std::int64_t>(*n));
        }
        // Devices that hold layers; the CPU alone stands for one device.
        std::size_t devices = 0;
        for (const Buffer& buffer : computeBuffers) devices += buffer.device() ? 1 : 0;
        const bool byOffload = [&] {
          for (const Buffer& buffer : computeBuffers) {
            if (contains(buffer.name, "full") || contains(buffer.name, "partial")) return true;
          }
          return false;
        }();
        if (byOffload) devices = 1;
        if (devices == 0) {
          for (const Buffer& buffer : perBuffer) devices += buffer.device() ? 1 : 0;
        }
        if (devices == 0) {
          for (const Buffer& buffer : weightBuffers) devices += buffer.device() ? 1 : 0;
        }
        devices = std::max<std::size_t>(devices, 1);
        query.set(Key::kPp,
                  static_cast<std::int64_t>(std::min(devices, model->architecture.layerCount())));

        // The file.
        const std::string quant(settings.valid() && settings.isText("quant")
                                    ? settings.text({"quant"}).value_or("")
                                    : "");
        auto fileType = fileTypeOf(quant);
        if (!fileType && quant.empty()) fileType = fileTypeOf(name);
        if (fork && !ik) leave("a fork");
        query.set(Key::kWeights, fileType.value_or(WeightFormat::kQ4KM));

        // Tied in the model, but the file may store its head apart: then it has more parameters.
        std::shared_ptr<const Model> subject = model;
        if (model->architecture.tied && row.child("arch").valid()) {
          const double parameters =
              numberIn(row.child("arch"), "n_params").value_or(0) *
              (contains(words(row.child("arch"), "n_params"), "b") ? 1e9 : 1e6);
          const double head = (model->architecture.vocab * model->architecture.hidden).toDouble();
          const double apart = model->inventory.parameters(Part::kMain).toDouble() + head;
          if (parameters > 0 && std::fabs(parameters / apart - 1) < 0.005) {
            auto untied = std::make_shared<Model>(*model);
            untied->architecture.tied = false;
            untied->inventory = TensorInventory(untied->architecture);
            subject = untied;
          }
        }
        {
          double host = 0;
          double all = 0;
          for (const Buffer& buffer : weightBuffers) {
            all += buffer.mib;
            if (!buffer.device()) host += buffer.mib;
          }
          release.tensorOverrides = !partial && anyDevice && host > 0.3 * all;
        }
        const Run run = runOf(query, *subject, release);

        // Weights: the file's size, or the devices' buffers of a whole offload.
        const auto sizeGib = numberIn(measured, "model_size_gib");
        const auto sizeMib = numberIn(measured, "model_size_mib");
        const double size = sizeGib ? *sizeGib * 1024 : sizeMib.value_or(0);
        const double onDevices = sumOf(weightBuffers, true);
        const double onHost = sumOf(weightBuffers, false);
        const bool ollamaMade =
            contains(engine, "ollama") && settings.valid() && settings.has("tensor_type_counts");
        // The log prints the bits a weight of its file: far from the recipe's, it is another mix
        // under
        // the same label (Unsloth's dynamic files keep the nearest one).
        const double printedBits = numberIn(measured, "bpw").value_or(0);
        const double recipeBits =
            run.fileBytes.toDouble() * 8 / subject->inventory.parameters(Part::kMain).toDouble();
        const bool otherMix =
            fileType && printedBits > 0 && std::fabs(printedBits / recipeBits - 1) > 0.02;
        const bool requantized = ollamaMade || contains(toLower(name), "qat") ||
                                 contains(words(row, "note"), "old per-expert");
        if (size > 0 || !weightBuffers.empty()) {
          if (!fileType) {
            leave(cat("weights: the file type ", quoted(quant.empty() ? "(not stated)" : quant),
                      " is a mix or a fork's own"));
          } else if (otherMix) {
            leave(cat("weights: the log prints ", formatFixed(printedBits, 2),
                      " bits a weight, the recipe of ", quoted(quant), " gives this model ",
                      formatFixed(recipeBits, 2), ": another mix under the label"));
          } else if (requantized) {
            leave("weights: the file was made by another quantizer or by hand");
          } else if (onDevices > 0 && !partial && onDevices > 0.7 * (onDevices + onHost) &&
                     onDevices + onHost > 0.95 * size) {
            compare("weights", run.weights, onDevices);
          } else if (size > 0) {
            // Sizes in GiB have two decimals too.
            compare("weights", Band::exact(run.fileBytes), size, sizeGib ? 5.12 : 0.005);
          } else if (onDevices == 0 && onHost > 0 && weightBuffers.size() == 1) {
            compare("weights", Band::exact(run.fileBytes), onHost);
          } else {
            leave("weights: which tensors were moved to the host is not stated");
          }
        }

        // Cache and state.
        auto kv = numberIn(measured, "kv_mib");
        const auto windowPart = numberIn(measured, "kv_swa_mib");
        const auto wholePart = numberIn(measured, "kv_nonswa_mib");
        const bool batchStated = numberIn(settings, "n_ubatch").has_value();
        bool wholeOnly = false;
        if (windowPart && wholePart) {
          // A window's cells depend on the physical batch.
          wholeOnly = !batchStated;
          kv = wholeOnly ? *wholePart : *windowPart + *wholePart;
          if (wholeOnly) leave("kv_cache of the windows: the physical batch is not stated");
        }
        if (kv) {
          if (mla && *mla == 1 && isLatent) {
            leave("kv_cache: mla_attn 1 keeps a transposed copy, which only the fork does");
          } else if (contains(words(settings, "type_k"), "turbo")) {
            leave("kv_cache: a fork's type");
          } else if (!context) {
            leave("kv_cache: the context is not stated");
          } else if (contains(subject->architecture.family, "deepseek_v4")) {
            leave("kv_cache: the line holds the windows alone, compressed entries come on top");
          } else if (numberIn(measured, "kv2_mib")) {
            leave("kv_cache: a second cache of unknown layout");
          } else if (*kv > 0) {
            compare("kv_cache", wholeOnly ? run.wholeKv : run.kv, *kv);
          }
        }
        if (const auto state = numberIn(measured, "rs_mib")) {
          const double copies = 1 + numberIn(settings, "n_rs_seq").value_or(0);
          // A unified cache still has a state a slot.
          const double times = copies * (unified ? slots : 1);
          const double cells = context ? 1.0 : slots;
          Band band = run.state;
          const auto scale = [&](Bytes bytes) {
            return Bytes(static_cast<std::uint64_t>(bytes.toDouble() * times * cells));
          };
          band = {scale(band.low), scale(band.expected), scale(band.high)};
          compare("recurrent_state", band, *state);
        }

        // The compute buffer.
        if (!computeBuffers.empty()) {
          double largest = 0;
          for (const Buffer& buffer : computeBuffers) {
            if (buffer.device() || !anyDevice) largest = std::max(largest, buffer.mib);
          }
          const auto blocks = numberIn(settings, "attn_max_b");
          if (ik && ((mla && *mla > 0) || (blocks && *blocks > 0) || isLatent)) {
            leave("compute_buffer: attention in blocks (-mla, -amb) is the fork's own");
          } else if (!context) {
            leave("compute_buffer: the context is not stated");
          } else if (byOffload) {
            for (const Buffer& buffer : computeBuffers) {
              const bool whole = contains(buffer.name, "full");
              if (!whole && !fileType) {
                leave("compute_buffer at partial offload: the file type is not stated");
                continue;
              }
              Query asked = query;
              if (!whole) {
                asked.set(Key::kGpuLayers,
                          static_cast<std::int64_t>(firstNumber(buffer.name).value_or(1)));
              }
              const Run part = runOf(asked, *subject, release);
              section.add("compute_buffer", sample(cat(id, whole ? " full" : " partial"),
                                                   part.compute, buffer.mib * kMibBytes));
              ++compared;
            }
          } else if (draftInRow(name)) {
            leave("compute_buffer: a draft context shares it");
          } else if (partial && !fileType) {
            leave("compute_buffer: the staged tensor's type is not known");
          } else if (largest > 0) {
            compare("compute_buffer", run.compute, largest);
          }
        }

        // Totals: model, context and compute together, without the device's own.
        if (const auto total = numberIn(measured, "total_mib"); total && fileType) {
          compare("total", run.total, *total);
        } else if (total) {
          leave("total: the file type is not stated");
        }
        const ConfigView breakdown =
            measured.valid() ? measured.child("breakdown_mib") : ConfigView();
        if (breakdown.valid()) {
          for (const auto& [part, values] : breakdown.members()) {
            if (toLower(part) == "host" || !context) continue;
            if (!fileType || partial) {
              leave("breakdown: the file's mix, or what stayed on the host, is not stated");
              continue;
            }
            if (const auto n = values.number({"model"})) compare("weights", run.weights, *n, 0.5);
            if (const auto n = values.number({"context"}); n && *n > 0) {
              Band contextBand = run.kv;
              contextBand += run.state;
              compare("kv_cache", contextBand, *n, 0.5);
            }
            if (const auto n = values.number({"compute"}))
              compare("compute_buffer", run.compute, *n);
            if (const auto n = values.number({"self"})) compare("total", run.total, *n);
          }
        }

        if (compared > 0) {
          ++section.mapped;
          for (std::string& why : left) section.inexact.push_back({id, std::move(why)});
          return;
        }
        std::string why;
        for (const std::string& each : left) why += cat(why.empty() ? "" : "; ", each);
        refuse(why.empty()
                   ? "The row states too little of its settings, or measured nothing of these "
                     "components."
                   : why + ".");
      });
  if (!rows) return rows.error();
  section.rows = *rows;
  return section;
}

}  // namespace memfit::accuracy
