// Construct, verify and answer, against N, R and k.
#include <benchmark/benchmark.h>

#include <chrono>

#include "geofact/code/binary.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/construction/verify.hpp"
#include "geofact/fact/graph.hpp"

namespace {

using namespace geofact;

fact_table<> bijections(benchmark::State& state) {
  return random_bijections(static_cast<int>(state.range(0)),
                           {.relations = static_cast<int>(state.range(1)), .seed = 1});
}

tree<binary_code<>, dynamic, dynamic> tree_for(benchmark::State& state) {
  return tree(binary_code(static_cast<int>(state.range(0))), static_cast<int>(state.range(1)),
              static_cast<int>(state.range(2)));
}

double seconds(auto&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void construct(benchmark::State& state) {
  const auto facts = bijections(state);
  const auto theorem = tree_for(state);
  for (auto _ : state) benchmark::DoNotOptimize(realize<float>(theorem, facts).block().data());
  state.SetComplexityN(state.range(0));
}

template <class Scalar, decoder How>
void verify_all(benchmark::State& state) {
  const auto facts = bijections(state);
  const auto model = realize<Scalar>(tree_for(state), facts);
  verification found;
  for (auto _ : state) found = verify(model, facts, {.how = How, .limit = 1e18});
  if (!found.exact() || found.sampled()) state.SkipWithError("not every fact was recalled");
  state.counters["questions"] =
      benchmark::Counter(static_cast<double>(found.questions()), benchmark::Counter::kIsIterationInvariantRate);
  state.SetComplexityN(state.range(0));
}

/// Verification by full argmax beside the bare product U y of the same size, in the same tiles and threads.
void verify_beside_bare_product(benchmark::State& state) {
  const auto facts = bijections(state);
  const auto model = realize<float>(tree_for(state), facts);
  const matrix<float> y = matrix<float>::Random(model.output(), geofact::index_t{facts.subjects()} * facts.relations());
  double verifying = 0, multiplying = 0;
  for (auto _ : state) {
    verifying += seconds([&] { benchmark::DoNotOptimize(verify(model, facts, {.how = decoder::argmax}).recalled); });
    multiplying += seconds([&] {
      constexpr geofact::index_t tile = 256;
      parallel_for(y.cols() / tile, thread_count(), [&](geofact::index_t t) {
        const matrix<float> part = y.middleCols(t * tile, tile);
        for_each_logit_tile(
            model, part, {0, model.attributes()},
            [](int, geofact::index_t, const matrix<float>& logits) { benchmark::DoNotOptimize(logits.data()); });
      });
    });
  }
  state.counters["verify / bare product"] = verifying / multiplying;
}

/// One question at a time: the latency of an answer.
void answer_direct(benchmark::State& state) {
  const auto facts = bijections(state);
  const auto model = realize<float>(tree_for(state), facts);
  const std::vector<int> path(static_cast<std::size_t>(state.range(2)), 1);
  int s = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(ask_direct(model, {s++ % facts.subjects()}, path, {0, facts.attributes()}));
  state.SetComplexityN(state.range(0));
}

void answer_by_chain(benchmark::State& state) {
  const auto facts = bijections(state);
  const int hops = static_cast<int>(state.range(2));
  const auto theorem =
      chain_of_thought_with_margin(binary_code(facts.attributes()), facts.relations(), binary_code(hops));
  const auto model = realize<float>(theorem, facts);
  const std::vector<int> path(static_cast<std::size_t>(hops), 1);
  int s = 0;
  for (auto _ : state) benchmark::DoNotOptimize(ask_chain(model, {s++ % facts.subjects()}, path));
  state.SetComplexityN(state.range(2));
}

const std::vector<std::string> sizes{"N", "R", "k"};

BENCHMARK(construct)
    ->ArgNames(sizes)
    ->ArgsProduct({{1 << 10, 1 << 12, 1 << 14, 1 << 16}, {8}, {1}})
    ->ArgsProduct({{1 << 12}, {2, 4, 8}, {2, 3}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(construct)
    ->Name("construct, fit in N")
    ->ArgNames(sizes)
    ->ArgsProduct({{1 << 10, 1 << 12, 1 << 14, 1 << 16}, {8}, {1}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Complexity(benchmark::oN);
BENCHMARK_TEMPLATE(verify_all, float, decoder::argmax)
    ->ArgNames(sizes)
    ->ArgsProduct({{1 << 10, 1 << 11, 1 << 12, 1 << 13}, {16}, {1}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Complexity(benchmark::oNSquared);
BENCHMARK_TEMPLATE(verify_all, float, decoder::sign)
    ->ArgNames(sizes)
    ->ArgsProduct({{1 << 12, 1 << 14, 1 << 16}, {16}, {1}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Complexity(benchmark::oN);
BENCHMARK_TEMPLATE(verify_all, int, decoder::argmax)
    ->ArgNames(sizes)
    ->Args({1 << 12, 16, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_TEMPLATE(verify_all, double, decoder::argmax)
    ->ArgNames(sizes)
    ->Args({1 << 12, 16, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_TEMPLATE(verify_all, float, decoder::argmax)
    ->ArgNames(sizes)
    ->ArgsProduct({{1 << 12}, {4}, {1, 2, 3}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_TEMPLATE(verify_all, float, decoder::sign)
    ->ArgNames(sizes)
    ->Args({1 << 20, 8, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(1);
BENCHMARK(verify_beside_bare_product)
    ->ArgNames(sizes)
    ->Args({1 << 12, 16, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(answer_direct)
    ->ArgNames(sizes)
    ->ArgsProduct({{1 << 10, 1 << 12, 1 << 14, 1 << 16}, {8}, {1}})
    ->Unit(benchmark::kMicrosecond)
    ->Complexity(benchmark::oN);
BENCHMARK(answer_by_chain)
    ->ArgNames(sizes)
    ->ArgsProduct({{1 << 10}, {4}, {2, 4, 8, 16, 32, 64}})
    ->Unit(benchmark::kMicrosecond)
    ->Complexity();

}  // namespace
