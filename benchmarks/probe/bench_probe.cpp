// The probes against N, d and R: one decomposition for all relations, penalties and shuffles.
#include <benchmark/benchmark.h>

#include "geofact/fact/graph.hpp"
#include "geofact/probe/readout.hpp"
#include "geofact/probe/superposition.hpp"

namespace {

using namespace geofact;

/// Sums of random images of random answers, with noise.
struct made_states {
  fact_table<> facts;
  matrix<float> states, targets;
  made_states(int subjects, int width, int relations)
      : facts(random_bijections(subjects, {.relations = relations, .seed = 1})),
        states(probe::random_like(matrix<float>(width, subjects), 2)),
        targets(probe::random_like(matrix<float>(width, subjects), 3)) {
    for (int s = 0; s < subjects; ++s)
      for (int r = 0; r < relations; ++r) states.col(s) += targets.col(facts(s, r));
  }
};

made_states of(const benchmark::State& state) {
  return {static_cast<int>(state.range(0)), static_cast<int>(state.range(1)), static_cast<int>(state.range(2))};
}

/// What all relations share: the decomposition, and the leave-one-out weights of ten penalties.
void ridge_decomposition(benchmark::State& state) {
  const auto made = of(state);
  for (auto _ : state) benchmark::DoNotOptimize(probe::ridge<float>(made.states).rank());
}

/// The maps of all relations, each with the best of ten penalties by exact leave-one-out.
void ridge_maps(benchmark::State& state) {
  const auto made = of(state);
  const probe::ridge<float> solver(made.states);
  for (auto _ : state)
    parallel_for(made.facts.relations(), thread_count(), [&](index_t r) {
      matrix<float> y(made.targets.rows(), made.states.cols());
      for (int s = 0; s < y.cols(); ++s) y.col(s) = made.targets.col(made.facts(s, static_cast<int>(r)));
      benchmark::DoNotOptimize(solver(y).leave_one_out);
    });
  state.counters["maps/s"] = benchmark::Counter(made.facts.relations(), benchmark::Counter::kIsIterationInvariantRate);
}

/// Everything: five folds, three shuffles, random states.
void readout(benchmark::State& state) {
  const auto made = of(state);
  for (auto _ : state) benchmark::DoNotOptimize(probe::readout(made.states, made.targets, made.facts).recall());
}

void superposition(benchmark::State& state) {
  const auto made = of(state);
  for (auto _ : state) benchmark::DoNotOptimize(probe::superposition(made.states, made.targets, made.facts).r2);
}

void small_sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"N", "d", "R"})->Unit(benchmark::kMillisecond)->UseRealTime();
  bench->Args({512, 72, 4})->Args({512, 144, 4})->Args({1024, 72, 4})->Args({512, 72, 8});
}

void all_sizes(benchmark::internal::Benchmark* bench) {
  small_sizes(bench);
  bench->Args({4096, 256, 4})->Args({4096, 1024, 4})->Args({4096, 1024, 16});
}

BENCHMARK(ridge_decomposition)->Apply(all_sizes);
BENCHMARK(ridge_maps)->Apply(all_sizes);
BENCHMARK(readout)->Apply(small_sizes);
BENCHMARK(superposition)->Apply(small_sizes);

}  // namespace
