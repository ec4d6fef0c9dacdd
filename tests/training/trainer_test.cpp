#include "geofact/training/trainer.hpp"

#include <doctest/doctest.h>

#include "geofact/construction/verify.hpp"
#include "geofact/fact/graph.hpp"
#include "geofact/training/free_running.hpp"

namespace trainer_test {

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
  const auto run = train<float>(facts, fast(32), {.asked = {mode::direct, 2}});
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
  CHECK(total(all_questions(facts)) == 6);
  CHECK_THROWS_WITH_AS(all_questions(facts, task{mode::direct, 2}), doctest::Contains("shared"), error);
}

TEST_CASE("mini-batches memorise every fact too, and the model is judged once an epoch") {
  const auto facts = random_bijections(128, {.relations = 4, .seed = 3});
  auto r = fast(16);
  r.batch = 100;  // six batches an epoch
  r.learning_rate = 1e-2;
  const auto run = train<float>(facts, r);
  CHECK(run.recall() == 1);
  CHECK(run.history.back().step % 6 == 0);
  for (const auto& now : run.history) CHECK(now.judged == (now.step % 6 == 0 && now.step > 0));
  CHECK(verify(run.model, facts).recalled == 512);
}

TEST_CASE("the batches of an epoch are all questions once, in an order that depends on seed and epoch alone") {
  auto r = fast(4);
  r.batch = 7;
  detail::batches batches(r, 20);
  CHECK(batches.in_epoch() == 3);
  std::vector<int> orders[2];
  for (int step : {4, 3, 5, 0, 1, 2})
    for (int q : batches[step]) orders[step / 3].push_back(q);
  CHECK(orders[0] != orders[1]);
  for (auto& order : orders) {
    std::sort(order.begin(), order.end());
    for (int q = 0; q < 20; ++q) CHECK(order[static_cast<std::size_t>(q)] == q);
  }
  r.batch = 20;
  CHECK(detail::batches(r, 20).all());
}

TEST_CASE("chains of thought are learned and answer when they read their own thoughts") {
  const auto facts = random_bijections(48, {.relations = 2, .seed = 3});
  for (const task& asked : {task{mode::cot, 2}, task{mode::cot_latest, 3}}) {
    CAPTURE(static_cast<int>(asked.how));
    const auto run = train<float>(facts, chain(16), {.asked = asked});
    CHECK(run.recall() == 1);
    CHECK(free_running_recall(run.model, facts, asked) == 1);
  }
}

TEST_CASE(
    "a chain of thought by a plain sum loses half the questions where two entities answer each other, and no other") {
  const auto facts = random_bijections(48, {.relations = 2, .seed = 3});
  int swapped = 0;  // in a sum nobody sees whether f_r(x) comes after x or before
  for (int s = 0; s < 48; ++s)
    for (int r = 0; r < 2; ++r) swapped += facts(s, r) != s && facts(facts(s, r), r) == s;
  REQUIRE(swapped > 0);
  const task asked{mode::cot_uniform, 2};
  const auto run = train<float>(facts, chain(16), {.asked = asked});
  CHECK(free_running_recall(run.model, facts, asked) == 1 - swapped / 2.0 / (48 * 2));
}

TEST_CASE("a learned chain of thought is verified as a constructed one is") {
  const auto facts = random_bijections(24, {.relations = 2, .seed = 3});
  const auto run = train<float>(facts, chain(16), {.asked = {mode::cot, 2}});
  CHECK(verify(run.model, facts).recalled == 24 * 4);
}

TEST_CASE("the last step of a history is the model, however the run ended") {
  const auto facts = random_bijections(40, {.relations = 2, .seed = 3});
  const auto check = [&](const recipe& r, const training_options& options = {}) {
    const auto run = train<float>(facts, r, options);
    const loss now = loss_function<parameters<float>>(run.model, all_questions(facts))(run.model);
    CHECK(run.history.back().judged);
    CHECK(run.cross_entropy() == now.cross_entropy);
    CHECK(run.recall() == now.recall);
    for (std::size_t i = 0; i < run.history.size(); ++i) CHECK(run.history[i].step == static_cast<int>(i));
    return run.history.size();
  };
  auto r = fast(6);
  r.steps = 9;
  CHECK(check(r) == 10);
  const auto leave = [](const std::vector<training_step>& steps) { return steps.size() == 5; };
  CHECK(check(r, {.give_up = leave}) == 5);
  r.noise = 0.2;
  CHECK(check(r) == 10);
  CHECK(check(r, {.give_up = leave}) == 5);
  r.batch = 30;
  CHECK(check(r) == 10);
}

TEST_CASE("learning rates warm up to the full rate and come down to the final share") {
  auto r = fast(4);
  r.steps = 11, r.learning_rate = 2, r.final_rate = 0.1;
  CHECK(scheduled_rate(r, 0) == doctest::Approx(2));
  CHECK(scheduled_rate(r, 5) == doctest::Approx(1.1));
  CHECK(scheduled_rate(r, 10) == doctest::Approx(0.2));
  r.curve = schedule::linear;
  CHECK(scheduled_rate(r, 2) == doctest::Approx(0.2 + 1.8 * 0.8));
  r.curve = schedule::constant;
  CHECK(scheduled_rate(r, 10) == doctest::Approx(2));
  r.warmup = 3;
  CHECK(scheduled_rate(r, 0) == doctest::Approx(0.5));
  CHECK(scheduled_rate(r, 2) == doctest::Approx(1.5));
  CHECK(scheduled_rate(r, 3) == doctest::Approx(2));
}

}  // namespace trainer_test
