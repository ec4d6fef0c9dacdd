#include "geofact/probe/superposition.hpp"

#include <doctest/doctest.h>

#include "geofact/code/binary.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/fact/graph.hpp"

namespace superposition_test {

using namespace geofact;
using doctest::Approx;
using probe::superposition;

namespace {

/// A construction and what the probes need of it.
struct constructed {
  fact_table<> facts = random_bijections(128, {.relations = 3, .seed = 2});
  matrix<double> states, codes;
  constructed() {
    const auto model = realize<double>(tree(binary_code(128), 3), facts);
    states = model.entity(), codes = model.unembedding().transpose();
  }
};

}  // namespace

TEST_CASE("a construction is the superposition of its answers, and its blocks are recovered") {
  const constructed c;
  const auto fitted = probe::fit_superposition(c.states, c.codes, c.facts);
  for (int r = 0; r < 3; ++r) {
    matrix<double> block = matrix<double>::Zero(24, 7);  // relation r writes its code into its own coordinates
    block.middleRows(7 * r, 7).setIdentity();
    CHECK((fitted.part(r) - block).cwiseAbs().maxCoeff() < 1e-6);
  }
}

TEST_CASE("on constructions R^2 is 1, the relations share it equally and are orthogonal; the controls know nothing") {
  const constructed c;
  const auto report = superposition(c.states, c.codes, c.facts);
  CHECK(report.r2 == Approx(1).epsilon(1e-9));
  CHECK(std::abs(report.shuffled.mean) < 0.2);
  CHECK(report.random < 0.05);
  CHECK(report.selectivity() > 0.8);
  CHECK(report.warnings.empty());
  for (std::size_t r = 0; r < 3; ++r) {
    CHECK(report.shares[r] == Approx(1.0 / 3).epsilon(0.05));
    CHECK(report.dimensions[r] == 7);
    for (std::size_t q = 0; q < 3; ++q) {
      CHECK(report.angles[r][q].square_cosine == Approx(q == r ? 1 : 0).epsilon(1e-6));
      CHECK(report.angles[r][q].chance == Approx(7.0 / 24));
      CHECK(report.angles[r][q].least_degrees == Approx(q == r ? 0 : 90).epsilon(1e-3));
    }
  }
}

TEST_CASE("states that hold one relation twice as large and another not at all show it in the shares") {
  constructed c;
  c.states.middleRows(0, 7) *= 2;
  c.states.middleRows(14, 7).setZero();
  const auto report = superposition(c.states, c.codes, c.facts);
  CHECK(report.shares[0] == Approx(0.8).epsilon(0.05));
  CHECK(report.shares[1] == Approx(0.2).epsilon(0.05));
  CHECK(std::abs(report.shares[2]) < 0.01);
  CHECK(report.dimensions[2] <= 7);
}

TEST_CASE("two subspaces with a known angle have it") {
  matrix<double> a = matrix<double>::Zero(4, 2), b = a;
  a(0, 0) = a(1, 1) = 1;
  b(0, 0) = std::cos(0.3), b(2, 0) = std::sin(0.3), b(3, 1) = 1;
  const auto angle = probe::detail::angle_between(a, b);
  CHECK(angle.least_degrees == Approx(0.3 * 180 / std::numbers::pi));
  CHECK(angle.square_cosine == Approx(std::cos(0.3) * std::cos(0.3) / 2));
}

TEST_CASE("unknown facts count as the mean, and a starved fit is said") {
  constructed c;
  for (int s = 0; s < 20; ++s) {
    c.facts.set(s, 1, unknown);
    c.states.col(s).segment(7, 7).setZero();
  }
  CHECK(superposition(c.states, c.codes, c.facts).r2 > 0.95);
  const matrix<double> wide = probe::random_like(matrix<double>(40, 128), 1);
  CHECK(superposition(c.states, wide, c.facts).warnings.at(0) ==
        "ridge is starved: 3 relations x 40 dimensions exceed 0.8 x 128 subjects");
}

TEST_CASE("a superposition refuses what does not fit") {
  const constructed c;
  CHECK_THROWS_WITH_AS(superposition(matrix<double>(c.states.leftCols(9)), c.codes, c.facts),
                       "states of 9 subjects do not fit facts about 128", error);
  CHECK_THROWS_WITH_AS(superposition(c.states, matrix<double>(c.codes.leftCols(2)), c.facts),
                       "vectors of 2 attributes do not fit facts with 128", error);
  CHECK_THROWS_AS(superposition(c.states, c.codes, c.facts, {.shuffles = 0}), error);
  CHECK_THROWS_AS(superposition(c.states, c.codes, c.facts, {.energy = 0}), error);
  auto states = c.states;
  states(2, 5) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH_AS(superposition(states, c.codes, c.facts), "states: row 2, column 5 is not finite", error);
}

}  // namespace superposition_test
