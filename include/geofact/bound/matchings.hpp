#pragma once
#include "geofact/bound/problem.hpp"

namespace geofact::bound::family {

/// log2 of the ways in which `asked` of 2 pairs points can be matched (counting.md, lemma 5): partners all outside,
/// or (2 pairs - 1)(2 pairs - 3) ... over ceil(asked / 2) factors, whichever is more.
constexpr wide log2_partners(index_t pairs, index_t asked) {
  const wide outside = asked <= pairs ? log2_falling(2 * pairs - asked, asked).low : 0;
  if (asked <= pairs && pairs > 16) return outside;  // the larger one
  return larger(outside, (log2_matchings(pairs) - log2_matchings(pairs - (asked + 1) / 2)).low);
}

/// Matchings (theorem 6): trees of j <= k hops, k - j even, because a path may walk an edge to and fro. e edges of
/// every colour are fixed inside the trees, p open ends of every colour are matched with what is left.
struct matched_trees {
  problem p;
  int depth;  // j, and R >= 2 where j > 1
  static constexpr const char* formula =
      "matched trees of j hops, k - j even: R log2 of the partners of p = n (R-1)^(j-1) points among N - 2e, "
      "e = n (1 + (R-1) + .. + (R-1)^(j-2))";
  constexpr index_t first() const { return 1; }
  constexpr index_t used(index_t n) const { return n; }
  constexpr index_t last() const {
    if (depth == 1) return p.entities;
    const index_t inner = capped_series(p.relations - 1, depth - 1, p.entities);
    return inner > p.entities / p.relations ? 0 : p.entities / (1 + p.relations * inner);
  }
  constexpr wide low(index_t n) const {
    const index_t inner = depth == 1 ? 0 : n * capped_series(p.relations - 1, depth - 1, p.entities);
    const index_t open = depth == 1 ? n : capped_power(n, p.relations - 1, depth - 1, p.entities);
    return p.relations * log2_partners(p.entities / 2 - inner, open);
  }
};

/// All subjects asked (theorem 7). k odd: the graph, ((N-1)!!)^R. k even: the products f_1 f_r, at least
/// N! / (2 (N/2)^2) ((N-1)!!)^(R-2).
struct matched_table {
  problem p;
  static constexpr const char* formula =
      "whole table of matchings: R log2 (N-1)!! for k odd, log2[2 N! / N^2] + (R-2) log2 (N-1)!! for k even";
  constexpr index_t first() const { return p.entities - 1; }  // the last answers follow
  constexpr index_t used(index_t n) const { return n; }
  constexpr index_t last() const { return first(); }
  constexpr wide low(index_t) const {
    const enclosure each = log2_matchings(p.entities / 2);
    if (p.hops % 2 == 1) return p.relations * each.low;
    if (p.relations == 1) return 0;
    return (log2_factorial(p.entities) + exactly(1) - 2 * log2_of(p.entities) + (p.relations - 2) * each).low;
  }
};

}  // namespace geofact::bound::family
