// memfit - SPDX-License-Identifier: Apache-2.0
#include "memory/adapters.h"

#include "base/text.h"
#include "model/layer_facts.h"

namespace memfit {

namespace {

constexpr std::uint32_t bit(LoraTarget target) { return 1u << static_cast<unsigned>(target); }

constexpr std::uint32_t kAttentionTargets = bit(LoraTarget::kQ) | bit(LoraTarget::kK) |
                                            bit(LoraTarget::kV) | bit(LoraTarget::kQkv) |
                                            bit(LoraTarget::kO) | bit(LoraTarget::kLatent);
constexpr std::uint32_t kMlpTargets = bit(LoraTarget::kGate) | bit(LoraTarget::kUp) |
                                      bit(LoraTarget::kGateUp) | bit(LoraTarget::kDown);

struct TargetName {
  std::string_view name;
  std::uint32_t targets;
  int qkvPart = -1;  // 0, 1, 2: also the q, k or v part of a fused projection
};
constexpr TargetName kNames[] = {
    {"all-linear", kAttentionTargets | kMlpTargets | bit(LoraTarget::kExpert) |
                       bit(LoraTarget::kShared) | bit(LoraTarget::kSsm) |
                       bit(LoraTarget::kOtherLinear)},
    {"attention", kAttentionTargets},
    {"attn", kAttentionTargets},
    {"q", bit(LoraTarget::kQ), 0},
    {"q_proj", bit(LoraTarget::kQ), 0},
    {"query", bit(LoraTarget::kQ), 0},
    {"k", bit(LoraTarget::kK), 1},
    {"k_proj", bit(LoraTarget::kK), 1},
    {"key", bit(LoraTarget::kK), 1},
    {"v", bit(LoraTarget::kV), 2},
    {"v_proj", bit(LoraTarget::kV), 2},
    {"value", bit(LoraTarget::kV), 2},
    {"qkv", bit(LoraTarget::kQkv)},
    {"qkv_proj", bit(LoraTarget::kQkv)},
    {"c_attn", bit(LoraTarget::kQkv)},
    {"query_key_value", bit(LoraTarget::kQkv)},
    {"o", bit(LoraTarget::kO)},
    {"o_proj", bit(LoraTarget::kO)},
    {"projection", bit(LoraTarget::kO)},
    {"gate", bit(LoraTarget::kGate) | bit(LoraTarget::kGateUp)},
    {"gate_proj", bit(LoraTarget::kGate) | bit(LoraTarget::kGateUp)},
    {"up", bit(LoraTarget::kUp)},
    {"up_proj", bit(LoraTarget::kUp)},
    {"gate_up_proj", bit(LoraTarget::kGateUp)},
    {"down", bit(LoraTarget::kDown)},
    {"down_proj", bit(LoraTarget::kDown)},
    {"mlp", kMlpTargets},
    // The names of other families' code.
    {"wqkv", bit(LoraTarget::kQkv)},
    {"c_proj", bit(LoraTarget::kO) | bit(LoraTarget::kDown)},
    {"dense", bit(LoraTarget::kO)},
    {"out_proj", bit(LoraTarget::kO) | bit(LoraTarget::kSsm)},
    {"w1", bit(LoraTarget::kGate) | bit(LoraTarget::kUp)},
    {"w2", bit(LoraTarget::kGate) | bit(LoraTarget::kUp)},
    {"w3", bit(LoraTarget::kUp) | bit(LoraTarget::kDown)},
    {"fc1", bit(LoraTarget::kUp)},
    {"fc2", bit(LoraTarget::kDown)},
    {"c_fc", bit(LoraTarget::kUp)},
    {"dense_h_to_4h", bit(LoraTarget::kUp)},
    {"dense_4h_to_h", bit(LoraTarget::kDown)},
    {"in_proj", bit(LoraTarget::kSsm)},
    {"x_proj", bit(LoraTarget::kSsm)},
    {"experts", bit(LoraTarget::kExpert)},
    {"shared", bit(LoraTarget::kShared)},
    {"embed", bit(LoraTarget::kEmbedding)},
    {"embed_tokens", bit(LoraTarget::kEmbedding)},
    {"head", bit(LoraTarget::kHead)},
    {"lm_head", bit(LoraTarget::kHead)},
    {"output", bit(LoraTarget::kHead)},
};

const TargetName* findName(std::string_view name) {
  for (const TargetName& row : kNames) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace

void readTargets(std::string_view text, TrainingSetup& setup, Notices& notices) {
  std::string given = toLower(trim(text));
  if (given.empty()) given = "all-linear";
  for (char& c : given) {
    if (c == ',' || c == ';' || c == '+' || c == '[' || c == ']') c = ' ';
  }
  std::string_view rest = given;
  while (!rest.empty()) {
    const std::size_t end = rest.find(' ');
    const std::string_view word = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (word.empty()) continue;
    const TargetName* name = findName(word);
    if (name == nullptr) {
      notices.push_back({NoticeCode::kUnknownValue, "targets", quoted(word),
                         "all-linear, attention, q, k, v, o, gate, up, down, mlp, head, embed",
                         cat("No linear layer is called ", quoted(word),
                             "; all-linear, attention, or names such as q,k,v,o,gate,up,down are "
                             "accepted.")});
      continue;
    }
    setup.targets |= name->targets;
    if (name->qkvPart >= 0) setup.partialQkv[name->qkvPart] = true;
  }
  // A 3-D expert tensor is no linear layer to PEFT: only a target that names the experts adapts it.
  if (setup.family->stackedExperts && given == "all-linear") {
    setup.targets &= ~bit(LoraTarget::kExpert);
  }
  if (setup.targets == 0) setup.targets = findName("all-linear")->targets;
}

Count adapterElements(const TrainingSetup& setup, const TensorGroup& group) {
  if (!setup.adapts(group)) return 0;
  const auto of = [&](Count out, Count in) {
    return setup.rank * (in + out) + (setup.dora ? out : Count(0));
  };
  const Count tensors = setup.model->inventory.tensorsOf(group);
  const bool whole = setup.targeted(roleTraits(group.role).lora);
  if (whole) return of(group.rows, group.cols) * tensors;
  // Parts of a fused projection: the shape of the attention says how wide they are.
  for (const Layer& kind : setup.model->architecture.kinds) {
    const auto heads = projectedHeadsOf(kind);
    if (!heads) continue;
    Count sum = 0;
    const Count widths[] = {heads->heads * heads->headDim, heads->kvHeads * heads->headDim,
                            heads->kvHeads * heads->valueHeadDim};
    for (int part = 0; part < 3; ++part) {
      if (setup.partialQkv[part]) sum += of(widths[part], group.cols);
    }
    return sum * tensors;
  }
  return of(group.rows, group.cols) * tensors;
}

Count adapterElements(const TrainingSetup& setup) {
  Count sum = 0;
  for (const TensorGroup& group : setup.model->inventory.groups()) {
    sum += adapterElements(setup, group);
  }
  return sum;
}

}  // namespace memfit
