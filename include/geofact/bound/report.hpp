#pragma once
#include <ostream>

#include "geofact/bound/single_hop.hpp"

namespace geofact::bound {

/// Every bound for one problem, at so many bits per parameter.
struct report {
  problem asked;
  double bits_per_parameter;
  least total, own, shared,
      own_learned;  // own: no shared bits; shared: no private ones; own_learned: learned unembedding
  least thought;    // own bits of one subject with chain of thought
};

constexpr report make_report(const problem& p, double bits_per_parameter = 1) {
  const double b = bits_per_parameter;
  return {p,
          b,
          least_total(p, b),
          least_private(p, b),
          least_shared(p, b, 0),
          least_private(p, b, 0, unembedding::learned),
          least_private(one_hop(p), b)};
}

inline std::ostream& operator<<(std::ostream& out, const least& l) {
  return out << "at least " << l.bits << " bits, " << l.parameters << " parameters (n = " << l.roots << "; "
             << l.formula << "; " << l.assumptions << ")";
}

inline std::ostream& operator<<(std::ostream& out, const report& r) {
  return out << r.asked.entities << " entities, " << r.asked.relations << " relations (" << name(r.asked.kind) << "), "
             << r.asked.hops << " hops, " << r.bits_per_parameter << " bits per parameter\n"
             << "all parameters:                  " << r.total << '\n'
             << "one subject, nothing shared:     " << r.own << '\n'
             << "... and the unembedding learned: " << r.own_learned << '\n'
             << "shared, nothing private:         " << r.shared << '\n'
             << "one subject, chain of thought:   " << r.thought << '\n';
}

}  // namespace geofact::bound
