#include "geofact/foundation/subnormals.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "geofact/foundation/parallel.hpp"

namespace subnormals_test {

#ifdef GEOFACT_HAS_MXCSR

namespace {

volatile float least = std::numeric_limits<float>::min(), half = 0.5f, twice = 2.0f;
volatile double least_double = std::numeric_limits<double>::min(), half_double = 0.5;

}  // namespace

TEST_CASE("subnormal numbers are 0 while subnormals_are_zero lives, as results and as operands") {
  const volatile float subnormal = least * half;
  CHECK(subnormal > 0);
  CHECK(subnormal * twice == least);
  {
    const geofact::subnormals_are_zero here;
    CHECK(least * half == 0);
    CHECK(least_double * half_double == 0);
    CHECK(subnormal * twice == 0);
    CHECK(least * twice == 2 * std::numeric_limits<float>::min());
    { const geofact::subnormals_are_zero within; }
    CHECK(least * half == 0);  // the inner one left what it had found
  }
  CHECK(subnormal * twice == least);
  CHECK(least * half == subnormal);
}

TEST_CASE("an exception ends the reach of subnormals_are_zero too") {
  try {
    const geofact::subnormals_are_zero here;
    throw 1;
  } catch (int) {
  }
  CHECK(least * half > 0);
}

TEST_CASE("the threads of parallel_for take subnormals for 0 where the caller does") {
  const auto subnormal_products = [] {
    std::atomic<int> found = 0, ready = 0;
    geofact::parallel_for(4, 4, [&](geofact::index_t) {
      ++ready;
      while (ready < 4) std::this_thread::yield();  // each on a thread of its own
      found += least * half > 0;
    });
    return found.load();
  };
  CHECK(subnormal_products() == 4);
  {
    const geofact::subnormals_are_zero here;
    CHECK(subnormal_products() == 0);
  }
  CHECK(subnormal_products() == 4);
}

#endif

}  // namespace subnormals_test
