#pragma once
#include "geofact/gpu/kernel/number.hpp"

namespace geofact::gpu::kernel {

/// The product with a sparse matrix of ones: column target[s] of `out` becomes the sum of the columns order[e] of `in`,
/// e in starts[s] .. starts[s + 1] - 1. The embeddings of a question are such a sum, and the adjoint of that is the
/// same with the transposed matrix: the deterministic scatter-add. `bias` and `relu` come for free on the way.
template <class In, class Out, class Scalar>
struct segment_sum {
  int rows, segments;
  const int* starts;            // segments + 1
  const int* order = nullptr;   // null: entry e is column e
  const int* target = nullptr;  // null: segment s is column s
  const In* in;                 // (rows, any)
  Out* out;                     // (rows, any)
  const Scalar* bias = nullptr;
  bool relu = false;
  bool accumulate = false;

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int s = b.index(); s < segments; s += b.count()) {
      const int begin = starts[s], end = starts[s + 1];
      Out* const to = out + index_t{target ? target[s] : s} * rows;
      b.for_each(rows, [&](int i) {
        Scalar sum = bias ? bias[i] : Scalar{0};
        for (int e = begin; e < end; ++e) sum += static_cast<Scalar>(in[index_t{order ? order[e] : e} * rows + i]);
        if (accumulate) sum += static_cast<Scalar>(to[i]);
        to[i] = static_cast<Out>(relu && !(sum > Scalar{0}) ? Scalar{0} : sum);
      });
    }
  }
};

/// The same adjoint by atomic additions, in whatever order: column order[e] of `out` += column s of `in`.
template <class In, class Scalar>
struct scatter_add {
  int rows, segments;
  const int* starts;  // segments + 1
  const int* order;
  const In* in;  // (rows, segments)
  Scalar* out;   // (rows, any)

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int s = b.index(); s < segments; s += b.count()) {
      const int begin = starts[s], end = starts[s + 1];
      b.for_each(rows, [&](int i) {
        const auto x = static_cast<Scalar>(in[index_t{s} * rows + i]);
        for (int e = begin; e < end; ++e) b.add(out + (index_t{order[e]} * rows + i), x);
      });
    }
  }
};

}  // namespace geofact::gpu::kernel
