#include "geofact/probe/readout.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <sstream>

#include "geofact/code/binary.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/fact/graph.hpp"

namespace readout_test {

using namespace geofact;
using doctest::Approx;
using probe::readout;

namespace {

/// Two relations over one-hot answers of `answers` kinds; relation 0 can be read off the states, relation 1 cannot.
struct half_known {
  fact_table<> facts;
  matrix<double> states, targets;
  explicit half_known(int subjects = 60, int answers = 3) : facts(subjects, 2, answers) {
    states = probe::random_like<double>(matrix<double>(5, subjects), 3);
    targets = matrix<double>::Identity(answers, answers);
    for (int s = 0; s < subjects; ++s) {
      const int a = states(0, s) < -0.4 ? 0 : states(1, s) < 0 ? 1 : 2;
      facts.set(s, 0, a);
      facts.set(s, 1, random_stream(7).below(answers, static_cast<std::uint64_t>(s)));
    }
  }
};

}  // namespace

TEST_CASE("constructions are read out without an error on held-out subjects, and the controls are not") {
  const auto facts = random_bijections(128, {.relations = 3, .seed = 2});
  const auto model = realize<double>(tree(binary_code(128), 3), facts);
  const auto report = readout(model, facts);
  REQUIRE(report.relations.size() == 3);
  for (const auto& r : report.relations) {
    CHECK(r.real.recall == 1);
    CHECK(r.real.euclidean == 1);
    CHECK(r.real.r2 == Approx(1));
    CHECK(r.shuffled.mean < 0.1);
    CHECK(r.random.recall < 0.1);
    CHECK(r.shuffled_r2.mean < 0.1);
    CHECK(r.selectivity() == Approx(1 - r.shuffled.mean));
    CHECK(r.majority == Approx(1.0 / 128));
  }
  REQUIRE(report.warnings.size() == 1);  // the gates
  CHECK(report.warnings[0] == "3 of 24 coordinates of the states are constant");
}

TEST_CASE("a relation that is not in the states is told from one that is") {
  const half_known data;
  const auto report = readout(data.states, data.targets, data.facts, {.shuffles = 5});
  REQUIRE(report.relations.size() == 2);
  CHECK(report.relations[0].selectivity() > 0.3);
  CHECK(std::abs(report.relations[1].selectivity()) < 0.2);
  CHECK(report.relations[0].shuffled.deviation > 0);
  CHECK(report.recall() == Approx((report.relations[0].real.recall + report.relations[1].real.recall) / 2));
}

TEST_CASE("held-out figures are those of a loop over folds with a fit of its own") {
  const half_known data;
  const auto report = readout(data.states, data.targets, data.facts, {.folds = 4, .seed = 5, .lambdas = {0.1}});
  double recalled = 0, errors = 0, total = 0;
  for (const auto& part : probe::split(60, 4, 5)) {
    const index_t n = std::ssize(part.fitted);
    matrix<double> x(5, n), y(3, n);
    for (index_t i = 0; i < n; ++i) {
      const int s = part.fitted[static_cast<std::size_t>(i)];
      x.col(i) = data.states.col(s), y.col(i) = data.targets.col(data.facts(s, 0));
    }
    const vector<double> mean_x = x.rowwise().mean(), mean_y = y.rowwise().mean();
    x.colwise() -= mean_x, y.colwise() -= mean_y;
    const matrix<double> gram = x * x.transpose();
    const matrix<double> map =
        (gram + 0.1 * gram.trace() / 5 * matrix<double>::Identity(5, 5)).ldlt().solve(x * y.transpose()).transpose();
    for (int s : part.held_out) {
      const vector<double> p = map * (data.states.col(s) - mean_x);
      int nearest = 0;
      double best = -2;
      for (int a = 0; a < 3; ++a) {
        const vector<double> t = data.targets.col(a) - mean_y;
        if (const double cosine = t.dot(p) / t.norm() / p.norm(); cosine > best) best = cosine, nearest = a;
      }
      const vector<double> wanted = data.targets.col(data.facts(s, 0)) - mean_y;
      recalled += nearest == data.facts(s, 0);
      errors += (p - wanted).squaredNorm(), total += wanted.squaredNorm();
    }
  }
  CHECK(report.relations[0].real.recall == Approx(recalled / 60));
  CHECK(report.relations[0].real.r2 == Approx(1 - errors / total));
  CHECK(report.relations[0].lambda == 0.1);
}

TEST_CASE("missing facts leave out their subjects alone") {
  auto facts = random_bijections(64, {.relations = 2, .seed = 2});
  const auto states = matrix<double>(realize<double>(tree(binary_code(64), 2), facts).entity());
  const matrix<double> codes = realize<double>(tree(binary_code(64), 2), facts).unembedding().transpose();
  for (int s = 0; s < 10; ++s) facts.set(s, 1, unknown);
  const auto report = readout(states, codes, facts);
  CHECK(report.relations[0].subjects == 64);
  CHECK(report.relations[1].subjects == 54);
  CHECK(report.relations[1].answers == 54);
  CHECK(report.relations[1].real.recall == 1);
}

TEST_CASE("a starved ridge, a single answer and too few subjects are said, not hidden") {
  half_known data(60);
  auto facts = data.facts;
  for (int s = 0; s < 60; ++s) facts.set(s, 1, 2);
  auto report = readout(data.states, data.targets, facts);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0] == "relation 1 left out: all its subjects have the same answer");
  CHECK(report.relations.size() == 1);
  for (int s = 0; s < 60; ++s) facts.set(s, 1, s < 5 ? s % 3 : unknown);
  report = readout(data.states, data.targets, facts);
  CHECK(report.warnings.at(0) == "relation 1 left out: 5 folds need more than its 5 subjects");
  report = readout(probe::random_like<double>(matrix<double>(40, 60), 1), data.targets, data.facts);
  CHECK(report.warnings.at(0) == "ridge is starved: 2 relations x 40 coordinates exceed 0.8 x 60 subjects");
  std::ostringstream text;
  text << report;
  CHECK(text.str().find("warning: ridge is starved") != std::string::npos);
  CHECK(text.str().find("nan") == std::string::npos);
}

TEST_CASE("a readout refuses sizes that do not fit, numbers that are not finite, and facts that say nothing") {
  const half_known data;
  CHECK_THROWS_WITH_AS(readout(matrix<double>(data.states.leftCols(9)), data.targets, data.facts),
                       "states of 9 subjects do not fit facts about 60", error);
  CHECK_THROWS_WITH_AS(readout(data.states, matrix<double>(data.targets.leftCols(2)), data.facts),
                       "vectors of 2 attributes do not fit facts with 3", error);
  CHECK_THROWS_WITH_AS(readout(data.states, data.targets, data.facts, {.folds = 1}), doctest::Contains("2 folds"),
                       error);
  CHECK_THROWS_WITH_AS(readout(data.states, data.targets, data.facts, {.shuffles = 0}), doctest::Contains("control"),
                       error);
  CHECK_THROWS_WITH_AS(readout(data.states, data.targets, fact_table<>(60, 2, 3)), doctest::Contains("no relation"),
                       error);
  auto states = data.states;
  states(3, 17) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH_AS(readout(states, data.targets, data.facts), "states: row 3, column 17 is not finite", error);
}

}  // namespace readout_test
