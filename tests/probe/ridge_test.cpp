#include "geofact/probe/ridge.hpp"

#include <doctest/doctest.h>

#include "geofact/foundation/random.hpp"

namespace ridge_test {

using namespace geofact;
using doctest::Approx;
using probe::ridge;

namespace {

matrix<double> normal(index_t rows, index_t columns, std::uint64_t seed) {
  matrix<double> m(rows, columns);
  const random_stream random(seed);
  for (index_t i = 0; i < m.size(); ++i) m.data()[i] = random.normal(static_cast<std::uint64_t>(i));
  return m;
}

/// What the normal equations predict for one state, beside the mean.
struct by_normal_equations {
  vector<double> mean_x, mean_y;
  matrix<double> map;
  by_normal_equations(const matrix<double>& x, const matrix<double>& y, double penalty)
      : mean_x(x.rowwise().mean()), mean_y(y.rowwise().mean()) {
    const matrix<double> cx = x.colwise() - mean_x, cy = y.colwise() - mean_y;
    const matrix<double> g = cx * cx.transpose() + penalty * matrix<double>::Identity(x.rows(), x.rows());
    map = g.ldlt().solve(cx * cy.transpose()).transpose();
  }
  vector<double> operator()(const vector<double>& x) const { return mean_y + map * (x - mean_x); }
};

/// The penalty in absolute terms: theirs is relative to the mean eigenvalue.
double absolute(const matrix<double>& x, double lambda) {
  const matrix<double> centred = x.colwise() - x.rowwise().mean();
  return lambda * centred.squaredNorm() / static_cast<double>(x.rows());
}

/// R^2 of every subject predicted by a fit to all others.
double leave_one_out(const matrix<double>& x, const matrix<double>& y, double penalty) {
  double errors = 0, total = 0;
  const index_t n = x.cols();
  for (index_t left = 0; left < n; ++left) {
    matrix<double> others_x(x.rows(), n - 1), others_y(y.rows(), n - 1);
    for (index_t i = 0, j = 0; i < n; ++i)
      if (i != left) others_x.col(j) = x.col(i), others_y.col(j++) = y.col(i);
    const by_normal_equations fit(others_x, others_y, penalty);
    errors += (y.col(left) - fit(x.col(left))).squaredNorm();
    total += (y.col(left) - fit.mean_y).squaredNorm();
  }
  return 1 - errors / total;
}

}  // namespace

TEST_CASE("ridge agrees with the normal equations, for tall and for wide states") {
  for (const index_t width : {7, 60}) {
    const matrix<double> x = normal(width, 30, 1), y = normal(3, width, 2) * x + normal(3, 30, 3);
    for (double lambda : {1e-3, 1e-1, 10.0}) {
      CAPTURE(width);
      CAPTURE(lambda);
      const auto fit = ridge<double>(x, {lambda})(y);
      const by_normal_equations other(x, y, absolute(x, lambda));
      CHECK((fit.map - other.map).cwiseAbs().maxCoeff() < 1e-9);
      CHECK((fit.mean_x - other.mean_x).norm() < 1e-12);
      CHECK((fit.mean_y - other.mean_y).norm() < 1e-12);
    }
  }
}

TEST_CASE("leave-one-out is exact: it agrees with a fit for each subject left out") {
  for (const index_t width : {5, 40}) {
    const matrix<double> x = normal(width, 24, 4).array() + 3, y = normal(2, width, 5) * x + normal(2, 24, 6);
    for (double lambda : {1e-2, 1.0, 100.0}) {
      CAPTURE(width);
      CAPTURE(lambda);
      CHECK(ridge<double>(x, {lambda})(y).leave_one_out == Approx(leave_one_out(x, y, absolute(x, lambda))));
    }
  }
}

TEST_CASE("the penalty of least leave-one-out error is chosen, for each set of targets by itself") {
  const std::vector<double> lambdas = {1e-6, 1e-3, 1e-1, 1, 30};
  const matrix<double> x = normal(20, 40, 7);
  for (double noise : {0.0, 1.0, 100.0}) {
    const matrix<double> y = normal(2, 20, 8) * x + noise * normal(2, 40, 9);
    double best = -1e300, chosen = 0;
    for (double lambda : lambdas)
      if (const double r2 = leave_one_out(x, y, absolute(x, lambda)); r2 > best) best = r2, chosen = lambda;
    CAPTURE(noise);
    CHECK(ridge<double>(x, lambdas)(y).lambda == chosen);
  }
}

TEST_CASE("what is linear is recovered to rounding, also with constant and repeated coordinates") {
  matrix<double> x = normal(8, 50, 1);
  x.row(3).setConstant(5);
  x.row(4) = 2 * x.row(2);
  const matrix<double> a = normal(3, 8, 2), y = (a * x).colwise() + normal(3, 1, 3).col(0);
  const ridge<double> solver(x);
  CHECK(solver.rank() == 6);
  const auto fit = solver(y);
  CHECK(fit.leave_one_out == Approx(1).epsilon(1e-9));
  CHECK((fit.centred(x) - (y.colwise() - fit.mean_y)).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("constant states predict the mean, and constant targets have no R^2") {
  const matrix<double> x = matrix<double>::Constant(4, 10, 2.5), y = normal(2, 10, 1);
  const auto fit = ridge<double>(x)(y);
  CHECK(fit.map.norm() == 0);
  CHECK(fit.leave_one_out == Approx(0).epsilon(1e-12));
  const auto flat = ridge<double>(normal(4, 10, 2))(matrix<double>::Constant(2, 10, 7));
  CHECK(flat.leave_one_out == 0);
  CHECK(flat.mean_y[0] == 7);
}

TEST_CASE("the numbers do not depend on the threads") {
  const matrix<double> x = normal(300, 400, 1), y = normal(5, 400, 2);
  CHECK(ridge<double>(x, probe::usual_lambdas(), 1)(y).map == ridge<double>(x, probe::usual_lambdas(), 3)(y).map);
}

TEST_CASE("ridge refuses too few subjects, bad penalties, other sizes and numbers that are not finite") {
  const matrix<double> x = normal(3, 6, 1);
  CHECK_THROWS_WITH_AS(ridge<double>(matrix<double>(x.leftCols(1))), doctest::Contains("at least two subjects"), error);
  CHECK_THROWS_WITH_AS(ridge<double>(x, {0.0}), doctest::Contains("must be positive"), error);
  CHECK_THROWS_WITH_AS(ridge<double>(x, {}), doctest::Contains("penalty"), error);
  CHECK_THROWS_WITH_AS(ridge<double>{x}(normal(2, 5, 1)), doctest::Contains("targets of 5 subjects"), error);
  matrix<double> bad = x;
  bad(1, 4) = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH_AS(ridge<double>{bad}, "states: row 1, column 4 is not finite", error);
}

}  // namespace ridge_test
