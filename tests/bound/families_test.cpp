#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include "geofact/bound/counting.hpp"

namespace families_test {

namespace bound = geofact::bound;
namespace mp = boost::multiprecision;
using bound::graph;
using bound::problem;
using bound::wide;
using whole = geofact::index_t;
using integer = mp::cpp_int;
using exact_real = mp::number<mp::cpp_bin_float<256, mp::digit_base_2>>;

namespace {
integer falling(whole n, whole count) {
  integer product = 1;
  for (whole i = 0; i < count; ++i) product *= n - i;
  return product;
}
integer power(const integer& base, whole exponent) { return mp::pow(base, static_cast<unsigned>(exponent)); }

/// 2^low <= count, and not by more than a factor 1 + 2^-30.
bool just_below(wide low, const integer& count) {
  const exact_real bits = mp::ldexp(exact_real(static_cast<std::int64_t>(low >> 32)), -32) +
                          mp::ldexp(exact_real(static_cast<std::int64_t>(low & 0xffffffff)), -64);
  const exact_real truth = mp::log(exact_real(count)) / mp::log(exact_real(2));
  return bits <= truth && truth - bits < mp::ldexp(exact_real(1), -30);
}

/// The family of theorem 3 counted step by step: labels of the ring, then vertex after vertex of the trees in the order
/// of their levels, every edge taking one image of its colour away, then the open edges.
integer ring_count(const problem& p, whole roots, whole branching) {
  const whole n = bound::coprime_below(roots, p.hops), limit = p.entities;
  std::vector<whole> load(static_cast<std::size_t>(p.relations), 0);
  load[0] = n;
  integer count = falling(n - 1, n - 1);
  whole reached = n, level = n, spent = n;  // the level's vertices; images of it that are spoken for in colour 1
  for (int hop = 1; hop < p.hops && reached < limit; ++hop) {
    whole next = 0;
    for (whole colour = spent > 0 ? 1 : 0; colour < branching; ++colour)
      for (whole parent = 0; parent < level && reached < limit; ++parent) {
        count *= limit - reached;
        ++reached, ++next, ++load[static_cast<std::size_t>(colour)];
      }
    level = next, spent = 0;
  }
  for (whole used : load)
    count *= p.kind == graph::function ? power(limit, reached - used) : falling(limit - used, reached - used);
  return count;
}
}  // namespace

TEST_CASE("trees: the value is just below the exact integer") {
  for (whole n : {5, 20, 41, 300})
    for (whole r : {1, 2, 3, 7})
      for (int k : {2, 3, 4}) {
        const problem p{.entities = n, .relations = r, .hops = k};
        const bound::family::disjoint_trees trees{p};
        for (whole roots = 1; roots <= trees.last(); roots += 3) {
          whole inner = 0, leaves = roots;
          for (int i = 1; i < k; ++i) inner += leaves, leaves *= r;
          CHECK(just_below(trees.low(roots), power(falling(n - inner, leaves), r)));
        }
        const bound::family::free_leaves free{p};
        for (whole roots = 1; roots <= free.last(); roots += 2)
          CHECK(just_below(free.low(roots), power(falling(n, roots * geofact::ipow(r, k - 1)), r)));
      }
}

TEST_CASE("rings: the closed form is just below the count step by step") {
  for (graph kind : {graph::permutation, graph::function})
    for (whole n : {2, 3, 7, 20, 61})
      for (whole r : {2, 3, 5})
        for (int k = 2; k <= 6; ++k)
          for (whole b = 2; b <= r; ++b) {
            const problem p{.entities = n, .relations = r, .hops = k, .kind = kind};
            for (whole roots = 1; roots <= n; ++roots) {
              INFO(n, " ", r, " ", k, " b = ", b, " roots ", roots);
              CHECK(just_below(bound::family::ring{p, b}.low(roots), ring_count(p, roots, b)));
            }
          }
}

TEST_CASE("the classes of S_N add up to at most 2 (counting.md, lemma 4)") {
  for (int n = 1; n <= 30; ++n) {
    // Sum over cycle types of 1 / |class| = centraliser / N!, by the number of cycles of each length.
    std::vector<double> sum(static_cast<std::size_t>(n + 1), 0);
    sum[0] = 1;
    for (int l = 1; l <= n; ++l) {
      const auto before = sum;
      double centraliser = 1;
      for (int m = 1; m * l <= n; ++m) {
        centraliser *= static_cast<double>(l) * m;
        for (int j = m * l; j <= n; ++j)
          sum[static_cast<std::size_t>(j)] += centraliser * before[static_cast<std::size_t>(j - m * l)];
      }
    }
    double factorial = 1;
    for (int i = 2; i <= n; ++i) factorial *= i;
    CHECK(sum[static_cast<std::size_t>(n)] <= 2 * factorial * (1 + 1e-12));
  }
}

}  // namespace families_test
