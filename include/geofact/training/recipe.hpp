#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>

#include "geofact/foundation/extent.hpp"

namespace geofact {

/// How one kind of table is started and trained.
struct table_rule {
  double scale = 1;     ///< of its initial weights, against the usual ones (initialize)
  double rate = 1;      ///< of its steps, against the learning rate
  double decay = 0;     ///< decoupled weight decay (AdamW)
  bool frozen = false;  ///< stays as it was started
};

/// Which of the entity table E and the unembedding U are trained; the other one is frozen as it was drawn.
enum class variant {
  eu,  ///< both: the paper's model
  fu,  ///< E alone: superposition can only live in E
  fe,  ///< U alone: not an associative control, since the superposition moves to the output side
  feu  ///< neither: the associative memory to compare with
};

inline constexpr std::array<std::string_view, 4> variant_names = {"EU", "fU", "fE", "fEU"};
constexpr std::string_view name_of(variant which) { return variant_names[static_cast<std::size_t>(which)]; }

/// How the learning rate goes from its full value to the share `final_rate` of it.
enum class schedule { cosine, linear, constant };

/// Everything that decides a training run but the facts and how they are asked. Sizes of 0 are derived: hidden
/// 4 width, key and value of the attention width.
struct recipe {
  int width = 64, hidden = 0;
  int layers = 1, residual = 0;
  int heads = 1, key = 0, value = 0;  ///< of a chain of thought with learned attention
  table_rule entity, relation, position, attention, mlp, unembedding;
  bool unit_unembedding = false;  ///< rows of U on the unit sphere
  double noise = 0;  ///< Gaussian noise on E in each step, in standard deviations of E; none when it is judged
  double learning_rate = 3e-2, beta1 = 0.9, beta2 = 0.99, epsilon = 1e-8;
  schedule curve = schedule::cosine;
  double final_rate = 0.02;
  int warmup = 0;  ///< steps in which the learning rate rises from 0
  int steps = 400;
  int batch = 0;  ///< questions a step; 0: all
  int judge_every =
      0;               ///< steps between evaluations over all questions where a step does not see them all; 0: an epoch
  double stop_at = 1;  ///< the recall that ends the run
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: one per core; the numbers do not depend on it

  /// The rule of the table of this name (parameters::tables).
  const table_rule& rule(std::string_view table) const {
    if (table == "entity") return entity;
    if (table == "relation") return relation;
    if (table == "position") return position;
    if (table == "unembedding") return unembedding;
    return table.starts_with("head.") ? attention : mlp;
  }

  /// The same recipe for another variant.
  recipe as(variant which) const {
    recipe other = *this;
    other.entity.frozen = which == variant::fe || which == variant::feu;
    other.unembedding.frozen = which == variant::fu || which == variant::feu;
    return other;
  }
};

/// Memorises: large full-batch steps from usual initial weights.
constexpr recipe fast(int width, int hidden = 0) {
  recipe r;
  r.width = width, r.hidden = hidden;
  return r;
}

/// Structure for probes and swaps: frozen unit-norm unembedding, a small start of E, noise on E.
constexpr recipe geometric(int width, int hidden = 0) {
  recipe r = fast(width, hidden);
  r.entity.scale = 0.01, r.relation.scale = 3;
  r.unembedding.frozen = r.unit_unembedding = true;
  r.noise = 1;
  r.learning_rate = 1e-2, r.steps = 300, r.stop_at = 2;
  return r;
}

/// Chains of thought with learned attention: two heads, visible positions and smaller steps. One head finds no answer
/// where two do (docs/guide/training.md).
constexpr recipe chain(int width, int hidden = 0) {
  recipe r = fast(width, hidden);
  r.heads = 2, r.position.scale = 3;
  r.learning_rate = 1e-2;
  return r;
}

/// The learning rate of a step: a linear warm-up, then the schedule's curve over the rest of r.steps.
inline double scheduled_rate(const recipe& r, int step) {
  if (step < r.warmup) return r.learning_rate * (step + 1) / (r.warmup + 1);
  const int rest = r.steps - r.warmup;
  const double progress = rest > 1 ? static_cast<double>(step - r.warmup) / (rest - 1) : 0;
  const double share = r.curve == schedule::constant ? 1
                       : r.curve == schedule::linear ? 1 - progress
                                                     : 0.5 * (1 + std::cos(std::numbers::pi * progress));
  return r.learning_rate * (r.final_rate + (1 - r.final_rate) * share);
}

/// Calls visit(name, value) for everything that decides the numbers of a run: all members but `threads`.
template <class Recipe, class Visit>
void for_each_setting(Recipe& r, const Visit& visit) {
  visit("width", r.width), visit("hidden", r.hidden), visit("layers", r.layers), visit("residual", r.residual);
  visit("heads", r.heads), visit("key", r.key), visit("value", r.value);
  const auto table = [&](const std::string& name, auto& rule) {
    visit(name + ".scale", rule.scale), visit(name + ".rate", rule.rate);
    visit(name + ".decay", rule.decay), visit(name + ".frozen", rule.frozen);
  };
  table("entity", r.entity), table("relation", r.relation), table("position", r.position);
  table("attention", r.attention), table("mlp", r.mlp), table("unembedding", r.unembedding);
  visit("unit_unembedding", r.unit_unembedding), visit("noise", r.noise);
  visit("learning_rate", r.learning_rate), visit("beta1", r.beta1), visit("beta2", r.beta2);
  visit("epsilon", r.epsilon), visit("schedule", r.curve), visit("final_rate", r.final_rate);
  visit("warmup", r.warmup), visit("steps", r.steps), visit("batch", r.batch);
  visit("judge_every", r.judge_every), visit("stop_at", r.stop_at), visit("seed", r.seed);
}

}  // namespace geofact
