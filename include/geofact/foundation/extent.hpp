#pragma once
#include <cstddef>

#include "geofact/foundation/error.hpp"

namespace geofact {

/// Counts of queries, bytes and weights.
using index_t = std::ptrdiff_t;

/// An extent that is known only at run time (the value agrees with Eigen::Dynamic).
inline constexpr int dynamic = -1;

/// A size known to the compiler (stored nowhere) or, when N == dynamic, at run time. `Tag` tells equal extents of one
/// object apart, so that [[no_unique_address]] lets them share it.
template <int N = dynamic, int Tag = 0>
struct extent {
  static_assert(N >= 0, "an extent is dynamic or not negative");
  constexpr extent() = default;
  constexpr extent(int size) { require(size == N, "this extent is ", N, " at compile time but ", size, " was given"); }
  constexpr operator int() const { return N; }
};

template <int Tag>
struct extent<dynamic, Tag> {
  int size = 0;
  constexpr extent() = default;
  constexpr extent(int n) : size(n) { require(n >= 0, "an extent cannot be ", n); }
  constexpr operator int() const { return size; }
};

/// a * b; throws where it overflows.
constexpr index_t checked_product(index_t a, index_t b) {
  index_t product = 0;
  require(!__builtin_mul_overflow(a, b, &product), "the size ", a, " x ", b, " overflows");
  return product;
}

/// a + b; throws where it overflows.
constexpr index_t checked_sum(index_t a, index_t b) {
  index_t sum = 0;
  require(!__builtin_add_overflow(a, b, &sum), "the size ", a, " + ", b, " overflows");
  return sum;
}

/// base^exponent; throws where it overflows.
constexpr index_t ipow(index_t base, int exponent) {
  index_t power = 1;
  for (; exponent > 0; --exponent) power = checked_product(power, base);
  return power;
}

/// A count as an extent; throws where it does not fit an int.
constexpr int to_extent(index_t n) {
  require(n == static_cast<int>(n), "an extent of ", n, " is too large");
  return static_cast<int>(n);
}

/// ceil(log2 n), n >= 1.
constexpr int ceil_log2(index_t n) {
  int bits = 0;
  while (bits < 62 && (index_t{1} << bits) < n) ++bits;
  return bits;
}

}  // namespace geofact
