#pragma once
#include <vector>

#include "geofact/fact/fact_table.hpp"

namespace geofact {

/// What kind of function a relation is.
struct regularity {
  bool total = true;       ///< every subject has an answer
  bool injective = true;   ///< no two subjects share an answer
  bool surjective = true;  ///< every attribute it may answer with is an answer
  bool involution = true;  ///< total and its own inverse, without fixed points: a perfect matching

  constexpr bool bijective() const { return total && injective && surjective; }
  constexpr bool operator==(const regularity&) const = default;
};

/// The kind of relation r.
template <int Relations>
constexpr regularity regularity_of(const fact_table<Relations>& facts, int r) {
  regularity kind;
  const auto range = facts.codomain(r);
  std::vector<int> edges_into(static_cast<std::size_t>(range.size()), 0);
  for (int s = 0; s < facts.subjects(); ++s) {
    const int a = facts(s, r);
    if (a == unknown)
      kind.total = false;
    else
      ++edges_into[static_cast<std::size_t>(a - range.first)];
    kind.involution = kind.involution && a != unknown && a != s && facts.shared() && facts(a, r) == s;
  }
  for (int edges : edges_into) {
    kind.injective = kind.injective && edges <= 1;
    kind.surjective = kind.surjective && edges >= 1;
  }
  return kind;
}

/// Whether the facts are an R-regular edge-coloured graph: every relation a bijection of the subjects.
template <int Relations>
constexpr bool is_regular(const fact_table<Relations>& facts) {
  if (!facts.shared() || facts.attributes() != facts.subjects()) return false;
  for (int r = 0; r < facts.relations(); ++r)
    if (!regularity_of(facts, r).bijective()) return false;
  return true;
}

}  // namespace geofact
