// One full-batch step (loss, gradient, AdamW) against N, R, d and the scale of U, beside Eigen's bare products of the
// same sizes.
#include <benchmark/benchmark.h>

#include <chrono>

#include "geofact/fact/graph.hpp"
#include "geofact/training/trainer.hpp"

namespace {

using namespace geofact;

double seconds(auto&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The products of one linear map (rows, depth) of `columns` vectors, and of its two adjoints, on one thread.
class bare_products {
 public:
  bare_products(geofact::index_t rows, geofact::index_t depth, geofact::index_t columns)
      : map_(matrix<float>::Random(rows, depth)),
        in_(matrix<float>::Random(depth, columns)),
        out_(rows, columns),
        adjoint_(matrix<float>::Zero(rows, depth)) {}

  void run() {
    out_.noalias() = map_ * in_;
    adjoint_.noalias() += out_ * in_.transpose();
    in_.noalias() = map_.transpose() * out_;
    in_ *= 0.01f;  // stays finite
    benchmark::DoNotOptimize(in_.data());
  }

 private:
  matrix<float> map_, in_, out_, adjoint_;
};

/// The products of a step of the paper's model: the questions dealt evenly to the threads and multiplied 256 at a time,
/// which Eigen does faster than all at once.
class bare_step {
 public:
  bare_step(const parameters<float>& model, geofact::index_t questions, int threads) : threads_(threads) {
    slices_ = questions / slice;
    for (int t = 0; t < threads; ++t) {
      head_.emplace_back(model.attributes(), model.output(), slice);
      second_.emplace_back(model.output(), model.hidden(), slice);
      first_.emplace_back(model.hidden(), model.width(), (model.entities() + model.relations()) / threads);
    }
  }

  void run() {
    parallel_for(threads_, threads_, [&](geofact::index_t t) {
      const auto i = static_cast<std::size_t>(t);
      first_[i].run();
      for (geofact::index_t s = slices_ * t / threads_; s < slices_ * (t + 1) / threads_; ++s)
        second_[i].run(), head_[i].run();
    });
  }

 private:
  static constexpr geofact::index_t slice = 256;
  int threads_;
  geofact::index_t slices_;
  std::vector<bare_products> head_, second_, first_;
};

void step(benchmark::State& state) {
  const auto facts =
      random_bijections(static_cast<int>(state.range(0)), {.relations = static_cast<int>(state.range(1)), .seed = 1});
  recipe r = fast(static_cast<int>(state.range(2)), static_cast<int>(state.range(3)));
  r.threads = static_cast<int>(state.range(4));
  using model_type = parameters<float>;
  model_type start(trained_sizes(facts, r));
  initialize(start, r);
  start.unembedding() *= static_cast<float>(state.range(5));
  learner_state<model_type> learner(start);
  loss_function<model_type> losses(start, all_questions(facts), r.threads);
  const auto questions = total(losses.asked());
  bare_step bare(start, questions, r.threads);

  double stepping = 0, multiplying = 0;
  for (auto _ : state) {
    const double one = seconds([&] {
      benchmark::DoNotOptimize(losses(learner.model, start).cross_entropy);  // start becomes the gradient
      update_adam(learner, start, r, 1e-4);
    });
    stepping += one;
    state.SetIterationTime(one);
    multiplying += seconds([&] { bare.run(); });
  }
  const double flops = loss_function<model_type>::flops(start.extents(), questions) * 1e-9;
  const double steps = static_cast<double>(state.iterations());
  state.counters["GFLOP/s"] = flops * steps / stepping;
  state.counters["bare GFLOP/s"] = flops * steps / multiplying;
  state.counters["share of bare"] = multiplying / stepping;
}

const std::vector<std::string> sizes{"N", "R", "d", "m", "threads", "U"};

BENCHMARK(step)
    ->ArgNames(sizes)
    ->ArgsProduct({{1024}, {8}, {256}, {512}, {1, 2}, {1}})
    ->ArgsProduct({{512}, {4}, {18}, {72}, {1, 2}, {1}})
    ->ArgsProduct({{4096}, {16}, {96}, {384}, {1, 2}, {1}})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(step)
    ->Name("step, sure of its answers")  // most probabilities are subnormal or 0
    ->ArgNames(sizes)
    ->ArgsProduct({{512}, {4}, {64}, {256}, {1}, {1, 30, 100}})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(step)
    ->Name("step, against N")
    ->ArgNames(sizes)
    ->ArgsProduct({{128, 256, 512, 1024, 2048}, {4}, {64}, {256}, {1}, {1}})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(step)
    ->Name("step, against R")
    ->ArgNames(sizes)
    ->ArgsProduct({{512}, {2, 4, 8, 16}, {64}, {256}, {1}, {1}})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(step)
    ->Name("step, against d")
    ->ArgNames(sizes)
    ->ArgsProduct({{512}, {4}, {16, 32, 64, 128, 256}, {256}, {1}, {1}})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();

}  // namespace
