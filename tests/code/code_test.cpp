#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "geofact/code/binary.hpp"
#include "geofact/code/circle.hpp"
#include "geofact/code/one_hot.hpp"
#include "geofact/code/parity.hpp"
#include "geofact/code/random_sign.hpp"
#include "geofact/code/tabulated.hpp"

namespace code_test {

using namespace geofact;

namespace {

const int sizes_tried[] = {1, 2, 3, 5, 8, 100, 257};

template <codebook Code>
std::vector<double> coordinates(const Code& code, int a) {
  std::vector<double> c;
  for (int j = 0; j < code.length(); ++j) c.push_back(static_cast<double>(code(a, j)));
  return c;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

/// Everything a code states, measured over all pairs. `slack` bounds how far the stated sensitivity may be above.
template <codebook Code>
void check_all_pairs(const Code& code, double slack = 1) {
  const int n = code.attributes();
  CAPTURE(n);
  std::vector<std::vector<double>> codes;
  for (int a = 0; a < n; ++a) codes.push_back(coordinates(code, a));
  double margin = n == 1 ? code.norm() : 1e300, sensitivity = 0, bound = 0;
  for (const auto& c : codes) {
    CHECK(product(c, c) == doctest::Approx(code.norm()));
    for (double x : c) bound = std::max(bound, std::abs(x));
    for (const auto& d : codes) {
      if (&c == &d) continue;
      double distance = 0;
      for (std::size_t j = 0; j < c.size(); ++j) distance += std::abs(c[j] - d[j]);
      const double gap = product(c, c) - product(c, d);
      REQUIRE(gap > 0);
      margin = std::min(margin, gap);
      sensitivity = std::max(sensitivity, code.bound() * distance / gap);
    }
  }
  CHECK(bound <= code.bound());
  CHECK(margin == doctest::Approx(static_cast<double>(code.margin())));
  CHECK(sensitivity <= code.sensitivity() * (1 + 1e-12));
  if (n > 1) CHECK(sensitivity * slack >= code.sensitivity() * (1 - 1e-12));
  CHECK(std::set<std::vector<double>>(codes.begin(), codes.end()).size() == codes.size());
}

template <codebook One, codebook Other>
void check_equal(const One& one, const Other& other) {
  REQUIRE(one.attributes() == other.attributes());
  CHECK(one.length() == other.length());
  CHECK(one.bits() == other.bits());
  CHECK(one.margin() == other.margin());
  for (int a = 0; a < one.attributes(); ++a) CHECK(coordinates(one, a) == coordinates(other, a));
}

/// Static = dynamic = read off a table.
template <class Fixed, class Free>
void check_same_code(const Fixed& fixed, const Free& free) {
  check_equal(fixed, free);
  check_equal(free, tabulated_code<double>(free));
}

template <int A>
void check_static_codes() {
  check_same_code(binary_code<A>(), binary_code(A));
  check_same_code(parity_code<A>(), parity_code(A));
  check_same_code(one_hot_code<A>(), one_hot_code(A));
  check_same_code(circle_code<A>(), circle_code(A));
  check_same_code(random_sign_code<A, 48>({}, {}, 5), random_sign_code(A, 48, 5));
  static_assert(std::is_empty_v<binary_code<A>> && std::is_empty_v<parity_code<A>> && std::is_empty_v<one_hot_code<A>>);
}

}  // namespace

TEST_CASE("binary codes: ceil(log2 A) signs, margin 2") {
  for (int n : sizes_tried) {
    const binary_code code(n);
    check_all_pairs(code);
    CHECK(code.length() == std::max(1, static_cast<int>(std::ceil(std::log2(n)))));
    CHECK(code.margin() == (n > 1 ? 2 : 1));
    CHECK(code.bits() == code.length());
  }
}

TEST_CASE("parity codes: one sign more, margin 4") {
  for (int n : sizes_tried) {
    const parity_code code(n);
    check_all_pairs(code);
    CHECK(code.length() == binary_code(n).length() + 1);
    CHECK(code.margin() == (n > 1 ? 4 : 2));
    CHECK(code.bits() == code.length());
  }
}

TEST_CASE("one-hot codes: A coordinates, margin 1") {
  for (int n : sizes_tried) {
    const one_hot_code code(n);
    check_all_pairs(code);
    CHECK(code.length() == n);
    CHECK(code.margin() == 1);
  }
}

TEST_CASE("random sign codes state their exact margin, also longer than one word") {
  for (int n : sizes_tried)
    for (int length : {24, 64, 65, 200}) {
      CAPTURE(length);
      const random_sign_code code(n, length, 3);
      check_all_pairs(code);
      CHECK(code.length() == length);
      CHECK(code.bits() == length);
    }
}

TEST_CASE("random sign codes of the usual length have a margin of about a quarter of the norm") {
  for (int n : {16, 100, 257, 1000}) {
    const random_sign_code code(n, random_sign_code<>::usual_length(n));
    CAPTURE(n);
    CHECK(code.margin() >= 0.2 * code.norm());
  }
}

TEST_CASE("random codes that fall together are refused, in a sentence") {
  CHECK_THROWS_WITH_AS(random_sign_code(5, 2),
                       "two of 5 random codes of 2 signs are equal: take a longer code or another seed", error);
  CHECK_THROWS_AS(random_sign_code(257, 8), error);
  CHECK_NOTHROW(random_sign_code(1, 1));
}

TEST_CASE("circle codes: two coordinates, margin 1 - cos(2 pi / A)") {
  for (int n : sizes_tried) {
    const circle_code code(n);
    check_all_pairs(code, 1.4143);
    CHECK(code.length() == 2);
    if (n > 1) CHECK(code.margin() == doctest::Approx(1 - std::cos(2 * std::acos(-1.0) / n)));
  }
}

TEST_CASE("circle codes decode from coordinates of half their bits, and their bits grow as 2 log2 A") {
  for (int n : {1, 2, 3, 4, 5, 8, 100, 257, 1000}) {
    CAPTURE(n);
    const circle_code code(n);
    const int p = code.bits() / 2 - 2;  // one bit for the sign, one for 1
    std::vector<std::vector<double>> codes;
    for (int a = 0; a < n; ++a) codes.push_back(coordinates(code, a));
    for (int b = 0; b < n; ++b) {
      auto rounded = codes[static_cast<std::size_t>(b)];
      for (double& x : rounded) x = std::ldexp(std::round(std::ldexp(x, p)), -p);
      std::vector<double> scores;
      for (const auto& c : codes) scores.push_back(product(c, rounded));
      CHECK(std::max_element(scores.begin(), scores.end()) - scores.begin() == b);
    }
    CHECK(code.bits() >= 2 * (std::log2(n) - 0.2));
    CHECK(code.bits() <= 2 * (std::log2(n) + 3));
  }
}

TEST_CASE("static codes, dynamic codes and tables of codes are the same codes") {
  check_static_codes<1>();
  check_static_codes<2>();
  check_static_codes<5>();
  check_static_codes<100>();
  check_equal(tabulated_code<int>(parity_code(100)), parity_code(100));
  check_all_pairs(tabulated_code<double>(circle_code(7)), 1.4143);
}

TEST_CASE("a code of no attributes is refused, a table beyond the memory too") {
  CHECK_THROWS_WITH_AS(binary_code(0), "a code needs at least one attribute, got 0", error);
  CHECK_THROWS_AS(parity_code(0), error);
  CHECK_THROWS_AS(one_hot_code(0), error);
  CHECK_THROWS_AS(circle_code(0), error);
  CHECK_THROWS_AS(random_sign_code(0, 8), error);
  CHECK_THROWS_AS(binary_code(-1), error);
  CHECK_THROWS_AS(binary_code<4>(5), error);
  CHECK_THROWS_AS(tabulated_code<int>(one_hot_code(1 << 30)), error);
}

TEST_CASE("integer codes are usable at compile time") {
  static_assert(binary_code<4096>().length() == 12 && binary_code<4096>()(5, 0) == 1 &&
                binary_code<4096>()(5, 1) == -1);
  static_assert(parity_code(5).margin() == 4 && parity_code(5)(3, 3) == -1 && parity_code(5)(4, 3) == 1);
  static_assert(one_hot_code<3>()(2, 2) == 1 && one_hot_code<3>()(2, 1) == 0);
  static_assert(random_sign_code(8, 12, 2).margin() >= 2);
  static_assert(is_integer_code<binary_code<>> && !is_integer_code<circle_code<>>);
  CHECK(random_sign_code(8, 12, 2).margin() == random_sign_code<8, 12>({}, {}, 2).margin());
}

}  // namespace code_test
