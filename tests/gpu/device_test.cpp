#include "geofact/gpu/device.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "geofact/gpu/host_device.hpp"
#include "geofact/gpu/kernel/layer.hpp"
#include "product_cases.hpp"

namespace device_test {

using namespace geofact::gpu;
using geofact::error;
using geofact::index_t;
using device_type = host_device<>;
static_assert(device<device_type>);

namespace {

kernel::convert<float, float> copy(const float* from, float* to, int count) { return {count, from, to}; }

}  // namespace

TEST_CASE("products of all types and transpositions are exact for small integers") {
  device_type d;
  CHECK(product_cases::wrong_products<double, double>(d, false) == 0);
  CHECK(product_cases::wrong_products<float, float>(d, false) == 0);
  CHECK(product_cases::wrong_products<float, float>(d, true) == 0);
  CHECK(product_cases::wrong_products<bf16, float>(d, false) == 0);
  CHECK(product_cases::wrong_products<bf16, bf16>(d, false) == 0);
}

TEST_CASE("TF32 rounds arguments to 10 bits after the point") {
  device_type d;
  const buffer<float, device_type> a(d, std::vector{1 + 0x1p-11F, 1 + 0x3p-11F, 1 + 0x1p-10F}, "a"),
      one(d, std::vector{1.0F}, "b"), c(d, 3, "c");
  multiply(d, view<float>(a.data(), 3, 1), view<float>(one.data(), 1, 1), view<float>(c.data(), 3, 1), true);
  CHECK(c.download() == std::vector{1.0F, 1 + 0x4p-11F, 1 + 0x1p-10F});
}

TEST_CASE("fresh memory is NaN, and a product that does not accumulate does not read it") {
  device_type d;
  const buffer<float, device_type> a(d, std::vector{2.0F}, "a"), c(d, 1, "c");
  CHECK(std::isnan(c.download()[0]));
  const view<float> x(a.data(), 1, 1), y(c.data(), 1, 1);
  multiply(d, x, x, y, false, true);
  CHECK(std::isnan(c.download()[0]));
  multiply(d, x, x, y, false);
  CHECK(c.download()[0] == 4);
}

TEST_CASE("products beyond a buffer, of wrong sizes or strides are refused") {
  device_type d;
  const buffer<float, device_type> a(d, 6, "a"), b(d, 6, "b"), c(d, 4, "c");
  const auto product_of = [&](view<float> x, view<float> y, view<float> z) { multiply(d, x, y, z, false); };
  CHECK_NOTHROW(product_of({a.data(), 2, 3}, {b.data(), 3, 2}, {c.data(), 2, 2}));
  CHECK_THROWS_WITH_AS(product_of({a.data(), 2, 3}, {b.data(), 3, 3}, {c.data(), 2, 3}),
                       doctest::Contains("past the end"), error);
  CHECK_THROWS_WITH_AS(product_of({a.data(), 2, 3}, {b.data(), 3, 2}, {c.data(), 2, 2, 3}),
                       doctest::Contains("past the end"), error);
  CHECK_THROWS_WITH_AS(product_of({a.data(), 2, 3}, {b.data(), 2, 2}, {c.data(), 2, 2}), doctest::Contains("2 x 3"),
                       error);
  CHECK_THROWS_AS(product_of({a.data(), 2, 3, 1}, {b.data(), 3, 2}, {c.data(), 2, 2}), error);
  float outside = 0;
  CHECK_THROWS_AS(product_of({a.data(), 1, 1}, {&outside, 1, 1}, {c.data(), 1, 1}), error);
}

TEST_CASE("launches without blocks or with broken warps are refused as on a GPU") {
  device_type d;
  const buffer<float, device_type> x(d, 3, "x");
  const auto kernel = copy(x.data(), x.data(), 0);
  CHECK_THROWS_AS(d.launch(kernel, 0, 32), error);
  CHECK_THROWS_AS(d.launch(kernel, 1, 31), error);
  CHECK_THROWS_AS(d.launch(kernel, 1, 0), error);
  CHECK_THROWS_AS(d.launch(kernel, 1, 512), error);
}

TEST_CASE(
    "work waits for synchronize, uploads do not need their source any longer, a replay repeats the same arguments") {
  device_type d;
  buffer<float, device_type> x(d, 2, "x"), y(d, 2, "y");
  {
    const std::vector<float> gone{1, 2};
    x.upload(gone.data(), 2);
  }
  const auto recorded = d.record([&] {
    d.launch(copy(x.data(), y.data(), 2), 1, 32);
    const float none = 0;
    CHECK_THROWS_AS(x.upload(&none, 1), error);
    CHECK_THROWS_AS(x.download(), error);
  });
  CHECK(std::isnan(y.download()[0]));  // recorded is not done
  d.replay(recorded);
  CHECK(y.download() == std::vector<float>{1, 2});
  const std::vector<float> other{3, 4};
  x.upload(other.data(), 2);
  d.replay(recorded);
  CHECK(y.download() == std::vector<float>{3, 4});
}

TEST_CASE("no room names the sizes and leaves nothing behind; a fault is for good") {
  device_type d;
  {
    const buffer<float, device_type> x(d, 10, "weights");
    d.allocations_left = 0;
    CHECK_THROWS_WITH_AS((buffer<double, device_type>(d, 100, "logits")),
                         "no room for 800 bytes of logits on the device: it holds 40 bytes for this program", error);
    d.launches_left = 0;
    d.launch(copy(x.data(), x.data(), 10), 1, 32);  // reported later, as on a GPU
    CHECK_THROWS_WITH_AS(d.synchronize(), doctest::Contains("illegal memory access"), error);
    CHECK_THROWS_WITH_AS(d.zero(x.data(), 4), doctest::Contains("illegal memory access"), error);
    CHECK_THROWS_AS(x.download(), error);
  }
  CHECK(d.held() == 0);
}

}  // namespace device_test
