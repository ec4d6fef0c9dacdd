#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "geofact/foundation/matrix.hpp"

namespace geofact {

/// One measured threshold: the least width for N entities and R relations.
struct threshold_point {
  int entities, relations;
  double width;
};

/// d = slope R log2 N + offset, and the root mean square of what is left.
struct affine_fit {
  double slope = 0, offset = 0, rms = 0;
};

/// d = scale R^relations N^entities, and the root mean square of what is left of log d. With one R (or one N) its
/// exponent is 0.
struct power_fit {
  double scale = 0, relations = 0, entities = 0, rms = 0;
};

namespace detail {
/// A least squares solution of `columns` x = `right`, with 0 for what the columns leave open; and the root mean square
/// of the rest. By the normal equations: the columns are few and far from parallel.
template <class Scalar = double>  // a template, so that who does not fit does not compile it
std::pair<vector<Scalar>, double> least_squares(const matrix<Scalar>& columns, const vector<Scalar>& right) {
  Eigen::FullPivLU<matrix<Scalar>> normal(columns.cols(), columns.cols());
  normal.setThreshold(1e-12);
  normal.compute(columns.transpose().lazyProduct(columns));
  const vector<Scalar> x = normal.solve(columns.transpose().lazyProduct(right));
  return {x, std::sqrt((columns * x - right).squaredNorm() / static_cast<double>(right.size()))};
}
}  // namespace detail

/// Throws for fewer than two points.
template <class Scalar = double>
affine_fit fit_affine(const std::vector<threshold_point>& points) {
  require(points.size() >= 2, "a line through ", points.size(), " points cannot be fitted");
  matrix<Scalar> columns(std::ssize(points), 2);
  vector<Scalar> widths(columns.rows());
  for (index_t i = 0; i < columns.rows(); ++i) {
    const auto& p = points[static_cast<std::size_t>(i)];
    columns.row(i) << p.relations * std::log2(p.entities), 1;
    widths[i] = p.width;
  }
  const auto [x, rms] = detail::least_squares(columns, widths);
  return {x[0], x[1], rms};
}

/// Throws for fewer than two points and for widths that are not positive.
template <class Scalar = double>
power_fit fit_power(const std::vector<threshold_point>& points) {
  require(points.size() >= 2, "a power law through ", points.size(), " points cannot be fitted");
  matrix<Scalar> columns(std::ssize(points), 3);
  vector<Scalar> widths(columns.rows());
  for (index_t i = 0; i < columns.rows(); ++i) {
    const auto& p = points[static_cast<std::size_t>(i)];
    require(p.width > 0, "a power law has no width of ", p.width);
    columns.row(i) << 1, std::log(p.relations), std::log(p.entities);
    widths[i] = std::log(p.width);
  }
  // A constant column says nothing beside the first one.
  for (int c : {1, 2})
    if ((columns.col(c).array() == columns(0, c)).all()) columns.col(c).setZero();
  const auto [x, rms] = detail::least_squares(columns, widths);
  return {std::exp(x[0]), x[1], x[2], rms};
}

}  // namespace geofact
