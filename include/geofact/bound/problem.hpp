#pragma once
#include <numeric>

#include "geofact/bound/factorial.hpp"

namespace geofact::bound {

/// What every relation is known to be before it is drawn.
enum class graph { permutation, matching, function };

constexpr const char* name(graph kind) {
  return kind == graph::permutation ? "permutation" : kind == graph::matching ? "matching" : "function";
}

inline constexpr index_t most_entities = index_t{1} << 40, most_relations = 10000;
inline constexpr int most_hops = 64;

/// The questions to be answered: all k-hop paths from all N subjects, for every graph of one kind.
struct problem {
  index_t entities = 1;   // N
  index_t relations = 1;  // R
  int hops = 1;           // k
  graph kind = graph::permutation;
  index_t attributes = 0;  // A; 0: the N entities. Another number only for one hop through functions.

  constexpr index_t answers() const { return attributes == 0 ? entities : attributes; }

  /// Throws geofact::error unless the sizes are within the proven limits.
  constexpr void check() const {
    require(entities >= 1 && entities <= most_entities, "the entities must number 1 to 2^40, not ", entities);
    require(relations >= 1 && relations <= most_relations, "the relations must number 1 to 10000, not ", relations);
    require(hops >= 1 && hops <= most_hops, "the hops must number 1 to 64, not ", hops);
    require(kind != graph::matching || entities % 2 == 0, "a matching needs an even number of entities, not ",
            entities);
    require(attributes >= 0 && attributes <= most_entities, "the attributes must number 1 to 2^40, not ", attributes);
    require(attributes == 0 || attributes == entities || (kind == graph::function && hops == 1),
            "attributes other than the entities (", attributes, " against ", entities,
            ") need one hop and relations that are functions");
  }
};

/// `n` times base^exponent, or `cap` where that is less.
constexpr index_t capped_power(index_t n, index_t base, int exponent, index_t cap) {
  for (; exponent > 0 && base > 1 && n < cap; --exponent) n = n > cap / base ? cap : n * base;
  return n < cap ? n : cap;
}

/// 1 + base + ... + base^(terms - 1), or `cap` where that is less: vertices of a tree.
constexpr index_t capped_series(index_t base, int terms, index_t cap) {
  index_t sum = 0;
  for (; terms > 0 && sum < cap; --terms) sum = sum > (cap - 1) / base ? cap : sum * base + 1;
  return sum < cap ? sum : cap;
}

/// The largest number up to `n` >= 1 without a common factor with k.
constexpr index_t coprime_below(index_t n, int k) {
  while (std::gcd(n, index_t{k}) != 1) --n;
  return n;
}

/// log2 of the number of graphs: (N!)^R, ((N-1)!!)^R or A^(N R) (counting.md, section 1).
constexpr enclosure log2_graphs(const problem& p) {
  p.check();
  switch (p.kind) {
    case graph::permutation:
      return p.relations * log2_factorial(p.entities);
    case graph::matching:
      return p.relations * log2_matchings(p.entities / 2);
    default:
      return p.relations * (p.entities * log2_of(p.answers()));
  }
}

}  // namespace geofact::bound
