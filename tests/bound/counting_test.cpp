#include <doctest/doctest.h>

#include <cmath>

#include "geofact/bound/counting.hpp"
#include "geofact/bound/enumerate.hpp"

namespace counting_test {

namespace bound = geofact::bound;
using bound::graph;
using bound::problem;
using whole = geofact::index_t;

namespace {
double log2_of(whole count) { return std::log2(static_cast<double>(count)); }
double graph_bits(const problem& p) { return bound::rounded_down(bound::log2_graphs(p).low); }
/// `given` against the theory's formula, whose integer value is `count`.
bool counts(double given, whole count) { return std::abs(given - log2_of(count)) < 1e-12; }

/// Calls visit(problem, roots) for every case that has few enough graphs and paths.
template <class Visit>
void for_each_small_case(double log2_most, Visit visit) {
  for (graph kind : {graph::permutation, graph::matching, graph::function})
    for (whole n = 1; n <= 8; ++n)
      for (whole r = 1; r <= 4; ++r)
        for (int k = 1; k <= 6; ++k) {
          const problem p{.entities = n, .relations = r, .hops = k, .kind = kind};
          if (kind == graph::matching && n % 2 == 1) continue;
          if (graph_bits(p) > log2_most || geofact::ipow(r, k) > 100) continue;
          for (whole roots = 1; roots <= n; ++roots) visit(p, roots);
        }
}
}  // namespace

TEST_CASE("no bound is above the exact count, for any roots, any graphs of any kind") {
  for_each_small_case(std::log2(20000), [](const problem& p, whole roots) {
    INFO(bound::name(p.kind), " N = ", p.entities, ", R = ", p.relations, ", k = ", p.hops, ", n = ", roots);
    CHECK(bound::least_tables(p, roots).log2() <= log2_of(bound::enumerate(p, roots).tables));
  });
}

TEST_CASE("every family alone is below the exact count") {
  for_each_small_case(std::log2(6000), [](const problem& p, whole roots) {
    const double exact = log2_of(bound::enumerate(p, roots).tables);
    bound::detail::for_each_family(p, [&](const auto& family) {
      if (roots < family.first() || roots > family.last()) return;
      INFO(family.formula, ": N = ", p.entities, ", R = ", p.relations, ", k = ", p.hops, ", n = ", roots);
      const auto low = family.low(roots);
      CHECK((low <= 0 || bound::rounded_down(low) <= exact));
    });
  });
}

TEST_CASE("one hop: the bound is the number of graphs, for permutations, matchings and functions") {
  for_each_small_case(std::log2(20000), [](const problem& p, whole roots) {
    if (p.hops != 1 || roots != p.entities) return;
    const bound::enumeration exact = bound::enumerate(p, roots);
    CHECK(exact.tables == exact.graphs);
    CHECK(counts(bound::least_tables(p, roots).log2(), exact.tables));
    CHECK(counts(graph_bits(p), exact.graphs));
  });
}

TEST_CASE("one hop: permutations and functions are counted exactly for every number of roots") {
  for_each_small_case(std::log2(20000), [](const problem& p, whole roots) {
    if (p.hops == 1 && p.kind != graph::matching)
      CHECK(counts(bound::least_tables(p, roots).log2(), bound::enumerate(p, roots).tables));
  });
}

TEST_CASE("matchings: an odd number of hops tells the whole graph") {
  for (whole r : {1, 2, 3})
    for (int k : {1, 3, 5}) {
      const problem p{.entities = 6, .relations = r, .hops = k, .kind = graph::matching};
      CHECK(counts(bound::least_tables(p, 6).log2(), bound::enumerate(p, 6).graphs));
    }
}

}  // namespace counting_test
