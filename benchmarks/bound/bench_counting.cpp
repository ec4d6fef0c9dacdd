#include <benchmark/benchmark.h>

#include "geofact/bound/single_hop.hpp"

namespace {
namespace bound = geofact::bound;

/// The problem of a benchmark's three arguments: log2 N, R and k.
bound::problem asked(const benchmark::State& state, bound::graph kind = bound::graph::permutation) {
  return {geofact::index_t{1} << state.range(0), state.range(1), static_cast<int>(state.range(2)), kind};
}

void sizes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"log2N", "R", "k"})
      ->ArgsProduct({{12, 40}, {1, 2, 8, 10000}, {1, 3, 64}})
      ->Unit(benchmark::kMicrosecond);
}

void log2_factorial(benchmark::State& state) {
  geofact::index_t n = geofact::index_t{1} << state.range(0);
  for (auto _ : state) benchmark::DoNotOptimize(bound::log2_factorial(--n).low);
}
BENCHMARK(log2_factorial)->Arg(5)->Arg(12)->Arg(40);

void least_total(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(bound::least_total(asked(state)).bits);
}
BENCHMARK(least_total)->Apply(sizes);

void least_private(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(bound::least_private(asked(state), 1, 1e5).bits);
}
BENCHMARK(least_private)->Apply(sizes);

void least_private_matchings(benchmark::State& state) {
  const auto p = asked(state, bound::graph::matching);
  for (auto _ : state) benchmark::DoNotOptimize(bound::least_private(p, 1, 1e5).bits);
}
BENCHMARK(least_private_matchings)->Apply(sizes);

void least_shared(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(bound::least_shared(asked(state), 1, 16).bits);
}
BENCHMARK(least_shared)->Apply(sizes);

void first_failing_hops(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(bound::first_failing_hops(asked(state), 1, 100000, 1e5));
}
BENCHMARK(first_failing_hops)
    ->ArgNames({"log2N", "R", "k"})
    ->ArgsProduct({{12, 40}, {1, 2, 8, 10000}, {1}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
