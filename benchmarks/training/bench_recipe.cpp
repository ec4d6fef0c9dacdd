// The recipe `fast` until every fact is recalled, against N, R, c = d / (R log2 N) and threads.
#include <benchmark/benchmark.h>

#include "geofact/fact/graph.hpp"
#include "geofact/training/trainer.hpp"

namespace {

using namespace geofact;

void time_to_recall(benchmark::State& state) {
  const int entities = static_cast<int>(state.range(0)), relations = static_cast<int>(state.range(1));
  const double c = static_cast<double>(state.range(2)) / 100;
  const auto facts = random_bijections(entities, {.relations = relations, .seed = 1});
  recipe r = fast(static_cast<int>(std::ceil(c * relations * std::log2(entities))));
  r.threads = static_cast<int>(state.range(3));
  double steps = 0, gflops = 0;
  for (auto _ : state) {
    const auto run = train<float>(facts, r);
    if (run.recall() < 1) state.SkipWithError("not every fact was recalled");
    steps += run.steps_to(1), gflops += run.gflops;
    state.SetIterationTime(run.seconds);
    ++r.seed;
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["d"] = r.width;
  state.counters["steps"] = steps / runs;
  state.counters["GFLOP/s"] = gflops / runs;
}

const std::vector<std::string> sizes{"N", "R", "100c", "threads"};

BENCHMARK(time_to_recall)
    ->ArgNames(sizes)
    ->ArgsProduct({{128, 256, 512, 1024}, {4}, {50, 100}, {1, 2}})
    ->ArgsProduct({{512}, {2, 8}, {50}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(time_to_recall)
    ->ArgNames(sizes)
    ->Args({2048, 8, 50, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(1);

}  // namespace
