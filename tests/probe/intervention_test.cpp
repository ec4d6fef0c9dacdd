#include "geofact/probe/intervention.hpp"

#include <doctest/doctest.h>

#include "geofact/code/binary.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/fact/graph.hpp"
#include "geofact/probe/interchange.hpp"

namespace intervention_test {

using namespace geofact;
using doctest::Approx;
using namespace geofact::probe;

namespace {

/// A construction whose MLP has 6 units for each of 3 relations.
struct constructed {
  fact_table<> facts = random_bijections(64, {.relations = 3, .seed = 2});
  parameters<double> model = [this] {
    const auto made = realize<double>(tree(binary_code(64), 3), facts);
    parameters<double> copy(made.extents());
    copy.block() = made.block(), copy.abstain = made.abstain;
    return copy;
  }();
};

}  // namespace

TEST_CASE("on constructions a swap gives the donor's answer always and changes no other answer") {
  const constructed c;
  for (const auto how : {closed_form::ridge, closed_form::jacobian_inverse}) {
    const auto report = swap_answers(c.model, c.facts, {.how = how, .scales = {0.01, 1}, .subjects = 0});
    CHECK(report.chosen == 1);
    CHECK(report.best().efficacy == 1);
    CHECK(report.best().old_answer == 0);
    CHECK(report.best().specificity == 1);
    CHECK(report.best().random_efficacy < 0.2);
    CHECK(report.sweep[0].efficacy == 0);  // a small edit is overruled by the threshold of the units
    REQUIRE(report.relations.size() == 3);
    for (const auto& r : report.relations) CHECK(r.efficacy == 1);
  }
}

TEST_CASE("an intervention that changes nothing is an error, not a zero") {
  constructed c;
  CHECK_THROWS_WITH_AS(swap_answers(c.model, c.facts, {.scales = {0}}), doctest::Contains("changes nothing"), error);
  auto deaf = c.model;
  deaf.w2(0).setZero();  // no unit reaches the output
  CHECK_THROWS_WITH_AS(swap_answers(deaf, c.facts, {.how = closed_form::ridge}), doctest::Contains("changes no output"),
                       error);
  CHECK_THROWS_WITH_AS(swap_answers(deaf, c.facts), doctest::Contains("writes nothing"), error);
  CHECK_THROWS_WITH_AS(ablate_units(deaf, c.facts), doctest::Contains("changes nothing"), error);
  CHECK_THROWS_WITH_AS(interchange_units(deaf, c.facts), doctest::Contains("no units of its own"), error);
  auto same = c.model;
  same.entity().setOnes();
  CHECK_THROWS_WITH_AS(interchange(same, c.facts, site::subject), doctest::Contains("changes no token"), error);
  same.w1(0).setZero();
  CHECK_THROWS_WITH_AS(interchange(same, c.facts, site::units), doctest::Contains("changes no unit"), error);
}

TEST_CASE("a swap needs two answers, and a model that fits") {
  constructed c;
  auto facts = c.facts;
  for (int s = 0; s < 64; ++s) facts.set(s, 1, 5);
  CHECK_THROWS_WITH_AS(swap_answers(c.model, facts), doctest::Contains("relation 1 has no two subjects"), error);
  CHECK_THROWS_WITH_AS(swap_answers(c.model, random_bijections(64, {.relations = 2})),
                       doctest::Contains("3 relation tokens"), error);
  CHECK_THROWS_WITH_AS(swap_answers(c.model, c.facts, {.scales = {}}), doctest::Contains("needs a scale"), error);
  CHECK_THROWS_WITH_AS(swap_answers(c.model, c.facts, {.subjects = 3}), doctest::Contains("at least 4 subjects"),
                       error);
}

TEST_CASE("interchange of a token or of all units gives the counterfactual answer") {
  const constructed c;
  for (const auto where : {site::subject, site::relation, site::units}) {
    const auto report = interchange(c.model, c.facts, where, {.pairs = 200});
    CHECK(report.pairs == 200);
    CHECK(report.counterfactual == 1);
    CHECK(report.base == 0);
    CHECK(report.random == 0);
  }
}

TEST_CASE("on constructions the units of a relation carry its answer, and no others do") {
  const constructed c;
  for (const auto& one : interchange_units(c.model, c.facts, {.subjects = 0})) {
    CHECK(one.units == 6);
    CHECK(one.own_units == 1);
    CHECK(one.other_units == 0);
    CHECK(one.random_units < 0.5);
  }
}

TEST_CASE("on constructions every score tells which units belong to a relation") {
  const constructed c;
  for (const auto which : {unit_score::activation, unit_score::selectivity, unit_score::information}) {
    const auto scores = unit_scores(c.model, c.facts, which);
    REQUIRE(scores.rows() == 3);
    for (int unit = 0; unit < 18; ++unit)
      for (int r = 0; r < 3; ++r) CHECK((scores(r, unit) > 0) == (unit / 6 == r));
  }
  const auto shares = unit_scores(c.model, c.facts, unit_score::selectivity);
  CHECK(shares.colwise().sum().isOnes());
}

TEST_CASE("the information of a unit is the variance that it brings to the output") {
  const constructed c;
  const auto units = units_under(c.model, known_subjects(c.facts, 1), 1)[0];
  matrix<double> variances(3, 18);
  for (int r = 0; r < 3; ++r) {
    const auto h = units_under(c.model, known_subjects(c.facts, r), r)[0];
    for (int unit = 0; unit < 18; ++unit) {
      double mean = 0, square = 0;
      for (int s = 0; s < 64; ++s) mean += h(unit, s) / 64, square += h(unit, s) * h(unit, s) / 64;
      variances(r, unit) = (square - mean * mean) * c.model.w2(0).col(unit).squaredNorm();
    }
  }
  const auto scores = unit_scores(c.model, c.facts, unit_score::information);
  for (int unit = 0; unit < 18; ++unit)
    for (int r = 0; r < 3; ++r) CHECK(scores(r, unit) == Approx(variances(r, unit) / variances.col(unit).sum()));
}

TEST_CASE("ablation of the units of a relation costs its facts alone; random units cost all") {
  const constructed c;
  for (const auto with : {replacement::mean, replacement::zero}) {
    const auto report = ablate_units(c.model, c.facts, {.with = with, .subjects = 0});
    CHECK(report.intact == 1);
    for (const auto& one : report.relations) {
      CHECK(one.units == 6);
      CHECK(one.own < 0.1);
      CHECK(one.others == 1);
      CHECK(one.random_others.mean < 0.5);
    }
  }
  const auto few = ablate_units(c.model, c.facts, {.fraction = 1.0 / 18, .subjects = 0});
  for (const auto& one : few.relations) CHECK(one.units == 1);
  CHECK_THROWS_WITH_AS(ablate_units(c.model, c.facts, {.fraction = 0.001}), doctest::Contains("is no unit"), error);
  CHECK_THROWS_WITH_AS(ablate_units(c.model, c.facts, {.fraction = 2}), doctest::Contains("in [0, 1]"), error);
}

TEST_CASE("missing facts are left out of swaps, ablations and interchanges") {
  constructed c;
  for (int s = 0; s < 20; ++s) c.facts.set(s, 1, unknown);
  const auto known = realize<double>(tree(binary_code(64), 3), c.facts);
  c.model.block() = known.block(), c.model.abstain = known.abstain;
  CHECK(swap_answers(c.model, c.facts, {.how = closed_form::ridge, .scales = {1}}).best().efficacy > 0.95);
  CHECK(ablate_units(c.model, c.facts).intact == 1);
  CHECK(interchange(c.model, c.facts, site::subject).counterfactual == 1);
}

}  // namespace intervention_test
