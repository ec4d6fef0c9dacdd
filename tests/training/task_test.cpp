#include "geofact/training/free_running.hpp"

#include <doctest/doctest.h>

#include "geofact/code/binary.hpp"
#include "geofact/code/one_hot.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/multi_hop.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/fact/graph.hpp"

namespace task_test {

using namespace geofact;

TEST_CASE("each mode asks k hops as its definition says") {
  const std::vector<int> path = {1, 0, 2}, thoughts = {5, 7};
  const auto tokens = [&](mode how, std::size_t thought) {
    return task{how, 3}.tokens(10, 3, path, std::span(thoughts).first(thought));
  };
  CHECK(tokens(mode::direct, 1) == std::vector{5, 10 + 1, 13 + 0, 16 + 2});
  CHECK(tokens(mode::cot, 2) == std::vector{11, 10, 12, 5, 7});
  CHECK(tokens(mode::cot_uniform, 2) == std::vector{10 + 1, 13 + 0, 16 + 2, 5, 7});
  CHECK(tokens(mode::cot_latest, 2) == std::vector{7, 10});
}

TEST_CASE("every question of every mode has the answer that following the facts gives") {
  const auto facts = random_bijections(9, {.relations = 2, .missing = 0.2, .seed = 4});
  for (const mode how : {mode::direct, mode::cot, mode::cot_uniform}) {
    const task asked{how, 3};
    const auto sets = all_questions(facts, asked);
    CHECK(std::ssize(sets) == asked.thoughts());
    index_t expected = 0, found = 0;
    for (std::size_t i = 0; i < sets.size(); ++i)
      for (index_t q = 0; q < sets[i].size(); ++q, ++found) {
        const auto question = sets[i][q];
        const bool own = how != mode::cot;
        std::vector<int> entities, path;
        for (int token : question)
          if (token < 9)
            entities.push_back(token);
          else
            path.push_back(token - 9 - (own ? 2 * static_cast<int>(path.size()) : 0));
        const std::size_t hops = how == mode::direct ? 3 : i + 1;
        CHECK(follow(facts, entities[0], std::span(path).first(hops)) == sets[i].targets[static_cast<std::size_t>(q)]);
        for (std::size_t t = 1; t < entities.size(); ++t)
          CHECK(follow(facts, entities[0], std::span(path).first(t)) == entities[t]);
      }
    const path_set<> paths{2, 3};
    for (int s = 0; s < 9; ++s)
      for (int w = 0; w < 8; ++w)
        for (int hops = how == mode::direct ? 3 : 1; hops <= 3; ++hops) {
          const std::vector path = {paths.step(w, 0), paths.step(w, 1), paths.step(w, 2)};
          expected += follow(facts, s, std::span(path).first(static_cast<std::size_t>(hops))) != unknown;
        }
    CHECK(found == expected);
  }
  CHECK(total(all_questions(facts, {mode::cot_latest, 3})) == facts.known());  // each fact once
}

TEST_CASE("a constructed model is recalled whole when it reads its own thoughts, and not under a wrong mode") {
  const auto facts = random_bijections(12, {.relations = 2, .missing = 0.1, .seed = 4});
  const auto chain = realize<int>(chain_of_thought(binary_code(12), 2, one_hot_code(3), 10), facts);
  CHECK(free_running_recall(chain, facts, {mode::cot, 3}) == 1);
  const auto direct = realize<int>(tree(binary_code(12), 2, 2), facts);
  CHECK(free_running_recall(direct, facts, {mode::direct, 2}) == 1);
  CHECK(free_running_recall(direct, random_bijections(12, {.relations = 2, .seed = 5}), {mode::direct, 2}) < 0.5);
}

TEST_CASE("several hops over disjoint attributes are refused in every mode") {
  const auto facts = fact_table<>::disjoint(3, {3, 3});
  CHECK_THROWS_AS(all_questions(facts, {mode::direct, 2}), error);
  CHECK_THROWS_AS(all_questions(facts, {mode::cot_latest, 1}), error);
  CHECK_THROWS_AS(all_questions(facts, {mode::direct, 0}), error);
}

}  // namespace task_test
