#pragma once
#include <array>

#include "geofact/bound/problem.hpp"

namespace geofact::bound {

/// How many permutations of n points are k-th powers: what one relation can answer in k hops (counting.md, theorem 5).
///
/// n <= 20: exactly. A permutation has a k-th root if and only if for every length l the number of its l-cycles is a
/// multiple of g, the largest divisor of k whose primes all divide l (Wilf, generatingfunctionology, section 4.8).
/// n > 20: permutations whose cycle lengths share no factor with k; raising to the power k permutes them. Their share
/// u_n obeys n u_n = sum of u_(n-l) over such l <= n, so n u_n cannot fall along n, n + k, n + 2k, ...
class power_count {
 public:
  constexpr explicit power_count(int k) : k_(k) {
    exact_[0] = 1;
    for (int l = 1; l <= few; ++l) admit_cycles(l);
    std::array<int, most_hops> lengths{};  // up to k, without a common factor with k
    int count = 0;
    for (int l = 1; l <= k; ++l)
      if (std::gcd(l, k) == 1) lengths[at(count++)] = l;
    std::array<std::uint64_t, many + 1> share{};  // u_n, rounded down to a multiple of 2^-62
    share[0] = std::uint64_t{1} << 62;
    for (int n = 1; n <= many; ++n) {
      wide sum = n > k ? weighted_[at(n - k)] : 0;
      for (int i = 0; i < count && lengths[at(i)] <= n; ++i) sum += share[at(n - lengths[at(i)])];
      weighted_[at(n)] = sum;
      share[at(n)] = static_cast<std::uint64_t>(sum / n);
    }
  }

  /// A lower bound on log2 of the number, in units of 2^-64.
  constexpr wide low(index_t n) const {
    if (n <= few) return detail::log2_of(exact_[static_cast<std::size_t>(n)]).low;
    const index_t known = n <= many ? n : n - (n - many + k_ - 1) / k_ * k_;  // in the same class modulo k
    const auto weight = static_cast<std::uint64_t>(weighted_[static_cast<std::size_t>(known)] >> 8);  // n u_n 2^54
    return (detail::log2_of(weight) + log2_factorial(n - 1)).low - 54 * one_bit;
  }

 private:
  static constexpr int few = 20, many = 256;
  static constexpr std::size_t at(int n) { return static_cast<std::size_t>(n); }

  /// Multiplies the series of counts by that of sets of g, 2g, ... cycles of length l.
  constexpr void admit_cycles(int l) {
    int g = 1;
    for (int rest = k_, common = std::gcd(rest, l); common > 1; common = std::gcd(rest, l)) g *= common, rest /= common;
    const auto before = exact_;
    for (int n = 1; n <= few; ++n) {
      std::uint64_t ways = 1;  // choices of j disjoint l-cycles among n points
      for (int j = 1; j * l <= n; ++j) {
        const int left = n - (j - 1) * l;
        std::uint64_t longer = ways;  // times left! / ((left - l)! l j), in an order that stays whole and below 20!
        longer = longer * choose(left, l) / static_cast<std::uint64_t>(j);
        for (int i = 2; i < l; ++i) longer *= static_cast<std::uint64_t>(i);
        ways = longer;
        if (j % g == 0) exact_[at(n)] += ways * before[at(n - j * l)];
      }
    }
  }
  static constexpr std::uint64_t choose(int n, int l) {
    std::uint64_t c = 1;
    for (int i = 1; i <= l; ++i) c = c * static_cast<std::uint64_t>(n - l + i) / static_cast<std::uint64_t>(i);
    return c;
  }

  int k_;
  std::array<std::uint64_t, few + 1> exact_{};  // 20! < 2^62
  std::array<wide, many + 1> weighted_{};       // n u_n, rounded down, times 2^62
};

}  // namespace geofact::bound
