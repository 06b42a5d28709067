// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/inference.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "base/text.h"
#include "memory/engine_parts.h"
#include "memory/kept_plans.h"
#include "memory/parallelism.h"
#include "model/layer_facts.h"

namespace memfit {

namespace {

void notice(Notices* notices, NoticeCode code, std::string_view field, std::string message) {
  if (notices == nullptr) return;
  notices->push_back({code, std::string(field), "", "", std::move(message)});
}

KvFormats kvFormatsOf(const Query& query, const Model& model, const EngineModel& engine) {
  KvFormat both = query.choice<KvFormat>(Key::kKv);
  // A checkpoint may ask for an 8-bit cache.
  if (engine.followsCheckpointCache && !query.has(Key::kKv) && model.quantization.fp8Cache &&
      query.choice<WeightFormat>(Key::kWeights) == WeightFormat::kStored) {
    both = KvFormat::kFp8;
  }
  KvFormats formats{both, both};
  if (query.has(Key::kKvK)) formats.keys = query.choice<KvFormat>(Key::kKvK);
  if (query.has(Key::kKvV)) formats.values = query.choice<KvFormat>(Key::kKvV);
  return formats;
}

// What the engine does not do as asked; the bytes are those of what was asked all the same.
void noticeMismatches(const Query& query, const Model& model, const EngineModel& engine,
                      const KvFormats& kv, Notices* notices) {
  if (notices == nullptr) return;
  const auto word = [](Key key, std::size_t index) { return fieldOf(key).values[index]; };
  const std::string_view name = word(Key::kEngine, static_cast<std::size_t>(engine.engine));
  const WeightFormat format = weightFormatOf(query, model);
  if (!engine.reads.has(format)) {
    notice(notices, NoticeCode::kAssumption, "weights",
           cat(name, " does not read weights as ",
               word(Key::kWeights, static_cast<std::size_t>(format)),
               "; their bytes are counted all the same."));
  }
  if (!engine.caches.has(kv.keys) || !engine.caches.has(kv.values)) {
    notice(notices, NoticeCode::kAssumption, "kv",
           cat(name, " has no cache of ggml's block types; its bytes are counted all the same."));
  }
  if (engine.quantizedValuesNeedFlash && KvFormats{KvFormat::kBf16, kv.values}.quantized() &&
      query.choice<AttentionKernel>(Key::kAttention) == AttentionKernel::kEager) {
    notice(notices, NoticeCode::kAssumption, "attention",
           cat(name, " quantizes values only with flash attention; both are counted as asked."));
  }
  const Bytes tower =
      model.inventory.parameters(Part::kVision) + model.inventory.parameters(Part::kAudio);
  if (engine.loadsTowers && tower > Count(0) && !query.has(Key::kVision)) {
    notice(notices, NoticeCode::kAssumption, "vision",
           cat("The model's towers for images or sound, ", groupDigits(tower.value()),
               " parameters, are left out; ", name, " loads them: vision=include counts them."));
  }
}

// A release that the engine cannot be asked about: the newest is used.
void noticeRelease(const Query& query, const EngineModel& engine, Notices* notices) {
  const Releases& releases = engine.releases;
  if (notices == nullptr || releases.read == nullptr || !query.has(Key::kRelease)) return;
  const std::string_view given = query.text(Key::kRelease);
  if (releases.read(given)) return;
  notices->push_back({NoticeCode::kUnknownValue, "release", std::string(given),
                      std::string(releases.accepted),
                      cat("\"release\" was given as ", quoted(given), "; it accepts ",
                          releases.accepted, ". The default is used.")});
}

// A window that is full costs nothing more a token; where every layer's is, the cost is that of a
// token inside.
CacheCost cacheCost(const StagePlan& stage, Count seq) {
  Bytes growing, inside, sequence = stage.statePerSequence;
  for (const CacheGroup& group : stage.caches) {
    sequence += group.bytesPerSequence(seq);
    if (group.entries > Count(0)) continue;
    const Bytes token = (group.perToken * group.slots).ceilDiv(group.tokensPerEntry);
    inside += token;
    if (group.limit == Count(0) || seq < group.limit) growing += token;
  }
  return {growing > Bytes(0) ? growing : inside, sequence};
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

std::vector<StagePlan> evenStages(const InferencePlan& plan) {
  const std::size_t layers = plan.architecture().layerCount();
  const auto pp = static_cast<std::size_t>(plan.parallelism().pp.value());
  std::vector<std::size_t> sizes(pp, layers / pp);
  const std::size_t rest = layers % pp;
  for (std::size_t i = 2; i < rest + 2; ++i) ++sizes[(2 * pp - i) % pp];
  std::vector<StagePlan> stages;
  std::size_t from = 0;
  for (const std::size_t size : sizes) {
    StagePlan stage;
    stage.first = from;
    stage.last = from += size;
    stages.push_back(std::move(stage));
  }
  stages.front().hasEmbedding = true;
  stages.back().hasHead = true;
  return stages;
}

InferencePlan::InferencePlan(const Query& query, const Model& model, Bytes deviceTotal,
                             Notices* notices)
    : query_(query),
      model_(&model),
      deviceTotal_(deviceTotal),
      engine_(&engineOf(query)),
      release_(releaseOf(*engine_, query)),
      parallelism_(parallelismOf(query)),
      policy_(model, weightFormatOf(query, model), *engine_),
      kvFormats_(kvFormatsOf(query, model, *engine_)) {
  // Context parallelism divides training; serving has none of its own here.
  parallelism_.cp = 1;
  parallelism_.zero = 0;
  noticeRelease(query, *engine_, notices);
  noticeMismatches(query, model, *engine_, kvFormats_, notices);
  const std::size_t layers = model.architecture.layerCount();
  if (parallelism_.pp > Count(layers)) {
    notice(notices, NoticeCode::kNotApplicable, "pp",
           cat("The model has ", layers,
               " layers, fewer than the pipeline stages that were asked "
               "for; as many stages are used."));
    parallelism_.pp = Count(layers);
  }
  split_ = splitOf(parallelism_, *engine_);
  if (engine_->padExperts != nullptr) engine_->padExperts(*this, split_);
  fraction_ = shareTaken(*engine_, query, deviceTotal);
  makeStages();
  if (layers % parallelism_.pp.value() != 0) {
    notice(notices, NoticeCode::kAssumption, "pp",
           cat("The layers do not divide evenly over ", parallelism_.pp.value(),
               " stages; the ledger is that of the heaviest."));
  }
  for (const Layer& layer : model.architecture.kinds) {
    for (const Mixer& mixer : layer.mixers) {
      const Count heads = evenlyCutHeadsOf(mixer);
      if (heads.value() % parallelism_.tp.value() == 0) continue;
      notice(notices, NoticeCode::kAssumption, "tp",
             cat(heads.value(), " query heads do not divide over ", parallelism_.tp.value(),
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
      causal = causal || isCausal(mixer);
      const auto widths = attentionWidthsOf(mixer);
      if (!widths) continue;
      const Count heads = widths->heads.ceilDiv(tp);
      const Count local = max(widths->kvHeads / tp, 1);
      s.heads = max(s.heads, heads);
      s.headDim = max(s.headDim, widths->headDim);
      s.queryWidth = max(s.queryWidth, heads * widths->query);
      s.keyWidth = max(s.keyWidth, local * widths->key);
      s.valueWidth = max(s.valueWidth, local * widths->value);
    }
    for (const FeedForward& feedForward : layer.feedForwards) {
      const FeedForwardWidths widths = widthsOf(feedForward);
      s.intermediate = max(s.intermediate, widths.intermediate.ceilDiv(tp));
      if (widths.intermediate > Count(0)) s.gated = widths.gated;
      s.expertsPerToken = max(s.expertsPerToken, widths.expertsPerToken);
      s.expertIntermediate =
          max(s.expertIntermediate, widths.expertIntermediate.ceilDiv(split_.expertSlices));
    }
  }
  s.encoder = !causal;
  return s;
}

void InferencePlan::makeStages() {
  std::vector<StagePlan> stages =
      engine_->stages != nullptr ? engine_->stages(*this) : evenStages(*this);
  assert(!stages.empty());
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
  report.release = releaseName(*engine_, query_);
  report.ledger = stage.fixed;
  engine_->ledger(*this, stage, load, report.ledger);

  report.kv = cacheCost(stage, load.seq);
  report.capacity = capacity(load, report.ledger);
}

std::optional<Capacity> InferencePlan::capacity(const Load& load, const Ledger& ledger) const {
  if (engine_->share == nullptr || deviceTotal_ == Bytes(0)) return std::nullopt;
  Capacity fits = leastCapacity(load.seq);
  for (const Entry& entry : ledger.entries()) {
    if (entry.where == Where::kDevice && engine_->shareCovers.has(stayOf(entry.component))) {
      fits.needed += entry.bytes.high;
    }
  }
  return fits;
}

std::optional<Capacity> InferencePlan::capacity(const Load& load) const {
  if (engine_->share == nullptr || deviceTotal_ == Bytes(0)) return std::nullopt;
  const StagePlan& stage = heaviest(load);
  Ledger ledger = stage.fixed;
  engine_->ledger(*this, stage, load, ledger);
  return capacity(load, ledger);
}

Status runInference(Report& report) {
  const auto kept = inferencePlan(report.query, report.model, report.deviceTotal);
  report.notices.insert(report.notices.end(), kept->notices.begin(), kept->notices.end());
  kept->plan.write(loadOf(report.query), report);
  return Done{};
}

}  // namespace memfit
