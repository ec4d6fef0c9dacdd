#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "geofact/code/codebook.hpp"

namespace geofact {

/// A points on the unit circle: two coordinates whatever A, but a margin of 1 - cos(2 pi / A) = O(1 / A^2). The bits
/// come back in the precision of the coordinates: dimensions are not what counts.
template <int Attributes = dynamic>
class circle_code {
 public:
  circle_code() = default;
  explicit circle_code(extent<Attributes> attributes) : attributes_(attributes) {
    require(attributes >= 1, "a code needs at least one attribute, got ", int{attributes});
  }

  double operator()(int a, int j) const {
    const double angle = 2 * std::numbers::pi * a / attributes_;
    return j == 0 ? std::cos(angle) : std::sin(angle);
  }
  constexpr int attributes() const { return attributes_; }
  constexpr int length() const { return 2; }
  constexpr int bound() const { return 1; }
  constexpr int norm() const { return 1; }

  double margin() const { return attributes_ > 1 ? 2 * half_angle_sine() * half_angle_sine() : 1; }

  /// |c_a - c_b|_1 <= sqrt(2) |c_a - c_b|_2 = 2 sqrt(2) sin(t / 2) and the margin of the pair is 2 sin^2(t / 2).
  double sensitivity() const { return attributes_ > 1 ? std::numbers::sqrt2 / half_angle_sine() : 1; }

  /// Rounded to multiples of 2^-p, p = floor(log2 sensitivity), a coordinate is off by at most 2^-(p+1) < 1 /
  /// sensitivity: still decodable. That takes p + 2 bits (sign and 1 included) for each of the two.
  int bits() const { return 2 * (static_cast<int>(std::floor(std::log2((std::max)(1.0, sensitivity())))) + 2); }

 private:
  double half_angle_sine() const { return std::sin(std::numbers::pi / attributes_); }

  [[no_unique_address]] extent<Attributes> attributes_;
};

circle_code(int)->circle_code<>;

}  // namespace geofact
