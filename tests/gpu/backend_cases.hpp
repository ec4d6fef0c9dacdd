#pragma once
#include <cmath>
#include <vector>

#include "../model/scenarios.hpp"
#include "geofact/gpu/backend.hpp"

/// The backend of any device beside that of the CPU.
namespace backend_cases {

using namespace geofact;
using model_type = parameters<double>;

using scenarios::random_questions;
using scenarios::scenario;

template <class Model = model_type>
Model random_model(const sizes<>& n, std::uint64_t seed) {
  return scenarios::random_model<Model>(n, seed);
}

/// Everything that a recipe may ask of an update.
inline recipe demanding() {
  recipe r;
  r.entity.rate = 0.5, r.entity.decay = 0.1, r.unembedding.frozen = true, r.mlp.decay = 0.01;
  return r;
}

/// The greatest distance of a run on the device and one on the CPU in double, after each of some steps: loss, recall,
/// weights and moments.
template <class Device, class Store, class Model>
double distance(const scenario& s, const gpu::options& how, double noise, bool batches, int steps) {
  const auto asked = random_questions(s, 130);
  const learner_state<Model> start(random_model<Model>(s.extents, 3));
  cpu_backend<model_type> cpu(learner_state<model_type>(random_model(s.extents, 3)), asked, 1);
  gpu::basic_backend<Model, Device, Store> device(start, asked, 1, how);
  double worst = 0;
  const auto see = [&](double e) {
    if (!(e <= worst)) worst = e;
  };
  std::vector<int> batch;
  for (int step = 0; step < steps; ++step) {
    if (batches)
      batch = random_permutation(static_cast<int>(total(asked)), random_stream(1, static_cast<std::uint64_t>(step)));
    batch.resize(batch.size() / static_cast<std::size_t>(2 + step));
    const random_stream random(9, static_cast<std::uint64_t>(step));
    const loss a = cpu.gradient(batch, noise, random), b = device.gradient(batch, noise, random);
    see(std::abs(a.cross_entropy - b.cross_entropy));
    see(std::abs(a.recall - b.recall));
    cpu.update(demanding(), 0.01);
    device.update(demanding(), 0.01);
    const auto now = device.state();
    see((now.model.block().template cast<double>() - cpu.state().model.block()).cwiseAbs().maxCoeff());
    see((now.mean.template cast<double>() - cpu.state().mean).cwiseAbs().maxCoeff());
    see((now.square.template cast<double>() - cpu.state().square).cwiseAbs().maxCoeff());
    see(now.updates == step + 1 && now.model.unembedding() == start.model.unembedding() ? 0 : 1);
  }
  see(std::abs(cpu.judge().cross_entropy - device.judge().cross_entropy));
  return worst;
}

}  // namespace backend_cases
