#pragma once
#include "geofact/gpu/kernel/number.hpp"

namespace geofact::gpu::kernel {

/// Greatest number, sum of exp(x - greatest) and how often the greatest occurs, of numbers that come one at a time: the
/// online softmax (Milakov and Gimelshein, arXiv 1805.02867). A NaN stays in the sum.
template <class Scalar>
struct online {
  Scalar top = least<Scalar>, sum = 0;
  int ties = 0;

  GEOFACT_HD void add(Scalar x) {
    if (x > top) {
      sum = sum * std::exp(top - x) + 1;
      top = x, ties = 1;
    } else {
      sum += std::exp(x - top);
      ties += x == top;
    }
  }
};

struct merge {
  template <class Scalar>
  GEOFACT_HD online<Scalar> operator()(const online<Scalar>& a, const online<Scalar>& b) const {
    const Scalar top = a.top > b.top ? a.top : b.top;
    return {top, a.sum * std::exp(a.top - top) + b.sum * std::exp(b.top - top),
            (a.top == top ? a.ties : 0) + (b.top == top ? b.ties : 0)};
  }
};

/// Softmax and cross-entropy of each query, and, where the scale is not 0, in place of its logits their adjoint:
/// logits <- scale (softmax - onehot). A fact is recalled where its logit alone is the greatest.
template <class Store, class Scalar>
struct softmax_loss {
  int attributes, queries;
  Store* logits;       // (attributes, queries)
  const int* targets;  // (queries)
  Scalar scale;
  Scalar* cross_entropy;  // (queries)
  int* recalled;          // (queries)

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int q = b.index(); q < queries; q += b.count()) {
      Store* const column = logits + index_t{q} * attributes;
      const int target = targets[q];
      const auto own = static_cast<Scalar>(column[target]);  // here: further down it is being overwritten
      online<Scalar> mine;
      b.for_each(attributes, [&](int a) { mine.add(static_cast<Scalar>(column[a])); });
      const online<Scalar> all = b.reduce(mine, merge{});
      b.once([&] {
        cross_entropy[q] = std::log(all.sum) + (all.top - own);
        recalled[q] = own == all.top && all.ties == 1;
      });
      const Scalar share = scale / all.sum;
      b.for_each(scale == Scalar{0} ? 0 : attributes, [&](int a) {
        const Scalar p = std::exp(static_cast<Scalar>(column[a]) - all.top) * share;
        column[a] = static_cast<Store>(a == target ? p - scale : p);
      });
    }
  }
};

/// Sums of `slice` questions a block: a short list that the host adds up in double.
template <class Scalar>
struct sum_losses {
  static constexpr int slice = 1024;
  int queries;
  const Scalar* cross_entropy;  // (queries)
  const int* recalled;          // (queries)
  Scalar* sums;                 // (ceil(queries / slice))
  int* counts;                  // (ceil(queries / slice))

  template <block B>
  GEOFACT_HD void operator()(B& b) const {
    for (int first = b.index() * slice; first < queries; first += b.count() * slice) {
      Scalar sum = 0;
      int count = 0;
      b.for_each(queries - first < slice ? queries - first : slice,
                 [&](int i) { sum += cross_entropy[first + i], count += recalled[first + i]; });
      const Scalar all = b.reduce(sum, plus{});
      const int every = b.reduce(count, plus{});
      b.once([&] { sums[first / slice] = all, counts[first / slice] = every; });
    }
  }
};

}  // namespace geofact::gpu::kernel
