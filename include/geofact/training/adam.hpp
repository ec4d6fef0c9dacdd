#pragma once
#include <algorithm>
#include <cmath>
#include <utility>

#include "geofact/foundation/parallel.hpp"
#include "geofact/foundation/subnormals.hpp"
#include "geofact/model/parameters.hpp"
#include "geofact/training/recipe.hpp"

namespace geofact {

/// All that a run is in the middle of: the weights and the moments of their gradients.
template <class Model>
struct learner_state {
  using Scalar = typename Model::Scalar;

  explicit learner_state(Model start)
      : model(std::move(start)),
        mean(vector<Scalar>::Zero(model.count())),
        square(vector<Scalar>::Zero(model.count())) {}

  Model model;
  vector<Scalar> mean, square;  ///< running means of the gradient and of its square
  int updates = 0;
};

/// One update of AdamW (Loshchilov and Hutter, arXiv 1711.05101) against `gradient` at the learning rate `rate`, a rule
/// a table.
template <class Model>
void update_adam(learner_state<Model>& state, const Model& gradient, const recipe& r, double rate) {
  using Scalar = typename Model::Scalar;
  const subnormals_are_zero here;  // among them squares of small gradients
  const int step = ++state.updates;
  const double whole = std::sqrt(1 - std::pow(r.beta2, step));  // what the running mean of squares has seen, as a root
  const double unbias = whole / (1 - std::pow(r.beta1, step));
  const auto b1 = static_cast<Scalar>(r.beta1), b2 = static_cast<Scalar>(r.beta2);
  const auto epsilon = static_cast<Scalar>(r.epsilon * whole);
  for (const table& t : state.model.tables()) {
    const table_rule& rule = r.rule(t.name);
    if (rule.frozen) continue;
    const auto size = static_cast<Scalar>(rate * rule.rate * unbias);
    const auto keep = static_cast<Scalar>(1 - rate * rule.rate * rule.decay);
    constexpr index_t slice = 1 << 14;
    parallel_for((t.size() + slice - 1) / slice, t.size() > 4 * slice ? thread_count(r.threads) : 1, [&](index_t i) {
      const index_t begin = t.offset + i * slice, count = (std::min)(slice, t.offset + t.size() - begin);
      const auto g = gradient.block().segment(begin, count).array();
      auto m = state.mean.segment(begin, count).array(), v = state.square.segment(begin, count).array();
      auto w = state.model.block().segment(begin, count).array();
      m = b1 * m + (1 - b1) * g;
      v = b2 * v + (1 - b2) * g.square();
      w = keep * w - size * m / (v.sqrt() + epsilon);
    });
  }
}

}  // namespace geofact
