#pragma once
#include <bit>

#include "geofact/code/codebook.hpp"

namespace geofact {

/// The binary digits of a and their parity, as +-1: an error-detecting code. m = ceil(log2 A) + 1, margin 4.
template <int Attributes = dynamic>
class parity_code : public sign_code<Attributes, detail::static_extent(Attributes, detail::digits(Attributes) + 1)> {
 public:
  constexpr parity_code() : parity_code(extent<Attributes>{}) {}
  constexpr explicit parity_code(extent<Attributes> attributes) : base(attributes, detail::digits(attributes) + 1) {}

  constexpr int operator()(int a, int j) const {
    const int digit = j + 1 < this->length() ? a >> j & 1 : std::popcount(static_cast<unsigned>(a)) & 1;
    return digit != 0 ? 1 : -1;
  }
  constexpr int margin() const { return this->attributes() > 1 ? 4 : this->norm(); }

 private:
  using base = sign_code<Attributes, detail::static_extent(Attributes, detail::digits(Attributes) + 1)>;
};

parity_code(int)->parity_code<>;

}  // namespace geofact
