#include "geofact/probe/freeze_and_swap.hpp"

#include <doctest/doctest.h>

#include "../support.hpp"
#include "geofact/code/binary.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/fact/graph.hpp"

namespace freeze_and_swap_test {

using namespace geofact;
using doctest::Approx;
using probe::freeze_and_swap;

namespace {

/// A model of random weights.
parameters<double> random_model(const sizes<>& n, std::uint64_t seed) {
  parameters<double> model(n);
  naive::randomize(model, seed, 1.0 / 3);
  return model;
}

/// d y / d e by central differences, for one subject under relation r.
matrix<double> by_differences(parameters<double> model, int s, int r) {
  constexpr double h = 1e-6;
  matrix<double> jacobian(model.output(), model.width());
  const int path[] = {r};
  for (index_t i = 0; i < model.width(); ++i) {
    const double own = model.entity()(i, s);
    model.entity()(i, s) = own + h;
    const vector<double> up = output_direct(model, {s}, std::span<const int>(path));
    model.entity()(i, s) = own - h;
    const vector<double> down = output_direct(model, {s}, std::span<const int>(path));
    model.entity()(i, s) = own;
    jacobian.col(i) = (up - down) / (2 * h);
  }
  return jacobian;
}

}  // namespace

TEST_CASE("the Jacobian agrees with finite differences: for one subject through all layers, as a mean over subjects") {
  const auto deep = random_model({.entities = 4,
                                  .relations = 2,
                                  .width = 6,
                                  .hidden = 9,
                                  .layers = 2,
                                  .output = 5,
                                  .attributes = 7,
                                  .residual = 1},
                                 1);
  for (int s = 0; s < 4; ++s)
    CHECK((probe::mean_jacobian(deep, {s}, 1) - by_differences(deep, s, 1)).cwiseAbs().maxCoeff() < 1e-7);
  const auto flat = random_model(
      {.entities = 5, .relations = 3, .width = 6, .hidden = 9, .layers = 1, .output = 4, .attributes = 7}, 2);
  matrix<double> mean = matrix<double>::Zero(4, 6);
  for (int s = 0; s < 5; ++s) mean += by_differences(flat, s, 2) / 5;
  CHECK((probe::mean_jacobian(flat, {0, 1, 2, 3, 4}, 2) - mean).cwiseAbs().maxCoeff() < 1e-7);
  CHECK(probe::stacked_jacobians(flat, {0, 1, 2, 3, 4}).bottomRows(4).isApprox(mean, 1e-7));
}

TEST_CASE("a regularised inverse solves its normal equations") {
  const matrix<double> j = probe::random_like(matrix<double>(7, 5), 3), inverse = probe::regularised_inverse(j, 1e-12);
  CHECK((inverse * j).isIdentity(1e-8));
}

TEST_CASE(
    "a construction takes new facts by ridge and by the inverse Jacobian without an error, and without retraining") {
  const auto facts = random_bijections(64, {.relations = 3, .seed = 2});
  const auto fresh = random_bijections(64, {.relations = 3, .seed = 3});
  const auto report = freeze_and_swap(realize<double>(tree(binary_code(64), 3), facts), facts, fresh);
  REQUIRE(report.closed_forms.size() == 3);
  for (const auto& one : report.closed_forms) {
    CAPTURE(std::string(probe::name_of(one.how)));
    if (one.how == probe::closed_form::jacobian_transpose) continue;  // it also writes into the gates
    CHECK(one.original == 1);
    CHECK(one.recall() == 1);
    for (double recall : one.relations) CHECK(recall == 1);
  }
  CHECK(report.own == 1);
  CHECK(report.before < 0.1);
  CHECK(report.reconstruction > 0.99);
  CHECK(std::abs(report.shuffled) < 0.2);
  CHECK(report.retraining_steps == 0);
}

TEST_CASE("a trained model takes new facts that it has never seen") {
  const auto facts = random_bijections(64, {.relations = 2, .seed = 4});
  const auto fresh = random_bijections(64, {.relations = 2, .seed = 5});
  auto r = geometric(48);
  r.steps = 120;
  const auto run = train<double>(facts, r);
  const auto report = freeze_and_swap(run.model, facts, fresh);
  CHECK(report.own == 1);
  CHECK(report.before < 0.1);
  CHECK(report.best().recall() > 0.98);
  CHECK(report.best().original == 1);
  CHECK(report.retraining_steps >= 0);
  CHECK(report.retrained == 1);
}

TEST_CASE("the relative margin is that of a loop over logits") {
  const auto model = random_model(
      {.entities = 6, .relations = 2, .width = 4, .hidden = 5, .layers = 1, .output = 4, .attributes = 6}, 5);
  auto facts = random_bijections(6, {.relations = 2, .seed = 1});
  facts.set(2, 1, unknown);
  double sum = 0;
  for (int s = 0; s < 6; ++s)
    for (int path[] = {0}; path[0] < 2; ++path[0]) {
      if (facts(s, path[0]) == unknown) continue;
      const vector<double> y = output_direct(model, {s}, std::span<const int>(path));
      double mean = 0, square = 0, rival = -1e300, own = 0;
      for (int a = 0; a < 6; ++a) {
        const double logit = model.unembedding().row(a).dot(y);
        mean += logit / 6, square += logit * logit / 6;
        if (a == facts(s, path[0]))
          own = logit;
        else
          rival = (std::max)(rival, logit);
      }
      sum += (own - rival) / std::sqrt(square - mean * mean);
    }
  CHECK(probe::relative_margin(model, facts, {0, 1, 2, 3, 4, 5}) == Approx(sum / 11));
}

TEST_CASE("freeze and swap refuses models and facts that do not fit") {
  const auto facts = random_bijections(8, {.relations = 2, .seed = 1});
  auto model = random_model(
      {.entities = 8, .relations = 2, .width = 4, .hidden = 5, .layers = 1, .output = 4, .attributes = 8}, 5);
  CHECK_THROWS_WITH_AS(freeze_and_swap(model, facts, random_bijections(7, {.relations = 2, .seed = 1})),
                       doctest::Contains("the new facts about 7 subjects"), error);
  const auto three = random_bijections(8, {.relations = 3, .seed = 1});
  CHECK_THROWS_WITH_AS(freeze_and_swap(model, three, three), doctest::Contains("2 relation tokens"), error);
  const auto more = random_bijections(9, {.relations = 2, .seed = 1});
  CHECK_THROWS_WITH_AS(freeze_and_swap(model, more, more), doctest::Contains("8 entities"), error);
  model.entity().setOnes();
  CHECK_THROWS_WITH_AS(freeze_and_swap(model, facts, facts),
                       doctest::Contains("all embeddings of the model are the same"), error);
}

}  // namespace freeze_and_swap_test
