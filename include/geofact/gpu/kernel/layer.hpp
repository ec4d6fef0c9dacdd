#pragma once
#include "geofact/gpu/kernel/number.hpp"

namespace geofact::gpu::kernel {

/// x += bias + the first rows of another stream, and a ReLU where asked for. A NaN becomes 0 under the ReLU, as in
/// segment_sum.
template <class Store, class Scalar>
struct finish_layer {
  int rows, queries;
  Store* x;                       // (rows, queries)
  const Scalar* bias = nullptr;   // (rows)
  const Store* stream = nullptr;  // (stream_rows, queries): read where it has rows
  int stream_rows = 0;
  bool relu = false;

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int q = b.index(); q < queries; q += b.count())
      b.for_each(rows, [&](int i) {
        Store& at = x[index_t{q} * rows + i];
        auto sum = static_cast<Scalar>(at);
        if (bias) sum += bias[i];
        if (i < stream_rows) sum += static_cast<Scalar>(stream[index_t{q} * stream_rows + i]);
        at = static_cast<Store>(relu && !(sum > Scalar{0}) ? Scalar{0} : sum);
      });
  }
};

/// The adjoint of the ReLU: what stood at 0 has no share.
template <class Store>
struct mask {
  int rows, queries;
  const Store* units;  // (rows, queries)
  Store* adjoint;      // (rows, queries)

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int q = b.index(); q < queries; q += b.count())
      b.for_each(rows, [&](int i) {
        const index_t at = index_t{q} * rows + i;
        if (!(units[at] > Store{})) adjoint[at] = Store{};
      });
  }
};

/// A piece of a vector in another type, `slice` numbers a block.
template <class From, class To>
struct convert {
  static constexpr int slice = 4096;
  index_t count;
  const From* from;
  To* to;

  int blocks() const { return static_cast<int>((count + slice - 1) / slice); }

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (index_t first = index_t{b.index()} * slice; first < count; first += index_t{b.count()} * slice)
      b.for_each(static_cast<int>(count - first < slice ? count - first : slice),
                 [&](int i) { to[first + i] = static_cast<To>(from[first + i]); });
  }
};

}  // namespace geofact::gpu::kernel
