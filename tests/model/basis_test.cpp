#include "geofact/model/basis.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../support.hpp"
#include "geofact/model/forward.hpp"

namespace basis_test {

using geofact::change_basis;
using geofact::matrix;
using geofact::parameters;
using geofact::random_isometry;

namespace {

parameters<double> random_model(int heads, int layers, int residual = 0) {
  geofact::sizes<> n;
  n.entities = 6, n.relations = 4, n.positions = 6, n.width = 8, n.hidden = 7, n.layers = layers;
  n.output = 3, n.attributes = 8, n.heads = heads, n.key = 2, n.value = 4, n.residual = residual;
  parameters<double> model(n);
  naive::randomize(model, 5, 0.7);
  model.abstain = 0.25;
  return model;
}

}  // namespace

TEST_CASE("a random isometry keeps lengths and angles, square or taller") {
  for (int rows : {8, 9, 40}) {
    const auto q = random_isometry<double>(rows, 8, 3);
    CHECK(q.rows() == rows);
    CHECK((q.transpose() * q - matrix<double>::Identity(8, 8)).norm() < 1e-12);
    CHECK(q == random_isometry<double>(rows, 8, 3));
    CHECK((q - random_isometry<double>(rows, 8, 4)).norm() > 0.1);
  }
  CHECK_THROWS_WITH_AS(random_isometry<double>(7, 8), "there is no isometry of 8 dimensions into 7", geofact::error);
}

TEST_CASE("a change of basis of the stream keeps all outputs: rotations, taller isometries, any left-invertible A") {
  const std::vector<std::vector<int>> tokens{{0, 5, 3}, {7, 9, 6}, {1, 1, 2}};
  matrix<double> shear = matrix<double>::Identity(8, 8);
  shear.row(0).setLinSpaced(1, 3);
  for (int heads : {0, 1, 3})
    for (int layers : {1, 3}) {
      const auto model = random_model(heads, layers);
      const auto y = forward(model, tokens);
      for (const auto& a :
           {random_isometry<double>(8, 8, 1), random_isometry<double>(20, 8, 2), shear, matrix<double>(-3 * shear)}) {
        const auto moved = change_basis(model, a);
        CHECK(moved.width() == a.rows());
        CHECK(moved.abstain == model.abstain);
        CHECK(moved.unembedding() == model.unembedding());
        CHECK((moved.entity() - a * model.entity()).norm() == 0);
        CHECK((forward(moved, tokens) - y).norm() < 1e-10 * (1 + y.norm()));
      }
    }
}

TEST_CASE("a change of basis that loses something is refused in a sentence") {
  const auto model = random_model(0, 1);
  matrix<double> flat = matrix<double>::Identity(8, 8);
  flat.col(3) = flat.col(2);
  CHECK_THROWS_WITH_AS(change_basis(model, flat), "the change of basis is not left-invertible: rank 7 of 8",
                       geofact::error);
  CHECK_THROWS_AS(change_basis(model, matrix<double>(matrix<double>::Identity(7, 8))), geofact::error);
  CHECK_THROWS_WITH_AS(change_basis(model, matrix<double>(matrix<double>::Identity(9, 7))),
                       "a change of basis of a stream of width 8 has 7 columns", geofact::error);
  const char* reads = "this model reads its output off the stream: its basis cannot change";
  const matrix<double> one = matrix<double>::Identity(8, 8);
  CHECK_THROWS_WITH_AS(change_basis(random_model(0, 1, 1), one), reads, geofact::error);
  CHECK_THROWS_WITH_AS(change_basis(random_model(1, 0), one), reads, geofact::error);
}

}  // namespace basis_test
