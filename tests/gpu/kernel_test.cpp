#include <doctest/doctest.h>

#include "geofact/gpu/host_device.hpp"
#include "kernel_cases.hpp"
#include "thread_lane.hpp"

namespace kernel_test {

using namespace geofact::gpu;

namespace {

/// Alone, primes, off by one from a warp, more than a block of threads.
const kernel_cases::size sizes[] = {{1, 1, 1, 32}, {7, 3, 2, 32}, {31, 5, 3, 64}, {33, 13, 4, 64}, {257, 2, 2, 256}};

}  // namespace

TEST_CASE("every kernel agrees with plain loops in double, whatever the scalar and the storage") {
  host_device<> device;
  for (const auto& n : sizes) {
    CAPTURE(n.rows);
    CHECK(kernel_cases::all_kernels<double, double>(device, n) < 1e-13);
    CHECK(kernel_cases::all_kernels<float, float>(device, n) < 3e-5);
    CHECK(kernel_cases::all_kernels<bf16, float>(device, n) < 1e-2);
  }
  CHECK(device.held() == 0);
}

TEST_CASE("the SIMT form of every kernel agrees too: shuffles, barriers and all") {
  host_device<simt::thread_executor<>> device;
  for (const auto& n : {sizes[0], sizes[1], sizes[3]}) {
    CAPTURE(n.rows);
    CHECK(kernel_cases::all_kernels<float, float>(device, n) < 3e-5);
  }
}

TEST_CASE("bfloat16 rounds to nearest even and keeps infinities and NaN") {
  const auto round_trip = [](float x) { return static_cast<float>(bf16(x)); };
  CHECK(round_trip(1) == 1);
  CHECK(round_trip(1 + 0x1p-8F) == 1);            // half way, to even
  CHECK(round_trip(1 + 0x3p-8F) == 1 + 0x4p-8F);  // half way, to even
  CHECK(round_trip(1 + 0x1.1p-8F) == 1 + 0x1p-7F);
  CHECK(round_trip(-0x1.fffffep127F) == -INFINITY);
  CHECK(std::isnan(round_trip(std::nanf("1"))));
  CHECK(round_trip(0x1p-133F) == 0x1p-133F);
}

TEST_CASE("the normal numbers of a kernel are those of random_stream") {
  const geofact::random_stream random(3, 9);
  double worst = 0, worst_double = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(kernel::normal<float>(random, i)) - random.normal(i)));
    worst_double = std::max(worst_double, std::abs(kernel::normal<double>(random, i) - random.normal(i)));
  }
  CHECK(worst < 3e-6);
  CHECK(worst_double < 1e-13);
}

}  // namespace kernel_test
