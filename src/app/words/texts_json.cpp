// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/texts_json.h"

#include <cstdio>

#include "app/draw/palette.h"
#include "app/words/twin_texts.h"
#include "bindings/json_writer.h"

namespace memfit::app {
namespace {

// The texts of the canvas that the twin says too, by the name that it knows them by.
struct SharedText {
  std::string_view id;
  Text text;
};
constexpr SharedText kShared[] = {
    {"tagline", Text::kTagline},
    {"copyLink", Text::kCopyLink},
    {"copied", Text::kCopied},
    {"parametersOf", Text::kParametersOf},
    {"activeOf", Text::kActiveOf},
    {"typicalShape", Text::kTypicalShape},
    {"noDevice", Text::kNoDevice},
    {"automatic", Text::kAutomatic},
    {"perDevice", Text::kPerDevice},
    {"onAll", Text::kOnAll},
    {"likely", Text::kLikely},
    {"verdictFits", Text::kVerdictFits},
    {"verdictTight", Text::kVerdictTight},
    {"verdictShort", Text::kVerdictShort},
    {"verdictNone", Text::kVerdictNone},
    {"times", Text::kTimes},
    {"usableMark", Text::kUsableMark},
    {"fitsOn", Text::kFitsOn},
    {"fitsNothing", Text::kFitsNothing},
    {"or", Text::kOr},
    {"listComma", Text::kListComma},
    {"onHost", Text::kOnHost},
    {"tabDevices", Text::kTabDevices},
    {"tabBreakdown", Text::kTabBreakdown},
    {"tabMap", Text::kTabMap},
    {"tabMethods", Text::kTabMethods},
    {"tabAdvice", Text::kTabAdvice},
    {"columnDevice", Text::kColumnDevice},
    {"columnUsable", Text::kColumnUsable},
    {"columnNeed", Text::kColumnNeed},
    {"columnHeadroom", Text::kColumnHeadroom},
    {"columnComponent", Text::kColumnComponent},
    {"columnAmount", Text::kColumnAmount},
    {"columnMethod", Text::kColumnMethod},
    {"showAll", Text::kShowAll},
    {"showFewer", Text::kShowFewer},
    {"noDeviceFound", Text::kNoDeviceFound},
    {"needsCount", Text::kNeedsCount},
    {"needsNone", Text::kNeedsNone},
    {"total", Text::kTotal},
    {"capacity", Text::kCapacity},
    {"meterAllocated", Text::kMeterAllocated},
    {"meterAllocatedHelp", Text::kMeterAllocatedHelp},
    {"meterReserved", Text::kMeterReserved},
    {"meterReservedHelp", Text::kMeterReservedHelp},
    {"meterDriver", Text::kMeterDriver},
    {"meterDriverHelp", Text::kMeterDriverHelp},
    {"meterSteady", Text::kMeterSteady},
    {"meterSteadyHelp", Text::kMeterSteadyHelp},
    {"phasesTitle", Text::kPhasesTitle},
    {"phase-loss", Text::kPhaseLoss},
    {"phase-head", Text::kPhaseHead},
    {"phase-backward", Text::kPhaseBackward},
    {"phase-dequantize", Text::kPhaseDequantize},
    {"phase-backward-end", Text::kPhaseBackwardEnd},
    {"phase-step", Text::kPhaseStep},
    {"hostPart", Text::kHostPart},
    {"cacheCost", Text::kCacheCost},
    {"methodNotCovered", Text::kMethodNotCovered},
    {"methodChosen", Text::kMethodChosen},
    {"difference", Text::kDifference},
    {"noticeUnknownKey", Text::kNoticeUnknownKey},
    {"noticeUnknownValue", Text::kNoticeUnknownValue},
    {"noticeOutOfRange", Text::kNoticeOutOfRange},
    {"noticeNoEffect", Text::kNoticeNoEffect},
    {"noticeIdle", Text::kNoticeIdle},
    {"noticeNotApplicable", Text::kNoticeNotApplicable},
    {"errorTitle", Text::kErrorTitle},
};

// An object of texts, member by member.
class Members {
 public:
  Members(JsonWriter& json, std::string_view key) : json_(json) {
    json_.key(key);
    json_.beginObject();
  }
  ~Members() { json_.endObject(); }
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  void add(std::string_view key, std::string_view text) {
    json_.key(key);
    json_.text(text);
  }

 private:
  JsonWriter& json_;
};

void writeNumbers(JsonWriter& json, const NumberStyle& style) {
  Members members(json, "numbers");
  members.add("decimal", style.decimal);
  members.add("group", style.group);
  members.add("KB", style.kb);
  members.add("MB", style.mb);
  members.add("GB", style.gb);
  members.add("TB", style.tb);
  members.add("KiB", style.kib);
  members.add("MiB", style.mib);
  members.add("GiB", style.gib);
  members.add("TiB", style.tib);
  members.add("bytes", style.bytes);
}

void writeFieldTexts(JsonWriter& json) {
  {
    Members labels(json, "labels");
    for (const Field& field : fields()) labels.add(field.name, labelOf(field.key));
  }
  {
    Members helps(json, "helps");
    for (const Field& field : fields()) helps.add(field.name, helpOf(field.key));
  }
  {
    Members units(json, "units");
    for (const Field& field : fields()) {
      if (!field.unit.empty()) units.add(field.name, unitOf(field));
    }
  }
  json.key("words");
  json.beginObject();
  for (const Field& field : fields()) {
    if (field.values.empty()) continue;
    Members words(json, field.name);
    for (std::size_t i = 0; i < field.values.size(); ++i) {
      words.add(field.values[i], wordOf(field, i));
    }
  }
  json.endObject();
}

std::string hex(Rgb color) {
  char text[8];
  std::snprintf(text, sizeof text, "#%06x", color & 0xffffffu);
  return text;
}

}  // namespace

std::string textsJson(const LanguageTable& table) {
  const LanguageTable& before = languageInUse();
  useLanguage(table);
  JsonWriter json;
  json.beginObject();
  json.key("code");
  json.text(table.code);
  json.key("name");
  json.text(table.name);
  writeNumbers(json, table.numbers);
  {
    Members texts(json, "texts");
    for (const SharedText& shared : kShared) texts.add(shared.id, say(shared.text));
    for (const TwinText& own : twinTexts()) texts.add(own.id, own.in(table.code));
  }
  // What the canvas says, in the order of Text: texts_read.h. It has English compiled in.
  if (&table != &englishTable()) {
    json.key("canvas");
    json.beginList();
    for (const std::string_view text : table.texts) json.text(text);
    json.endList();
  }
  writeFieldTexts(json);
  {
    Members components(json, "components");
    for (std::size_t i = 0; i < static_cast<std::size_t>(Component::kCount); ++i) {
      const auto component = static_cast<Component>(i);
      components.add(componentName(component), nameOf(component));
    }
  }
  {
    Members sentences(json, "sentences");
    for (const Sentence& one : table.sentences) sentences.add(one.english, one.text);
  }
  json.endObject();
  useLanguage(before);
  return json.take();
}

std::string paletteCss(bool dark) {
  const Palette& colors = palette(dark);
  struct Named {
    std::string_view name;
    Rgb color;
  };
  // The edges of controls: muted, softened as far as 3 to 1 against the surface allows.
  const auto mix = [&colors](int shift) {
    const auto channel = [shift](Rgb color) { return color >> shift & 255; };
    return (channel(colors.muted) * 7 + channel(colors.surface) * 3) / 10 << shift;
  };
  const Named named[] = {{"edge", mix(16) | mix(8) | mix(0)},
                         {"background", colors.background},
                         {"surface", colors.surface},
                         {"raised", colors.raised},
                         {"hover", colors.hover},
                         {"line", colors.line},
                         {"track", colors.track},
                         {"text", colors.text},
                         {"muted", colors.muted},
                         {"accent", colors.accent},
                         {"on-accent", colors.onAccent},
                         {"accent-soft", colors.accentSoft},
                         {"good", colors.good},
                         {"good-soft", colors.goodSoft},
                         {"tight", colors.tight},
                         {"tight-soft", colors.tightSoft},
                         {"bad", colors.bad},
                         {"bad-soft", colors.badSoft}};
  std::string css;
  const auto add = [&css](std::string_view name, Rgb color) {
    css += "--";
    css += name;
    css += ':';
    css += hex(color);
    css += ';';
  };
  for (const Named& one : named) add(one.name, one.color);
  for (std::size_t i = 0; i < kComponentCount; ++i) {
    const auto component = static_cast<Component>(i);
    add(componentName(component), colors.of(component));
  }
  return css;
}

}  // namespace memfit::app
