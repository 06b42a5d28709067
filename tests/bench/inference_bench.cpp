// memfit - SPDX-License-Identifier: Apache-2.0
//
// What the page asks for most: the fit map's grid of 256 x 144 totals within a frame of 16 ms, an
// estimate with its ledger, and the plan that both start from.
#include <benchmark/benchmark.h>

#include "advice/solve.h"
#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {
namespace {

const char* const kQueries[] = {
    "model=llama-3.1-8b&engine=llama.cpp&weights=q4_k_m",
    "model=gemma-3-27b&engine=vllm",
    "model=qwen3.6-27b&engine=sglang",
    "model=deepseek-v3&engine=vllm&tp=8&pp=4",
    "model=llama-3.1-8b&engine=transformers",
};

void fitMap(benchmark::State& state) {
  const Query query = decodeUrl(kQueries[state.range(0)]).query;
  for (auto _ : state) {
    auto totals = sweep(query, {Key::kSeq, 512, 1 << 20, 256}, {Key::kConcurrency, 1, 256, 144});
    benchmark::DoNotOptimize(totals);
  }
  state.SetLabel(kQueries[state.range(0)]);
  state.SetItemsProcessed(state.iterations() * 256 * 144);
}
BENCHMARK(fitMap)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);

void anEstimate(benchmark::State& state) {
  const Query query = decodeUrl(kQueries[state.range(0)]).query;
  for (auto _ : state) {
    auto report = estimate(query, kGiB * 80);
    benchmark::DoNotOptimize(report);
  }
  state.SetLabel(kQueries[state.range(0)]);
}
BENCHMARK(anEstimate)->DenseRange(0, 4)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace memfit
