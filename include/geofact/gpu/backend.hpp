#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "geofact/gpu/learner.hpp"
#include "geofact/training/backend.hpp"

namespace geofact::gpu {

/// Trains on a device: cpu_backend with another machine. What a checkpoint holds goes to the device and comes back bit
/// for bit. `Store`: what activations are stored as.
template <class Model, device Device, class Store = typename Model::Scalar>
class basic_backend {
 public:
  using model_type = Model;
  using Scalar = typename Model::Scalar;

  basic_backend(const learner_state<Model>& start, const std::vector<questions>& asked, int = 0,
                const options& how = {}, std::shared_ptr<Device> device = std::make_shared<Device>())
      : model_(start.model.extents()), learner_(std::move(device), run_time(start.model.extents()), asked, how) {
    model_.abstain = start.model.abstain;
    learner_.load(start.model.block().data(), start.mean.data(), start.square.data(), start.updates);
  }

  loss gradient(std::span<const int> batch, double noise, const random_stream& random) {
    return as_loss(learner_.gradient(batch, noise, random));
  }
  loss judge() { return as_loss(learner_.judge()); }
  void update(const recipe& r, double rate) { learner_.update(r, rate); }
  learner_state<Model> state() const {
    learner_state<Model> now(model_);
    learner_.save(now.model.block().data(), now.mean.data(), now.square.data());
    now.updates = learner_.updates();
    return now;
  }

 private:
  static loss as_loss(const found_loss& now) { return {now.cross_entropy, now.recall}; }

  Model model_;  // its sizes and its threshold
  learner<Scalar, Store, Device> learner_;
};

}  // namespace geofact::gpu
