#include "geofact/fact/regularity.hpp"

#include <doctest/doctest.h>

#include "geofact/fact/graph.hpp"

namespace regularity_test {

using geofact::fact_table;
using geofact::regularity;
using geofact::unknown;

namespace {

/// The same by comparing all pairs.
regularity by_pairs(const fact_table<>& facts, int r) {
  regularity kind;
  const int n = facts.subjects();
  const auto range = facts.codomain(r);
  for (int s = 0; s < n; ++s) {
    const int a = facts(s, r);
    if (a == unknown) kind.total = false;
    for (int t = 0; t < s; ++t)
      if (a != unknown && facts(t, r) == a) kind.injective = false;
    if (!facts.shared() || a == unknown || a == s || a >= n || facts(a, r) != s) kind.involution = false;
  }
  for (int a = range.first; a < range.last; ++a) {
    bool hit = false;
    for (int s = 0; s < n; ++s) hit = hit || facts(s, r) == a;
    kind.surjective = kind.surjective && hit;
  }
  return kind;
}

}  // namespace

TEST_CASE("the kind of a relation agrees with brute force over all functions of 3 subjects into 1 to 4 attributes") {
  for (int attributes = 1; attributes <= 4; ++attributes)
    for (int code = 0; code < (attributes + 1) * (attributes + 1) * (attributes + 1); ++code) {
      fact_table<> shared(3, 1, attributes);
      auto own = fact_table<>::disjoint(3, {2, attributes});
      for (int s = 0, rest = code; s < 3; ++s, rest /= attributes + 1) {
        const int a = rest % (attributes + 1) - 1;
        shared.set(s, 0, a);
        own.set(s, 1, a == unknown ? unknown : a + 2);
      }
      CAPTURE(attributes);
      CAPTURE(code);
      CHECK(geofact::regularity_of(shared, 0) == by_pairs(shared, 0));
      CHECK(geofact::regularity_of(own, 1) == by_pairs(own, 1));
      CHECK(geofact::is_regular(shared) == (attributes == 3 && by_pairs(shared, 0).bijective()));
    }
}

TEST_CASE("generators give the kinds they are named for") {
  const auto bijections = geofact::random_bijections(50, {.relations = 3});
  const auto matchings = geofact::perfect_matchings(50, {.relations = 3});
  const auto functions = geofact::random_functions(50, 50, {.relations = 3});
  CHECK(geofact::is_regular(bijections));
  CHECK(geofact::is_regular(matchings));
  CHECK(geofact::is_regular(geofact::cyclic_cayley_graph(50, {.relations = 3})));
  CHECK_FALSE(geofact::is_regular(functions));
  CHECK_FALSE(geofact::is_regular(geofact::random_bijections(50, {.relations = 3, .missing = 0.1})));
  for (int r = 0; r < 3; ++r) {
    CHECK(geofact::regularity_of(bijections, r).bijective());
    CHECK(geofact::regularity_of(matchings, r).involution);
    CHECK(geofact::regularity_of(functions, r) == by_pairs(functions, r));
  }
  static_assert(geofact::is_regular(geofact::random_bijections<2>(6)));
}

TEST_CASE("disjoint attributes are never a regular graph of the subjects") {
  auto facts = fact_table<>::disjoint(2, {2});
  facts.set(0, 0, 1);
  facts.set(1, 0, 0);
  CHECK(geofact::regularity_of(facts, 0).bijective());
  CHECK_FALSE(geofact::regularity_of(facts, 0).involution);
  CHECK_FALSE(geofact::is_regular(facts));
}

}  // namespace regularity_test
