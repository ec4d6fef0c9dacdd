#pragma once
#include "geofact/gpu/kernel/number.hpp"

namespace geofact::gpu::kernel {

/// One step of one table (training/adam.hpp): `size` and `epsilon` have the bias corrections in them.
template <class Scalar>
struct adamw_rule {
  Scalar size = 0, keep = 1, beta1 = 0, beta2 = 0, epsilon = 0;
  bool frozen = true;
};

/// Consecutive weights of one table.
struct piece {
  index_t first;
  int count, table;
};

/// AdamW over the flat block of weights, a piece a block of threads.
template <class Scalar>
struct adamw {
  static constexpr int slice = 4096;
  int pieces;
  const piece* of;                  // (pieces)
  const adamw_rule<Scalar>* rules;  // (tables)
  const Scalar* gradient;
  Scalar *mean, *square, *weights;

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int p = b.index(); p < pieces; p += b.count()) {
      const piece part = of[p];
      const adamw_rule<Scalar> rule = rules[part.table];
      b.for_each(rule.frozen ? 0 : part.count, [&](int i) {
        const index_t at = part.first + i;
        const Scalar g = gradient[at];
        const Scalar m = rule.beta1 * mean[at] + (1 - rule.beta1) * g;
        const Scalar v = rule.beta2 * square[at] + (1 - rule.beta2) * (g * g);
        mean[at] = m, square[at] = v;
        weights[at] = rule.keep * weights[at] - rule.size * m / (std::sqrt(v) + rule.epsilon);
      });
    }
  }
};

}  // namespace geofact::gpu::kernel
