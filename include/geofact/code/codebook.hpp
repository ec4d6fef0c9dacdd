#pragma once
#include <concepts>

#include "geofact/foundation/extent.hpp"

namespace geofact {

/// A codebook gives attribute a the code c_a, a vector of `length` coordinates (theory/codes.md). All codes have the
/// same norm, so that argmax_a <c_a, c_b> = b, with
///
///     bound        >= |c_a[j]|
///     norm         =  <c_a, c_a>
///     margin       =  min over a != b of norm - <c_a, c_b>    (the norm itself where nothing competes: A = 1)
///     sensitivity  >= max over a != b of bound |c_a - c_b|_1 / (norm - <c_a, c_b>)
///     bits         =  what one stored code occupies
///
/// A disturbance of each coordinate by at most eps bound costs at most the share eps sensitivity of the margin.
template <class C>
concept codebook = requires(const C& code, int a, int j) {
  { code.attributes() } -> std::convertible_to<int>;
  { code.length() } -> std::convertible_to<int>;
  { code.bits() } -> std::convertible_to<int>;
  { code.bound() } -> std::convertible_to<double>;
  { code.norm() } -> std::convertible_to<double>;
  { code.margin() } -> std::convertible_to<double>;
  { code.sensitivity() } -> std::convertible_to<double>;
  { code(a, j) } -> std::convertible_to<double>;
};

/// The number type of a code's coordinates: int where the code is exact.
template <codebook C>
using code_scalar = decltype(std::declval<const C&>()(0, 0));

/// Whether all coordinates are integers.
template <class C>
inline constexpr bool is_integer_code = std::integral<code_scalar<C>>;

/// What all codes with coordinates +-1 have in common.
template <int Attributes, int Length>
class sign_code {
 public:
  constexpr int attributes() const { return attributes_; }
  constexpr int length() const { return length_; }
  constexpr int bits() const { return length_; }
  constexpr int bound() const { return 1; }
  constexpr int norm() const { return length_; }
  constexpr int sensitivity() const { return 1; }  // |c_a - c_b|_1 and norm - <c_a, c_b> are both twice the distance

 protected:
  constexpr sign_code(extent<Attributes> attributes, extent<Length, 1> length)
      : attributes_(attributes), length_(length) {
    require(attributes >= 1, "a code needs at least one attribute, got ", int{attributes});
  }

 private:
  [[no_unique_address]] extent<Attributes> attributes_;
  [[no_unique_address]] extent<Length, 1> length_;
};

namespace detail {
/// A function of a static extent, or dynamic.
constexpr int static_extent(int attributes, int value) { return attributes == dynamic ? dynamic : value; }

/// Digits that tell A attributes apart, at least one.
constexpr int digits(int attributes) { return attributes > 2 ? ceil_log2(attributes) : 1; }
}  // namespace detail

}  // namespace geofact
