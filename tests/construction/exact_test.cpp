#include "geofact/construction/exact.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "geofact/code/binary.hpp"
#include "geofact/code/one_hot.hpp"
#include "geofact/code/parity.hpp"
#include "geofact/code/random_sign.hpp"
#include "geofact/code/tabulated.hpp"
#include "geofact/construction/associative_memory.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/fact/graph.hpp"
#include "geofact/model/forward.hpp"

namespace exact_test {

using namespace geofact;
using table_code = tabulated_code<int>;

namespace {

std::vector<table_code> integer_codes(int attributes) {
  return {table_code(binary_code(attributes)), table_code(parity_code(attributes)),
          table_code(one_hot_code(attributes)), table_code(random_sign_code(attributes, 20))};
}

/// Six subjects: bijections, functions, answers that are no subjects, with and without missing facts.
std::vector<fact_table<>> small_facts() {
  return {random_bijections(6, {.relations = 2, .seed = 1}), random_functions(6, 6, {.relations = 2, .seed = 2}),
          random_functions(6, 9, {.relations = 2, .missing = 0.3, .seed = 3})};
}

/// Whether the model's forward pass gives the formulas' own numbers for a sequence.
bool same(const exact::weights<int>& formulas, const parameters<int>& model, const std::vector<int>& tokens) {
  std::vector<std::vector<int>> batch;
  for (int token : tokens) batch.push_back({token});
  exact::context sequence(formulas);
  for (int token : tokens) sequence.append(token);
  const auto expected = exact::mlp(formulas, sequence.stream());
  const auto found = forward(model, batch);
  return std::vector<int>(found.data(), found.data() + found.size()) == expected;
}

/// Compares all questions, and each step of each chain of thought.
template <construction C>
void check_all_questions(const C& c, const fact_table<>& facts) {
  const auto model = realize<int>(c, facts, 1);
  const auto formulas = exact::tabulate(c, facts);
  const path_set<> paths{facts.relations(), c.hops()};
  int disagree = 0;
  for (int w = 0; w < paths.size(); ++w)
    for (int s = 0; s < facts.subjects(); ++s) {
      std::vector<int> tokens;
      if (c.heads() == 0) {
        tokens.push_back(s);
        for (int hop = 0; hop < c.hops(); ++hop)
          tokens.push_back(model.entities() + hop * facts.relations() + paths.step(w, hop));
        disagree += !same(formulas, model, tokens);
        continue;
      }
      for (int hop = 0; hop < c.hops(); ++hop) tokens.push_back(model.entities() + paths.step(w, hop));
      for (int hop = 0, now = s; hop < c.hops() && now != unknown; ++hop) {
        tokens.push_back(now);
        disagree += !same(formulas, model, tokens);
        now = facts(now, paths.step(w, hop));
      }
    }
  CHECK(disagree == 0);
  for (int a = 0; a < c.attributes(); ++a)
    for (int j = 0; j < c.output(); ++j) CHECK(model.unembedding()(a, j) == c.unembedding(a, j));
}

}  // namespace

TEST_CASE(
    "the realized model computes the formulas of multi-hop: every split, every integer code, every kind of facts") {
  for (const auto& facts : small_facts())
    for (const auto& c : integer_codes(facts.attributes()))
      for (int k = 1; k <= 3; ++k)
        for (int e = 0; e <= k; ++e)
          for (int g = 1; g <= k; ++g) {
            CAPTURE(k);
            CAPTURE(e);
            CAPTURE(g);
            const multi_hop split(c, 2, k, e, g, 6);
            check_all_questions(split, facts);
            CHECK(exact::recalls_all(split, facts));
          }
}

TEST_CASE("the realized model computes the formulas of the chain of thought, with every integer position code") {
  for (const auto& facts : small_facts())
    for (const auto& c : integer_codes(facts.attributes()))
      for (int k = 1; k <= 3; ++k)
        for (const auto& places : integer_codes(k)) {
          CAPTURE(k);
          const chain_of_thought chain(c, 2, places, 3);
          check_all_questions(chain, facts);
          CHECK(exact::recalls_all(chain, facts));
        }
}

TEST_CASE("the realized model computes the formulas of the disjoint single hop") {
  for (double missing : {0.0, 0.4}) {
    auto facts = fact_table<>::disjoint(7, {1, 2, 5, 9});
    const random_stream random(3);
    for (int r = 0; r < 4; ++r)
      for (int s = 0; s < 7; ++s) {
        const auto i = static_cast<std::uint64_t>(4 * s + r);
        if (random.uniform(i) >= missing)
          facts.set(s, r, facts.codomain(r).first + random.below(facts.codomain(r).size(), i + 100));
      }
    check_all_questions(disjoint_single_hop(facts), facts);
    CHECK(exact::recalls_all(disjoint_single_hop(facts), facts));
  }
}

TEST_CASE("the realized model computes the formulas of both associative memories") {
  for (const auto& facts : small_facts())
    for (const auto& c : integer_codes(facts.attributes()))
      for (int features : {0, 5}) check_all_questions(associative_memory(c, 6, 2, 9, features), facts);
}

TEST_CASE("exact::recalls_all sees a wrong fact, a guess and a refusal") {
  const auto facts = random_bijections(6, {.relations = 2, .seed = 1});
  const tree c(binary_code(6), 2);
  auto other = facts;
  other.set(3, 1, (facts(3, 1) + 1) % 6);
  auto fewer = facts;
  fewer.set(3, 1, unknown);
  const std::vector<int> path{1};
  CHECK(exact::recalls_all(c, facts));
  CHECK(exact::ask(exact::tabulate(c, other), 3, path, {0, 6}) == other(3, 1));
  CHECK(exact::ask(exact::tabulate(c, fewer), 3, path, {0, 6}) == unknown);
  CHECK(exact::ask(exact::tabulate(c, facts), 3, path, {0, 6}) == facts(3, 1));
  CHECK_FALSE(exact::recalls_all(associative_memory(binary_code(6), 6, 2, 1), facts));  // far beyond its capacity
}

}  // namespace exact_test
