// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_plan.h"

#include "memory/training_activations.h"
#include "memory/training_overhead.h"
#include "memory/training_sharding.h"
#include "memory/training_state.h"

namespace memfit {

namespace {

constexpr std::uint8_t bit(TrainingPhase phase) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(phase));
}
constexpr std::uint8_t kEvery = (1u << kPhases) - 1;
constexpr std::uint8_t kInLoss = bit(TrainingPhase::kLoss);
constexpr std::uint8_t kInHead = bit(TrainingPhase::kHead);
constexpr std::uint8_t kInBackward =
    bit(TrainingPhase::kBackward) | bit(TrainingPhase::kDequantize);
constexpr std::uint8_t kInEnd = bit(TrainingPhase::kBackwardEnd);
constexpr std::uint8_t kInStep = bit(TrainingPhase::kStep);

class StageMaker {
 public:
  StageMaker(const TrainingSetup& setup, const LossCost& loss, const StageRange& range,
             Count inFlight)
      : s_(setup),
        loss_(loss),
        range_(range),
        inFlight_(inFlight),
        state_(trainingState(setup, range)),
        zero_(setup.spread.zero) {
    weights();
    states();
    gradients();
    gathers();
    activations();
    if (range.head) head();
    step();
    if (optimizerRule(s_.optimizer).paged && s_.offload == Offload::kNone) {
      for (const bool expert : {false, true}) {
        stage_.managed += state_.optimizer[expert ? 1 : 0].ceilDiv(
            s_.adapters ? adapterDivisor(1, expert) : divisor(1, expert));
      }
    }
    sum();
  }

  TrainingStage take() { return std::move(stage_); }

 private:
  void add(const Term& term) {
    if (term.fixed == Count(0) && term.perToken == Count(0) && term.perScore == Count(0) &&
        term.perLive == Count(0)) {
      return;
    }
    stage_.terms.push_back(term);
  }

  // What ZeRO leaves of `bytes` from stage `from` on.
  Count divisor(int from, bool expert) const {
    if (zero_ < from) return 1;
    return expert ? state_.expertShards : s_.shards;
  }
  // Adapters in 32 bits do not fit the flat parameter of a quantized base: FSDP leaves them whole
  // on every device (seen in fms-acceleration's idle figures over 2 and 4 devices).
  bool wholeAdapters() const {
    return s_.fsdp && s_.quantized && s_.adapterBytes == Count(4) && s_.habits->shardsIn32;
  }
  Count adapterDivisor(int from, bool expert) const {
    return wholeAdapters() ? Count(1) : divisor(from, expert);
  }

  // elements x bytes each / N.
  void amount(Component component, Where where, std::uint8_t phases, Span span, Count elements,
              Count bytes, Count cut, std::string_view source, std::string_view note,
              bool steady = false) {
    if (elements == Count(0) || bytes == Count(0)) return;
    Term term;
    term.component = component;
    term.where = where;
    term.phases = phases;
    term.span = span;
    term.fixed = bytes.ceilDiv(cut);
    const double each = bytes.toDouble() / elements.toDouble();
    term.formula = cut == Count(1) ? "P * bytes" : "P * bytes / N";
    term.inputs.add("P", elements);
    term.inputs.add("bytes", each);
    if (cut != Count(1)) term.inputs.add("N", cut);
    term.source = source;
    term.note = note;
    if (steady && where == Where::kDevice) stage_.steady += term;
    add(term);
  }

  void weights() {
    const Where where = s_.offload == Offload::kAll ? Where::kHost : Where::kDevice;
    const std::string_view model = "the model's tensor shapes";
    for (const bool expert : {false, true}) {
      const std::size_t i = expert ? 1 : 0;
      const Count cut = divisor(3, expert);
      amount(Component::kWeights, where, kEvery, Span::kPersistent, state_.trained[i].elements,
             state_.trained[i].bytes, cut, model,
             expert ? "Trained expert weights." : "Trained weights.", true);
      amount(Component::kWeights, where, kEvery, Span::kPersistent, state_.frozen[i].elements,
             state_.frozen[i].bytes, cut, model,
             s_.upcast ? "Frozen and not quantized: embeddings, head and norms, in 32 bits "
                         "(prepare_model_for_kbit_training)."
                       : "Frozen weights that are not quantized.",
             true);
      amount(Component::kWeights, where, kEvery, Span::kPersistent, state_.packed[i].elements,
             state_.packed[i].bytes, cut,
             "block formats: bitsandbytes functional.py, AutoGPTQ; 2025",
             "Frozen weights in their quantized format, scales included.", true);
      amount(Component::kAdapters, where, kEvery, Span::kPersistent, state_.adapters[i].elements,
             state_.adapters[i].bytes, adapterDivisor(3, expert), s_.habits->source,
             "Low-rank adapters: r (in + out) for each matrix.", true);
    }
    if (state_.copies > Count(0)) {
      amount(Component::kWeights, where, kEvery, Span::kPersistent, state_.copies, state_.copies,
             divisor(3, false), "huggingface/peft utils/other.py (ModulesToSaveWrapper), 2025",
             "The frozen originals of modules_to_save stay beside the trained copies.", true);
    }
    Term blas;
    blas.component = Component::kFramework;
    blas.phases = kEvery;
    blas.fixed = kMiB * 65 / 4;
    blas.formula = "2 * 8.125 * MiB";
    blas.inputs = {{"MiB", 1048576.0}};
    blas.source = "pytorch CUBLAS_WORKSPACE_CONFIG :4096:2:16:8 on Ampere, 2024";
    blas.note = "Workspaces of cuBLAS, in the allocator.";
    if (!s_.habits->cuda) return;
    stage_.steady += blas;
    add(blas);
  }

  void states() {
    const Where where = s_.offload == Offload::kNone ? Where::kDevice : Where::kHost;
    const OptimizerRule& rule = optimizerRule(s_.optimizer);
    for (const bool expert : {false, true}) {
      const std::size_t i = expert ? 1 : 0;
      const Count cut = divisor(1, expert);
      amount(Component::kMasterWeights, where, kEvery, Span::kPersistent,
             state_.trained[i].elements, state_.trained[i].elements * s_.masterBytes, cut,
             s_.habits->source,
             s_.weightBytes == Count(0)
                 ? "FSDP with mixed precision: 32-bit shards; 16-bit weights only while gathered."
                 : "32-bit copy of the trained weights.",
             true);
      if (rule.paged) continue;  // see TrainingStage::managed
      amount(Component::kOptimizer, where, kEvery, Span::kPersistent,
             state_.trained[i].elements + state_.adapters[i].elements, state_.optimizer[i],
             s_.adapters ? adapterDivisor(1, expert) : cut, rule.source, rule.formula, true);
    }
  }

  // Bytes of all gradients of a part: of weights trained whole and of adapters.
  Bytes gradientBytes(std::size_t i) const {
    return state_.trained[i].elements * (s_.adapters ? s_.adapterBytes : s_.gradBytes) +
           state_.adapters[i].elements * s_.adapterBytes;
  }

  void gradients() {
    const Where where = s_.offload == Offload::kAll ? Where::kHost : Where::kDevice;
    const bool inBackward = s_.step == StepKernel::kBackward;
    if (inBackward) {
      amount(Component::kGradients, Where::kDevice, static_cast<std::uint8_t>(kInBackward | kInEnd),
             Span::kShared, state_.largestTrained, state_.largestTrained * s_.gradBytes, 1,
             "pytorch tutorial on optimizer step in backward, 2024",
             "Each gradient is used and freed at once: the largest tensor's at most.");
      return;
    }
    const bool stay = s_.gradientsStay;
    for (const bool expert : {false, true}) {
      const std::size_t i = expert ? 1 : 0;
      const Count elements = state_.trained[i].elements + state_.adapters[i].elements;
      const auto phases =
          stay || where == Where::kHost ? kEvery : static_cast<std::uint8_t>(kInEnd | kInStep);
      // Full sharding keeps its gradient shards after the step.
      amount(Component::kGradients, where, phases, stay ? Span::kPersistent : Span::kShared,
             elements, gradientBytes(i),
             s_.adapters ? adapterDivisor(2, expert) : divisor(2, expert), s_.habits->source,
             stay ? "Gradients live in a buffer through the whole step." : "All gradients.",
             stay || s_.fsdp);
    }
    if (!stay && where == Where::kDevice) {
      const Count first = state_.headTrained + state_.layerTrained;
      amount(Component::kGradients, where, kInBackward, Span::kOwn, first,
             first * (s_.fsdp       ? Count(2)
                      : s_.adapters ? s_.adapterBytes
                                    : s_.gradBytes),
             zero_ >= 2 ? s_.shards : Count(1), s_.habits->source,
             "Gradients so far: the head's and the last layer's.");
    }
  }

  void gathers() {
    for (const Term& term : gatherTerms(s_, state_)) add(term);
  }

  // Layers of the stage by kind: how many, and what one keeps.
  void activations() {
    const Architecture& a = s_.model->architecture;
    const Count along = s_.sequenceParallel ? s_.spread.tp : Count(1);
    const Count checkpoint = (a.hidden * s_.residualBytes).ceilDiv(along);
    LayerActivations heaviest;
    Count keptAll, selectiveAll, scoresAll;
    std::vector<LayerActivations> byKind;
    byKind.reserve(a.kinds.size());
    for (const Layer& kind : a.kinds) byKind.push_back(layerActivations(s_, kind));
    for (std::size_t i = range_.first; i < range_.last && i < a.layers.size(); ++i) {
      const LayerActivations& one = byKind[a.layers[i]];
      keptAll += one.kept() +
                 (s_.kernels == Kernels::kPlain && s_.habits->normIn32 ? Count(0) : one.output);
      selectiveAll += one.selective + checkpoint;
      scoresAll += one.scores;
      if (one.kept() + one.transient >= heaviest.kept() + heaviest.transient) heaviest = one;
    }
    const Count layers = range_.last - range_.first;
    const std::string_view source =
        "tensors that autograd saves, counted by role; checked against fms-acceleration runs, 2024";

    const bool none =
        s_.checkpointing == Checkpointing::kNone ||
        (s_.checkpointing == Checkpointing::kSelective && s_.habits->selectiveKeepsLayers);
    const auto upToBackward = static_cast<std::uint8_t>(kInLoss | kInHead | kInBackward);
    if (none) {
      perToken(upToBackward, Span::kShared, keptAll * inFlight_, keptAllScores(scoresAll),
               "What all layers keep for the backward pass.", source, Where::kDevice);
      perToken(kInEnd, Span::kOwn, heaviest.kept(), heaviest.scores, "What the first layer keeps.",
               source, Where::kDevice);
    } else if (s_.checkpointing == Checkpointing::kSelective) {
      perToken(upToBackward, Span::kShared, selectiveAll * inFlight_, 0,
               "Kept of each layer: its input and the outputs of half its products.",
               "pytorch/torchtitan selective activation checkpointing per op, 2024",
               Where::kDevice);
    } else if (s_.checkpointing == Checkpointing::kOffloaded) {
      perToken(static_cast<std::uint8_t>(upToBackward | kInEnd), Span::kShared, checkpoint * 2, 0,
               "Layer inputs on their way to and from the host: two.",
               "meta-pytorch/torchtune activation offloading, 2025", Where::kDevice);
      perToken(kEvery, Span::kPersistent, checkpoint * layers * inFlight_, 0,
               "The inputs of all layers.", "meta-pytorch/torchtune activation offloading, 2025",
               Where::kHost);
    } else {
      perToken(upToBackward, Span::kShared, checkpoint * layers * inFlight_, 0,
               "Gradient checkpointing: the input of every layer.", source, Where::kDevice);
      if (s_.fsdp && s_.adapters && s_.habits->holdsGradients && layers > 1) {
        // Hooks on the inputs of frozen units keep each layer's output gradient alive, and with it
        // the checkpoint: 62 hidden tensors for 32 layers at the end of the backward pass.
        perToken(kInEnd, Span::kOwn, checkpoint * (layers - 1) * 2, 0,
                 "Full sharding of a frozen base keeps every layer's input and gradient to the end "
                 "of the backward pass.",
                 "fms-acceleration FSDP runs, a100_80gb_liger.csv, 2024", Where::kDevice);
      } else {
        perToken(kInEnd, Span::kOwn, checkpoint, 0, "The input of the first layer.", source,
                 Where::kDevice);
      }
    }
    const auto backward = static_cast<std::uint8_t>(kInBackward | kInEnd);
    if (!none) {
      Term term = tokens(Component::kActivations, backward, Span::kShared,
                         heaviest.kept() + heaviest.output);
      term.perScore = heaviest.scores;
      term.formula = term.perScore == Count(0)
                         ? "ceil(b * s / cp) * (norms + mixers + ffn + adapters + output)"
                         : "ceil(b * s / cp) * (norms + mixers + ffn + adapters + output) + ceil(b "
                           "* s * s / cp) * scores";
      term.inputs = {{"norms", heaviest.norms.toDouble()},
                     {"mixers", heaviest.mixers.toDouble()},
                     {"ffn", heaviest.feedForward.toDouble()},
                     {"adapters", heaviest.adapters.toDouble()},
                     {"output", heaviest.output.toDouble()}};
      if (term.perScore != Count(0)) term.inputs.add("scores", heaviest.scores);
      term.source = source;
      term.note = "One layer's tensors, bytes a token by part: recomputed for its backward pass.";
      add(term);
    }
    perToken(static_cast<std::uint8_t>(bit(TrainingPhase::kBackward) | kInEnd), Span::kOwn,
             heaviest.transient + (none ? heaviest.output : Count(0)), heaviest.scoresTransient,
             "Gradients inside one layer, at its largest moment.", source, Where::kDevice);
    if (s_.dora && s_.adapters) {
      const auto phases =
          static_cast<std::uint8_t>(bit(TrainingPhase::kBackward) | kInEnd | kInLoss);
      amount(Component::kComputeBuffer, Where::kDevice, phases, Span::kOwn, state_.largestAdapted,
             state_.largestAdapted * s_.adapterBytes * 2, 1,
             "huggingface/peft tuners/lora/dora.py, 2025",
             "DoRA: the largest matrix with its adapter merged, for its norm, and that product.");
    }
    if (s_.quantized) {
      // While one matrix is unpacked only the gradient before and after it are there.
      perToken(bit(TrainingPhase::kDequantize), Span::kOwn, heaviest.transient.ceilDiv(2), 0,
               "Gradients before and after one matrix.", source, Where::kDevice);
      amount(Component::kComputeBuffer, Where::kDevice, bit(TrainingPhase::kDequantize), Span::kOwn,
             state_.largestLinear, state_.largestLinear, 1,
             "bitsandbytes autograd/_functions.py, 2025",
             "The largest quantized matrix of a layer, unpacked to 16 bits.");
    }
    if (s_.recipe == Recipe::kAutocast && !s_.adapters) {
      const auto phases = static_cast<std::uint8_t>(none ? upToBackward : kInLoss);
      amount(Component::kWeights, Where::kDevice, phases, Span::kOwn,
             state_.trained[0].elements + state_.trained[1].elements,
             (state_.trained[0].elements + state_.trained[1].elements) * 2, divisor(3, false),
             "pytorch autocast weight cache, 2024", "16-bit copies of the weights under autocast.");
    }
  }
  Count keptAllScores(Count scores) const { return scores * inFlight_; }

  Term tokens(Component component, std::uint8_t phases, Span span, Count bytes) const {
    Term term;
    term.component = component;
    term.phases = phases;
    term.span = span;
    term.perToken = bytes;
    return term;
  }

  void perToken(std::uint8_t phases, Span span, Count bytes, Count scores, std::string_view note,
                std::string_view source, Where where) {
    Term term = tokens(Component::kActivations, phases, span, bytes);
    term.where = where;
    term.perScore = scores;
    term.formula = scores == Count(0) ? "ceil(b * s / cp) * bytes"
                                      : "ceil(b * s / cp) * bytes + ceil(b * s * s / cp) * scores";
    term.inputs.add("bytes", bytes);
    if (scores != Count(0)) term.inputs.add("scores", scores);
    term.source = source;
    term.note = note;
    add(term);
  }

  void head() {
    Term norm =
        tokens(Component::kActivations, kInLoss, Span::kOwn, finalNormBytes(s_) + loss_.perToken);
    norm.formula = "ceil(b * s / cp) * (norm + gradient)";
    norm.inputs = {{"norm", finalNormBytes(s_).toDouble()},
                   {"gradient", loss_.perToken.toDouble()}};
    norm.source = loss_.source;
    norm.note = "The last hidden state and its norm.";
    add(norm);

    Term logits;
    logits.component = Component::kLogits;
    logits.phases = kInLoss;
    logits.span = Span::kOwn;
    logits.perLive = loss_.vocab * loss_.perLogit;
    logits.formula = "live * vocab * bytes";
    logits.inputs = {{"vocab", loss_.vocab.toDouble()}, {"bytes", loss_.perLogit.toDouble()}};
    logits.source = loss_.source;
    logits.note = loss_.note;
    add(logits);

    if (!loss_.headGradient && state_.headTrained > Count(0)) {
      // Back at the head: the logits' gradient in the compute type, and the weight gradient, which
      // a trainer with a 32-bit buffer makes in 16 bits and widens before it adds it.
      Term gradient = logits;
      gradient.phases = kInHead;
      gradient.perLive = loss_.vocab * s_.computeBytes;
      gradient.inputs = {{"vocab", loss_.vocab.toDouble()}, {"bytes", s_.computeBytes.toDouble()}};
      gradient.note = "The gradient of the logits.";
      add(gradient);
      const Count bytes = s_.habits->gradientBuffer ? Count(6) : s_.fsdp ? Count(2) : s_.gradBytes;
      amount(Component::kGradients, Where::kDevice, kInHead, Span::kOwn, state_.headTrained,
             state_.headTrained * bytes, 1,
             "simumax runs of Llama-3 405B over 1 to 8 tensor-parallel devices, 2025",
             "The head's weight gradient as it is made.");
    }

    Term every = logits;
    every.perLive = 0;
    every.perToken = loss_.vocab * loss_.everyLogit;
    every.formula = "ceil(b * s / cp) * vocab * bytes";
    every.inputs = {{"vocab", loss_.vocab.toDouble()}, {"bytes", loss_.everyLogit.toDouble()}};
    every.note = "The 16-bit logits of all chunks.";
    add(every);

    if (loss_.headGradient && state_.headTrained > Count(0) && s_.step != StepKernel::kBackward &&
        !s_.gradientsStay) {
      amount(Component::kGradients, Where::kDevice, kInLoss, Span::kShared, state_.headTrained,
             state_.headTrained * 2, 1, loss_.source,
             "The head's gradient, made together with the loss.");
    }
  }

  void step() {
    if (s_.offload != Offload::kNone || s_.step != StepKernel::kForeach) return;
    if (!optimizerRule(s_.optimizer).foreach) return;
    const Count wide = s_.masterBytes > Count(0) ? s_.masterBytes : s_.weightBytes;
    for (const bool expert : {false, true}) {
      const std::size_t i = expert ? 1 : 0;
      const Count elements = state_.trained[i].elements + state_.adapters[i].elements;
      amount(Component::kOptimizer, Where::kDevice, kInStep, Span::kOwn, elements,
             state_.trained[i].elements * wide + state_.adapters[i].elements * s_.adapterBytes,
             s_.adapters ? adapterDivisor(1, expert) : divisor(1, expert),
             "pytorch torch.optim foreach step; 10.00 bytes a weight in fms-acceleration, 2024",
             "Temporary of the foreach step, as large as the weights.");
    }
  }

  void sum() {
    for (const Term& term : stage_.terms) {
      if (term.where != Where::kDevice) continue;
      for (std::size_t phase = 0; phase < kPhases; ++phase) {
        if ((term.phases >> phase & 1u) != 0) stage_.phases[phase] += term;
      }
      // Phases of the backward pass use each other's blocks; loss and step have their own sizes.
      const bool onlyLater =
          term.span == Span::kOwn &&
          (term.phases & (kInLoss | kInStep | bit(TrainingPhase::kBackward))) == 0;
      if (!onlyLater) stage_.everything += term;
      if (term.span == Span::kOwn && (term.phases & (kInLoss | kInStep)) != 0) {
        stage_.others += term;
      }
      if (term.component == Component::kActivations) stage_.activations += term;
      if (term.component == Component::kLogits) stage_.logits += term;
    }
  }

  const TrainingSetup& s_;
  const LossCost& loss_;
  StageRange range_;
  Count inFlight_;
  TrainingState state_;
  int zero_;
  TrainingStage stage_;
};

}  // namespace

std::string_view phaseName(TrainingPhase phase) {
  constexpr std::string_view kNames[] = {"loss",       "head",         "backward",
                                         "dequantize", "backward-end", "step"};
  static_assert(std::size(kNames) == kPhases);
  return kNames[static_cast<std::size_t>(phase)];
}

TokenCounts TrainingPlan::countsAt(Count batch, Count seq) const {
  TokenCounts counts;
  counts.batch = batch;
  counts.seq = positions > 0 ? min(seq, positions) : seq;
  const Count all = counts.batch * counts.seq;
  counts.tokens = all.ceilDiv(cp);
  counts.scores = (all * counts.seq).ceilDiv(cp);
  counts.live = loss.liveTokens(counts.tokens, hidden);
  return counts;
}

TrainingTotals totalsAt(const TrainingPlan& plan, const TokenCounts& counts, Bytes deviceTotal) {
  TrainingTotals best;
  best.deviceTotal = deviceTotal;
  for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      const Bytes bytes = plan.stages[stage].phases[phase].at(counts);
      if (bytes <= best.allocated) continue;
      best.allocated = bytes;
      best.stage = stage;
      best.phase = static_cast<TrainingPhase>(phase);
    }
  }
  const TrainingStage& stage = plan.stages[best.stage];
  best.everything = max(stage.everything.at(counts), best.allocated);
  if (best.phase == TrainingPhase::kBackwardEnd) {
    best.everything = max(best.everything, best.allocated + stage.others.at(counts));
  }
  best.activations = stage.activations.at(counts);
  best.logits = stage.logits.at(counts);
  best.managed = stage.managed;
  addOverhead(plan, best);
  return best;
}

TrainingPlan planTraining(const Query& query, const TrainingSetup& setup) {
  TrainingPlan plan;
  const Architecture& a = setup.model->architecture;
  plan.loss = lossCost(setup);
  plan.hidden = a.hidden;
  plan.cp = setup.spread.cp;
  plan.positions = a.positions;
  plan.overhead = trainingOverhead(setup);

  // Pipeline stages: the first has the embedding and the most micro-batches in flight (1F1B), the
  // last the head and the loss.
  const std::size_t layers = a.layerCount();
  const Count stages = min(setup.spread.pp, max(Count(layers), 1));
  const std::size_t each = static_cast<std::size_t>(Count(layers).ceilDiv(stages).value());
  if (stages == Count(1)) {
    plan.stages.push_back(StageMaker(setup, plan.loss, {0, layers, true, true}, 1).take());
    return plan;
  }
  const Count accumulation = query.count(Key::kAccumulation);
  const Count inFlight = accumulation > Count(1) ? min(accumulation, stages) : stages;
  plan.stages.push_back(StageMaker(setup, plan.loss, {0, each, true, false}, inFlight).take());
  plan.stages.push_back(
      StageMaker(setup, plan.loss, {layers - each, layers, false, true}, 1).take());
  return plan;
}

}  // namespace memfit
