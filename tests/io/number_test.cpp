#include "geofact/io/number.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "geofact/foundation/random.hpp"

namespace number_test {

using namespace geofact;

namespace {

/// The value that IEEE 754 gives these bits, by ldexp.
double by_definition(unsigned bits, int exponent_bits, int mantissa_bits) {
  const int mantissa = static_cast<int>(bits & ((1U << mantissa_bits) - 1));
  const int field = static_cast<int>(bits >> mantissa_bits & ((1U << exponent_bits) - 1));
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double sign = (bits >> 15) != 0 ? -1 : 1;
  if (field == (1 << exponent_bits) - 1) return mantissa == 0 ? sign * HUGE_VAL : std::nan("");
  if (field == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp(mantissa + (1 << mantissa_bits), field - bias - mantissa_bits);
}

template <class Narrow>
struct format;
template <>
struct format<float16> {
  static constexpr int exponent = 5, mantissa = 10;
  template <class Real>
  static float16 from(Real x) {
    return to_float16(x);
  }
};
template <>
struct format<bfloat16> {
  static constexpr int exponent = 8, mantissa = 7;
  template <class Real>
  static bfloat16 from(Real x) {
    return to_bfloat16(x);
  }
};

template <class Narrow>
unsigned wrong_values() {
  unsigned wrong = 0;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const Narrow x{static_cast<std::uint16_t>(bits)};
    const float found = to_float(x);
    const double wanted = by_definition(bits, format<Narrow>::exponent, format<Narrow>::mantissa);
    const bool is_nan = std::isnan(wanted);
    wrong += is_nan ? !std::isnan(found) : found != wanted;
    wrong += std::signbit(found) != (bits >> 15 != 0);
    // Back again: the same bits; a signalling NaN may come back quiet.
    const unsigned quiet = is_nan ? 1U << (format<Narrow>::mantissa - 1) : 0;
    wrong += (format<Narrow>::from(found).bits | quiet) != (bits | quiet);
    wrong += (format<Narrow>::from(static_cast<double>(found)).bits | quiet) != (bits | quiet);
  }
  return wrong;
}

/// Between neighbours a < b: everything below their middle must give a, above it b, and the middle the even one.
/// Together with monotony that decides every rounding.
template <class Narrow, class Real>
unsigned wrong_roundings() {
  unsigned wrong = 0;
  const unsigned infinity = ((1U << format<Narrow>::exponent) - 1) << format<Narrow>::mantissa;
  for (unsigned bits = 0; bits < infinity; ++bits) {
    const double a = by_definition(bits, format<Narrow>::exponent, format<Narrow>::mantissa);
    // Beyond the largest number stands the next power of two, and it is written as infinity.
    const double b = bits + 1 == infinity ? 2 * by_definition(infinity - (1U << format<Narrow>::mantissa),
                                                              format<Narrow>::exponent, format<Narrow>::mantissa)
                                          : by_definition(bits + 1, format<Narrow>::exponent, format<Narrow>::mantissa);
    const auto middle = static_cast<Real>(a / 2 + b / 2);
    const Real below = std::nextafter(middle, Real{0}),
               above = std::nextafter(middle, std::numeric_limits<Real>::max());
    for (const unsigned sign : {0U, 0x8000U}) {
      const auto flip = [&](Real x) { return sign != 0 ? -x : x; };
      if (static_cast<double>(middle) == a / 2 + b / 2) {
        wrong += format<Narrow>::from(flip(middle)).bits != (sign | (bits + bits % 2));
        wrong += format<Narrow>::from(flip(below)).bits != (sign | bits);
        wrong += format<Narrow>::from(flip(above)).bits != (sign | (bits + 1));
      } else {
        ++wrong;
      }
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("all 65536 float16 have the value of their definition and come back with the same bits") {
  CHECK(wrong_values<float16>() == 0);
}

TEST_CASE("all 65536 bfloat16 have the value of their definition and come back with the same bits") {
  CHECK(wrong_values<bfloat16>() == 0);
}

TEST_CASE("reals are rounded to the nearest float16 and bfloat16, and to the even one from the middle") {
  CHECK(wrong_roundings<float16, float>() == 0);
  CHECK(wrong_roundings<float16, double>() == 0);
  CHECK(wrong_roundings<bfloat16, double>() == 0);
  // For bfloat16 the middle of the smallest subnormals is a float as well.
  CHECK(wrong_roundings<bfloat16, float>() == 0);
}

TEST_CASE("what is beyond the range is infinite, and what is below it 0, with the sign") {
  for (const double x : {65520.0, 1e5, 1e300, HUGE_VAL}) {
    CHECK(to_float16(x).bits == 0x7C00);
    CHECK(to_float16(-x).bits == 0xFC00);
    CHECK(to_float16(static_cast<float>(x)).bits == 0x7C00);
  }
  CHECK(to_float16(65519.99).bits == 0x7BFF);
  for (const double x : {1e-8, 5e-324, 0.0, 1e-40}) {
    CHECK(to_float16(x).bits == 0);
    CHECK(to_float16(-x).bits == 0x8000);
    CHECK(to_float16(static_cast<float>(x)).bits == 0);
  }
  CHECK(to_bfloat16(1e39).bits == 0x7F80);
  CHECK(to_bfloat16(-1e39).bits == 0xFF80);
  CHECK(to_bfloat16(std::numeric_limits<float>::max()).bits == 0x7F80);
  CHECK(to_bfloat16(1e-45).bits == 0);
}

TEST_CASE("a double is rounded once, not by way of a float") {
  const double x = 1 + 0x1p-11 + 0x1p-40;  // as a float the middle of two float16, of which 1 is the even one
  CHECK(to_float16(static_cast<float>(x)).bits == to_float16(1.0).bits);
  CHECK(to_float16(x).bits == to_float16(1.0).bits + 1);
}

TEST_CASE("a NaN keeps its sign and the upper bits of its payload") {
  CHECK(to_float16(std::bit_cast<float>(0x7FC00000U)).bits == 0x7E00);
  CHECK(to_float16(std::bit_cast<float>(0xFFD54321U)).bits == (0xFC00 | (0x7FD54321U >> 13 & 0x3FF)));
  CHECK(std::isnan(to_float(to_float16(std::bit_cast<float>(0x7FC00001U)))));
  CHECK(to_bfloat16(std::bit_cast<double>(0x7FF8000000000000U)).bits == 0x7FC0);
}

#if defined(__FLT16_MAX__) && !defined(__clang__)
TEST_CASE("float16 agrees with the compiler's own on random floats and doubles") {
  __extension__ typedef _Float16 own;
  const random_stream random(1);
  unsigned wrong = 0;
  for (std::uint64_t i = 0; i < 400000; ++i) {
    const auto word = static_cast<std::uint32_t>(random.bits(i));
    // Half of them near the range of float16, the others anything.
    const float x = std::bit_cast<float>(i % 2 == 0 ? word : (word & 0x8FFFFFFFU) | 0x30000000U);
    const double y = static_cast<double>(x) * (1 + random.uniform(i) * 0x1p-24);
    const own a = static_cast<own>(x), b = static_cast<own>(y);
    std::uint16_t a_bits = 0, b_bits = 0;
    std::memcpy(&a_bits, &a, 2), std::memcpy(&b_bits, &b, 2);
    if (std::isnan(x)) continue;
    wrong += to_float16(x).bits != a_bits;
    wrong += to_float16(y).bits != b_bits;
  }
  CHECK(wrong == 0);
}
#endif

TEST_CASE("the conversions are constant expressions") {
  static_assert(to_float(float16{0x3C00}) == 1 && to_float(float16{1}) == 0x1p-24F);
  static_assert(to_float16(0x1p-24F).bits == 1 && to_float16(-2.0).bits == 0xC000);
  static_assert(to_bfloat16(1.0F).bits == 0x3F80 && to_float(bfloat16{0x3F80}) == 1);
}

}  // namespace number_test
