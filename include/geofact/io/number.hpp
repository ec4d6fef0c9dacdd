#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace geofact {

static_assert(std::endian::native == std::endian::little,
              "numbers lie in files with their lowest byte first, and geofact maps them as they lie: it needs a "
              "little-endian machine");

/// A number of IEEE 754 binary16: 1 sign, 5 exponent and 10 mantissa bits.
struct float16 {
  std::uint16_t bits = 0;
};

/// The upper half of a float: 1 sign, 8 exponent and 7 mantissa bits.
struct bfloat16 {
  std::uint16_t bits = 0;
};

/// A truth value as it lies in files: a byte, true unless 0.
struct boolean {
  std::uint8_t byte = 0;
};

namespace detail {

/// The bits of `x` in a format of 16 bits, rounded to nearest even; beyond its range infinite. A NaN keeps its sign and
/// the upper bits of its payload, and is quiet.
///
/// With m the significand of x as an integer, the result is m / 2^shift counted in units of the last place: for normal
/// results the leading bit of m carries into the exponent field, and so does a rounding that overflows.
template <int Exponent, int Mantissa, class Real>
constexpr std::uint16_t narrow(Real x) {
  using word = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  constexpr int digits = std::numeric_limits<Real>::digits, places = digits - 1;  // the mantissa bits of Real
  constexpr int bias = std::numeric_limits<Real>::max_exponent - 1;
  constexpr int rebias = (1 << (Exponent - 1)) - 1 - bias;
  constexpr word one = 1, infinity = ((one << Exponent) - 1) << Mantissa;
  constexpr word real_infinity = static_cast<word>(2 * bias + 1) << places;

  const word bits = std::bit_cast<word>(x), magnitude = bits & ~(one << (8 * sizeof(word) - 1));
  const word sign = bits >> (8 * sizeof(word) - 16) & 0x8000U;
  const int field = static_cast<int>(magnitude >> places);
  const word significand = (magnitude & ((one << places) - 1)) | (field > 0 ? one << places : 0);
  const int exponent = (std::max)(field, 1) + rebias;
  const int shift = (std::min)(places - Mantissa + (std::max)(1 - exponent, 0), digits + 1);
  const word odd = significand >> shift & 1;
  const word rounded = (significand + (one << (shift - 1)) - 1 + odd) >> shift;
  const word carried = rounded + (static_cast<word>((std::max)(exponent - 1, 0)) << Mantissa);
  const word finite = (std::min)(carried, infinity);
  const word nan = infinity | one << (Mantissa - 1) | (magnitude >> (places - Mantissa) & ((one << Mantissa) - 1));
  return static_cast<std::uint16_t>(sign | (magnitude > real_infinity ? nan : finite));
}

}  // namespace detail

/// Exact; the subnormals m 2^-24 are read as 2^-14 (1 + m 2^-10) - 2^-14.
constexpr float to_float(float16 x) {
  const std::uint32_t magnitude = (x.bits & 0x7FFFU) << 13, exponent = magnitude & 0x0F800000U;
  const float subnormal = std::bit_cast<float>(magnitude + (113U << 23)) - 0x1p-14F;
  const std::uint32_t normal = magnitude + (exponent == 0x0F800000U ? 224U << 23 : 112U << 23);
  const std::uint32_t bits = exponent == 0 ? std::bit_cast<std::uint32_t>(subnormal) : normal;
  return std::bit_cast<float>(bits | (x.bits & 0x8000U) << 16);
}

/// Exact.
constexpr float to_float(bfloat16 x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16); }

/// `x`, a float or a double, rounded once, to nearest even.
template <class Real>
constexpr float16 to_float16(Real x) {
  return {detail::narrow<5, 10>(x)};
}

/// `x`, a float or a double, rounded once, to nearest even.
template <class Real>
constexpr bfloat16 to_bfloat16(Real x) {
  return {detail::narrow<8, 7>(x)};
}

}  // namespace geofact
