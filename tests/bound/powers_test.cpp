#include "geofact/bound/powers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "geofact/bound/enumerate.hpp"

namespace powers_test {

namespace bound = geofact::bound;
using whole = geofact::index_t;

namespace {
double low(int k, whole n) { return bound::rounded_down(bound::power_count(k).low(n)); }
bool counts(double given, double count) {
  return given <= std::log2(count) + 1e-15 && given > std::log2(count) - 1e-12;
}
}  // namespace

TEST_CASE("k-th powers of up to 8 points are counted exactly, N = 6 and k = 1..6 among them") {
  for (whole n = 1; n <= 8; ++n)
    for (int k = 1; k <= 6; ++k) {
      const whole exact = bound::enumerate({.entities = n, .relations = 1, .hops = k}, n).tables;
      CHECK(counts(low(k, n), static_cast<double>(exact)));
    }
  for (const auto& [k, exact] : {std::pair{1, 720}, {2, 270}, {3, 400}, {4, 225}, {5, 576}, {6, 190}})
    CHECK(counts(low(k, 6), exact));
}

TEST_CASE("squares in S_12 and S_20 are as many as in the literature (OEIS A003483)") {
  CHECK(counts(low(2, 12), 139043520));
  CHECK(low(2, 20) < bound::rounded_down(bound::log2_factorial(20).low));
}

TEST_CASE("k-th powers: at most all permutations, and about log2 N bits fewer at least") {
  for (int k = 1; k <= 64; ++k) {
    const bound::power_count powers(k);
    for (whole n : {21, 22, 23, 24, 59, 255, 256, 257, 300, 5000, 1000003}) {
      const double all = bound::rounded_down(bound::log2_factorial(n).high), found = bound::rounded_down(powers.low(n));
      CHECK(found <= all);
      CHECK(found >= all - std::log2(static_cast<double>(n)) - 8);
    }
  }
}

TEST_CASE("k-th powers: the recurrence for many points stays below the exact share of u_n") {
  // Permutations of odd cycles alone: n! times the product of (1 - 1/(2i)) for i = 1..n/2.
  for (whole n : {40, 100, 256, 257, 1000, 4097}) {
    double exact = 0;
    for (whole i = 1; i <= n / 2; ++i) exact += std::log2(1 - 0.5 / static_cast<double>(i));
    CHECK(low(2, n) <= bound::rounded_down(bound::log2_factorial(n).low) + exact + 1e-6);
    if (n <= 256) CHECK(low(2, n) >= bound::rounded_down(bound::log2_factorial(n).low) + exact - 1e-6);
  }
}

}  // namespace powers_test
