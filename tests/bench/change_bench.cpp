// memfit - SPDX-License-Identifier: Apache-2.0
//
// What one change of the query asks of the estimator: with every step of a slider the length is
// another, and the answer, the devices, the variants and the chosen tab's own question are asked
// again.
#include <benchmark/benchmark.h>

#include <string_view>

#include "advice/advise.h"
#include "advice/solve.h"
#include "advice/variants.h"
#include "device/fit.h"
#include "memory/estimate.h"
#include "query/query_io.h"

namespace memfit {
namespace {

const char* const kQueries[] = {
    "device=rtx-4090",
    "model=llama-3.1-70b&engine=vllm&device=h100-80-sxm",
    "model=deepseek-v3&engine=llama.cpp&weights=q4_k_m&device=rtx-4090",
    "task=qlora&model=llama-3.1-8b&device=rtx-4090",
    "task=full&model=qwen3-30b-a3b&count=8&device=h100-80-sxm",
};

template <typename Ask>
void everyLength(benchmark::State& state, Ask ask) {
  Query query = decodeUrl(kQueries[state.range(0)]).query;
  std::int64_t step = 0;
  for (auto _ : state) {
    query.set(Key::kSeq, 2048 + 64 * (step++ % 400));
    auto made = ask(query);
    benchmark::DoNotOptimize(made);
  }
  state.SetLabel(kQueries[state.range(0)]);
}

void anAnswer(benchmark::State& state) { everyLength(state, answer); }
void allDevices(benchmark::State& state) {
  everyLength(state, [](const Query& query) { return fit(query, {}, {}); });
}
void theVariants(benchmark::State& state) { everyLength(state, variantsOf); }
void allMethods(benchmark::State& state) {
  everyLength(state, [](const Query& query) { return compare(query, kGiB * 24); });
}
void theLimit(benchmark::State& state) {
  everyLength(state, [](const Query& query) { return solve(query, Key::kSeq); });
}
void allAdvice(benchmark::State& state) { everyLength(state, advise); }

#define MEMFIT_BENCH(ask) BENCHMARK(ask)->DenseRange(0, 4)->Unit(benchmark::kMicrosecond)
MEMFIT_BENCH(anAnswer);
MEMFIT_BENCH(allDevices);
MEMFIT_BENCH(theVariants);
MEMFIT_BENCH(allMethods);
MEMFIT_BENCH(theLimit);
MEMFIT_BENCH(allAdvice);

}  // namespace
}  // namespace memfit
