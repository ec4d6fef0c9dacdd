#pragma once
#include <ostream>

#include "geofact/construction/realize.hpp"

namespace geofact {

/// What a construction takes for given facts.
struct summary {
  int width = 0, hidden = 0, layers = 0;
  index_t parameters = 0;  ///< weights of the dense model, embeddings and unembedding included
  index_t fact_bits = 0;   ///< bits among them that depend on the facts, as the construction stores them
};

/// The bits of a construction that depend on the facts: its codes of facts, one by one; each takes one bit more where
/// facts may be missing.
template <construction C, int R>
constexpr index_t fact_bits(const C& c, const fact_table<R>& facts) {
  if constexpr (requires { c.fact_bits(facts); }) {
    return c.fact_bits(facts);
  } else {
    const index_t codes = checked_sum(checked_product(facts.subjects(), c.private_codes()), c.shared_codes());
    return checked_product(codes, c.code.bits() + (facts.total() ? 0 : 1));
  }
}

/// Sizes, weights and bits of a construction, without building it. Throws where they overflow.
template <construction C, int R>
summary summarize(const C& c, const fact_table<R>& facts) {
  return {c.width(), c.hidden(), c.layers(), weights_in(layout(sizes_of(c, facts))), fact_bits(c, facts)};
}

inline std::ostream& operator<<(std::ostream& out, const summary& s) {
  return out << "width " << s.width << ", hidden " << s.hidden << ", layers " << s.layers << ", parameters "
             << s.parameters << ", of which " << s.fact_bits << " bits know the facts";
}

}  // namespace geofact
