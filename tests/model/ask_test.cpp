#include "geofact/model/ask.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "../support.hpp"
#include "geofact/model/parameters.hpp"

namespace ask_test {

using geofact::answer;
using geofact::ask_chain;
using geofact::ask_direct;
using geofact::parameters;
using geofact::unknown;

namespace {

constexpr int entities = 6;

parameters<double> random_model(int relations, int positions, int heads, double abstain = -1e300) {
  geofact::sizes<> n;
  n.entities = entities, n.relations = relations, n.positions = positions, n.width = 5, n.hidden = 7, n.layers = 1;
  n.output = 3, n.attributes = entities, n.heads = heads, n.key = 2, n.value = 4;
  parameters<double> model(n);
  naive::randomize(model, 17, 0.9);
  model.abstain = abstain;
  return model;
}

/// The answer to one sequence of tokens.
int naive_answer(const parameters<double>& model, const std::vector<int>& tokens, int first, int last) {
  const auto y = naive::output(model, tokens);
  const auto logits = naive::times(model, "unembedding", model.attributes(), y);
  const auto top = std::max_element(logits.begin() + first, logits.begin() + last);
  return *top > model.abstain ? static_cast<int>(top - logits.begin()) : unknown;
}

const std::vector<int> everyone{0, 1, 2, 3, 4, 5};

}  // namespace

TEST_CASE("asking directly is one forward pass over the subject and one relation token a hop") {
  for (int heads : {0, 2})
    for (int positions : {0, 3}) {
      const auto model = random_model(6, positions, heads, 0.5);  // 2 hops of 3 relations
      for (int r = 0; r < 3; ++r)
        for (int q = 0; q < 3; ++q) {
          const auto answers = ask_direct(model, everyone, std::vector<int>{r, q}, {1, 5});
          for (int s = 0; s < entities; ++s)
            CHECK(answers[static_cast<std::size_t>(s)].attribute ==
                  naive_answer(model, {s, entities + r, entities + 3 + q}, 1, 5));
        }
    }
}

TEST_CASE("a chain of thought feeds back its own answers and stops at an unknown one") {
  for (double abstain : {-1e300, 0.6}) {
    const auto model = random_model(3, 6, 2, abstain);
    int stopped = 0;
    for (int r = 0; r < 27; ++r) {
      const std::vector<int> path{r % 3, r / 3 % 3, r / 9};
      const auto thoughts = ask_chain(model, everyone, path);
      REQUIRE(thoughts.size() == 3);
      for (int s = 0; s < entities; ++s) {
        std::vector<int> tokens;
        for (int relation : path) tokens.push_back(entities + relation);
        int newest = s;
        for (const auto& thought : thoughts) {
          if (newest != unknown) tokens.push_back(newest), newest = naive_answer(model, tokens, 0, entities);
          CHECK(thought[static_cast<std::size_t>(s)].attribute == newest);
          stopped += newest == unknown;
        }
      }
    }
    CHECK((abstain < 0 ? stopped == 0 : stopped > 0));
  }
}

TEST_CASE("a path shorter than the model's chain asks the relations it has") {
  const auto model = random_model(3, 6, 1);
  const auto thoughts = ask_chain(model, everyone, std::vector<int>{1, 2});
  REQUIRE(thoughts.size() == 2);
  for (int s = 0; s < entities; ++s) {
    std::vector<int> tokens{entities + 1, entities + 2, entities + 2, s};
    const int first = naive_answer(model, tokens, 0, entities);
    CHECK(thoughts[0][static_cast<std::size_t>(s)].attribute == first);
    tokens.push_back(first);
    CHECK(thoughts[1][static_cast<std::size_t>(s)].attribute == naive_answer(model, tokens, 0, entities));
  }
}

TEST_CASE("subjects, relations and paths that the model does not have are refused in a sentence") {
  const auto direct = random_model(6, 0, 0), chain = random_model(3, 6, 1);
  using path = std::vector<int>;
  const auto ask = [&](const path& subjects, const path& w) { return ask_direct(direct, subjects, w, {0, entities}); };
  CHECK_NOTHROW(ask({5}, {2, 2}));
  CHECK_THROWS_WITH_AS(ask({0}, {3, 0}), "relation 3 is not among the 3 relations of the model", geofact::error);
  CHECK_THROWS_AS(ask({0}, {0, -1}), geofact::error);
  CHECK_THROWS_WITH_AS(ask({0}, {0, 0, 0, 0}), "a model of 6 relation tokens cannot answer 4 hops at once",
                       geofact::error);
  CHECK_THROWS_AS(ask({0}, {}), geofact::error);
  CHECK_THROWS_WITH_AS(ask({0, 6}, {0, 0}), "subject 6 is not among the 6 entities of the model", geofact::error);
  CHECK_THROWS_AS(ask({-1}, {0, 0}), geofact::error);
  CHECK_NOTHROW(ask_chain(chain, {5}, path{2, 2, 2}));
  CHECK_THROWS_WITH_AS(ask_chain(chain, {0}, path{3}), "relation 3 is not among the 3 relations of the model",
                       geofact::error);
  CHECK_THROWS_AS(ask_chain(chain, {0}, path{-1}), geofact::error);
  CHECK_THROWS_WITH_AS(ask_chain(chain, {0}, path{0, 0, 0, 0}), "a chain of thought over 3 hops cannot answer 4",
                       geofact::error);
  CHECK_THROWS_AS(ask_chain(chain, {0}, path{}), geofact::error);
  CHECK_THROWS_WITH_AS(ask_chain(chain, {6}, path{0}), "subject 6 is not among the 6 entities of the model",
                       geofact::error);
}

TEST_CASE("an answer that is no entity of the model ends a chain of thought in unknown") {
  geofact::sizes<> n;
  n.entities = 1, n.relations = 2, n.positions = 4, n.width = 1, n.output = 1, n.attributes = 3, n.heads = 1;
  n.key = 1, n.value = 1;
  parameters<double> model(n);
  model.entity()(0, 0) = 1;
  model.unembedding() << 0, 0, 1;  // always answers attribute 2, which has the number of a relation token
  const auto thoughts = ask_chain(model, {0}, std::vector<int>{0, 1});
  CHECK(thoughts[0][0].attribute == 2);
  CHECK(thoughts[1][0].attribute == unknown);
}

}  // namespace ask_test
