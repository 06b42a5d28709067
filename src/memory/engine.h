// memfit - SPDX-License-Identifier: Apache-2.0
//
// EngineModel: all that an engine decides, as one complete row. Shared code asks the row and never
// compares an Engine.
//
// To add an engine: its word in query/choices.h and query/fields.cpp, a file engine_NAME.cpp with
// its row, and the row's name in the list of engines.cpp. What the row leaves out is the default
// below, which is what a plain library does: it takes the memory that it needs, as it needs it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/count.h"
#include "base/set_of.h"
#include "memory/kv_storage.h"
#include "memory/ledger.h"
#include "query/choices.h"
#include "query/query.h"

namespace memfit {

class InferencePlan;
struct StagePlan;
struct Load;
struct Split;

// What several devices do where the query does not say: cut every layer (tensor parallelism), or
// take whole layers in turn (pipeline stages, device_map).
enum class Spread : std::uint8_t { kTensors, kLayers };

using WeightFormats = SetOf<WeightFormat>;
inline constexpr WeightFormats kPlainFormats = WeightFormats(WeightFormat::kBf16) |
                                               WeightFormat::kFp16 | WeightFormat::kFp32 |
                                               WeightFormat::kStored;
// Mixes of ggml's block types: one word a file type.
inline constexpr WeightFormats kGgufFileTypes =
    WeightFormats::range(WeightFormat::kQ8_0, WeightFormat::kMxfp4Moe);
inline constexpr WeightFormats kMlxFormats =
    WeightFormats(WeightFormat::kMlx4) | WeightFormat::kMlx8;

using KvFormatSet = SetOf<KvFormat>;
inline constexpr KvFormatSet kGgmlKvFormats = KvFormatSet::range(KvFormat::kQ8_0, KvFormat::kIq4Nl);

// Bytes of a convolution's column and of a state's element; 0: those of the model's data type. A
// mixer that asks for 32-bit states itself has them everywhere.
struct StateWidths {
  std::uint32_t conv = 0, state = 0;
};

// The releases that an engine's code tells apart, by the one number in which they count: the minor
// version of vLLM, the build of llama.cpp.
struct Releases {
  int newest = 0;  // of those that were read: what an absent `release` means
  // How the engine writes it ("0.28", "b9867"), and what is accepted, for messages.
  std::string_view newestName = {}, accepted = {};
  // nullopt for what is no release of the engine. nullptr: no release is told from another.
  std::optional<int> (*read)(std::string_view text) = nullptr;
};

struct EngineModel {
  Engine engine;
  std::string_view seen;  // versions and date that its constants were seen on
  Releases releases = {};

  // --- the device

  // The share that it takes of a device of `total` bytes (0: unknown), giving the rest to the
  // cache, where the query's `utilization` does not say. nullptr: it takes what it needs.
  double (*share)(const Query& query, int release, Bytes total) = nullptr;
  // What lies inside that share.
  SetOf<Stay> shareCovers = {};
  // Transients that it charges to the share beside StagePlan::reserved. nullptr: none.
  Bytes (*charged)(const InferencePlan& plan, const StagePlan& stage, Count seq) = nullptr;
  // Devices of one class get the same ledger. nullptr: all do. Only Report::capacity follows the
  // device's memory beyond that.
  int (*sizeClass)(Bytes deviceTotal) = nullptr;

  // --- spreading

  Spread spread = Spread::kLayers;
  // The layers of each pipeline stage, and which has the embedding and the head.
  std::vector<StagePlan> (*stages)(const InferencePlan& plan) = nullptr;  // nullptr: evenStages
  bool hostLayers = false;  // layers and experts may stay on the host: gpu_layers, cpu_moe

  // --- weights

  // What it reads; of other formats the bytes are counted, and a notice says so.
  WeightFormats reads = WeightFormats::all().without(kMlxFormats);
  // Whatever it reads is a GGUF file, whose small tensors have formats of their own.
  bool readsGgufOnly = false;
  bool loadsTowers = false;        // for images and sound, unless told not to
  bool widensDoubleQuant = false;  // doubly quantized scales go back to 32 bits
  Count vocabularyMultiple = 1;    // embedding and head are padded to it before they are cut
  // Pads experts for its kernels. nullptr: as the model has them.
  void (*padExperts)(const InferencePlan& plan, Split& split) = nullptr;

  // --- cache and state

  KvFormatSet caches = KvFormatSet::all().without(kGgmlKvFormats);
  // How a format lies in its cache. nullptr: as kv_storage.h has it.
  KvStorage (*kvStorage)(KvFormat format) = nullptr;
  bool quantizedValuesNeedFlash = false;
  bool followsCheckpointCache = false;  // an 8-bit cache, where the checkpoint asks for one
  // The keys of a sparse-attention indexer are 8 bits with scales, and an 8-bit latent keeps its
  // rotated elements in 16.
  bool sparseCacheInFp8 = false;
  StateWidths stateWidths = {};

  // --- advice: smaller formats to try, best first

  std::span<const WeightFormat> smallerWeights = {};
  KvFormat smallerCache = KvFormat::kFp8;

  // --- amounts

  // What does not depend on the load: weights, context, graphs, the shape of the caches.
  void (*prepare)(const InferencePlan& plan, StagePlan& stage);
  // What does, as entries and as their sum on the device.
  void (*ledger)(const InferencePlan& plan, const StagePlan& stage, const Load& load, Ledger& out);
  Band (*sum)(const InferencePlan& plan, const StagePlan& stage, const Load& load);
};

// The row of an engine; every word of `engine` has one.
const EngineModel& engineModel(Engine engine);
const EngineModel& engineOf(const Query& query);

// The release that the query means, in the engine's own count; the newest where it says none or
// none that can be read.
int releaseOf(const EngineModel& engine, const Query& query);

// Its name: as the query writes it, or the newest; empty where releases are not told apart.
std::string releaseName(const EngineModel& engine, const Query& query);

// The share of a device that an engine takes: the query's `utilization`, or its own; 0 for engines
// that take what they need. `total` 0: unknown.
double shareTaken(const EngineModel& engine, const Query& query, Bytes total);
// The bytes of that share.
Bytes shareOf(Bytes total, double fraction);

}  // namespace memfit
