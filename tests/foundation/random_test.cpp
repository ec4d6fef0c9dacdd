#include "geofact/foundation/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace random_test {

using geofact::random_stream;

namespace {

/// SplitMix64 as its authors publish it: a state that grows by the golden gamma.
struct splitmix64 {
  std::uint64_t state;
  std::uint64_t operator()() {
    state += UINT64_C(0x9e3779b97f4a7c15);
    std::uint64_t z = state;
    z ^= z >> 30;
    z *= UINT64_C(0xbf58476d1ce4e5b9);
    z ^= z >> 27;
    z *= UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return z;
  }
};

/// sum (count - expected)^2 / expected
double chi_square(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

constexpr std::uint64_t seeds[] = {0, 1, 2, 42, UINT64_MAX};

}  // namespace

TEST_CASE("a stream is SplitMix64, seeded by (seed, stream), read at any place") {
  splitmix64 published{1234567};
  CHECK(published() == UINT64_C(6457827717110365317));  // the reference implementation's first numbers
  CHECK(published() == UINT64_C(3203168211198807973));
  CHECK(random_stream(0).bits(0) == UINT64_C(0xe220a8397b1dcdaf));
  CHECK(random_stream(0).bits(1) == UINT64_C(0x6e789e6aa1b965f4));
  CHECK(random_stream(0).bits(2) == UINT64_C(0x06c45d188009454f));
  for (std::uint64_t seed : seeds)
    for (std::uint64_t stream : {UINT64_C(0), UINT64_C(1), UINT64_C(7)}) {
      splitmix64 seeding{geofact::mix(seed) + UINT64_C(0x9e3779b97f4a7c15) * (stream - 1)};
      splitmix64 expected{seeding()};
      for (std::uint64_t i = 0; i < 20; ++i) CHECK(random_stream(seed, stream).bits(i) == expected());
    }
}

TEST_CASE("the numbers are the same at compile time and at run time") {
  constexpr random_stream fixed(42, 3);
  constexpr std::array<std::uint64_t, 3> bits{fixed.bits(0), fixed.bits(1), fixed.bits(1000)};
  constexpr int below = fixed.below(1000, 5);
  constexpr double uniform = fixed.uniform(6);
  volatile std::uint64_t seed = 42;
  const random_stream running(seed, 3);
  CHECK(bits == std::array<std::uint64_t, 3>{running.bits(0), running.bits(1), running.bits(1000)});
  CHECK(below == running.below(1000, 5));
  CHECK(uniform == running.uniform(6));
  constexpr auto shuffled = [] {
    std::array<int, 5> copy{};
    const auto order = geofact::random_permutation(5, random_stream(42, 3));
    std::copy(order.begin(), order.end(), copy.begin());
    return copy;
  }();
  CHECK(std::vector<int>(shuffled.begin(), shuffled.end()) == geofact::random_permutation(5, running));
}

TEST_CASE("numbers below n and in (0, 1) are uniform") {
  for (std::uint64_t seed : seeds) {
    CAPTURE(seed);
    const random_stream random(seed, 1);
    const int n = 100, draws = 100000;
    std::vector<int> below(n, 0), tenths(n, 0);
    double sum = 0, squares = 0;
    for (std::uint64_t i = 0; i < draws; ++i) {
      const int b = random.below(n, i);
      const double u = random.uniform(i), z = random.normal(i);
      REQUIRE((0 <= b && b < n && 0 < u && u < 1));
      ++below[static_cast<std::size_t>(b)];
      ++tenths[static_cast<std::size_t>(u * n)];
      sum += z, squares += z * z;
    }
    CHECK(chi_square(below, draws / n) < 170);  // 99 degrees of freedom: exceeded once in 100 000
    CHECK(chi_square(tenths, draws / n) < 170);
    CHECK(std::abs(sum / draws) < 5 / std::sqrt(draws));
    CHECK(std::abs(squares / draws - 1) < 5 * std::sqrt(2.0 / draws));
  }
  CHECK(random_stream(1).below(1, 9) == 0);
}

TEST_CASE("streams of one seed, and one stream of two seeds, do not agree") {
  int equal = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    equal += random_stream(1, 0).below(100, i) == random_stream(1, 1).below(100, i);
    equal += random_stream(1, 0).below(100, i) == random_stream(2, 0).below(100, i);
  }
  CHECK(std::abs(equal - 200) < 75);  // 5 standard deviations
}

TEST_CASE("a random permutation is a permutation, and all of them are equally likely") {
  for (int n : {0, 1, 2, 3, 100, 4096}) {
    CAPTURE(n);
    auto order = geofact::random_permutation(n, random_stream(7));
    std::sort(order.begin(), order.end());
    std::vector<int> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    CHECK(order == all);
  }
  std::vector<int> counts(24, 0);
  for (std::uint64_t seed = 0; seed < 24000; ++seed) {
    const auto order = geofact::random_permutation(4, random_stream(seed));
    std::vector<int> listed{0, 1, 2, 3};
    std::size_t rank = 0;
    for (; listed != order; ++rank) std::next_permutation(listed.begin(), listed.end());
    ++counts[rank];
  }
  CHECK(chi_square(counts, 1000) < 60);  // 23 degrees of freedom: exceeded once in 30 000
}

}  // namespace random_test
