#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "geofact/foundation/matrix.hpp"
#include "geofact/foundation/parallel.hpp"

namespace geofact::probe {

/// Throws, with row and column, where a number of `m` is not finite; `what` is what the sentence calls it.
template <class Matrix>
void require_finite(const Matrix& m, const char* what) {
  if (m.allFinite()) return;
  for (index_t column = 0; column < m.cols(); ++column)
    for (index_t row = 0; row < m.rows(); ++row)
      require(std::isfinite(m(row, column)), what, ": row ", row, ", column ", column, " is not finite");
}

/// Penalties to choose from, in units of the mean eigenvalue of the states' Gram matrix.
inline std::vector<double> usual_lambdas() { return {1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100}; }

/// A linear map with an offset, y = mean_y + map (x - mean_x), and how it was chosen.
template <class Scalar>
struct linear_map {
  matrix<Scalar> map;             // (targets, width)
  vector<Scalar> mean_x, mean_y;  // (width), (targets)
  double lambda = 0;              ///< chosen penalty, in units of the mean eigenvalue
  double leave_one_out = 0;       ///< R^2 of each subject predicted from all others

  /// map (x - mean_x): what is predicted beside the mean.              // (width, subjects) -> (targets, subjects)
  template <class States>
  matrix<Scalar> centred(const States& x) const {
    return map * (x.colwise() - mean_x);
  }
};

/// Ridge regression with an offset for any number of targets and penalties (theory/probes.md).
///
/// One eigendecomposition of the smaller Gram matrix gives the centred states as V sqrt(S) Q. Then for the penalty
/// lambda, with D = S / (S + lambda) and B = Y Q':  the fit is B D Q, the leverage of a subject h_i = 1/N + q_i' D q_i,
/// and its exact leave-one-out error (y_i - fit_i) / (1 - h_i). The sum of their squares is a quadratic form in the
/// diagonal of D whose matrices are shared by all penalties, or by all targets: its cost does not grow with their
/// product.
template <class Scalar>
class ridge {
 public:
  /// Throws for fewer than two subjects and for numbers that are not finite.   // states (width, subjects)
  explicit ridge(matrix<Scalar> states, std::vector<double> lambdas = usual_lambdas(), int threads = 0)
      : lambdas_(std::move(lambdas)), threads_(thread_count(threads)) {
    require(states.cols() >= 2, "a regression needs at least two subjects, got ", states.cols());
    require(!lambdas_.empty(), "a regression needs a penalty");
    for (double lambda : lambdas_)
      require(lambda > 0 && std::isfinite(lambda), "a penalty must be positive, not ", lambda);
    require_finite(states, "states");
    mean_ = states.rowwise().mean();
    states.colwise() -= mean_;
    decompose(std::move(states));
    weigh();
  }

  index_t subjects() const { return q_.cols(); }
  /// Dimensions that the centred states span.
  index_t rank() const { return q_.rows(); }

  /// The map with the least leave-one-out error from states to `y`.            // (targets, subjects)
  linear_map<Scalar> operator()(const matrix<Scalar>& y) const {
    require(y.cols() == subjects(), "targets of ", y.cols(), " subjects do not fit states of ", subjects());
    linear_map<Scalar> fit{{}, mean_, y.rowwise().mean(), 0, 0};
    const matrix<Scalar> centred = y.colwise() - fit.mean_y;
    const matrix<Scalar> b = q_ * centred.transpose();  // (rank, targets)
    const std::size_t best = choose(centred, b, fit.leave_one_out);
    fit.lambda = lambdas_[best];
    const vector<Scalar> shrink = shrinkage(best).array() / root_.array();
    fit.map.noalias() = b.transpose() * (shrink.asDiagonal() * v_.transpose());
    return fit;
  }

 private:
  /// S / (S + lambda).                                                          // (rank)
  vector<Scalar> shrinkage(std::size_t l) const {
    const auto s = root_.array().square();
    return s / (s + static_cast<Scalar>(lambdas_[l] * scale_));
  }

  /// `x` becomes Q in its own memory: states of language models are large.
  void decompose(matrix<Scalar> x) {
    const bool tall = x.cols() >= x.rows();
    // In double precision whatever the scalar: eigenvectors of floats are orthogonal to some 1e-5 only.
    const matrix<double> g = (tall ? gram(x) : gram(x.transpose())).template cast<double>();
    const Eigen::SelfAdjointEigenSolver<matrix<double>> eigen(g);
    const vector<Scalar> s = eigen.eigenvalues().template cast<Scalar>();  // ascending
    const index_t all = s.size();
    const Scalar least = s[all - 1] * static_cast<Scalar>(all) * std::numeric_limits<Scalar>::epsilon();
    index_t rank = 0;
    while (rank < all && s[all - 1 - rank] > least) ++rank;
    root_ = s.tail(rank).cwiseSqrt();
    scale_ = rank > 0 ? x.template cast<double>().squaredNorm() / static_cast<double>(x.rows()) : 1;
    const matrix<Scalar> vectors = eigen.eigenvectors().rightCols(rank).template cast<Scalar>();
    if (tall) {
      v_ = vectors;
      const matrix<Scalar> to_q = root_.cwiseInverse().asDiagonal() * v_.transpose();
      for_tiles(x.cols(), [&](index_t first, index_t count) {
        x.block(0, first, rank, count) = to_q * x.middleCols(first, count);
      });
      if (rank < x.rows()) x.conservativeResize(rank, Eigen::NoChange);
      q_ = std::move(x);
    } else {
      q_ = vectors.transpose();
      v_.noalias() = x * (vectors * root_.cwiseInverse().asDiagonal());
    }
  }

  /// x x', tiles in parallel; the lower half is filled.                         // (rows, n) -> (rows, rows)
  matrix<Scalar> gram(const matrix<Scalar>& x) const {
    constexpr index_t tile = 256;
    const index_t tiles = (x.rows() + tile - 1) / tile;
    matrix<Scalar> result(x.rows(), x.rows());
    parallel_for(tiles * (tiles + 1) / 2, threads_, [&](index_t t) {
      index_t i = 0;
      while ((i + 1) * (i + 2) / 2 <= t) ++i;
      const index_t j = t - i * (i + 1) / 2;
      const auto rows = [&](index_t k) { return x.middleRows(k * tile, (std::min)(tile, x.rows() - k * tile)); };
      result.block(i * tile, j * tile, rows(i).rows(), rows(j).rows()).noalias() = rows(i) * rows(j).transpose();
    });
    return result;
  }

  /// Calls task(first, count) for ranges of subjects, one after the other.
  template <class Task>
  static void for_tiles(index_t subjects, const Task& task) {
    constexpr index_t tile = 2048;
    for (index_t first = 0; first < subjects; first += tile) task(first, (std::min)(tile, subjects - first));
  }

  /// For each penalty the weights 1 / (1 - h_i)^2 and Q diag(weights) Q'; none where a subject predicts itself.
  void weigh() {
    weights_ = matrix<Scalar>::Zero(subjects(), std::ssize(lambdas_));
    forms_.resize(lambdas_.size());
    const auto least = std::sqrt(std::numeric_limits<Scalar>::epsilon());
    parallel_for(std::ssize(lambdas_), threads_, [&](index_t i) {
      const auto l = static_cast<std::size_t>(i);
      const vector<Scalar> d = shrinkage(l);
      vector<Scalar> rest(subjects());
      for_tiles(subjects(), [&](index_t first, index_t count) {
        rest.segment(first, count) = Scalar{1} - Scalar{1} / static_cast<Scalar>(subjects()) -
                                     (q_.middleCols(first, count).cwiseAbs2().transpose() * d).array();
      });
      if (rest.minCoeff() < least && l + 1 < lambdas_.size()) return;
      weights_.col(i) = rest.cwiseMax(least).cwiseAbs2().cwiseInverse();
      forms_[l] = matrix<Scalar>::Zero(rank(), rank());
      for_tiles(subjects(), [&](index_t first, index_t count) {
        const matrix<Scalar> weighted =
            q_.middleCols(first, count) * weights_.col(i).segment(first, count).cwiseSqrt().asDiagonal();
        forms_[l].template selfadjointView<Eigen::Lower>().rankUpdate(weighted);
      });
      forms_[l].template triangularView<Eigen::StrictlyUpper>() = forms_[l].transpose();
    });
  }

  /// The penalty of least leave-one-out error, and the R^2 of that.   // y (targets, subjects), b (rank, targets)
  std::size_t choose(const matrix<Scalar>& y, const matrix<Scalar>& b, double& r2) const {
    matrix<Scalar> bb = matrix<Scalar>::Zero(rank(), rank());
    bb.template selfadjointView<Eigen::Lower>().rankUpdate(b);
    bb.template triangularView<Eigen::StrictlyUpper>() = bb.transpose();
    const matrix<Scalar> agreement = weighted_agreement(y, b);
    const vector<Scalar> sizes = y.colwise().squaredNorm();  // (subjects)
    const double others = static_cast<double>(subjects()) / static_cast<double>(subjects() - 1);
    const double total = static_cast<double>(sizes.sum()) * others * others;  // errors of the mean of the others
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t l = 0; l < lambdas_.size(); ++l) {
      const auto i = static_cast<index_t>(l);
      if (weights_(0, i) == 0) continue;
      const vector<Scalar> d = shrinkage(l);
      const double errors = static_cast<double>(weights_.col(i).dot(sizes)) -
                            2 * static_cast<double>(d.dot(agreement.col(i))) +
                            static_cast<double>(d.dot(forms_[l].cwiseProduct(bb) * d));
      if (errors < least) least = errors, best = l;
    }
    r2 = total > 0 ? 1 - least / total : 0;
    return best;
  }

  /// What each dimension of Q agrees with the targets of the subjects, weighted for each penalty.  // (rank, penalties)
  matrix<Scalar> weighted_agreement(const matrix<Scalar>& y, const matrix<Scalar>& b) const {
    matrix<Scalar> sum = matrix<Scalar>::Zero(rank(), weights_.cols());
    for_tiles(subjects(), [&](index_t first, index_t count) {
      const matrix<Scalar> here = (b * y.middleCols(first, count)).cwiseProduct(q_.middleCols(first, count));
      sum.noalias() += here * weights_.middleRows(first, count);
    });
    return sum;
  }

  std::vector<double> lambdas_;
  int threads_;
  double scale_ = 1;                   // the mean eigenvalue
  vector<Scalar> mean_, root_;         // (width), (rank): sqrt(S)
  matrix<Scalar> v_, q_;               // (width, rank), (rank, subjects)
  matrix<Scalar> weights_;             // (subjects, penalties): above 0; 0 where a penalty is refused
  std::vector<matrix<Scalar>> forms_;  // of each penalty
};

}  // namespace geofact::probe
