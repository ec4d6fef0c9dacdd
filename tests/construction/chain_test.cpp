#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../support.hpp"
#include "examine.hpp"
#include "geofact/code/circle.hpp"
#include "geofact/code/tabulated.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/exact.hpp"
#include "geofact/fact/graph.hpp"

namespace chain_test {

using namespace geofact;
using table_code = tabulated_code<double>;

namespace {

/// The least margin of any step of any chain, by loops over the weights.
double measured_margin(const parameters<double>& model, const fact_table<>& facts, int hops) {
  double least = std::numeric_limits<double>::infinity();
  const path_set<> paths{facts.relations(), hops};
  for (int w = 0; w < paths.size(); ++w)
    for (int s = 0; s < facts.subjects(); ++s) {
      std::vector<int> tokens;
      for (int hop = 0; hop < hops; ++hop) tokens.push_back(model.entities() + paths.step(w, hop));
      int now = s;
      for (int hop = 0; hop < hops; ++hop) {
        tokens.push_back(now);
        now = facts(now, paths.step(w, hop));
        const auto logits = naive::times(model, "unembedding", model.attributes(), naive::output(model, tokens));
        for (int a = 0; a < model.attributes(); ++a)
          if (a != now)
            least = std::min(least, logits[static_cast<std::size_t>(now)] - logits[static_cast<std::size_t>(a)]);
      }
    }
  return least;
}

/// Facts that leak most: relation 0 answers with one extreme code, the others with its opposite.
fact_table<> opposites() {
  fact_table<> facts(4, 3, 4);
  for (int s = 0; s < 4; ++s)
    for (int r = 0; r < 3; ++r) facts.set(s, r, r == 0 ? 0 : 3);
  return facts;
}

}  // namespace

TEST_CASE("the measured margin keeps the proven share of the code's, for beta 1 to 12, binary and one-hot positions") {
  for (const auto& facts : {opposites(), random_functions(4, 4, {.relations = 3, .seed = 1})})
    for (const table_code& code : {table_code(binary_code(4)), table_code(one_hot_code(4)), table_code(circle_code(4))})
      for (const table_code& places : {table_code(binary_code(3)), table_code(one_hot_code(3))})
        for (int beta = 1; beta <= 12; ++beta) {
          CAPTURE(beta);
          const chain_of_thought c(code, 3, places, beta);
          const double margin = measured_margin(realize<double>(c, facts, 1), facts, 3);
          CHECK(margin >= c.margin_share() * code.margin() - 1e-9);
          CHECK(margin <= code.margin() + 1e-9);
          const double gap = places.margin(),
                       leak = 2 * 2 * 2 * std::exp(-beta * gap) / 2;  // (T - 2) e / 2, T = 2k = 6
          CHECK(c.margin_share() == doctest::Approx(1 - 2 * leak * code.sensitivity()));
          if (c.margin_share() > 0) {
            const auto found = examine(realize<double>(c, facts, 1), facts);
            CHECK(found.exact());
            CHECK(found.margin == doctest::Approx(margin));
          }
        }
}

TEST_CASE("the chosen beta is the least integer that keeps the wanted share") {
  for (int k : {1, 2, 3, 8, 32, 1000})
    for (double share : {0.0, 0.5, 0.9, 0.99, 0.999999}) {
      CAPTURE(k);
      CAPTURE(share);
      const auto check = [&](const auto& places) {
        const auto c = chain_of_thought_with_margin(binary_code(64), 3, places, share);
        CHECK(c.margin_share() >= share);
        CHECK(c.hops() == k);
        if (c.beta() > 1) CHECK(chain_of_thought(binary_code(64), 3, places, c.beta() - 1).margin_share() < share);
      };
      check(binary_code(k));
      check(one_hot_code(k));
      check(circle_code(k));
    }
  for (double share : {1.0, 1.5, -0.1, std::nan("")})
    CHECK_THROWS_AS(chain_of_thought_with_margin(binary_code(64), 3, binary_code(4), share), error);
  CHECK_THROWS_AS(chain_of_thought(binary_code(64), 3, binary_code(4), 0), error);
}

TEST_CASE("one-hot positions widen the stream by k, binary ones by ceil(log2 k)") {
  for (int k : {1, 2, 5, 8, 32}) {
    CHECK(chain_of_thought(binary_code(64), 3, one_hot_code(k)).width() == 3 * 6 + 3 + k);
    CHECK(chain_of_thought(binary_code(64), 3, binary_code(k)).width() == 3 * 6 + 3 + binary_code(k).length());
    CHECK(chain_of_thought(binary_code(64), 3, one_hot_code(k)).hidden() == 18);
  }
}

TEST_CASE("a chain of thought says each step: the model's thoughts are the path through the facts") {
  const auto facts = random_functions(30, 40, {.relations = 3, .missing = 0.1, .seed = 4});
  const auto c = chain_of_thought_with_margin(one_hot_code(40), 3, binary_code(4));
  const auto model = realize<float>(c, facts);
  std::vector<int> everyone;
  for (int s = 0; s < 30; ++s) everyone.push_back(s);
  for (const std::vector<int>& path : {std::vector<int>{0, 1, 2, 0}, {2, 2, 2, 2}, {1, 0}, {2}}) {
    const auto thoughts = ask_chain(model, everyone, path);
    REQUIRE(thoughts.size() == path.size());
    for (int s = 0; s < 30; ++s)
      for (std::size_t hop = 0; hop < path.size(); ++hop)
        CHECK(thoughts[hop][static_cast<std::size_t>(s)].attribute == follow(facts, s, std::span(path).first(hop + 1)));
  }
}

TEST_CASE("real position codes serve integer answers: the formulas and the model agree") {
  const auto facts = random_bijections(8, {.relations = 2, .seed = 5});
  const chain_of_thought c(binary_code(8), 2, circle_code(4), 12);
  CHECK(exact::recalls_all(c, facts));
  CHECK(examine(realize<double>(c, facts), facts).exact());
}

}  // namespace chain_test
