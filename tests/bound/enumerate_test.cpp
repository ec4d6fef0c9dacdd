#include <doctest/doctest.h>

#include <cmath>

#include "geofact/bound/counting.hpp"
#include "geofact/bound/enumerate.hpp"

namespace enumerate_test {

namespace bound = geofact::bound;
using bound::graph;
using bound::problem;
using whole = geofact::index_t;

namespace {
whole tables(whole n, whole r, int k, whole roots, graph kind = graph::permutation) {
  return bound::enumerate({.entities = n, .relations = r, .hops = k, .kind = kind}, roots).tables;
}
double log2_of(whole count) { return std::log2(static_cast<double>(count)); }
double graph_bits(const problem& p) { return bound::rounded_down(bound::log2_graphs(p).low); }
/// `given` against the theory's formula, whose integer value is `count`.
bool counts(double given, whole count) { return std::abs(given - log2_of(count)) < 1e-12; }

}  // namespace

TEST_CASE("the enumeration reproduces every row of the theory's table") {
  struct row {
    whole n, r;
    int k;
    whole one_root, all_roots, graphs;
  };
  for (const row& t :
       {row{3, 1, 2, 3, 3, 6}, row{3, 2, 2, 25, 26, 36}, row{3, 2, 3, 27, 30, 36}, row{4, 1, 2, 4, 12, 24},
        row{4, 2, 2, 148, 458, 576}, row{4, 2, 3, 430, 534, 576}, row{5, 1, 3, 5, 80, 120},
        row{5, 2, 1, 25, 14400, 14400}, row{5, 2, 2, 425, 13234, 14400}, row{5, 2, 3, 7861, 14070, 14400}}) {
    INFO("N = ", t.n, ", R = ", t.r, ", k = ", t.k);
    CHECK(tables(t.n, t.r, t.k, 1) == t.one_root);
    CHECK(tables(t.n, t.r, t.k, t.n) == t.all_roots);
    CHECK(counts(graph_bits({.entities = t.n, .relations = t.r}), t.graphs));
  }
  CHECK(tables(5, 1, 2, 2) == 20);
}

TEST_CASE("disjoint trees give the theory's bounds") {
  struct row {
    whole n, r;
    int k;
    whole roots, count;
  };
  for (const row& t : {row{3, 1, 2, 1, 2}, row{3, 2, 2, 1, 4}, row{4, 1, 2, 1, 3}, row{4, 2, 2, 1, 36},
                       row{5, 1, 3, 1, 3}, row{5, 2, 2, 1, 144}, row{5, 1, 2, 2, 6}}) {
    const bound::family::disjoint_trees trees{{.entities = t.n, .relations = t.r, .hops = t.k}};
    REQUIRE(trees.last() >= t.roots);
    CHECK(counts(bound::rounded_down(trees.low(t.roots)), t.count));
  }
  for (whole n : {3, 4, 5})
    CHECK(bound::family::disjoint_trees{{.entities = n, .relations = 2, .hops = 3}}.last() == 0);  // do not fit
}

TEST_CASE("the enumeration reproduces the matching rows") {
  const auto matched = [](whole n, int k, whole roots) { return tables(n, 2, k, roots, graph::matching); };
  CHECK(matched(4, 1, 4) == 9);
  CHECK(matched(4, 2, 4) == 4);
  CHECK(matched(6, 1, 6) == 225);
  CHECK(matched(6, 2, 6) == 86);
  CHECK(matched(6, 3, 6) == 225);
  CHECK(matched(6, 1, 1) == 25);
  CHECK(matched(6, 2, 1) == 26);
  CHECK(matched(6, 3, 1) == 85);
}

}  // namespace enumerate_test
