#pragma once
#include <cstddef>

#include "geofact/gpu/kernel/softmax.hpp"

namespace geofact::gpu::kernel {

/// Outputs that narrow_loss takes.
inline constexpr int most_narrow = 32;

/// softmax_loss with the product U y in it, for outputs of at most `Width` coordinates: a thread holds a row of U in
/// registers while `together` queries pass by, twice. The logits are never stored; their adjoints are, once.
template <int Width, class Store, class Scalar>
struct narrow_loss {
  static constexpr int together = 4;
  int attributes, queries, output;
  const Store* u;      // (attributes, output)
  const Store* y;      // (output, queries)
  Store* adjoint;      // (attributes, queries); untouched where the scale is 0
  const int* targets;  // (queries)
  Scalar scale;
  Scalar* cross_entropy;  // (queries)
  int* recalled;          // (queries)

  struct row {
    Scalar at[std::size_t{Width}];
  };
  GEOFACT_HD row read(int a) const {
    row r;
    for (int j = 0; j < Width; ++j)
      r.at[j] = j < output ? static_cast<Scalar>(u[index_t{j} * attributes + a]) : Scalar{0};
    return r;
  }
  GEOFACT_HD Scalar logit(const row& r, int q) const {
    Scalar sum = 0;
    for (int j = 0; j < Width; ++j)
      if (j < output) sum += r.at[j] * static_cast<Scalar>(y[index_t{q} * output + j]);
    return sum;
  }

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int first = b.index() * together; first < queries; first += b.count() * together) {
      const int count = queries - first < together ? queries - first : together;
      online<Scalar> mine[together];
      b.for_each(attributes, [&](int a) {
        const row r = read(a);
        for (int i = 0; i < together; ++i)
          if (i < count) mine[i].add(logit(r, first + i));
      });
      for (int i = 0; i < together; ++i) mine[i] = b.reduce(mine[i], merge{});
      b.once([&] {
        for (int i = 0; i < together; ++i)
          if (i < count) {
            const Scalar own = logit(read(targets[first + i]), first + i);
            cross_entropy[first + i] = std::log(mine[i].sum) + (mine[i].top - own);
            recalled[first + i] = own == mine[i].top && mine[i].ties == 1;
          }
      });
      b.for_each(scale == Scalar{0} ? 0 : attributes, [&](int a) {
        const row r = read(a);
        for (int i = 0; i < together; ++i)
          if (i < count) {
            const Scalar p = std::exp(logit(r, first + i) - mine[i].top) * (scale / mine[i].sum);
            adjoint[index_t{first + i} * attributes + a] = static_cast<Store>(a == targets[first + i] ? p - scale : p);
          }
      });
    }
  }
  int blocks() const { return (queries + together - 1) / together; }
};

}  // namespace geofact::gpu::kernel
