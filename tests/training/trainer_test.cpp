#include "geofact/training/trainer.hpp"

#include <doctest/doctest.h>

#include "geofact/construction/verify.hpp"
#include "geofact/fact/graph.hpp"

using namespace geofact;

TEST_CASE("gradient descent by the fast recipe memorises every fact, and verify agrees") {
  const auto facts = random_bijections(128, {.relations = 4, .seed = 3});
  const auto run = train<float>(facts, fast(14));  // c = d / (R log2 N) = 0.5
  CHECK(run.recall() == 1);
  CHECK(run.steps_to(1) < 100);
  CHECK(run.steps_to(0.5) < run.steps_to(0.99));
  const auto found = verify(run.model, facts);
  CHECK(found.recalled == 512);
  CHECK(found.margin > 0);
}

TEST_CASE("two hops at once are learned as two relation tokens") {
  const auto facts = random_bijections(64, {.relations = 2, .seed = 3});
  const auto run = train<float>(facts, fast(32), nullptr, 2);
  CHECK(verify(run.model, facts).recalled == 256);
}

TEST_CASE("a run is the same for a seed whatever the number of threads") {
  const auto facts = random_bijections(100, {.relations = 3, .seed = 1});
  auto r = fast(12);
  r.steps = 12;
  r.threads = 1;
  const auto one = train<float>(facts, r);
  r.threads = 3;
  CHECK(train<float>(facts, r).model.block() == one.model.block());
  r.seed = 2;
  CHECK(train<float>(facts, r).model.block() != one.model.block());
}

TEST_CASE("frozen tables stay as they were drawn and the others move") {
  const auto facts = random_bijections(50, {.relations = 3, .seed = 1});
  for (variant which : {variant::eu, variant::fu, variant::fe, variant::feu}) {
    auto r = fast(8).as(which);
    r.steps = 3;
    parameters<float> start(trained_sizes(facts, r));
    initialize(start, r);
    const auto run = train<float>(facts, r);
    CHECK((run.model.entity() == start.entity()) == r.entity.frozen);
    CHECK((run.model.unembedding() == start.unembedding()) == r.unembedding.frozen);
    CHECK(run.model.w1(0) != start.w1(0));
  }
}

TEST_CASE("the geometric recipe keeps a frozen unit-norm unembedding and is judged without noise") {
  const auto facts = random_bijections(64, {.relations = 2, .seed = 1});
  auto r = geometric(36);
  r.steps = 80;
  const auto run = train<float>(facts, r);
  CHECK((run.model.unembedding().rowwise().norm().array() - 1).abs().maxCoeff() < 1e-5);
  CHECK(run.recall() > 0.95);
}

TEST_CASE("a run that diverges stops with the step and the learning rate") {
  const auto facts = random_bijections(64, {.relations = 2, .seed = 1});
  auto r = fast(16);
  r.learning_rate = 1e30;
  CHECK_THROWS_WITH_AS(train<float>(facts, r), doctest::Contains("not finite at step"), error);
}

TEST_CASE("a training run refuses sizes that cannot be") {
  const auto facts = random_bijections(8, {.relations = 2, .seed = 1});
  CHECK_THROWS_AS(train<float>(facts, fast(0)), error);
  CHECK_THROWS_AS(train<float>(facts, fast(8, -1)), error);
  CHECK_THROWS_WITH_AS(train<float>(facts, fast(1 << 20, 1 << 20)), doctest::Contains("memory"), error);
}

TEST_CASE("a model that scores all attributes alike recalls nothing: ties do not end a run") {
  const auto facts = random_bijections(8, {.relations = 2, .seed = 1});
  parameters<float> zero(trained_sizes(facts, fast(4)));
  auto gradient = zero;
  CHECK(loss_function<parameters<float>>(zero, all_questions(facts))(zero, gradient).recall == 0);
}

TEST_CASE("several hops over disjoint attributes are refused") {
  auto facts = fact_table<>::disjoint(3, {3, 3});
  for (int s = 0; s < 3; ++s)
    for (int r = 0; r < 2; ++r) facts.set(s, r, 3 * r + s);
  CHECK(all_questions(facts).size() == 6);
  CHECK_THROWS_WITH_AS(all_questions(facts, 2), doctest::Contains("shared"), error);
}
