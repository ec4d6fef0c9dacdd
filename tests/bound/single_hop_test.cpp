#include "geofact/bound/single_hop.hpp"

#include <doctest/doctest.h>

namespace single_hop_test {

namespace bound = geofact::bound;
using bound::graph;
using bound::problem;
using whole = geofact::index_t;

static_assert(bound::compare({.entities = 16, .relations = 3, .kind = graph::function}, {3 * 4, 0}).total == 1);

TEST_CASE("single hop, functions, A a power of two: the construction is optimal to the bit") {
  for (whole n : {1, 3, 4096, 1000000})
    for (whole a : {2, 64, 4096})
      for (whole r : {1, 2, 16, 10000}) {
        const problem p{.entities = n, .relations = r, .kind = graph::function, .attributes = a};
        const auto found = bound::compare(p, {r * geofact::ceil_log2(a), 0});
        CHECK(found.total == 1);
        CHECK(found.private_bits == 1);
      }
}

TEST_CASE("single hop, 4096 subjects, bijections: within 1.14 of any model, exact among private ones") {
  for (whole r = 1; r <= 16; ++r) {
    const auto found = bound::compare({.entities = 4096, .relations = r}, {12 * r, 0});
    CHECK(found.total >= 1);
    CHECK(found.total <= 1.14);
    CHECK(found.private_bits == 1);
  }
}

TEST_CASE("shared bits beyond the precision of a double do not push the bound above what is possible") {
  const whole n = (whole{1} << 40) - 1, r = 9999;
  for (whole d = 1; d <= 64; ++d) {
    const auto found =
        bound::compare({.entities = n, .relations = r, .kind = graph::function, .attributes = 2}, {d, n * (r - d)});
    CHECK(found.total >= 1);
    CHECK(found.private_bits >= 1);
    CHECK(found.shared_bits >= 1);
  }
}

TEST_CASE("chain of thought: the bound is that of one hop, whatever the number of hops") {
  for (int k : {1, 2, 9}) {
    const problem p{.entities = 4096, .relations = 4, .hops = k};
    CHECK(bound::least_private(bound::one_hop(p)).parameters == 48);
    CHECK(bound::compare(bound::one_hop(p), {48, 0}).private_bits == 1);
  }
}

TEST_CASE("a fact table with attributes of its own relations is no problem of counting") {
  const auto facts = geofact::fact_table<>::disjoint(4, {2, 3});
  CHECK_THROWS_AS(bound::problem_of(facts, graph::function), geofact::error);
  CHECK(bound::problem_of(geofact::fact_table<>(8, 2, 4), graph::function).attributes == 4);
}

}  // namespace single_hop_test
