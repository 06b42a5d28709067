// memfit - SPDX-License-Identifier: Apache-2.0
//
// Models that a query changes, and the one that it describes alone: read again by the family's own
// reader, with the overrides.
#include "base/text.h"
#include "model/family/family.h"
#include "model/layer_facts.h"
#include "model/model.h"

namespace memfit {
namespace {

std::optional<Error> checkRanges(const ArchitectureOverrides& overrides) {
  for (const OverrideField& row : overrideFields()) {
    const Field& field = fieldOf(row.key);
    const ArchitectureOverrides::Value value = overrides.*row.member;
    const bool number = field.kind != Kind::kFlag;
    if (value && number && (*value < field.min || *value > field.max)) {
      return Error{
          ErrorCode::kOutOfRange, std::string(field.name),
          cat(field.name, " is ", *value, "; ", field.min, " to ", field.max, " is accepted.")};
    }
  }
  return std::nullopt;
}

// An error of the reader, with the query's word for the field.
Error inQueryWords(Error error) {
  for (const OverrideField& row : overrideFields()) {
    if (error.field == row.configKey || error.field.ends_with(cat(".", row.configKey))) {
      error.field = std::string(row.name());
    }
  }
  return error;
}

// Whether two architectures are one to every estimate: without a head it is no matter whose it is.
bool isSame(const Architecture& a, const Architecture& b) {
  if (!a.noHead || !b.noHead || a.tied == b.tied) return a == b;
  Architecture other = b;
  other.tied = a.tied;
  return a == other;
}

// How a model is read with overrides. A function instead of a value: what a key changes is asked by
// reading again without it.
template <typename Read>
Result<Model> readAndTell(const ArchitectureOverrides& overrides, Notices& notices,
                          std::string_view name, Read read) {
  Result<Model> model = read(overrides);
  if (!model) return inQueryWords(model.error());
  const auto differs = [&](const ArchitectureOverrides& others, const Model& from) {
    const Result<Model> other = read(others);
    // A model that cannot be without it is changed by it.
    return !other || !isSame(other->architecture, from.architecture);
  };
  for (const OverrideField& row : overrideFields()) {
    const ArchitectureOverrides::Value value = overrides.*row.member;
    if (!value) continue;
    ArchitectureOverrides others = overrides;
    (others.*row.member).reset();
    if (differs(others, *model)) continue;
    // What the model has already is no idle key: 0 of what it has none of, or a value where another
    // one would change it.
    const bool flag = fieldOf(row.key).kind == Kind::kFlag;
    if (*value == 0 && !flag) continue;
    others.*row.member = flag ? 1 - *value : *value + 1;
    if (differs(others, *model)) continue;
    std::string reason = cat("no part of ", name, " has it");
    notices.push_back({NoticeCode::kNoEffect, std::string(row.name()), std::to_string(*value), "",
                       cat("\"", row.name(), "\" changes nothing: ", reason, "."), reason});
  }
  return model;
}

}  // namespace

std::optional<Error> overrideWindows(Architecture& architecture,
                                     const ArchitectureOverrides& overrides) {
  if (!overrides.window && !overrides.fullEvery) return std::nullopt;
  Count previous = 0;
  for (const Layer& layer : architecture.kinds) {
    for (const Mixer& mixer : layer.mixers) {
      previous = max(previous, slidingWindowOf(mixer).value_or(0));
    }
  }
  const Count window = orElse(overrides.window, previous);
  if (overrides.fullEvery && window == 0 && !overrides.window) {
    return Error{ErrorCode::kMissing, "window",
                 "full_every is given, but neither the model nor the query has a window."};
  }
  Architecture changed = architecture;
  changed.kinds.clear();
  changed.layers.clear();
  for (std::size_t i = 0; i < architecture.layerCount(); ++i) {
    Layer layer = architecture.layer(i);
    for (Mixer& mixer : layer.mixers) {
      const std::optional<Count> own = slidingWindowOf(mixer);
      if (!own) continue;
      const bool windowed = overrides.fullEvery
                                ? (static_cast<std::int64_t>(i) + 1) % *overrides.fullEvery != 0
                                : previous == 0 || *own > 0;
      setSlidingWindow(mixer, windowed ? window : Count(0));
    }
    changed.addLayer(layer);
  }
  architecture = std::move(changed);
  return std::nullopt;
}

Result<Model> applyOverrides(const Model& model, const ArchitectureOverrides& overrides,
                             Notices& notices) {
  if (overrides.empty()) return model;
  if (const std::optional<Error> error = checkRanges(overrides)) return *error;
  const bool onlyWindows = overrides.onlyWindows();
  if (model.config.empty() && !onlyWindows) {
    return Error{ErrorCode::kUnsupported, "model",
                 cat(quoted(model.name),
                     " was read from a file without a config.json; its "
                     "architecture cannot be overridden.")};
  }
  const auto read = [&](const ArchitectureOverrides& asked) -> Result<Model> {
    if (!model.config.empty()) return modelFromConfig(model.config, {}, model.name, asked);
    Model changed = model;
    if (const auto error = overrideWindows(changed.architecture, asked)) return *error;
    return changed;
  };
  Result<Model> again = readAndTell(overrides, notices, quoted(model.name, 80), read);
  if (!again) return again;
  Model changed = model;
  changed.architecture = std::move(again->architecture);
  changed.inventory = TensorInventory(changed.architecture);
  // A file's own tensors are no longer the model's.
  if (!onlyWindows) changed.stored.reset();
  return changed;
}

Result<Model> customModel(const ArchitectureOverrides& overrides, Notices& notices) {
  for (const Key key : {Key::kLayers, Key::kHidden, Key::kHeads, Key::kVocab}) {
    for (const OverrideField& row : overrideFields()) {
      if (row.key != key || overrides.*row.member) continue;
      return Error{ErrorCode::kMissing, std::string(row.name()),
                   cat("A custom model needs ", row.name(),
                       "; layers, hidden, heads, vocab and intermediate (or experts with "
                       "moe_intermediate) describe one.")};
    }
  }
  if (!overrides.intermediate && !overrides.moeIntermediate) {
    return Error{ErrorCode::kMissing, "intermediate",
                 "A custom model needs intermediate, the width of its feed-forward."};
  }
  if (const std::optional<Error> error = checkRanges(overrides)) return *error;
  const std::string config = cat(R"({"model_type":")", kCustomType, R"("})");
  Result<Model> model =
      readAndTell(overrides, notices, "the custom model", [&](const ArchitectureOverrides& asked) {
        return modelFromConfig(config, {}, "custom", asked);
      });
  if (model) model->id = "custom";
  return model;
}

}  // namespace memfit
