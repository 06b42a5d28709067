// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/value_text.h"

#include "base/text.h"
#include "device/device.h"
#include "model/catalogue.h"

namespace memfit::app {
namespace {

bool isWordSign(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

// A formula with its words replaced: names of functions are words too.
template <typename Replace>
std::string withWords(std::string_view formula, Replace replace) {
  std::string out;
  for (std::size_t i = 0; i < formula.size();) {
    std::size_t stop = i;
    while (stop < formula.size() && isWordSign(formula[stop])) ++stop;
    if (stop > i) {
      out += replace(formula.substr(i, stop - i));
      i = stop;
    } else {
      const char c = formula[i++];
      out += c == '*' ? "\u00d7" : c == '-' ? "\u2212" : std::string(1, c);
    }
  }
  return out;
}

}  // namespace

std::string valueShown(const Field& field, std::string_view text) {
  if (field.key == Key::kModel) {
    const CatalogueEntry* model = findModel(text.empty() ? kDefaultModel : text);
    if (model != nullptr) return model->name;
  }
  if (field.key == Key::kDevice) {
    if (text.empty()) return std::string(say(Text::kNoDevice));
    const std::optional<Device> device = findDevice(text);
    if (device && device->deviceClass != DeviceClass::kCustom) return sentence(device->name);
  }
  if (text.empty()) return std::string(say(Text::kAutomatic));
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    if (field.values[i] == text) return std::string(wordOf(field, i));
  }
  if (field.kind == Kind::kFlag) return std::string(say(text == "true" ? Text::kOn : Text::kOff));
  if (field.kind == Kind::kInteger) {
    if (const auto value = parseScaled(text, 1)) {
      return formatWhole(*value, languageInUse().numbers);
    }
  }
  return sentence(text);
}

std::string typeset(std::string_view formula) { return withWords(formula, sentence); }

std::string filledIn(const Entry& entry, const NumberStyle& numbers) {
  return withWords(entry.formula, [&](std::string_view word) {
    for (const Input& input : entry.inputs.items()) {
      if (input.symbol == word) return formatInput(input.value, numbers);
    }
    return std::string(word);
  });
}

}  // namespace memfit::app
