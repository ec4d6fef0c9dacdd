#pragma once
#include <vector>

#include "geofact/foundation/matrix.hpp"

namespace geofact::probe {

/// How near a prediction came to its true answer: how many other candidates are at least as near. 0: recalled.
struct ranks {
  int cosine = 0, euclidean = 0;
};

/// The ranks of the true candidates among all, by cosine and by distance; a tie counts against the prediction. Both
/// arguments are centred alike; the products of a tile of predictions with all candidates give both.
/// predictions (dimensions, n), candidates (dimensions, candidates), truth[n]
template <class Scalar>
std::vector<ranks> rank_nearest(const matrix<Scalar>& predictions, const matrix<Scalar>& candidates,
                                const std::vector<int>& truth) {
  constexpr index_t wide = 64;
  const vector<Scalar> norms = candidates.colwise().norm();
  const vector<Scalar> weights = (norms.array() > 0).select(norms.cwiseInverse(), Scalar{0});
  const vector<Scalar> halves = norms.cwiseAbs2() / 2;
  std::vector<ranks> all(truth.size());
  for (index_t first = 0; first < predictions.cols(); first += wide) {
    const index_t count = (std::min)(wide, predictions.cols() - first);
    const matrix<Scalar> products = candidates.transpose() * predictions.middleCols(first, count);
    for (index_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(first + i);
      const auto nearer = [&](const vector<Scalar>& score) {
        return static_cast<int>((score.array() >= score[truth[at]]).count()) - 1;
      };
      all[at].cosine = nearer(products.col(i).cwiseProduct(weights));
      all[at].euclidean = nearer(products.col(i) - halves);
    }
  }
  return all;
}

}  // namespace geofact::probe
