#include "geofact/io/element.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <cmath>
#include <vector>

#include "geofact/foundation/random.hpp"

namespace element_test {

using namespace geofact;

TEST_CASE("each element has the size and the name of its C++ type") {
  const std::vector<geofact::index_t> bytes = {8, 4, 2, 2, 8, 4, 2, 1, 1, 1};
  for (std::size_t i = 0; i < elements.size(); ++i) CHECK(size_of(elements[i]) == bytes[i]);
  for (const element type : elements)
    CHECK(visit_element(type, [](auto x) { return element_of<decltype(x)>; }) == type);
  CHECK(name_of(element::bf16) == "BF16");
  CHECK(name_of(element::boolean) == "BOOL");
  static_assert(element_of<long long> == element::i64 && element_of<bool> == element::boolean);
  static_assert(element_of<unsigned char> == element::u8 && element_of<signed char> == element::i8);
  static_assert(!element_type<long double> && !element_type<unsigned> && !element_type<char>);
}

TEST_CASE("an integer type holds a real number only if it is a whole one in its range") {
  CHECK(fits<int>(2147483647.0));
  CHECK_FALSE(fits<int>(2147483648.0));
  CHECK(fits<int>(-2147483648.0));
  CHECK_FALSE(fits<int>(-2147483649.0));
  CHECK(fits<std::int32_t>(-0x1p31F));
  CHECK_FALSE(fits<std::int32_t>(0x1p31F));
  CHECK_FALSE(fits<int>(0.5));
  CHECK_FALSE(fits<int>(std::nan("")));
  CHECK_FALSE(fits<std::int64_t>(HUGE_VAL));
  CHECK_FALSE(fits<std::int64_t>(0x1p63));
  CHECK(fits<std::int64_t>(-0x1p63));
  CHECK(fits<std::int64_t>(0x1.fffffffffffffp62));
  CHECK(fits<std::int8_t>(-128.0F));
  CHECK_FALSE(fits<std::int8_t>(128.0F));
  CHECK(fits<std::uint8_t>(255.0));
  CHECK_FALSE(fits<std::uint8_t>(256.0));
  CHECK_FALSE(fits<std::uint8_t>(-1.0));
  CHECK_FALSE(fits<std::uint8_t>(-1));
  CHECK_FALSE(fits<std::int16_t>(40000));
  CHECK(fits<boolean>(1.0));
  CHECK_FALSE(fits<boolean>(2));
  CHECK_FALSE(fits<bool>(-1.0F));
  CHECK(fits<float>(1e300));
}

TEST_CASE("every small integer passes through every type that can hold it") {
  for (int n = -300; n <= 300; ++n)
    for (const element type : elements)
      visit_element(type, [&](auto x) {
        using T = decltype(x);
        if (!fits<T>(n)) return;
        CAPTURE(n);
        CAPTURE(name_of(type));
        const T there = convert<T>(n);
        const bool is_coarse = type == element::bf16 && (n > 256 || n < -256) && n % 2 != 0;
        if (!is_coarse) {
          CHECK(fits<int>(there));
          CHECK(convert<int>(there) == n);
          CHECK(convert<double>(there) == n);
        }
      });
}

TEST_CASE("a long integer is rounded once") {
  // Between the bfloat16 2^62 (1 + 2^-7) and the middle to its neighbour above, nearer than a double tells.
  const std::int64_t middle = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);
  CHECK(convert<bfloat16>(middle).bits == 0x5E80);  // the even one
  CHECK(convert<bfloat16>(middle + 1).bits == 0x5E81);
  CHECK(convert<bfloat16>(middle - 1).bits == 0x5E80);
  CHECK(convert<bfloat16>(-middle - 1).bits == 0xDE81);
  CHECK(convert<bfloat16>(-middle + 1).bits == 0xDE80);
  CHECK(convert<bfloat16>(std::numeric_limits<std::int64_t>::min()).bits == 0xDF00);
  CHECK(convert<bfloat16>(std::numeric_limits<std::int64_t>::max()).bits == 0x5F00);
  CHECK(convert<float16>(std::int64_t{1} << 60).bits == 0x7C00);
}

TEST_CASE("numbers are converted at any alignment, up to the first that does not fit") {
  const std::vector<float> from = {1, -2, 300, 4.5F, 6};
  std::vector<std::byte> shifted(from.size() * 4 + 1), to(from.size() * 2 + 1);
  std::memcpy(shifted.data() + 1, from.data(), from.size() * 4);
  CHECK(convert_all<float, std::int16_t>(shifted.data() + 1, to.data() + 1, 5) == 3);
  std::int16_t third = 0;
  std::memcpy(&third, to.data() + 5, 2);
  CHECK(third == 300);
  CHECK(convert_all<float, float16>(shifted.data() + 1, to.data() + 1, 5) == 5);
}

TEST_CASE("any byte but 0 is a truth") {
  CHECK(value_of(boolean{0}) == 0);
  CHECK(value_of(boolean{1}) == 1);
  CHECK(value_of(boolean{200}) == 1);
  CHECK(convert<bool>(boolean{2}));
}

}  // namespace element_test
