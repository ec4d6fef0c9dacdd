#pragma once
#include <algorithm>

#include "geofact/bound/powers.hpp"

namespace geofact::bound {

/// Families of graphs whose tables differ pairwise, so that log2 of their number bounds the bits from below. A family
/// is defined for first() to last() roots (subjects that are asked); more roots than last() cannot lower the count.
/// `low(n)` is a lower bound on log2 of its size in units of 2^-64; it asks `used(n)` <= n roots.
namespace family {

/// One hop: the answers are the graph. Permutations: R log2[N! / (N-n)!]. Functions: n R log2 A.
struct one_hop {
  problem p;
  static constexpr const char* formula = "one hop: R log2[N! / (N-n)!], for functions n R log2 A";
  constexpr index_t first() const { return 1; }
  constexpr index_t used(index_t n) const { return n; }
  constexpr index_t last() const { return p.entities; }
  constexpr wide low(index_t n) const {
    return p.relations * (p.kind == graph::function ? n * log2_of(p.answers()) : log2_falling(p.entities, n)).low;
  }
};

/// Disjoint trees (counting.md, theorem 1): inner edges fixed, the last hop free, c = n (R^(k-1) - 1) / (R - 1).
struct disjoint_trees {
  problem p;
  static constexpr const char* formula =
      "disjoint trees: R log2[(N-c)! / (N-c-n R^(k-1))!], c = n (1 + R + .. + R^(k-2)); for functions n R^k log2 N";
  constexpr index_t first() const { return 1; }
  constexpr index_t used(index_t n) const { return n; }
  constexpr index_t last() const { return p.entities / capped_series(p.relations, p.hops, p.entities + 1); }
  constexpr wide low(index_t n) const {
    const index_t leaves = capped_power(n, p.relations, p.hops - 1, p.entities);
    if (p.kind == graph::function) return p.relations * (leaves * log2_of(p.entities)).low;
    const index_t inner = n * capped_series(p.relations, p.hops - 1, p.entities);
    return p.relations * log2_falling(p.entities - inner, leaves).low;
  }
};

/// Trees with room to spare (theorem 2): whatever the leaves, the inner vertices fit beside them.
struct free_leaves {
  problem p;
  static constexpr const char* formula = "trees with unused inner vertices: R log2[N! / (N - n R^(k-1))!]";
  constexpr index_t first() const { return 1; }
  constexpr index_t used(index_t n) const { return n; }
  constexpr index_t last() const { return p.entities / capped_series(p.relations, p.hops + 1, p.entities + 1); }
  constexpr wide low(index_t n) const {
    return p.relations * log2_falling(p.entities, capped_power(n, p.relations, p.hops - 1, p.entities)).low;
  }
};

/// A ring of roots (theorem 3), R >= 2: relation 1 runs through n roots in one cycle, n prime to k, so that every
/// shorter path is some root's k-hop path; trees of b relations grow on the ring until v = min(N, n b^(k-1)) vertices
/// are reached, of which c_r have a fixed edge of colour r.
struct ring {
  problem p;
  index_t branching;  // b >= 2
  index_t start = 1;  // n, where it is not 1; else 1 to the least n that reaches all entities
  static constexpr const char* formula =
      "ring of n roots: log2[(n-1)! (N-n)! / (N-v)!] + sum of log2[(N-c_r)! / (N-v)!], for functions + (R-1) v log2 N";

  /// Roots with which `b` relations reach every entity in k - 1 hops.
  static constexpr index_t spanning(const problem& p, index_t b) {
    const index_t each = capped_power(1, b, p.hops - 1, p.entities);
    index_t n = (p.entities + each - 1) / each;
    while (std::gcd(n, index_t{p.hops}) != 1) ++n;
    return n;
  }
  constexpr index_t first() const { return start; }
  constexpr index_t used(index_t n) const { return coprime_below(n, p.hops); }
  constexpr index_t last() const { return start > 1 ? start : (std::min)(spanning(p, branching), p.entities); }
  constexpr wide low(index_t roots) const {
    const index_t n = used(roots), reach = capped_power(n, branching, p.hops - 1, p.entities);
    const enclosure labels = log2_factorial(n - 1) + log2_falling(p.entities - n, reach - n);
    if (p.kind == graph::function) return (labels + (p.relations - 1) * (reach * log2_of(p.entities))).low;
    const auto open = [&](index_t colours, index_t load) {
      return colours * log2_falling(p.entities - load, reach - load);
    };
    if (reach / branching < n) {  // the trees stop among the children of the ring, n to a colour
      const index_t filled = reach / n, rest = reach % n;
      return (labels + open(filled, n) + open(1, rest) + open(p.relations - filled - 1, 0)).low;
    }
    index_t full = n;  // vertices of the levels that are complete
    while (full <= reach / branching) full *= branching;
    const index_t load = full / branching, sources = full - load, filled = (reach - full) / sources,
                  rest = (reach - full) % sources;
    return (labels + open(filled, full) + open(1, load + rest) + open(branching - filled - 1, load) +
            open(p.relations - branching, 0))
        .low;
  }
};

/// All subjects asked (theorem 4), permutations, R >= 2, k >= 2: nearly every table belongs to one graph.
struct whole_table {
  problem p;
  static constexpr const char* formula = "whole table: R log2 N! - 1, or - log2 N where R = 2 and k > 2";
  constexpr index_t first() const { return (std::max)(index_t{1}, p.entities - 1); }  // the last answers follow
  constexpr index_t used(index_t n) const { return n; }
  constexpr index_t last() const { return first(); }
  constexpr wide low(index_t) const {
    const bool few = p.relations == 2 && p.hops > 2;
    return (p.relations * log2_factorial(p.entities) - (few ? log2_of(p.entities) : exactly(1))).low;
  }
};

/// One relation (theorem 5): the permutations of the n roots among themselves that are k-th powers.
struct powers {
  problem p;
  power_count count{p.hops};
  static constexpr const char* formula = "one relation: log2 of the k-th powers among the permutations of n roots";
  constexpr index_t first() const { return 1; }
  constexpr index_t used(index_t n) const { return n; }
  constexpr index_t last() const { return p.entities; }
  constexpr wide low(index_t n) const { return count.low(n); }
};

}  // namespace family
}  // namespace geofact::bound
