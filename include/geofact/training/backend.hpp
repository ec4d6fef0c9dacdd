#pragma once
#include <concepts>
#include <span>
#include <utility>
#include <vector>

#include "geofact/foundation/random.hpp"
#include "geofact/model/loss.hpp"
#include "geofact/training/adam.hpp"

namespace geofact {

/// What a run needs of the machine that computes it: a learner that differentiates its loss and updates its weights.
/// Made from a state to start from, the questions, and a number of threads.
template <class B>
concept training_backend = std::constructible_from < B,
        learner_state<typename B::model_type>, std::vector<questions>,
int > &&requires(B learner, const B seen, std::span<const int> batch, const random_stream& random, const recipe& r) {
  // Loss over the questions of these numbers (all where there are none), and its gradient, kept for update(); with
  // Gaussian noise on E of so many standard deviations of E.
  { learner.gradient(batch, 0.5, random) } -> std::same_as<loss>;
  { learner.judge() } -> std::same_as<loss>;  // over all questions, without noise
  learner.update(r, 0.5);                     // AdamW at this learning rate
  { seen.state() } -> std::convertible_to<learner_state<typename B::model_type>>;
};

/// E plus Gaussian noise of `share` standard deviations of E.
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

/// Trains on the cores of this machine.
template <class Model>
class cpu_backend {
 public:
  using model_type = Model;

  cpu_backend(learner_state<Model> start, std::vector<questions> asked, int threads)
      : state_(std::move(start)),
        losses_(state_.model, std::move(asked), threads),
        gradient_(state_.model.extents()),
        threads_(threads) {}

  loss gradient(std::span<const int> batch, double noise, const random_stream& random) {
    if (noise == 0) return differentiate(state_.model, batch);
    return differentiate(with_entity_noise(state_.model, noise, random, threads_), batch);
  }
  loss judge() { return losses_(state_.model); }
  void update(const recipe& r, double rate) { update_adam(state_, gradient_, r, rate); }
  const learner_state<Model>& state() const { return state_; }

 private:
  loss differentiate(const Model& model, std::span<const int> batch) {
    return batch.empty() ? losses_(model, gradient_) : losses_(model, gradient_, batch);
  }

  learner_state<Model> state_;
  loss_function<Model> losses_;
  Model gradient_;
  int threads_;
};

}  // namespace geofact
