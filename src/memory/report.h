// memfit - SPDX-License-Identifier: Apache-2.0
//
// Report: the answer to a Query. What the page shows, JSON carries and the tests check.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/count.h"
#include "memory/ledger.h"
#include "model/model.h"
#include "query/query.h"

namespace memfit {

// How the work is spread over devices: the query's keys, or what `count` devices suggest (see
// parallelism.h). `devices` is how many it takes in all.
struct Parallelism {
  Count tp = 1, pp = 1, ep = 1, cp = 1, dp = 1;
  int zero = 0;

  Count devices() const { return tp * pp * cp * dp; }
};

// Bytes a device; windows and block rounding included.
struct CacheCost {
  // One more token of one sequence, at the query's length; where every layer's window is full, a
  // token inside it.
  Bytes bytesPerToken;
  Bytes bytesPerSequence;  // a sequence of `seq` tokens with its recurrent state
};

// What fits a device, for engines that take a fraction of it and give the rest to the cache.
struct Capacity {
  Bytes pool;           // for the cache, after weights and everything else
  Count tokens;         // of cache
  Count sequences;      // of `seq` tokens
  double fraction = 0;  // of the device that the engine takes
  Bytes share;          // those bytes
  Bytes needed;         // of them by this query, at the high end of the band
};

// A moment of a training step, and what is alive then. The report's ledger is that of the largest.
struct Phase {
  std::string_view name;  // "loss", "backward", "step", ...: a literal, translated by the page
  Ledger ledger;
};

// What three meters show of the same training run (bytes a device).
struct TrainingFigures {
  Band allocated;  // torch.cuda.max_memory_allocated: live tensors
  Band reserved;   // max_memory_reserved: with the allocator's slack
  Band driver;     // nvidia-smi: with context, libraries and communication
  Bytes steady;    // allocated between steps
};

struct Report {
  Query query;
  Notices notices;
  std::shared_ptr<const Model> model;
  Count parameters, activeParameters;  // of the model; the query's own where only sizes are known
  bool sizeOnly = false;               // the shape is typical, not known
  Method method = Method::kPai;
  Engine engine = Engine::kTransformers;
  std::string release;  // of the engine, where its releases are told apart; empty otherwise
  Parallelism parallelism;
  Bytes deviceTotal = 0;  // of the device that the query names; 0: none

  Ledger ledger;   // of the heaviest device, and of the host
  Band perDevice;  // sum over the ledger's device entries
  Band host;       // sum over its host entries
  Count devices = 1;
  Band total;  // perDevice x devices

  CacheCost kv;
  std::optional<Capacity> capacity;
  std::vector<Phase> phases;
  std::optional<TrainingFigures> training;
};

}  // namespace memfit
