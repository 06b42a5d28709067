// memfit - SPDX-License-Identifier: Apache-2.0
//
// Everything that the page says, in each of its languages: one table of ids, one file a language
// (texts_en.cpp, ...). A language that lacks a text does not compile. Words of the field are those
// that its readers use (LoRA, KV, batch stay as they are). Knows no ImGui.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/words/number_format.h"
#include "memory/ledger.h"
#include "query/fields.h"
#include "query/query.h"

namespace memfit::app {

// "{0}", "{1}" ... stand for what fillIn() puts there.
enum class Text : std::uint16_t {
  kTagline,
  kCopyLink,
  kCopied,
  kThemeTip,
  kUnitsTip,
  kLanguageTip,
  // Controls.
  kBySize,
  kDense,
  kMoe,
  kModelType,
  kParametersOf,  // {0} parameters
  kActiveOf,      // {0} active
  kLayersOf,      // {0} layers
  kTypicalShape,
  kContext,  // the label of `seq` when serving
  kMore,
  kLess,
  kMoreSettings,
  kNoDevice,
  kCustomDevice,
  kSearchDevices,
  kSearchModels,
  kAutomatic,  // a field without a value of its own
  kOn,
  kOff,
  // The answer.
  kPerDevice,  // {0} the unit: "GB per device"
  kOnAll,      // {0} amount, {1} count
  kLikely,     // {0} to {1}
  kExactRange,
  kVerdictFits,  // {0} amount, {1} device
  kVerdictTight,
  kVerdictShort,
  kVerdictNone,
  kTimes,       // {0} count x {1} device
  kUsableMark,  // {0} device, {1} amount
  kFitsOn,      // {0} a list of devices
  kFitsNothing,
  kOr,  // between the last two of a list
  kListComma,
  kOnHost,  // {0} amount
  kVariantsTitle,
  kBits,  // {0}-bit
  kQloraBits,
  kSelected,
  // Tabs.
  kTabDevices,
  kTabBreakdown,
  kTabMap,
  kTabMethods,
  kTabAdvice,
  kTabModel,
  // Devices.
  kColumnDevice,
  kColumnUsable,
  kColumnNeed,
  kColumnHeadroom,
  kColumnNeeds,
  kAllVendors,
  kAllClasses,
  kClassDatacentre,
  kClassWorkstation,
  kClassConsumer,
  kClassLaptop,
  kClassUnified,
  kClassCloud,
  kClassCustom,
  kShowAll,  // {0} devices
  kShowFewer,
  kNoDeviceFound,
  kNeedsCount,  // {0} x
  kNeedsNone,
  kBasisFramework,
  kBasisDriver,
  kBasisOlderMacos,
  kBasisThreeQuarters,
  kBasisLabel,
  kBasisGiven,
  // Breakdown.
  kColumnComponent,
  kColumnAmount,
  kColumnFormula,
  kTotal,
  kSource,
  kHostPart,
  kCacheCost,  // {0} a token, {1} a sequence
  // Methods.
  kColumnMethod,
  kMethodNotCovered,
  kMethodChosen,
  kDifference,  // {0} method, {1} component, {2} amount here, {3} there, {4} first method
  // Notices and errors.
  kNoticeUnknownKey,  // {0} field, {1} given, {2} accepted
  kNoticeUnknownValue,
  kNoticeOutOfRange,
  kNoticeNoEffect,
  kNoticeIdle,  // kNoticeNoEffect with its reason, {2}
  kNoticeNotApplicable,
  kNoticesMore,  // {0} more
  kNoticesLess,
  kErrorTitle,
  // Model.
  kBySizeDetail,
  kOpenFile,
  kOpenFileDetail,
  kFileHint,
  kPartMain,
  kPartVision,
  kPartAudio,
  kPartNextTokens,
  kColumnTensor,
  kColumnShape,
  kColumnTimes,
  kColumnParameters,
  kColumnStored,
  // Fit map.
  kMapTitle,  // {0} what runs up
  kMapRequests,
  kMapBatch,
  kMapTokens,
  kMapFits,    // {0} count x device
  kMapWithin,  // {0} amount
  kMapBeyond,
  kMapHint,
  // Advice.
  kAdviceTitle,
  kAdviceNone,
  kAdviceNoDevice,
  kLimitsTitle,  // {0} count x device
  kLimitUpTo,    // {0} value with unit
  kLimitNone,
  kLimitUnbounded,
  kApply,
  // Comparison.
  kTabCompare,
  kCompareHint,
  kCompareKeep,
  kCompareSwap,
  kCompareChange,
  // What can be taken along, and started from.
  kPresets,
  kPresetChat,
  kPresetLong,
  kPresetLora,
  kPresetQlora70,
  kPresetFull8,
  kPresetLaptop,
  kUndo,
  kRedo,
  kCopyMarkdown,
  kDownloadJson,
  kDownloadCsv,
  kSavePicture,
  kPlainView,
  // Engines and training.
  kCapacity,  // {0} amount, {1} tokens, {2} sequences, {3} percent
  kMeterAllocated,
  kMeterAllocatedHelp,
  kMeterReserved,
  kMeterReservedHelp,
  kMeterDriver,
  kMeterDriverHelp,
  kMeterSteady,
  kMeterSteadyHelp,
  kPhasesTitle,
  kPhaseLoss,
  kPhaseHead,
  kPhaseBackward,
  kPhaseDequantize,
  kPhaseBackwardEnd,
  kPhaseStep,
  kEnd  // not a text: how many there are
};
inline constexpr std::size_t kTextCount = static_cast<std::size_t>(Text::kEnd);

// A word of a choice field, where it is not a name that all languages share.
struct ChoiceWord {
  Key key;
  std::string_view word;  // as in fields.h
  std::string_view text;
};

// What the estimator says (a note, a reason, an error, a source, a symbol of a formula),
// translated. Both may have places, "{0} is {1}; at most {2} is accepted.": the first entry that
// fits counts.
struct Sentence {
  std::string_view english;
  std::string_view text;
};

// A text beside its id.
template <typename Id>
struct TableEntry {
  Id id;
  std::string_view text;
};
using Label = TableEntry<Key>;

struct LanguageTable {
  std::string_view code;  // "en"
  std::string_view name;  // in the language itself
  NumberStyle numbers;
  std::array<std::string_view, kTextCount> texts;
  std::array<std::string_view, static_cast<std::size_t>(Component::kCount)> components;
  std::span<const Label> labels;  // of every field
  std::span<const Label> helps;   // of every field; empty in English, where fields.cpp has them
  std::span<const ChoiceWord> words;
  std::span<const Sentence> units;      // of the fields
  std::span<const Sentence> sentences;  // empty in English
};

// Texts and components are complete or the language does not compile.
template <typename Id, std::size_t n>
constexpr bool isComplete(const TableEntry<Id> (&entries)[n], std::size_t count) {
  if (n != count) return false;
  for (std::size_t i = 0; i < n; ++i) {
    if (static_cast<std::size_t>(entries[i].id) != i || entries[i].text.empty()) return false;
  }
  return true;
}
template <typename Id, std::size_t n>
constexpr std::array<std::string_view, n> textsOf(const TableEntry<Id> (&entries)[n]) {
  std::array<std::string_view, n> texts{};
  for (std::size_t i = 0; i < n; ++i) texts[i] = entries[i].text;
  return texts;
}

const LanguageTable& englishTable();
const LanguageTable& japaneseTable();
const LanguageTable& frenchTable();
const LanguageTable& chineseTable();

// Every table that there is, in the order of languageNames(). The page has English only compiled in
// and never calls this: what it does not call is not in its module.
std::span<const LanguageTable* const> languageTables();

// The languages that can be chosen, in the order of Language, `auto` left out.
struct LanguageName {
  std::string_view code;
  std::string_view name;  // in the language itself
};
std::span<const LanguageName> languageNames();
// The code of a query's `lang`; `auto` follows the reader's own language, a BCP 47 tag.
std::string_view languageFor(Language language, std::string_view readers);

// The table of a language: English always, another one after addTable(); else nullptr.
const LanguageTable* tableOf(std::string_view code);
// The table must outlive the program's use of it.
void addTable(const LanguageTable& table);

// The language that the functions below speak.
void useLanguage(const LanguageTable& table);
const LanguageTable& languageInUse();

std::string_view say(Text text);
std::string fillIn(std::string_view pattern, std::initializer_list<std::string_view> values);
std::string say(Text text, std::initializer_list<std::string_view> values);

std::string_view labelOf(Key key);
std::string_view helpOf(Key key);
std::string_view nameOf(Component component);
// A word of a choice field as readers see it: "AdamW", "4 bits", ...
std::string_view wordOf(const Field& field, std::size_t index);
std::string_view unitOf(const Field& field);
// What the estimator says, in the language; the English where there is no translation. What stands
// in the places of a pattern is said in the language too, numbers as it writes them.
std::string sentence(std::string_view english);
// By its code, with what was given and what is accepted; assumptions by their sentence.
std::string noticeText(const Notice& notice);
// A moment of a training step, by its name in the report.
std::string_view phaseText(std::string_view name);
// "a, b or c".
std::string listed(const std::vector<std::string>& items);

}  // namespace memfit::app
