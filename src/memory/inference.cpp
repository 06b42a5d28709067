// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/inference.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <variant>

#include "base/text.h"
#include "memory/engine_parts.h"
#include "memory/kept_plans.h"
#include "memory/parallelism.h"

namespace memfit {

namespace {

const EngineModel* const kEngines[] = {&kTransformersModel, &kVllmModel, &kSglangModel,
                                       &kLlamaCppModel, &kMlxModel};

void notice(Notices* notices, NoticeCode code, std::string_view field, std::string message) {
  if (notices == nullptr) return;
  notices->push_back({code, std::string(field), "", "", std::move(message)});
}

KvFormats kvFormatsOf(const Query& query, const Model& model, Engine engine) {
  KvFormat both = query.choice<KvFormat>(Key::kKv);
  const bool paged = engine == Engine::kVllm || engine == Engine::kSglang;
  // A checkpoint may ask for an 8-bit cache.
  if (paged && !query.has(Key::kKv) && model.quantization.fp8Cache &&
      query.choice<WeightFormat>(Key::kWeights) == WeightFormat::kStored) {
    both = KvFormat::kFp8;
  }
  KvFormats formats{both, both};
  if (query.has(Key::kKvK)) formats.keys = query.choice<KvFormat>(Key::kKvK);
  if (query.has(Key::kKvV)) formats.values = query.choice<KvFormat>(Key::kKvV);
  return formats;
}

bool isPlain(WeightFormat format) {
  return format == WeightFormat::kBf16 || format == WeightFormat::kFp16 ||
         format == WeightFormat::kFp32 || format == WeightFormat::kStored;
}

// What the engine does not do as asked; the bytes are those of what was asked all the same.
void noticeMismatches(const Query& query, const Model& model, Engine engine, const KvFormats& kv,
                      Notices* notices) {
  if (notices == nullptr) return;
  const auto word = [](Key key, std::size_t index) { return fieldOf(key).values[index]; };
  const std::string_view name = word(Key::kEngine, static_cast<std::size_t>(engine));
  const WeightFormat format = weightFormatOf(query, model);
  const bool mlxFormat = format == WeightFormat::kMlx4 || format == WeightFormat::kMlx8;
  const bool odd = engine == Engine::kLlamaCpp ? !isPlain(format) && !isGgufFileType(format)
                   : engine == Engine::kMlx    ? !isPlain(format) && !mlxFormat
                                               : mlxFormat;
  if (odd) {
    notice(notices, NoticeCode::kAssumption, "weights",
           cat(name, " does not read weights as ",
               word(Key::kWeights, static_cast<std::size_t>(format)),
               "; their bytes are counted all the same."));
  }
  const auto ggmlOnly = [](KvFormat one) {
    return one >= KvFormat::kQ8_0 && one <= KvFormat::kIq4Nl;
  };
  const bool blocks = ggmlOnly(kv.keys) || ggmlOnly(kv.values);
  if (blocks && engine != Engine::kLlamaCpp) {
    notice(notices, NoticeCode::kAssumption, "kv",
           cat(name, " has no cache of ggml's block types; its bytes are counted all the same."));
  }
  if (engine == Engine::kLlamaCpp && KvFormats{KvFormat::kBf16, kv.values}.quantized() &&
      query.choice<AttentionKernel>(Key::kAttention) == AttentionKernel::kEager) {
    notice(notices, NoticeCode::kAssumption, "attention",
           "llama.cpp quantizes values only with flash attention; both are counted as asked.");
  }
  const bool serves =
      engine == Engine::kVllm || engine == Engine::kSglang || engine == Engine::kTransformers;
  const Bytes tower =
      model.inventory.parameters(Part::kVision) + model.inventory.parameters(Part::kAudio);
  if (serves && tower > Count(0) && !query.has(Key::kVision)) {
    notice(notices, NoticeCode::kAssumption, "vision",
           cat("The model's towers for images or sound, ", groupDigits(tower.value()),
               " parameters, are left out; ", name, " loads them: vision=include counts them."));
  }
}

// How vLLM divides layers over pipeline stages (distributed/utils.py get_pp_indices): what is left
// over goes one each to the stages before the last.
std::vector<std::size_t> stageSizes(std::size_t layers, std::size_t stages) {
  std::vector<std::size_t> sizes(stages, layers / stages);
  const std::size_t rest = layers % stages;
  for (std::size_t i = 2; i < rest + 2; ++i) ++sizes[(2 * stages - i) % stages];
  return sizes;
}

}  // namespace

WeightFormat weightFormatOf(const Query& query, const Model& model) {
  const bool read = model.stored && model.stored->complete && !model.stored->tensors.empty();
  return read && !query.has(Key::kWeights) ? WeightFormat::kStored
                                           : query.choice<WeightFormat>(Key::kWeights);
}

Load loadOf(const Query& query) {
  return {query.count(Key::kSeq), query.count(Key::kBatch), query.count(Key::kConcurrency)};
}

const EngineModel& engineModel(Engine engine) {
  return *kEngines[static_cast<std::size_t>(engine)];
}

double defaultFraction(Engine engine, Bytes total, const Query& query) {
  if (query.has(Key::kUtilization) && engineModel(engine).takesFraction) {
    return static_cast<double>(query.number(Key::kUtilization)) / 1e6;
  }
  if (engine == Engine::kVllm) return 0.92;  // vllm/config/cache.py, 2026-08
  if (engine != Engine::kSglang) return 0;
  // sglang server_args.py, 2026-07: (total - reserve) / total, the reserve by tiers of the device.
  if (total == Bytes(0)) return 0.88;
  const double mib = total.toDouble() / 1048576.0;
  const Parallelism spread = parallelismOf(query);
  const double tp = spread.tp.toDouble();
  const bool wide = spread.tp >= Count(4);
  struct Tier {
    double below, chunk, graphs, graphsWide;
  };
  constexpr Tier kTiers[] = {{20000, 2048, 8, 8},      {35000, 2048, 24, 80},
                             {60000, 4096, 32, 160},   {90000, 8192, 256, 512},
                             {160000, 8192, 256, 512}, {1e12, 16384, 512, 512}};
  const Tier* tier = kTiers;
  while (mib >= tier->below) ++tier;
  const double chunk = query.has(Key::kBatchedTokens)
                           ? static_cast<double>(query.number(Key::kBatchedTokens))
                           : tier->chunk;
  double reserve = 512 + 1.5 * std::max(chunk, 2048.0) +
                   2 * (wide ? tier->graphsWide : tier->graphs) +
                   tp * spread.pp.toDouble() / 8 * 1024;
  if (mib > 60 * 1024) reserve = std::max(reserve, 10240.0);
  return std::max((mib - reserve) / mib, 0.0);
}

Bytes shareOf(Bytes total, double fraction) {
  return Bytes(static_cast<std::uint64_t>(std::floor(total.toDouble() * fraction)));
}

InferencePlan::InferencePlan(const Query& query, const Model& model, Bytes deviceTotal,
                             const EngineRelease& release, Notices* notices)
    : query_(query),
      model_(&model),
      deviceTotal_(deviceTotal),
      release_(release),
      engine_(&engineModel(query.choice<Engine>(Key::kEngine))),
      parallelism_(parallelismOf(query)),
      policy_(model, weightFormatOf(query, model), engine_->engine),
      kvFormats_(kvFormatsOf(query, model, engine_->engine)) {
  // Context parallelism divides training; serving has none of its own here.
  parallelism_.cp = 1;
  parallelism_.zero = 0;
  noticeMismatches(query, model, engine_->engine, kvFormats_, notices);
  const std::size_t layers = model.architecture.layerCount();
  if (parallelism_.pp > Count(layers)) {
    notice(notices, NoticeCode::kNotApplicable, "pp",
           cat("The model has ", layers,
               " layers, fewer than the pipeline stages that were asked "
               "for; as many stages are used."));
    parallelism_.pp = Count(layers);
  }
  split_ = splitOf(parallelism_, engine_->engine);
  if (engine_->engine == Engine::kVllm && policy_.isMxfp4()) {
    // layers/quantization/mxfp4.py: Triton pads the model's width to 256, Marlin the expert's to
    // 128 too. gpt-oss's 2880 becomes 3072 (and 2944).
    split_.expertHiddenMultiple = 256;
    if (release_.marlin) split_.expertWidthMultiple = 128;
  }
  fraction_ = engine_->takesFraction ? defaultFraction(engine_->engine, deviceTotal, query) : 0;
  makeStages();
  if (layers % parallelism_.pp.value() != 0) {
    notice(notices, NoticeCode::kAssumption, "pp",
           cat("The layers do not divide evenly over ", parallelism_.pp.value(),
               " stages; the ledger is that of the heaviest."));
  }
  for (const Layer& layer : model.architecture.kinds) {
    for (const Mixer& mixer : layer.mixers) {
      const auto* full = std::get_if<FullAttention>(&mixer);
      if (full == nullptr || full->heads.value() % parallelism_.tp.value() == 0) continue;
      notice(notices, NoticeCode::kAssumption, "tp",
             cat(full->heads.value(), " query heads do not divide over ", parallelism_.tp.value(),
                 " devices, which engines refuse; the larger share is counted."));
      return;
    }
  }
}

StageShape InferencePlan::shapeOf(std::size_t first, std::size_t last, bool hasHead) const {
  const Architecture& a = model_->architecture;
  const Count tp = split_.tp;
  StageShape s;
  s.hidden = a.hidden;
  s.layers = last - first;
  if (hasHead && !a.noHead) {
    s.vocab = a.vocab.roundUp(split_.vocabularyMultiple);
  }
  bool causal = false;
  for (std::size_t i = first; i < last; ++i) {
    const Layer& layer = a.layer(i);
    for (const Mixer& mixer : layer.mixers) {
      if (const auto* full = std::get_if<FullAttention>(&mixer)) {
        const Count factor = full->gate == OutputGate::kDoubledQuery ? 2 : 1;
        const Count local = max(full->kvHeads / tp, 1);
        s.heads = max(s.heads, full->heads.ceilDiv(tp));
        s.headDim = max(s.headDim, full->headDim);
        s.queryWidth = max(s.queryWidth, full->heads.ceilDiv(tp) * full->headDim * factor);
        s.keyWidth = max(s.keyWidth, local * full->headDim);
        s.valueWidth = max(s.valueWidth, local * full->valueHeadDim);
        causal = causal || full->causal;
      } else if (const auto* latent = std::get_if<LatentAttention>(&mixer)) {
        s.heads = max(s.heads, latent->heads.ceilDiv(tp));
        s.queryWidth =
            max(s.queryWidth, latent->heads.ceilDiv(tp) * (latent->kvLoraRank + latent->ropeDim));
        s.keyWidth = max(s.keyWidth, latent->kvLoraRank + latent->ropeDim);
        s.headDim = max(s.headDim, latent->kvLoraRank + latent->ropeDim);
        causal = true;
      } else if (const auto* compressed = std::get_if<CompressedAttention>(&mixer)) {
        s.heads = max(s.heads, compressed->heads.ceilDiv(tp));
        s.queryWidth = max(s.queryWidth, compressed->heads.ceilDiv(tp) * compressed->headDim);
        s.keyWidth = max(s.keyWidth, compressed->headDim);
        causal = true;
      } else {
        causal = true;
      }
    }
    for (const FeedForward& feedForward : layer.feedForwards) {
      if (const auto* dense = std::get_if<DenseFfn>(&feedForward)) {
        s.intermediate = max(s.intermediate, dense->intermediate.ceilDiv(tp));
        s.gated = dense->gated;
      } else if (const auto* moe = std::get_if<MoeFfn>(&feedForward)) {
        s.expertsPerToken = max(s.expertsPerToken, moe->perToken);
        s.expertIntermediate =
            max(s.expertIntermediate, moe->intermediate.ceilDiv(split_.expertSlices));
      }
    }
  }
  s.encoder = !causal;
  return s;
}

void InferencePlan::makeStages() {
  const std::size_t layers = model_->architecture.layerCount();
  const auto pp = static_cast<std::size_t>(parallelism_.pp.value());
  std::vector<StagePlan> stages;
  if (engine_->engine == Engine::kLlamaCpp) {
    // The head counts as one more layer, after the others; the last gpu_layers of all go to the
    // devices, in even parts (llama-model.cpp, 2026-08).
    const std::size_t all = layers + 1;
    std::size_t onDevices = all;
    if (query_.has(Key::kGpuLayers)) {
      onDevices = std::min(all, static_cast<std::size_t>(query_.number(Key::kGpuLayers)));
    }
    const std::size_t start = all - onDevices;
    std::size_t from = start;
    for (std::size_t d = 0; d < pp; ++d) {
      std::size_t to = from;
      while (to < all && (to - start) * pp / onDevices == d) ++to;
      if (d + 1 == pp) to = all;
      StagePlan stage;
      stage.first = std::min(from, layers);
      stage.last = std::min(to, layers);
      stage.hasHead = to == all && onDevices > 0;
      from = to;
      stages.push_back(std::move(stage));
    }
  } else {
    std::size_t from = 0;
    for (const std::size_t size : stageSizes(layers, pp)) {
      StagePlan stage;
      stage.first = from;
      stage.last = from += size;
      stages.push_back(std::move(stage));
    }
    stages.front().hasEmbedding = true;
    stages.back().hasHead = true;
  }
  for (StagePlan& stage : stages) {
    stage.shape = shapeOf(stage.first, stage.last, stage.hasHead);
    engine_->prepare(*this, stage);
    stage.fixedDevice = stage.fixed.total(Where::kDevice);
  }
  stages_ = std::move(stages);
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const auto isKnown = [&](std::size_t known) { return stages_[i].isLike(stages_[known]); };
    if (std::none_of(distinct_.begin(), distinct_.end(), isKnown)) distinct_.push_back(i);
  }
}

bool StagePlan::isLike(const StagePlan& other) const {
  const auto key = [](const StagePlan& stage) {
    return std::tie(stage.hasEmbedding, stage.hasHead, stage.shape, stage.fixedDevice, stage.caches,
                    stage.hostCaches, stage.statePerSequence, stage.hostStatePerSequence,
                    stage.stagedTensor, stage.diffusion, stage.reserved);
  };
  // Towers lie on the stage of the first layer.
  return (first == 0) == (other.first == 0) && key(*this) == key(other);
}

const StagePlan& InferencePlan::heaviest(const Load& load) const {
  const StagePlan* heaviest = &stages_.front();
  if (distinct_.size() == 1) return *heaviest;
  Band most;
  for (const std::size_t i : distinct_) {
    const StagePlan& stage = stages_[i];
    Band sum = stage.fixedDevice;
    sum += engine_->sum(*this, stage, load);
    if (&stage == heaviest || sum.high > most.high) {
      heaviest = &stage;
      most = sum;
    }
  }
  return *heaviest;
}

Band InferencePlan::perDevice(const Load& load) const {
  const StagePlan& stage = heaviest(load);
  Band sum = stage.fixedDevice;
  sum += engine_->sum(*this, stage, load);
  return sum;
}

Capacity InferencePlan::leastCapacity(Count seq) const {
  Capacity least;
  least.fraction = fraction_;
  least.share = shareOf(deviceTotal_, fraction_);
  bool any = false;
  for (const std::size_t i : distinct_) {
    const StagePlan& stage = stages_[i];
    Capacity here;
    here.fraction = fraction_;
    here.share = least.share;
    here.pool = here.share - stage.reserved;
    if (engine_->charged != nullptr) here.pool = here.pool - engine_->charged(*this, stage, seq);
    Bytes perSequence = stage.statePerSequence;
    for (const CacheGroup& group : stage.caches) perSequence += group.bytesPerSequence(seq);
    if (perSequence == Bytes(0)) continue;
    here.sequences = here.pool / perSequence;
    const bool single = stage.caches.size() == 1 && stage.statePerSequence == Bytes(0) &&
                        stage.caches.front().limit == Count(0);
    if (single) {
      const CacheGroup& group = stage.caches.front();
      here.tokens = here.pool / (group.perToken * group.slots * group.block) * group.block *
                    group.tokensPerEntry;
    } else {
      // As vLLM prints it: the sequences that fit, in fractions, times their length.
      here.tokens = here.pool.scaled(seq, perSequence);
    }
    here.sequences = here.sequences * parallelism_.dp;
    here.tokens = here.tokens * parallelism_.dp;
    if (!any || here.tokens < least.tokens) least = here;
    any = true;
  }
  return least;
}

void InferencePlan::write(const Load& load, Report& report) const {
  const StagePlan& stage = heaviest(load);
  report.parallelism = parallelism_;
  report.devices = parallelism_.devices();
  report.ledger = stage.fixed;
  engine_->ledger(*this, stage, load, report.ledger);

  Bytes token, sequence = stage.statePerSequence;
  for (const CacheGroup& group : stage.caches) {
    sequence += group.bytesPerSequence(load.seq);
    if (group.entries > Count(0)) continue;
    if (group.limit > Count(0) && load.seq >= group.limit) continue;
    token += (group.perToken * group.slots).ceilDiv(group.tokensPerEntry);
  }
  report.kv = {token, sequence};
  report.capacity = capacity(load, report.ledger);
}

std::optional<Capacity> InferencePlan::capacity(const Load& load, const Ledger& ledger) const {
  if (!engine_->takesFraction || deviceTotal_ == Bytes(0)) return std::nullopt;
  Capacity fits = leastCapacity(load.seq);
  for (const Entry& entry : ledger.entries()) {
    if (entry.where == Where::kDevice && engine_->inside(entry.component)) {
      fits.needed += entry.bytes.high;
    }
  }
  return fits;
}

std::optional<Capacity> InferencePlan::capacity(const Load& load) const {
  if (!engine_->takesFraction || deviceTotal_ == Bytes(0)) return std::nullopt;
  const StagePlan& stage = heaviest(load);
  Ledger ledger = stage.fixed;
  engine_->ledger(*this, stage, load, ledger);
  return capacity(load, ledger);
}

Result<bool> runInference(Report& report) {
  const auto kept = inferencePlan(report.query, report.model, report.deviceTotal);
  report.notices.insert(report.notices.end(), kept->notices.begin(), kept->notices.end());
  kept->plan.write(loadOf(report.query), report);
  return true;
}

}  // namespace memfit
