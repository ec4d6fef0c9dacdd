#include "geofact/construction/associative_memory.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "examine.hpp"
#include "geofact/code/binary.hpp"
#include "geofact/code/one_hot.hpp"
#include "geofact/code/random_sign.hpp"
#include "geofact/construction/summary.hpp"
#include "geofact/fact/graph.hpp"

namespace associative_memory_test {

using namespace geofact;

namespace {

/// The share of the facts that a linear memory with codes as long as its keys recalls.
double linear_recall(int subjects, int length, std::uint64_t seed) {
  const auto facts = random_bijections(subjects, {.relations = 1, .seed = seed});
  const associative_memory c(random_sign_code(subjects, length, seed), subjects, 1, length);
  const auto found = examine(realize<float>(c, facts), facts, {.how = decoder::argmax});
  return static_cast<double>(found.recalled) / subjects;
}

double mlp_recall(int subjects, int length, int features) {
  const auto facts = random_bijections(subjects, {.relations = 2, .seed = 3});
  const associative_memory c(random_sign_code(subjects, length, 3), subjects, 2, length, features);
  const auto found = examine(realize<float>(c, facts), facts, {.how = decoder::argmax});
  return static_cast<double>(found.recalled) / (2 * subjects);
}

}  // namespace

TEST_CASE("all of W2 at once equals W2 weight by weight") {
  for (const auto& facts : {random_bijections(30, {.relations = 3, .seed = 1}),
                            random_functions(30, 17, {.relations = 3, .missing = 0.3, .seed = 2})})
    for (int features : {0, 1, 9}) {
      const associative_memory c(binary_code(facts.attributes()), 30, 3, 12, features, 5);
      const auto all = c.all_w2<int>(facts);
      REQUIRE(all.rows() == c.output());
      REQUIRE(all.cols() == c.hidden());
      for (int j = 0; j < c.output(); ++j)
        for (int unit = 0; unit < c.hidden(); ++unit) CHECK(all(j, unit) == c.w2(facts, 0, j, unit));
      CHECK(c.all_w2<float>(facts) == all.cast<float>());
    }
}

TEST_CASE("W2 of the linear memory is the sum of outer products of codes and keys") {
  const auto facts = random_functions(25, 10, {.relations = 2, .missing = 0.2, .seed = 3});
  const associative_memory c(one_hot_code(10), 25, 2, 8);
  for (int r = 0; r < 2; ++r)
    for (int i = 0; i < 8; ++i)
      for (int a = 0; a < 10; ++a) {
        int sum = 0;
        for (int s = 0; s < 25; ++s) sum += facts(s, r) == a ? c.entity(facts, s, i) : 0;
        CHECK(c.w2(facts, 0, a, r * 9 + i) == sum);
      }
}

TEST_CASE("the linear memory recalls all well below d^2 / (2 log N) facts and few well above") {
  double previous = 1.1;
  for (int subjects : {64, 128, 512, 1024, 2048, 4096}) {
    double share = 0;
    for (std::uint64_t seed : {1U, 2U}) share += linear_recall(subjects, 96, seed) / 2;
    CAPTURE(subjects);
    CAPTURE(share);
    CHECK(share <= previous + 0.01);
    if (subjects <= 128) CHECK(share == 1);  // d^2 / (2 log N) = 950 at N = 128
    if (subjects == 4096) CHECK(share < 0.1);
    previous = share;
  }
}

TEST_CASE("the MLP memory holds more facts with more features") {
  const double narrow = mlp_recall(512, 64, 32), middle = mlp_recall(512, 64, 128), wide = mlp_recall(512, 64, 2048);
  CAPTURE(narrow);
  CAPTURE(middle);
  CAPTURE(wide);
  CHECK(narrow < 0.6);
  CHECK(narrow < middle);
  CHECK(middle < wide);
  CHECK(mlp_recall(64, 64, 2048) == 1);
}

TEST_CASE("a memory cannot say that a fact is missing") {
  const auto facts = random_bijections(20, {.relations = 2, .missing = 0.3, .seed = 4});
  const associative_memory c(random_sign_code(20, 128), 20, 2, 128);
  const auto found = examine(realize<int>(c, facts), facts);
  CHECK(found.recalled == facts.known());
  CHECK(found.unknown == 0);
  CHECK(found.wrong == 40 - facts.known());
}

TEST_CASE("sizes of a memory: d + R wide, R (d + 1) or R (F + 1) units, every weight stores a sum over the subjects") {
  const auto facts = random_bijections(100, {.relations = 3, .seed = 5});
  const associative_memory linear(binary_code(100), 100, 3, 20), mlp(binary_code(100), 100, 3, 20, 50);
  CHECK(linear.width() == 23);
  CHECK(linear.hidden() == 63);
  CHECK(mlp.width() == 23);
  CHECK(mlp.hidden() == 153);
  CHECK(fact_bits(linear, facts) == 3 * 20 * 7 * 8);  // sums of 100 signs: 201 values, 8 bits
  CHECK_THROWS_AS(associative_memory(binary_code(100), 0, 3, 20), error);
  CHECK_THROWS_AS(associative_memory(binary_code(100), 100, 0, 20), error);
  CHECK_THROWS_AS(associative_memory(binary_code(100), 100, 3, 0), error);
  CHECK_THROWS_AS(associative_memory(binary_code(100), 100, 3, 20, -1), error);
  CHECK_THROWS_AS(associative_memory(binary_code(100), 1 << 20, 3, 1 << 20), error);
}

}  // namespace associative_memory_test
