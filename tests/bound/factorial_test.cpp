#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include "geofact/bound/problem.hpp"

namespace bound = geofact::bound;
namespace mp = boost::multiprecision;
using bound::wide;
using exact_real = mp::number<mp::cpp_bin_float<256, mp::digit_base_2>>;

namespace {
exact_real in_bits(wide units) {
  return mp::ldexp(exact_real(static_cast<std::int64_t>(units >> 64)), 0) +
         mp::ldexp(exact_real(static_cast<std::uint64_t>(units)), -64);
}
exact_real log2_exactly(const mp::cpp_int& n) { return mp::log(exact_real(n)) / mp::log(exact_real(2)); }

bool encloses(bound::enclosure x, const exact_real& truth) {
  return in_bits(x.low) <= truth && truth <= in_bits(x.high);
}
double width(bound::enclosure x) { return static_cast<double>(x.high - x.low) * 0x1p-64; }
}  // namespace

TEST_CASE("log2 n! is enclosed to 2^-44 against exact factorials up to 1200") {
  mp::cpp_int factorial = 1;
  for (int n = 0; n <= 1200; ++n) {
    if (n > 0) factorial *= n;
    REQUIRE(encloses(bound::log2_factorial(n), log2_exactly(factorial)));
    REQUIRE(width(bound::log2_factorial(n)) <= 0x1p-44);
  }
}

TEST_CASE("ordered choices are enclosed at 2^40, by Stirling's series and by direct products alike") {
  const geofact::index n = geofact::index{1} << 40;
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
