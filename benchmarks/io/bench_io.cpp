#include <benchmark/benchmark.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "geofact/io/model_file.hpp"
#include "geofact/io/npy.hpp"

using namespace geofact;

namespace {

/// A file in the folder for temporary files, removed at the end.
struct temporary_file {
  std::string path =
      (std::filesystem::temp_directory_path() / ("geofact_bench_io_" + std::to_string(getpid()))).string();
  temporary_file() = default;
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() { std::remove(path.c_str()); }
};

constexpr int rows = 4096, columns = 4096;
constexpr element types[] = {element::f32, element::f16, element::bf16, element::f64, element::i32};

/// Whole numbers, which every type here holds.
matrix<float> numbers() { return (matrix<float>::Random(rows, columns) * 100).array().round(); }

/// Bytes of the file per second.
void count_bytes(benchmark::State& state, element type) {
  state.SetLabel(std::string(name_of(type)));
  state.SetBytesProcessed(state.iterations() * rows * columns * size_of(type));
}

/// What a new matrix of this size costs by itself: mostly its pages, which the system hands out as they are touched.
void copy_matrix(benchmark::State& state) {
  const auto m = numbers();
  for (auto _ : state) benchmark::DoNotOptimize(matrix<float>(m).data());
  count_bytes(state, element::f32);
}
BENCHMARK(copy_matrix)->Unit(benchmark::kMillisecond);

/// From a mapped file into a matrix that is there.
void copy_to_matrix(benchmark::State& state) {
  const temporary_file file;
  const element type = types[state.range(0)];
  write_safetensors(file.path, {{"m", numbers(), type}});
  matrix<float> m(rows, columns);
  for (auto _ : state) {
    safetensors_file(file.path)["m"].copy_to(matrix_view<float>(m.data(), rows, columns));
    benchmark::ClobberMemory();
  }
  count_bytes(state, type);
}
BENCHMARK(copy_to_matrix)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);

/// From a mapped file that the system has in memory, into a column-major matrix of floats.
void read_safetensors(benchmark::State& state) {
  const temporary_file file;
  const element type = types[state.range(0)];
  write_safetensors(file.path, {{"m", numbers(), type}});
  for (auto _ : state) benchmark::DoNotOptimize(safetensors_file(file.path)["m"].to_matrix<float>().data());
  count_bytes(state, type);
}
BENCHMARK(read_safetensors)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);

/// The same into the transposed matrix, whose numbers lie as in the file: [subjects, width] to one column per subject.
void read_safetensors_transposed(benchmark::State& state) {
  const temporary_file file;
  const element type = types[state.range(0)];
  write_safetensors(file.path, {{"m", numbers(), type}});
  for (auto _ : state)
    benchmark::DoNotOptimize(safetensors_file(file.path)["m"].transposed().to_matrix<float>().data());
  count_bytes(state, type);
}
BENCHMARK(read_safetensors_transposed)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);

/// Without a copy: the sum of the numbers where they lie.
void sum_mapped(benchmark::State& state) {
  const temporary_file file;
  write_safetensors(file.path, {{"m", numbers()}});
  for (auto _ : state) benchmark::DoNotOptimize(safetensors_file(file.path)["m"].map_transposed<float>().sum());
  count_bytes(state, element::f32);
}
BENCHMARK(sum_mapped)->Unit(benchmark::kMillisecond);

/// From a column-major matrix of floats to a file that has reached the disk.
void write_safetensors(benchmark::State& state) {
  const temporary_file file;
  const element type = types[state.range(0)];
  const auto m = numbers();
  for (auto _ : state) geofact::write_safetensors(file.path, {{"m", m, type}});
  count_bytes(state, type);
}
BENCHMARK(write_safetensors)->DenseRange(0, 4)->Unit(benchmark::kMillisecond)->UseRealTime();

/// The conversion of write_safetensors alone.
void convert_blocks(benchmark::State& state) {
  const element type = types[state.range(0)];
  const auto m = numbers();
  for (auto _ : state) for_each_block(m, type, [](auto bytes) { benchmark::DoNotOptimize(bytes.data()); });
  count_bytes(state, type);
}
BENCHMARK(convert_blocks)->DenseRange(0, 4)->Unit(benchmark::kMillisecond);

void read_npy(benchmark::State& state) {
  const temporary_file file;
  write_npy(file.path, numbers());
  for (auto _ : state) benchmark::DoNotOptimize(geofact::read_npy<float>(file.path).data());
  count_bytes(state, element::f32);
}
BENCHMARK(read_npy)->Unit(benchmark::kMillisecond);

/// A model of many small tables: what the header costs.
void read_model_of_layers(benchmark::State& state) {
  const temporary_file file;
  sizes<> n;
  n.entities = 16, n.relations = 1, n.width = 8, n.hidden = 8, n.output = 8, n.attributes = 16;
  n.layers = static_cast<int>(state.range(0));
  write_model(file.path, parameters<float>(n));
  for (auto _ : state) benchmark::DoNotOptimize(read_model<float>(file.path).count());
  state.SetItemsProcessed(state.iterations() * (4 * n.layers + 4));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(read_model_of_layers)->RangeMultiplier(8)->Range(8, 4096)->Unit(benchmark::kMicrosecond)->Complexity();

}  // namespace
