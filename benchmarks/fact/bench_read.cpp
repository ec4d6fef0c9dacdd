#include <benchmark/benchmark.h>

#include <string>

#include "geofact/fact/triples.hpp"
#include "geofact/foundation/random.hpp"

namespace {

/// `count` triples under 16 relations whose answers are random subjects.
std::string triples(int count) {
  const geofact::random_stream random(1);
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "subject " + std::to_string(i / 16) + "\trelation " + std::to_string(i % 16) + "\tsubject " +
            std::to_string(random.below(count / 16, static_cast<std::uint64_t>(i))) + '\n';
  return text;
}

void parse_triples(benchmark::State& state) {
  const auto count = static_cast<int>(state.range(0));
  const std::string text = triples(count);
  for (auto _ : state) benchmark::DoNotOptimize(geofact::parse_triples(text, "triples.tsv").facts.known());
  state.SetItemsProcessed(state.iterations() * count);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.SetComplexityN(count);
}
BENCHMARK(parse_triples)
    ->RangeMultiplier(4)
    ->Range(1 << 12, 1 << 20)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

/// Random names of 4 to 12 letters, and a question that none of them is close to: the slowest kind.
void nearest_names(benchmark::State& state) {
  const geofact::random_stream random(2);
  geofact::names names;
  for (std::uint64_t i = 0; names.size() < state.range(0); ++i) {
    std::string name(static_cast<std::size_t>(4 + random.below(9, 16 * i)), ' ');
    for (std::size_t c = 0; c < name.size(); ++c) name[c] = static_cast<char>('a' + random.below(26, 16 * i + c + 1));
    names.intern(name);
  }
  for (auto _ : state) benchmark::DoNotOptimize(names.nearest("Frankenstein"));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(nearest_names)
    ->RangeMultiplier(4)
    ->Range(5000, 80000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

}  // namespace
