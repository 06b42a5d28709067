// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/export.h"

#include "app/words/texts.h"
#include "app/words/value_text.h"
#include "base/text.h"

namespace memfit::app {
namespace {

// RFC 4180: quotes doubled, the whole quoted.
std::string csvCell(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string markdownCell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string inputsOf(const Entry& entry) {
  std::string out;
  for (const Input& input : entry.inputs.items()) {
    if (!out.empty()) out += ", ";
    out += cat(sentence(input.symbol), " = ", formatInput(input.value, languageInUse().numbers));
  }
  return out;
}

}  // namespace

std::string toMarkdown(const Answer& answer, Units units, std::string_view url) {
  const NumberStyle& numbers = languageInUse().numbers;
  const auto amount = [&](Bytes bytes) { return formatBytes(bytes, units, numbers).whole(); };
  const Report& report = answer.report;
  std::string out =
      cat("**", amount(report.perDevice.expected), "** (",
          say(Text::kLikely, {amount(report.perDevice.low), amount(report.perDevice.high)}), ")");
  if (answer.fit) {
    const FitRow& fit = *answer.fit;
    const std::string name = fit.device.deviceClass == DeviceClass::kCustom
                                 ? say(Text::kCustomDevice, {amount(fit.device.given)})
                                 : sentence(fit.device.name);
    out += cat(": ", say(Text::kTimes, {std::to_string(fit.count.value()), name}), ", ",
               say(Text::kColumnHeadroom), " ", formatSigned(fit.headroom, units, numbers));
  }
  out += cat("\n\n| ", say(Text::kColumnComponent), " | ", say(Text::kColumnAmount), " | ",
             say(Text::kColumnFormula), " |\n| --- | ---: | --- |\n");
  for (const Entry& entry : report.ledger.entries()) {
    std::string name(nameOf(entry.component));
    if (entry.where == Where::kHost) name += cat(" (", say(Text::kHostPart), ")");
    out += cat("| ", markdownCell(name), " | ", amount(entry.bytes.expected), " | `",
               markdownCell(typeset(entry.formula)), "` (", markdownCell(inputsOf(entry)), ") |\n");
  }
  out += cat("| **", say(Text::kTotal), "** | **", amount(report.perDevice.expected), "** | |\n");
  if (!url.empty()) out += cat("\n<", url, ">\n");
  return out;
}

std::string toCsv(const Answer& answer) {
  std::string out = "component,where,low,expected,high,formula,inputs,source\r\n";
  for (const Entry& entry : answer.report.ledger.entries()) {
    std::string inputs;
    for (const Input& input : entry.inputs.items()) {
      if (!inputs.empty()) inputs += "; ";
      inputs += cat(input.symbol, "=", formatInput(input.value, englishTable().numbers));
    }
    out += cat(componentName(entry.component), ",", entry.where == Where::kHost ? "host" : "device",
               ",", entry.bytes.low.value(), ",", entry.bytes.expected.value(), ",",
               entry.bytes.high.value(), ",", csvCell(entry.formula), ",", csvCell(inputs), ",",
               csvCell(entry.source), "\r\n");
  }
  return out;
}

}  // namespace memfit::app
