// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/training_setup.h"

#include "base/text.h"
#include "memory/adapters.h"
#include "memory/parallelism.h"

namespace memfit {

namespace {

void assume(Notices& notices, std::string_view field, std::string_view message) {
  notices.push_back({NoticeCode::kAssumption, std::string(field), "", "", std::string(message)});
}

// The formats that a frozen base is trained on in practice; anything else is 16-bit.
void chooseBase(TrainingSetup& setup, const Query& query, Notices& notices) {
  const auto format = query.choice<WeightFormat>(Key::kWeights);
  switch (format) {
    case WeightFormat::kNf4:
      setup.format =
          query.choice<OnOff>(Key::kDoubleQuant) == OnOff::kOn ? Format::kNf4Double : Format::kNf4;
      break;
    case WeightFormat::kInt8:
    case WeightFormat::kFp8: setup.format = Format::kInt8; break;
    case WeightFormat::kAwq4:
    case WeightFormat::kGptq4: setup.format = Format::kInt4Group128; break;
    case WeightFormat::kGptq8: setup.format = Format::kInt8Group128; break;
    case WeightFormat::kMxfp4: setup.format = Format::kMxfp4; break;
    case WeightFormat::kFp32:
      setup.format = Format::kFp32;
      setup.weightBytes = 4;
      return;
    case WeightFormat::kBf16:
    case WeightFormat::kFp16: return;
    case WeightFormat::kStored:
      if (!setup.model->quantization.name.empty() && setup.model->quantization.bits == 4) {
        setup.format = Format::kInt4Group128;
        break;
      }
      return;
    default:
      assume(notices, "weights",
             "This format is not trained on; the frozen base is taken in 16 bits. Accepted for "
             "training: bf16, fp16, fp32, int8, nf4, gptq4, gptq8, awq4, mxfp4.");
      return;
  }
  if (!setup.adapters) {
    if (query.has(Key::kWeights)) {
      assume(notices, "weights",
             "Full fine-tuning trains the weights themselves, in the data type of the recipe; a "
             "quantized format has no effect.");
    }
    setup.format = Format::kBf16;
    return;
  }
  setup.quantized = true;
  const std::optional<Format> own = setup.habits->ownBlocks;
  if (own && setup.format != Format::kInt8) setup.format = *own;
}

void chooseTypes(TrainingSetup& setup) {
  const bool fullShard = setup.spread.zero == 3;
  setup.fsdp = fullShard && setup.habits->sharding == Sharding::kTorch;
  setup.computeBytes = 2;
  setup.weightBytes = 2;
  setup.gradBytes = 2;
  setup.masterBytes = 0;
  switch (setup.recipe) {
    case Recipe::kMixed:
      setup.gradBytes = setup.habits->mixedGradBytes;
      setup.masterBytes = 4;
      setup.autocast = setup.habits->autocasts;
      if (setup.fsdp && setup.habits->shardsIn32 && !setup.adapters) {
        // The 32-bit shard is the master copy; 16-bit weights exist only while gathered.
        setup.weightBytes = 0;
        setup.gradBytes = 4;
      }
      break;
    case Recipe::kBf16: break;
    case Recipe::kAutocast:
      setup.weightBytes = 4;
      setup.gradBytes = 4;
      setup.autocast = true;
      break;
    case Recipe::kFp32:
    case Recipe::kCount:
      setup.weightBytes = 4;
      setup.gradBytes = 4;
      setup.computeBytes = 4;
      break;
  }
  if (setup.adapters) {
    // The base is frozen in the format of `weights`; autocast computes on it.
    setup.masterBytes = 0;
    setup.gradBytes = 2;
    if (setup.recipe != Recipe::kFp32) setup.weightBytes = 2;
  }
  setup.residualBytes = setup.computeBytes;
  setup.adapterBytes = setup.recipe == Recipe::kFp32 ? Count(4) : setup.habits->adapterBytes;
}

}  // namespace

bool TrainingSetup::trains(const TensorGroup& group) const {
  if (group.part != Part::kMain) return !adapters && group.part == Part::kNextTokens;
  if (!adapters) return true;
  const bool embedding = saved == SaveModules::kEmbed || saved == SaveModules::kEmbedHead;
  const bool head = saved == SaveModules::kHead || saved == SaveModules::kEmbedHead;
  const bool tiedHead = head && model->architecture.tied;
  return ((embedding || tiedHead) && group.role == Role::kTokenEmbedding) ||
         (head && group.role == Role::kOutputHead);
}

bool TrainingSetup::adapts(Role role) const {
  if (!adapters) return false;
  const LoraTarget target = roleTraits(role).lora;
  if (target == LoraTarget::kNone) return false;
  if (targeted(target)) return true;
  return target == LoraTarget::kQkv && (partialQkv[0] || partialQkv[1] || partialQkv[2]);
}

bool TrainingSetup::adapts(const TensorGroup& group) const {
  return group.part == Part::kMain && group.kind == TensorKind::kMatrix && adapts(group.role);
}

bool TrainingSetup::keepsInputs() const { return !adapters || habits->keepsFrozenInputs; }

bool TrainingSetup::quantizes(const TensorGroup& group) const {
  if (!quantized || group.kind != TensorKind::kMatrix || group.part != Part::kMain) return false;
  if (!roleTraits(group.role).linear) return false;
  const bool expert = roleTraits(group.role).lora == LoraTarget::kExpert;
  return !expert || quantizesExperts;
}

TrainingSetup trainingSetup(const Query& query, const Model& model, Notices& notices) {
  TrainingSetup setup;
  setup.model = &model;
  setup.habits = &trainerHabits(query.choice<Trainer>(Key::kTrainer));
  setup.family = &familyHabits(model.architecture.family);
  setup.task = query.task();
  setup.adapters = setup.task == Task::kLora || setup.task == Task::kQlora;
  setup.optimizer = query.choice<Optimizer>(Key::kOptimizer);
  setup.recipe = query.choice<Recipe>(Key::kRecipe);
  setup.spread = parallelismOf(query);
  setup.shards = setup.spread.dp * setup.spread.cp;
  setup.checkpointing = query.choice<Checkpointing>(Key::kCheckpointing);
  setup.attention = query.choice<AttentionKernel>(Key::kAttention);
  setup.loss = query.choice<Loss>(Key::kLoss);
  setup.offload = query.choice<Offload>(Key::kOffload);
  setup.saved = setup.adapters ? query.choice<SaveModules>(Key::kSaveModules) : SaveModules::kNone;
  setup.kernels = query.choice<Kernels>(Key::kKernels);
  if (setup.kernels == Kernels::kAuto) setup.kernels = setup.habits->kernels;
  setup.step = query.choice<StepKernel>(Key::kStep);
  if (setup.step == StepKernel::kAuto) {
    setup.step = setup.habits->foreachStep ? StepKernel::kForeach : StepKernel::kFused;
  }
  const auto parallel = query.choice<OnOffAuto>(Key::kSequenceParallel);
  setup.sequenceParallel =
      setup.spread.tp > 1 && (parallel == OnOffAuto::kOn || (parallel == OnOffAuto::kAuto));

  chooseTypes(setup);
  chooseBase(setup, query, notices);
  const auto upcast = query.choice<OnOffAuto>(Key::kUpcast);
  // TRL stopped the 32-bit upcast in November 2025 (trl pull request 4457): auto is off. Under full
  // sharding it never took place: one flat parameter has one data type.
  setup.upcast = setup.quantized && upcast == OnOffAuto::kOn && !setup.fsdp;
  setup.plainIn32 = setup.quantized && setup.habits->plainIn32;
  if (setup.plainIn32) setup.upcast = true;
  if (setup.upcast) setup.residualBytes = 4;
  const auto experts = query.choice<OnOffAuto>(Key::kQuantExperts);
  setup.quantizesExperts =
      experts == OnOffAuto::kOn || (experts == OnOffAuto::kAuto && !setup.family->stackedExperts);

  setup.rank = query.count(Key::kRank);
  setup.dropout = query.count(Key::kLoraDropout) > 0;
  setup.dora = query.flag(Key::kDora);
  if (setup.adapters) readTargets(query.text(Key::kTargets), setup, notices);
  setup.gradientsStay = setup.habits->gradientBuffer || query.count(Key::kAccumulation) > 1;
  return setup;
}

}  // namespace memfit
