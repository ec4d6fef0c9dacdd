#pragma once
#include "geofact/bound/multi_hop.hpp"
#include "geofact/fact/fact_table.hpp"

namespace geofact::bound {

/// The same graph asked one hop at a time. This is also all that chain of thought needs: the k-hop table follows from
/// the one-hop table, so its bound is the one-hop bound (docs/theory/counting.md, section 1).
constexpr problem one_hop(problem p) {
  p.hops = 1;
  return p;
}

/// The problem that a fact table of shared attributes is an instance of, `hops` hops asked.
///
/// `kind` is what is known of the relations before they are drawn; it must be true of the facts.
template <int Relations>
constexpr problem problem_of(const fact_table<Relations>& facts, graph kind, int hops = 1) {
  require(facts.shared(), "the counting bounds need attributes that all relations share");
  const problem p{facts.subjects(), facts.relations(), hops, kind,
                  facts.attributes() == facts.subjects() ? 0 : facts.attributes()};
  p.check();
  return p;
}

/// What a construction stores that depends on the graph.
struct stored {
  index_t private_bits = 0;  // of one subject
  index_t shared_bits = 0;

  /// Of all N subjects together.
  constexpr index_t total(index_t subjects) const {
    return checked_sum(checked_product(subjects, private_bits), shared_bits);
  }
};

/// A construction's bits over the least that any model needs, each at least 1; 0 where the bound is 0.
struct ratios {
  double total = 0;         // against every split into private and shared bits
  double private_bits = 0;  // against models with the same shared bits
  double shared_bits = 0;   // against models with the same private bits
};

/// How far `s` is from the bounds for `p`.
constexpr ratios compare(const problem& p, const stored& s) {
  const auto over = [](index_t has, double needs) { return needs > 0 ? static_cast<double>(has) / needs : 0; };
  auto shared = static_cast<double>(s.shared_bits);  // rounded up, lest the bound be too high
  if (static_cast<wide>(shared) < s.shared_bits) shared *= 1 + 0x1p-52;
  return {over(s.total(p.entities), least_total(p).bits), over(s.private_bits, least_private(p, 1, shared).bits),
          over(s.shared_bits, least_shared(p, 1, s.private_bits).bits)};
}

}  // namespace geofact::bound
