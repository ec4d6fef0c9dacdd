#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "geofact/foundation/parallel.hpp"
#include "geofact/model/parameters.hpp"
#include "geofact/training/recipe.hpp"

namespace geofact {

/// AdamW over the block of parameters (Loshchilov and Hutter, arXiv 1711.05101), a rule a table.
template <class Model>
class adam {
 public:
  using Scalar = typename Model::Scalar;

  explicit adam(const Model& model)
      : mean_(vector<Scalar>::Zero(model.count())), square_(vector<Scalar>::Zero(model.count())) {}

  /// One step against `gradient` at the learning rate `rate`.
  void step(Model& model, const Model& gradient, const recipe& r, double rate) {
    ++steps_;
    const double unbias = std::sqrt(1 - std::pow(r.beta2, steps_)) / (1 - std::pow(r.beta1, steps_));
    const auto b1 = static_cast<Scalar>(r.beta1), b2 = static_cast<Scalar>(r.beta2);
    const auto epsilon = static_cast<Scalar>(r.epsilon * std::sqrt(1 - std::pow(r.beta2, steps_)));
    for (const table& t : model.tables()) {
      const table_rule& rule = r.rule(t.name);
      if (rule.frozen) continue;
      const auto size = static_cast<Scalar>(rate * rule.rate * unbias);
      const auto keep = static_cast<Scalar>(1 - rate * rule.rate * rule.decay);
      constexpr index_t slice = 1 << 14;
      parallel_for((t.size() + slice - 1) / slice, t.size() > 4 * slice ? thread_count(r.threads) : 1, [&](index_t i) {
        const index_t begin = t.offset + i * slice, count = (std::min)(slice, t.offset + t.size() - begin);
        const auto g = gradient.block().segment(begin, count).array();
        auto m = mean_.segment(begin, count).array(), v = square_.segment(begin, count).array();
        m = b1 * m + (1 - b1) * g;
        v = b2 * v + (1 - b2) * g.square();
        auto w = model.block().segment(begin, count).array();
        w = keep * w - size * m / (v.sqrt() + epsilon);
      });
    }
  }

  int steps() const { return steps_; }

 private:
  vector<Scalar> mean_, square_;
  int steps_ = 0;
};

/// From the learning rate to its share `final_rate` along half a cosine, at step `step` of r.steps.
inline double scheduled_rate(const recipe& r, int step) {
  const double progress = r.steps > 1 ? static_cast<double>(step) / (r.steps - 1) : 0;
  return r.learning_rate * (r.final_rate + (1 - r.final_rate) * 0.5 * (1 + std::cos(std::numbers::pi * progress)));
}

}  // namespace geofact
