#include "geofact/fact/fact_table.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <vector>

namespace fact_table_test {

using geofact::attribute_range;
using geofact::fact_table;
using geofact::unknown;

TEST_CASE("a new table knows nothing; set states, replaces and forgets a fact") {
  fact_table<> facts(3, 2, 5);
  CHECK(facts.known() == 0);
  facts.set(0, 0, 4);
  facts.set(2, 1, 0);
  facts.set(0, 0, 3);
  CHECK(facts(0, 0) == 3);
  CHECK(facts(0, 1) == unknown);
  CHECK(facts(2, 1) == 0);
  CHECK(facts.known() == 2);
  CHECK_FALSE(facts.total());
  facts.set(0, 0, unknown);
  CHECK(facts.known() == 1);
  for (int s = 0; s < 3; ++s)
    for (int r = 0; r < 2; ++r) facts.set(s, r, s + r);
  CHECK(facts.total());
}

TEST_CASE("shared attributes are one range, and names go as far as subjects or attributes do") {
  const fact_table<> more_attributes(3, 2, 5), more_subjects(5, 2, 3);
  CHECK(more_attributes.shared());
  CHECK(more_attributes.codomain(0) == attribute_range{0, 5});
  CHECK(more_attributes.codomain(1) == attribute_range{0, 5});
  CHECK(more_attributes.entities() == 5);
  CHECK(more_subjects.entities() == 5);
  CHECK(more_attributes(3, 0) == unknown);  // an attribute that is no subject
  CHECK(more_attributes(unknown, 0) == unknown);
}

TEST_CASE("disjoint attributes are one range after the other") {
  auto facts = fact_table<>::disjoint(4, {3, 1, 5});
  CHECK_FALSE(facts.shared());
  CHECK(facts.relations() == 3);
  CHECK(facts.attributes() == 9);
  CHECK(facts.entities() == 4);
  CHECK(facts.codomain(0) == attribute_range{0, 3});
  CHECK(facts.codomain(1) == attribute_range{3, 4});
  CHECK(facts.codomain(2) == attribute_range{4, 9});
  CHECK(facts.codomain(2).size() == 5);
  facts.set(0, 2, 8);
  CHECK(facts(0, 2) == 8);
  CHECK_THROWS_WITH_AS(facts.set(0, 2, 3), "attribute 3 is not among those of relation 2", geofact::error);
  CHECK_THROWS_WITH_AS(facts.set(0, 0, 3), "attribute 3 is not among those of relation 0", geofact::error);
  CHECK_THROWS_WITH_AS(fact_table<>::disjoint(4, {3, 0}), "relation 1 needs at least one attribute, got 0",
                       geofact::error);
  CHECK_THROWS_AS(fact_table<>::disjoint(4, {}), geofact::error);
  CHECK_THROWS_AS(fact_table<>::disjoint(4, {INT_MAX, 1}), geofact::error);
  CHECK_THROWS_AS(fact_table<2>::disjoint(4, {1, 1, 1}), geofact::error);
}

TEST_CASE("what is not in the table is refused in a sentence") {
  fact_table<> facts(3, 2, 5);
  CHECK_THROWS_WITH_AS(facts.set(3, 0, 0), "subject 3 is not among the 3 subjects", geofact::error);
  CHECK_THROWS_WITH_AS(facts.set(-1, 0, 0), "subject -1 is not among the 3 subjects", geofact::error);
  CHECK_THROWS_WITH_AS(facts.set(0, 2, 0), "relation 2 is not among the 2 relations", geofact::error);
  CHECK_THROWS_AS(facts.set(0, -1, 0), geofact::error);
  CHECK_THROWS_WITH_AS(facts.set(0, 0, 5), "attribute 5 is not among those of relation 0", geofact::error);
  CHECK_THROWS_AS(facts.set(0, 0, -2), geofact::error);
  CHECK(facts.known() == 0);
}

TEST_CASE("no subjects, relations or attributes, and tables beyond the memory, are refused") {
  CHECK_THROWS_WITH_AS(fact_table<>(0, 2, 5), "facts need at least one subject, got 0", geofact::error);
  CHECK_THROWS_WITH_AS(fact_table<>(3, 0, 5), "facts need at least one relation, got 0", geofact::error);
  CHECK_THROWS_WITH_AS(fact_table<>(3, 2, 0), "facts need at least one attribute, got 0", geofact::error);
  CHECK_THROWS_WITH_AS((fact_table<3>(3, 2, 5)), "this extent is 3 at compile time but 2 was given", geofact::error);
  CHECK_THROWS_AS(fact_table<>(INT_MAX, INT_MAX, 5), geofact::error);
}

TEST_CASE("a static number of relations changes nothing, and a table is usable at compile time") {
  constexpr bool agree = [] {
    fact_table<2> fixed(3, {}, 5);
    fact_table<> free(3, 2, 5);
    for (int s = 0; s < 3; ++s) fixed.set(s, 1, s), free.set(s, 1, s);
    for (int s = -1; s < 4; ++s)
      for (int r = 0; r < 2; ++r)
        if (fixed(s, r) != free(s, r)) return false;
    return fixed.known() == 3 && free.known() == 3 && fixed.relations() == free.relations();
  }();
  CHECK(agree);
}

}  // namespace fact_table_test
