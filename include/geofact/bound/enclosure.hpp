#pragma once
#include <bit>
#include <cstdint>

#include "geofact/foundation/extent.hpp"

namespace geofact::bound {

__extension__ typedef __int128 wide;

/// A number of bits between two multiples of 2^-64: low <= 2^64 x <= high. Sums, differences and multiples are exact
/// integer arithmetic, so the only errors are those of the logarithms (docs/theory/counting.md, section 2).
struct enclosure {
  wide low = 0, high = 0;

  friend constexpr enclosure operator+(enclosure a, enclosure b) { return {a.low + b.low, a.high + b.high}; }
  friend constexpr enclosure operator-(enclosure a, enclosure b) { return {a.low - b.high, a.high - b.low}; }
  /// n times x, n >= 0.
  friend constexpr enclosure operator*(index_t n, enclosure x) { return {n * x.low, n * x.high}; }
};

/// Units of an enclosure in one bit.
inline constexpr wide one_bit = wide{1} << 64;

/// n bits exactly.
constexpr enclosure exactly(index_t n) { return {n * one_bit, n * one_bit}; }

/// x / 2, outwards.
constexpr enclosure half(enclosure x) { return {x.low >> 1, (x.high + 1) >> 1}; }

/// The larger of two lower bounds.
constexpr wide larger(wide a, wide b) { return a < b ? b : a; }

namespace detail {
/// log2 of `n` >= 1 by repeated squaring: the mantissa's square passes 2 exactly when the next binary digit is 1.
/// Every square is rounded down, which costs less than 2^-62 in all; the digits stop after 2^-62: error below 2^-61,
/// that is 8 units (counting.md, lemma 1). A power of two is exact.
constexpr enclosure log2_of(std::uint64_t n) {
  __extension__ typedef unsigned __int128 square;
  const int exponent = 63 - std::countl_zero(n);
  std::uint64_t mantissa = n << (63 - exponent), digits = 0;
  const wide whole = exponent * one_bit;
  if (mantissa == std::uint64_t{1} << 63) return {whole, whole};
  for (int i = 0; i < 62; ++i) {
    const square s = static_cast<square>(mantissa) * mantissa;
    const auto digit = static_cast<std::uint64_t>(s >> 127);
    mantissa = digit != 0 ? static_cast<std::uint64_t>(s >> 64) : static_cast<std::uint64_t>(s >> 63);
    digits = digits << 1 | digit;
  }
  const wide low = whole + (static_cast<wide>(digits) << 2);
  return {low, low + 8};
}
}  // namespace detail

/// log2 n, n >= 1.
constexpr enclosure log2_of(index_t n) { return detail::log2_of(static_cast<std::uint64_t>(n)); }

/// The largest double that is not above `x` units (x >= 0), in bits.
constexpr double rounded_down(wide x) {
  int shift = 0;
  for (; x >> 53 != 0; x >>= 1) ++shift;
  double bits = static_cast<double>(static_cast<std::int64_t>(x)) * 0x1p-64;
  for (; shift > 0; --shift) bits *= 2;
  return bits;
}

/// The least number of units that is not below `bits`; 0 <= bits <= 2^62.
constexpr wide rounded_up(double bits) {
  const auto whole = static_cast<std::int64_t>(bits);
  double fraction = bits - static_cast<double>(whole);  // exact, as are all steps below
  wide units = whole;
  for (int half_word = 0; half_word < 2; ++half_word) {
    fraction *= 0x1p32;
    const auto part = static_cast<std::int64_t>(fraction);
    fraction -= static_cast<double>(part);
    units = units * (wide{1} << 32) + part;
  }
  return units + (fraction > 0 ? 1 : 0);
}

}  // namespace geofact::bound
