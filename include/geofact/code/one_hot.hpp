#pragma once
#include "geofact/code/codebook.hpp"

namespace geofact {

/// The unit vector of a: the orthogonal regime of associative memories. m = A, margin 1.
template <int Attributes = dynamic>
class one_hot_code {
 public:
  constexpr one_hot_code() = default;
  constexpr explicit one_hot_code(extent<Attributes> attributes) : attributes_(attributes) {
    require(attributes >= 1, "a code needs at least one attribute, got ", int{attributes});
  }

  constexpr int operator()(int a, int j) const { return a == j; }
  constexpr int attributes() const { return attributes_; }
  constexpr int length() const { return attributes_; }
  constexpr int bits() const { return attributes_; }
  constexpr int bound() const { return 1; }
  constexpr int norm() const { return 1; }
  constexpr int margin() const { return 1; }
  constexpr int sensitivity() const { return 2; }  // |c_a - c_b|_1 = 2

 private:
  [[no_unique_address]] extent<Attributes> attributes_;
};

one_hot_code(int)->one_hot_code<>;

}  // namespace geofact
