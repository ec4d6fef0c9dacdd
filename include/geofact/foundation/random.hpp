#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "geofact/config.hpp"
#include "geofact/foundation/error.hpp"

namespace geofact {

/// The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a bijective mixing of 64 bits.
GEOFACT_HD constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return x ^ x >> 31;
}

/// Counter-based random numbers: value `i` of a stream is a pure function of (seed, stream, i), so the numbers are the
/// same on every machine, in every order and at compile time.
class random_stream {
 public:
  constexpr explicit random_stream(std::uint64_t seed, std::uint64_t stream = 0)
      : key_(mix(mix(seed) + golden * stream)) {}

  /// 64 uniform bits.
  GEOFACT_HD constexpr std::uint64_t bits(std::uint64_t i) const { return mix(key_ + golden * (i + 1)); }

  /// Uniform in 0..n-1, n >= 1 (bias below n / 2^64).
  constexpr int below(int n, std::uint64_t i) const {
    return static_cast<int>(static_cast<wide>(bits(i)) * static_cast<wide>(n) >> 64);
  }

  /// Uniform in (0, 1).
  constexpr double uniform(std::uint64_t i) const { return (static_cast<double>(bits(i) >> 11) + 0.5) * 0x1p-53; }

  /// Standard normal (Box and Muller); value `i` consumes the counters 2i and 2i + 1.
  double normal(std::uint64_t i) const {
    return std::sqrt(-2 * std::log(uniform(2 * i))) * std::cos(2 * std::numbers::pi * uniform(2 * i + 1));
  }

 private:
  __extension__ typedef unsigned __int128 wide;
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  std::uint64_t key_;
};

/// A uniformly random ordering of 0..n-1 (Fisher and Yates).
constexpr std::vector<int> random_permutation(int n, const random_stream& random) {
  std::vector<int> order(static_cast<std::size_t>(n), 0);
  for (int i = 0; i < n; ++i) {
    const auto j = static_cast<std::size_t>(random.below(i + 1, static_cast<std::uint64_t>(i)));
    order[static_cast<std::size_t>(i)] = order[j];
    order[j] = i;
  }
  return order;
}

}  // namespace geofact
