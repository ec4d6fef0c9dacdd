#pragma once
#include "geofact/bound/families.hpp"
#include "geofact/bound/matchings.hpp"

namespace geofact::bound {

namespace detail {
/// Calls visit(family) for every family that says something about `p`; `only_new` leaves out those that already say it
/// about k - 2 hops.
template <class Visit>
constexpr void for_each_family(const problem& p, Visit visit, bool only_new = false) {
  const auto offer = [&](const auto& f) {
    if (f.first() <= f.last()) visit(f);
  };
  if (p.kind == graph::matching) {
    const int shortest = 2 - p.hops % 2;
    if (!only_new || p.hops == shortest) offer(family::matched_table{p});
    for (int depth = only_new ? p.hops : shortest; depth <= p.hops && (depth == 1 || p.relations > 1); depth += 2) {
      const family::matched_trees trees{p, depth};
      if (trees.last() == 0 || (p.relations == 2 && depth > shortest)) break;  // two relations: longer is no better
      offer(trees);
    }
    return;
  }
  if (p.hops == 1) return offer(family::one_hop{p});
  offer(family::disjoint_trees{p});
  if (p.kind == graph::permutation) offer(family::free_leaves{p});
  if (p.relations == 1) return offer(family::powers{p});
  offer(family::ring{p, p.relations});
  const index_t most = (std::min)(p.relations, p.entities);
  for (index_t b = 2; b < 2 * most; b *= 2) {  // fewer branches keep more choices but may need more roots
    const index_t branches = (std::min)(b, p.relations), roots = family::ring::spanning(p, branches);
    if (roots <= p.entities) offer(family::ring{p, branches, roots});
  }
  if (p.kind == graph::permutation) return offer(family::whole_table{p});
  offer(family::ring{p, 2, coprime_below(p.entities, p.hops)});
}

/// The number in first..last at which `g`, rising and then falling, is largest: golden section down to a few numbers,
/// then all of them. Both ends are looked at too, whatever the shape of g.
template <class Function>
constexpr index_t argmax(index_t first, index_t last, const Function& g) {
  index_t best = first, low = first, high = last;
  wide most = g(first);
  const auto at = [&](index_t n) {
    const wide value = g(n);
    if (value > most) most = value, best = n;
    return value;
  };
  if (last > first) at(last);
  if (high - low > 8) {
    const auto inner = [&] { return (high - low) * 382 / 1000; };
    index_t left = low + inner(), right = high - inner();
    wide left_value = at(left), right_value = at(right);
    while (high - low > 8) {
      if (left_value >= right_value) {
        high = right, right = left, right_value = left_value;
        left = low + inner();
        left_value = at(left);
      } else {
        low = left, left = right, left_value = right_value;
        right = high - inner();
        right_value = at(right);
      }
    }
  }
  for (index_t n = low + 1; n < high; ++n) at(n);
  return best;
}
}  // namespace detail

/// What a bound found: at least 2^(low / 2^64) tables differ on `roots` subjects, by the argument `formula`.
struct table_count {
  wide low = 0;
  index_t roots = 1;
  const char* formula = "no argument asks for more than 0";

  /// log2 of the count, rounded down.
  constexpr double log2() const { return rounded_down(low); }
};

/// A lower bound on log2 of the number of tables that `roots` subjects can have: the best of all families.
constexpr table_count least_tables(const problem& p, index_t roots) {
  p.check();
  require(roots >= 1 && roots <= p.entities, "the roots must number 1 to ", p.entities, ", not ", roots);
  table_count best;
  detail::for_each_family(p, [&](const auto& f) {
    if (roots < f.first()) return;
    const index_t n =
        detail::argmax(f.first(), (std::min)(roots, f.last()), [&](index_t fewer) { return larger(0, f.low(fewer)); });
    const wide low = f.low(n);
    if (low > best.low) best = {low, f.used(n), f.formula};
  });
  return best;
}

/// The largest `worth(low, n)` over all families and numbers of roots, with the count that has it. `worth` must rise
/// with low, and be 0 or less where nothing follows.
template <class Worth>
constexpr table_count best_tables(const problem& p, const Worth& worth, bool only_new = false) {
  p.check();
  table_count best;
  wide most = 0;
  const auto visit = [&](const auto& f) {
    const index_t n =
        detail::argmax(f.first(), f.last(), [&](index_t roots) { return worth(f.low(roots), f.used(roots)); });
    const wide low = f.low(n), value = worth(low, f.used(n));
    if (value > most) most = value, best = {low, f.used(n), f.formula};
  };
  detail::for_each_family(p, visit, only_new);
  return best;
}

}  // namespace geofact::bound
