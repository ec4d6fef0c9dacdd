#include <doctest/doctest.h>

#include "exact_real.hpp"
#include "geofact/bound/problem.hpp"

namespace enclosure_test {

TEST_CASE("log2 of a whole number is enclosed to 2^-61, and exact for powers of two") {
  for (int e = 0; e <= 40; ++e)
    for (geofact::index_t off : {-3, -1, 0, 1, 5}) {
      const geofact::index_t n = (geofact::index_t{1} << e) + off;
      if (n < 1) continue;
      INFO(n);
      if ((n & (n - 1)) == 0) {
        CHECK(bound::log2_of(n).low == std::countr_zero(static_cast<std::uint64_t>(n)) * bound::one_bit);
        CHECK(width(bound::log2_of(n)) == 0);
      } else {
        CHECK(encloses(bound::log2_of(n), log2_exactly(n)));
        CHECK(width(bound::log2_of(n)) <= 0x1p-61);
      }
    }
  for (geofact::index_t n = 1; n <= bound::most_entities; n = n * 3 + 4)
    CHECK(encloses(bound::log2_of(n), log2_exactly(n)));
}

TEST_CASE("doubles are rounded towards the safe side by less than their precision") {
  for (double x : {0.0, 0.1, 1.0, 1.0 / 3, 12.75, 1e-30, 4.4e17, 0x1p60, 123456789.123456789}) {
    const wide units = bound::rounded_up(x);
    CHECK(in_bits(units) >= exact_real(x));
    CHECK(in_bits(units) - exact_real(x) < mp::ldexp(exact_real(1), -64));
  }
  for (wide x = 1; x < wide{1} << 123; x = x * 5 + 3) {
    const double down = bound::rounded_down(x);
    CHECK(exact_real(down) <= in_bits(x));
    CHECK(in_bits(x) - exact_real(down) <= in_bits(x) * mp::ldexp(exact_real(1), -52));
  }
  CHECK(bound::rounded_down(bound::rounded_up(0.75)) == 0.75);
}

}  // namespace enclosure_test
