// memfit - SPDX-License-Identifier: Apache-2.0
#include "accuracy/figure.h"

#include "base/text.h"
#include "memory/ledger.h"

namespace memfit::accuracy {

namespace {

using Value = rapidjson::Value;

const Value* member(const Value& object, std::string_view name) {
  if (!object.IsObject()) return nullptr;
  const auto found =
      object.FindMember(Value(name.data(), static_cast<rapidjson::SizeType>(name.size())));
  return found == object.MemberEnd() || found->value.IsNull() ? nullptr : &found->value;
}

// A figure that stands in the answer itself.
struct Named {
  std::string_view name;
  std::string_view object;  // the member that holds it; empty: the answer
  std::string_view key;
  // Verdicts are judged on the device's own high end, whatever meter a training run was read with:
  // what the allocator reserved is covered where that covers it, as is what the driver shows.
  bool judgedOnDevice = false;
};
constexpr Named kNamed[] = {
    {"parameters", "model", "parameters"},
    {"activeParameters", "model", "activeParameters"},
    {"perDevice", "", "perDevice"},
    {"host", "", "host"},
    {"kv.bytesPerToken", "kv", "bytesPerToken"},
    {"kv.bytesPerSequence", "kv", "bytesPerSequence"},
    {"capacity.tokens", "capacity", "tokens"},
    {"capacity.pool", "capacity", "pool"},
    {"training.allocated", "training", "allocated"},
    {"training.reserved", "training", "reserved", true},
    {"training.driver", "training", "driver"},
    {"training.steady", "training", "steady"},
    {"training.loaded", "training", "loaded"},
};

FigureRead missing(std::string why) { return {0, 0, std::move(why)}; }

// A number, or a band of low, expected and high.
FigureRead amountOf(const Value& value) {
  if (value.IsNumber()) return {value.GetDouble(), value.GetDouble(), {}};
  return {member(value, "expected")->GetDouble(), member(value, "high")->GetDouble(), {}};
}

FigureRead namedFigure(const Value& part, const Named& named) {
  const Value* object = named.object.empty() ? &part : member(part, named.object);
  const Value* value = object == nullptr ? nullptr : member(*object, named.key);
  if (value == nullptr) return missing(cat("The answer has no ", named.name, "."));
  FigureRead read = amountOf(*value);
  if (named.judgedOnDevice) read.high = amountOf(*member(part, "perDevice")).high;
  return read;
}

bool isComponent(std::string_view name) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(Component::kCount); ++i) {
    if (componentName(static_cast<Component>(i)) == name) return true;
  }
  return false;
}

// The sum of the entries of a component at its place: 0 where there is none, because that is what
// the answer says of it.
FigureRead componentFigure(const Value& part, std::string_view component, std::string_view where) {
  FigureRead read;
  for (const Value& entry : member(part, "ledger")->GetArray()) {
    if (component != member(entry, "component")->GetString()) continue;
    if (where != member(entry, "where")->GetString()) continue;
    const FigureRead amount = amountOf(entry);
    read.expected += amount.expected;
    read.high += amount.high;
  }
  return read;
}

FigureRead figureOfPart(const Value& part, std::string_view figure) {
  for (const Named& named : kNamed) {
    if (named.name == figure) return namedFigure(part, named);
  }
  const std::size_t at = figure.find('@');
  const std::string_view component = figure.substr(0, at);
  const std::string_view where = at == std::string_view::npos ? "device" : figure.substr(at + 1);
  if (isComponent(component) && (where == "host" || at == std::string_view::npos)) {
    return componentFigure(part, component, where);
  }
  return missing(cat("No figure is called ", quoted(figure), "."));
}

}  // namespace

FigureRead readFigure(const Value& answer, std::string_view figure) {
  constexpr std::string_view kDevices = "devices[";
  if (!figure.starts_with(kDevices)) return figureOfPart(answer, figure);
  const std::size_t close = figure.find("].");
  const auto index = close == std::string_view::npos
                         ? std::nullopt
                         : parseScaled(figure.substr(kDevices.size(), close - kDevices.size()), 1);
  if (!index || *index < 0) return missing(cat("No figure is called ", quoted(figure), "."));
  const Value* parts = member(answer, "parts");
  if (parts == nullptr || !parts->IsArray() ||
      static_cast<std::size_t>(*index) >= parts->GetArray().Size()) {
    return missing("The answer does not tell its devices apart.");
  }
  return figureOfPart((*parts)[static_cast<rapidjson::SizeType>(*index)], figure.substr(close + 2));
}

}  // namespace memfit::accuracy
