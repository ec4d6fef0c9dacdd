#pragma once
#include "geofact/code/codebook.hpp"

namespace geofact {

/// The binary digits of a as +-1: one bit a coordinate, the information limit. m = ceil(log2 A), margin 2.
template <int Attributes = dynamic>
class binary_code : public sign_code<Attributes, detail::static_extent(Attributes, detail::digits(Attributes))> {
 public:
  constexpr binary_code() : binary_code(extent<Attributes>{}) {}
  constexpr explicit binary_code(extent<Attributes> attributes) : base(attributes, detail::digits(attributes)) {}

  constexpr int operator()(int a, int j) const { return (a >> j & 1) != 0 ? 1 : -1; }
  constexpr int margin() const { return this->attributes() > 1 ? 2 : this->norm(); }

 private:
  using base = sign_code<Attributes, detail::static_extent(Attributes, detail::digits(Attributes))>;
};

binary_code(int)->binary_code<>;

}  // namespace geofact
