// memfit - SPDX-License-Identifier: Apache-2.0
//
// The one table of fields. Every key of a query is declared once, in fields.cpp: its name (the same
// word in URLs, JSON and JavaScript), kind, range, default and unit, who reads it, and where and
// how the page shows it. Reading and writing queries, `memfit.fields()`, the type definitions, the
// notices about idle fields and the controls of both views all come from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/set_of.h"
#include "query/choices.h"

namespace memfit {

// clang-format off
enum class Key : std::uint8_t {
  kTask, kModel, kParams, kActive,
  kLayers, kHidden, kHeads, kKvHeads, kHeadDim, kIntermediate, kVocab, kTied,
  kExperts, kExpertsPerToken, kMoeIntermediate, kSharedExperts, kDenseLayers,
  kWindow, kFullEvery, kKvLoraRank, kQLoraRank, kNopeHeadDim, kRopeHeadDim, kVHeadDim,
  kMethod, kEngine, kWeights, kKv, kKvK, kKvV,
  kSeq, kBatch, kConcurrency,
  kTp, kPp, kEp, kCp, kDp,
  kUtilization, kBatchedTokens, kMaxSeqs, kGraphs,
  kGpuLayers, kCpuMoe, kUbatch, kSlots, kWindows, kLatent, kRelease, kDraft, kVision,
  kTrainer, kOptimizer, kRecipe, kCheckpointing, kAttention, kLoss, kRank, kTargets,
  kZero, kAccumulation, kPacking, kOffload,
  kKernels, kStep, kSequenceParallel,
  kLoraDropout, kDora, kSaveModules, kDoubleQuant, kQuantExperts, kUpcast,
  kDevice, kCount, kReserve, kUnified, kEcc,
  kLang, kTheme, kUnits, kView,
  kConfig,
  kEnd  // not a key: how many there are
};
// clang-format on
inline constexpr std::size_t kKeyCount = static_cast<std::size_t>(Key::kEnd);

enum class Kind : std::uint8_t {
  kChoice,    // one of `values`; stored as its index
  kInteger,   // a whole number; stored as it is
  kReal,      // a decimal number; stored times `scale`
  kFlag,      // true or false; stored as 1 or 0
  kAmount,    // "2GB", "512MiB" or "10%"; see Amount in query.h
  kText,      // a name
  kDocument,  // a config.json, as its text or (in JSON) as the object; not part of a URL
};

using Tasks = SetOf<Task>;
using Methods = SetOf<Method>;
using Engines = SetOf<Engine>;
using Trainers = SetOf<Trainer>;

// What other settings must say before a field changes anything.
enum class Need : std::uint8_t {
  kNothing,
  kNoConfig,          // no config.json, which is the model itself
  kNoModel,           // neither a model's name nor a config.json: they say more than a size
  kSize,              // a model that is known by its size
  kShape,             // a model whose shape is known, not only its size
  kEitherSide,        // keys or values whose own format is not given
  kNoSlots,           // no slots of a server, which are its sequences whatever is asked of it
  kTensorParallel,    // tp of more than one device
  kOwnRecipe,         // no rule that has a recipe for full fine-tuning alone
  kQuantizedWeights,  // a frozen base that training holds in 8 or 4 bits
  kNf4Weights,        // one in nf4
  kCount
};

// Who reads a field; matters.h asks it.
struct Reads {
  bool always = false;    // whatever is asked: the model, the device judged against, the page
  Methods serving = {};   // the methods that read it under inference
  Methods training = {};  // and under a task that trains
  Tasks tasks = Tasks::all();
  Engines engines = Engines::all();     // under inference
  Trainers trainers = Trainers::all();  // under a task that trains
  Need need = Need::kNothing;
};

// What a field is about: its heading on the page. The order is that of the page.
enum class Group : std::uint8_t {
  kModel,       // which model, for what
  kWorkload,    // how much of it at once, by whom
  kDevice,      // what it must fit into
  kShape,       // the model's own dimensions
  kCache,       // what is kept beside the weights
  kSpread,      // over which devices
  kEngine,      // settings of what serves
  kTraining,    // settings of what trains
  kDeviceMore,  // what of a device may be used
  kPage,        // how the page looks: no number depends on it
  kCount
};

// What a field is set with. kOfKind becomes the control that its kind has.
enum class Control : std::uint8_t {
  kOfKind,
  kOwn,       // one that is drawn for this field alone, in its own place
  kDoubling,  // a slider whose steps double
  kStepper,   // a small whole number with a key to either side
  kSelect,    // a list of words
  kSwitch,    // automatic, off, on
  kEntry,     // a number, an amount or a name to type
  kCount
};

// Where a field stands before anything is opened.
enum class Shown : std::uint8_t {
  kCompact,  // in the compact widget too
  kFirst,    // on the page at once: what decides most
  kMore,     // among what opens
  kCount
};

struct Field {
  Key key = Key::kEnd;
  std::string_view name = {};
  Kind kind = Kind::kChoice;
  Reads reads = {};
  Group group = Group::kModel;
  Control control = Control::kOfKind;
  Shown shown = Shown::kMore;
  std::uint8_t late = 0;              // in its group, after the fields with less; else as in Key
  std::int64_t fallback = INT64_MIN;  // the default, as stored; kUnset where there is none
  std::int64_t min = 0, max = 0;      // as stored; for numbers
  std::int64_t scale = 1;             // kReal: stored = value x scale; 1 otherwise
  std::string_view unit = {};         // "tokens", "billions", ...; empty for pure names
  bool namesModel = false;            // says which model is meant, as every field of kShape does
  bool unitBeside = false;            // the unit stands beside the value of a slider
  std::span<const std::string_view> values = {};  // kChoice: the words, the default first
  std::string_view word = {};                     // kInteger: a word that stands for kUnset ("all")
  std::string_view help = {};  // one English sentence; translations are keyed by `name`
  std::uint8_t textSlot = 0;   // kText and kDocument: which of a query's texts
};

inline constexpr std::int64_t kUnset = INT64_MIN;

// How many fields are texts or documents; fields.cpp holds it to the table.
inline constexpr std::size_t kTextCount = 5;

// All fields in the order of Key.
std::span<const Field> fields();
// And in the order of the page: group after group.
std::span<const Key> pageOrder();
const Field& fieldOf(Key key);
// nullptr for a name that no field has.
const Field* findField(std::string_view name);

// The words of the JSON answer of memfit.fields(): "shape", "deviceMore"; "doubling", "entry"; ...
std::string_view groupName(Group group);
std::string_view controlName(Control control);
std::string_view shownName(Shown shown);

constexpr bool saysWhichModel(const Field& field) {
  return field.namesModel || field.group == Group::kShape;
}

// Numbers that say over how many devices the work is spread.
constexpr bool isSpread(const Field& field) {
  return field.group == Group::kSpread && field.kind == Kind::kInteger;
}

}  // namespace memfit
