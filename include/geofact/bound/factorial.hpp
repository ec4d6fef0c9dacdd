#pragma once
#include "geofact/bound/enclosure.hpp"

namespace geofact::bound {

namespace detail {
inline constexpr enclosure log2_e{one_bit + wide{0x71547652b82fe177}, one_bit + wide{0x71547652b82fe178}};
/// log2(2 pi) / 2.
inline constexpr enclosure stirling_constant{one_bit + wide{0x536439a4c6efbad8}, one_bit + wide{0x536439a4c6efbad9}};

/// log2(first (first + step) ... last), one logarithm for as many factors as fit 64 bits.
constexpr enclosure log2_product(index_t first, index_t last, index_t step = 1) {
  enclosure sum;
  std::uint64_t product = 1;
  for (index_t i = first; i <= last; i += step) {
    std::uint64_t longer = 0;
    if (__builtin_mul_overflow(product, static_cast<std::uint64_t>(i), &longer)) {
      sum = sum + log2_of(product);
      longer = static_cast<std::uint64_t>(i);
    }
    product = longer;
  }
  return sum + log2_of(product);
}

/// log2(e) / (c n^power), between two neighbouring multiples of 2^-64.
constexpr enclosure log2_e_over(index_t c, index_t n, int power) {
  wide denominator = c;
  for (int i = 0; i < power; ++i) {
    if (denominator > log2_e.high / n) return {0, 1};  // the quotient is below one unit
    denominator *= n;
  }
  return {log2_e.low / denominator, log2_e.high / denominator + 1};
}
}  // namespace detail

/// log2 n!, 0 <= n <= 2^41. Stirling's series for ln n! envelops it: the sum is too large or too small by less than the
/// first term left out (Whittaker and Watson, section 12.33; counting.md, lemma 2).
constexpr enclosure log2_factorial(index_t n) {
  if (n < 128) return detail::log2_product(2, n);
  const enclosure first = detail::log2_e_over(12, n, 1), second = detail::log2_e_over(360, n, 3),
                  third = detail::log2_e_over(1260, n, 5);
  const enclosure rest{first.low - second.high, first.high - second.low + third.high};
  return half((2 * n + 1) * log2_of(n)) - n * detail::log2_e + detail::stirling_constant + rest;
}

/// log2 of n (n - 1) ... (n - count + 1): ordered choices of `count` among n, 0 <= count <= n.
constexpr enclosure log2_falling(index_t n, index_t count) {
  if (count <= 8) return detail::log2_product(n - count + 1, n);
  return log2_factorial(n) - log2_factorial(n - count);
}

/// log2 of (2 pairs - 1)!! = (2 pairs)! / (2^pairs pairs!): perfect matchings of 2 pairs points.
constexpr enclosure log2_matchings(index_t pairs) {
  if (pairs <= 16) return detail::log2_product(1, 2 * pairs - 1, 2);
  return log2_factorial(2 * pairs) - exactly(pairs) - log2_factorial(pairs);
}

}  // namespace geofact::bound
