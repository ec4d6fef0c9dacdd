#pragma once
#include <chrono>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "geofact/fact/fact_table.hpp"
#include "geofact/fact/path.hpp"
#include "geofact/foundation/random.hpp"
#include "geofact/model/loss.hpp"
#include "geofact/training/adam.hpp"

namespace geofact {

/// All N R^k questions of the facts with a known answer, one relation token a hop; ordered by subject.
template <int R>
questions all_questions(const fact_table<R>& facts, int hops = 1) {
  require(hops == 1 || facts.shared(), hops, " hops need answers that are subjects: the attributes must be shared");
  const path_set<> paths{facts.relations(), hops};
  questions all;
  all.length = hops + 1;
  std::vector<int> tokens(static_cast<std::size_t>(all.length));
  for (int s = 0; s < facts.subjects(); ++s)
    for (int w = 0; w < paths.size(); ++w)
      if (const int a = follow(facts, s, paths, w); a != unknown) {
        tokens[0] = s;
        for (int hop = 0; hop < hops; ++hop)
          tokens[static_cast<std::size_t>(hop) + 1] = facts.subjects() + hop * facts.relations() + paths.step(w, hop);
        all.add(tokens, a);
      }
  return all;
}

/// The sizes of the paper's model for these facts: one layer, uniform attention, output = width.
template <int R>
sizes<> trained_sizes(const fact_table<R>& facts, const recipe& r, int hops = 1) {
  require(r.width >= 1, "a model needs a width of at least 1, not ", r.width);
  require(r.hidden >= 0, "a model cannot have ", r.hidden, " hidden units");
  return {.entities = facts.subjects(),
          .relations = to_extent(checked_product(hops, facts.relations())),
          .width = r.width,
          .hidden = r.hidden > 0 ? r.hidden : to_extent(checked_product(4, r.width)),
          .layers = 1,
          .output = r.width,
          .attributes = facts.attributes()};
}

/// Starts every table: embeddings, unembedding and attention with variance 1 / width, W1 with 2 / width, W2 with
/// 1 / hidden, biases 0, times the scale of the table's rule.
template <class Model>
void initialize(Model& model, const recipe& r) {
  std::uint64_t stream = 0;
  for (const table& t : model.tables()) {
    const random_stream random(r.seed, stream++);
    const bool bias = t.columns == 1 && (t.name.ends_with("b1") || t.name.ends_with("b2"));
    const double variance = t.name.ends_with("w1")   ? 2.0 / model.width()
                            : t.name.ends_with("w2") ? 1.0 / model.hidden()
                                                     : 1.0 / model.width();
    const double scale = bias ? 0 : r.rule(t.name).scale * std::sqrt(variance);
    for (index_t i = 0; i < t.size(); ++i)
      model.block()[t.offset + i] =
          static_cast<typename Model::Scalar>(scale * random.normal(static_cast<std::uint64_t>(i)));
  }
  if (r.unit_unembedding) model.unembedding().rowwise().normalize();
}

/// One step of a run, as it was before the update.
struct training_step {
  int step = 0;
  double cross_entropy = 0, recall = 0, rate = 0, seconds = 0;
};

/// A finished run.
template <class Model>
struct training_run {
  Model model;
  std::vector<training_step> history;
  double seconds = 0, gflops = 0;

  double recall() const { return history.empty() ? 0 : history.back().recall; }
  /// The first step that recalls this share; -1 if none does.
  int steps_to(double share) const {
    for (const auto& one : history)
      if (one.recall >= share) return one.step;
    return -1;
  }
};

/// E plus Gaussian noise of `share` standard deviations of E, its own numbers for each step.
template <class Model>
Model with_entity_noise(const Model& model, double share, const random_stream& random, int threads) {
  using Scalar = typename Model::Scalar;
  Model noisy = model;
  auto e = noisy.entity();
  const Scalar mean = e.mean();
  const auto size = static_cast<Scalar>(share) * std::sqrt((e.array() - mean).square().mean());
  parallel_for(e.cols(), thread_count(threads), [&](index_t s) {
    for (index_t i = 0; i < e.rows(); ++i)
      e(i, s) += size * static_cast<Scalar>(random.normal(static_cast<std::uint64_t>(s * e.rows() + i)));
  });
  return noisy;
}

/// Trains the paper's model on the facts by full-batch AdamW. `on_step` sees each step; with noise on E, loss and
/// recall of the history are those of the noisy model, and the run has one last entry for the model itself. Throws
/// where the sizes do not fit, and, with the step and the setting at fault, where the loss is no longer finite.
template <class Scalar, int R>
training_run<parameters<Scalar>> train(const fact_table<R>& facts, const recipe& r,
                                       const std::function<void(const training_step&)>& on_step = nullptr,
                                       int hops = 1) {
  using Model = parameters<Scalar>;
  require(r.steps >= 1, "a run needs at least one step, not ", r.steps);
  training_run<Model> run{Model(trained_sizes(facts, r, hops)), {}, 0, 0};
  Model& model = run.model;
  initialize(model, r);
  loss_function<Model> losses(model, all_questions(facts, hops), r.threads);
  adam<Model> optimizer(model);
  Model gradient(model.extents());
  const auto start = std::chrono::steady_clock::now();
  for (int step = 0; step < r.steps; ++step) {
    const double rate = scheduled_rate(r, step);
    const loss now =
        r.noise > 0
            ? losses(with_entity_noise(model, r.noise, random_stream(r.seed, 1000 + static_cast<std::uint64_t>(step)),
                                       r.threads),
                     gradient)
            : losses(model, gradient);
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    run.history.push_back({step, now.cross_entropy, now.recall, rate, run.seconds});
    if (on_step) on_step(run.history.back());
    require(std::isfinite(now.cross_entropy), "the loss is not finite at step ", step, ": a learning rate of ",
            r.learning_rate, " is too large");
    if (now.recall >= r.stop_at) break;
    optimizer.step(model, gradient, r, rate);
  }
  if (r.noise > 0) {
    const loss last = losses(model, gradient);
    run.history.push_back({static_cast<int>(run.history.size()), last.cross_entropy, last.recall, 0, run.seconds});
  }
  run.gflops = losses.flops(model) * static_cast<double>(run.history.size()) / run.seconds * 1e-9;
  return run;
}

}  // namespace geofact
