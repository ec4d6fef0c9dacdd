#include "geofact/foundation/extent.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

#include "geofact/foundation/random.hpp"

namespace extent_test {

using geofact::dynamic;
using geofact::extent;

namespace {

__extension__ typedef __int128 wide;
constexpr wide least = INT64_MIN, greatest = INT64_MAX;

/// What a sum or product ought to do: the exact value, or an error where it does not fit.
template <class Operation>
void check_against_wide(Operation operation, std::int64_t a, std::int64_t b, wide exact) {
  INFO("a = " << a << ", b = " << b);
  if (least <= exact && exact <= greatest)
    CHECK(operation(a, b) == static_cast<std::int64_t>(exact));
  else
    CHECK_THROWS_AS(operation(a, b), geofact::error);
}

}  // namespace

TEST_CASE("a static extent is stored nowhere, a dynamic one is an int") {
  struct three {
    [[no_unique_address]] extent<16, 0> a;
    [[no_unique_address]] extent<16, 1> b;
    [[no_unique_address]] extent<dynamic, 2> c;
  };
  static_assert(std::is_empty_v<extent<16>> && sizeof(extent<>) == sizeof(int) && sizeof(three) == sizeof(int));
  static_assert(extent<16>() == 16 && extent<0>() == 0 && extent<>() == 0 && extent<>(7) == 7);
  const three sizes{16, 16, 5};
  CHECK(sizes.a + sizes.b + sizes.c == 37);
}

TEST_CASE("an extent refuses a size that contradicts it, in a sentence") {
  CHECK_THROWS_WITH_AS(extent<16>(17), "this extent is 16 at compile time but 17 was given", geofact::error);
  CHECK_THROWS_WITH_AS(extent<>(-1), "an extent cannot be -1", geofact::error);
  CHECK_THROWS_AS(extent<>(INT_MIN), geofact::error);
  CHECK(extent<>(INT_MAX) == INT_MAX);
  CHECK(extent<16>(16) == 16);
}

TEST_CASE("checked sums and products agree with 128-bit integers or throw") {
  const std::int64_t corners[] = {
      INT64_MIN,   INT64_MIN + 1, INT64_MAX,         INT64_MAX - 1, -1,        0,        1, 2, 3037000499, 3037000500,
      -3037000500, INT64_MAX / 2, INT64_MAX / 2 + 1, INT64_MAX / 3, INT32_MAX, INT32_MIN};
  for (std::int64_t a : corners)
    for (std::int64_t b : corners) {
      check_against_wide(geofact::checked_product, a, b, wide{a} * b);
      check_against_wide(geofact::checked_sum, a, b, wide{a} + b);
    }
  const geofact::random_stream random(1);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const auto a = static_cast<std::int64_t>(random.bits(3 * i)) >> random.below(64, 3 * i + 2);
    const auto b = static_cast<std::int64_t>(random.bits(3 * i + 1)) >> (i % 64);
    check_against_wide(geofact::checked_product, a, b, wide{a} * b);
    check_against_wide(geofact::checked_sum, a, b, wide{a} + b);
  }
  CHECK_THROWS_WITH_AS(geofact::checked_product(geofact::index_t{1} << 40, 1 << 30),
                       "the size 1099511627776 x 1073741824 overflows", geofact::error);
}

TEST_CASE("powers agree with 128-bit integers or throw") {
  for (std::int64_t base : {0, 1, 2, 3, 10, 16, 4096, INT_MAX}) {
    wide exact = 1;
    for (int exponent = 0; exponent < 64; ++exponent) {
      CAPTURE(base);
      CAPTURE(exponent);
      if (exact <= greatest)
        CHECK(geofact::ipow(base, exponent) == static_cast<std::int64_t>(exact));
      else
        CHECK_THROWS_AS(geofact::ipow(base, exponent), geofact::error);
      if (exact <= greatest) exact *= base;
    }
  }
}

TEST_CASE("a count becomes an extent only where it fits an int") {
  CHECK(geofact::to_extent(INT_MAX) == INT_MAX);
  CHECK_THROWS_WITH_AS(geofact::to_extent(std::int64_t{INT_MAX} + 1), "an extent of 2147483648 is too large",
                       geofact::error);
  CHECK_THROWS_AS(geofact::to_extent(std::int64_t{1} << 32), geofact::error);
}

TEST_CASE("ceil_log2 n is the least number of bits that tell n things apart") {
  for (int n = 1; n <= 5000; ++n) {
    const int bits = geofact::ceil_log2(n);
    CAPTURE(n);
    CHECK((std::int64_t{1} << bits) >= n);
    CHECK((bits == 0 || (std::int64_t{1} << (bits - 1)) < n));
  }
  CHECK(geofact::ceil_log2(std::int64_t{1} << 40) == 40);
  CHECK(geofact::ceil_log2((std::int64_t{1} << 40) + 1) == 41);
}

}  // namespace extent_test
