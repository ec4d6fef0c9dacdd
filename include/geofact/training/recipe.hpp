#pragma once
#include <cstdint>
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

/// Everything that decides a training run but the facts. Sizes of 0 are derived: hidden 4 width.
struct recipe {
  int width = 64, hidden = 0;
  table_rule entity, relation, position, attention, mlp, unembedding;
  bool unit_unembedding = false;  ///< rows of U on the unit sphere
  double noise = 0;  ///< Gaussian noise on E in each step, in standard deviations of E; none when it is judged
  double learning_rate = 3e-2, beta1 = 0.9, beta2 = 0.99, epsilon = 1e-8;
  double final_rate = 0.02;  ///< the cosine schedule ends at this share of the learning rate
  int steps = 400;
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

}  // namespace geofact
