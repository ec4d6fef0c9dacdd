#pragma once
#include <cmath>

#include "geofact/foundation/matrix.hpp"

namespace geofact {

/// The loss over questions.
struct loss {
  double cross_entropy = 0;  ///< nats a question
  double recall = 0;         ///< share of questions whose target alone has the greatest logit
};

namespace detail {

struct loss_sum {
  double cross_entropy = 0;
  index_t recalled = 0;

  loss_sum& operator+=(const loss_sum& other) {
    cross_entropy += other.cross_entropy;
    recalled += other.recalled;
    return *this;
  }
};

/// Cross-entropy of a tile of logits against the targets; replaces the logits by their adjoints, (softmax - onehot)
/// times `scale`.                                                    // (attributes, queries)
template <class Scalar>
loss_sum cross_entropy(matrix<Scalar>& logits, const int* targets, Scalar scale) {
  loss_sum sum;
  for (index_t q = 0; q < logits.cols(); ++q) {
    auto column = logits.col(q);
    const Scalar top = column.maxCoeff(), own = column[targets[q]];
    sum.recalled += own == top && (column.array() == top).count() == 1;  // a tie is no recall
    column = (column.array() - top).exp();
    const Scalar all = column.sum();
    sum.cross_entropy += std::log(static_cast<double>(all)) + static_cast<double>(top) - static_cast<double>(own);
    column *= scale / all;
    column[targets[q]] -= scale;
  }
  return sum;
}

}  // namespace detail
}  // namespace geofact
