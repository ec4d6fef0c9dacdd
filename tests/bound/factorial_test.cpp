#include <doctest/doctest.h>

#include "exact_real.hpp"
#include "geofact/bound/problem.hpp"

namespace factorial_test {

TEST_CASE("log2 n! is enclosed to 2^-44 against exact factorials up to 1200") {
  mp::cpp_int factorial = 1;
  for (int n = 0; n <= 1200; ++n) {
    if (n > 0) factorial *= n;
    REQUIRE(encloses(bound::log2_factorial(n), log2_exactly(factorial)));
    REQUIRE(width(bound::log2_factorial(n)) <= 0x1p-44);
  }
}

TEST_CASE("ordered choices are enclosed at 2^40, by Stirling's series and by direct products alike") {
  const geofact::index_t n = geofact::index_t{1} << 40;
  mp::cpp_int product = 1;
  for (int count = 1; count <= 64; ++count) {
    product *= n - count + 1;
    CHECK(encloses(bound::log2_falling(n, count), log2_exactly(product)));
    CHECK(encloses(bound::log2_factorial(n) - bound::log2_factorial(n - count), log2_exactly(product)));
    CHECK(width(bound::log2_falling(n, count)) <= 0x1p-20);
  }
}

TEST_CASE("perfect matchings are enclosed against exact double factorials") {
  mp::cpp_int matchings = 1;
  for (int pairs = 0; pairs <= 600; ++pairs) {
    if (pairs > 0) matchings *= 2 * pairs - 1;
    REQUIRE(encloses(bound::log2_matchings(pairs), log2_exactly(matchings)));
    REQUIRE(width(bound::log2_matchings(pairs)) <= 0x1p-43);
  }
}

}  // namespace factorial_test
