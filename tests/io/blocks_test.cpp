#include "geofact/io/blocks.hpp"

#include <doctest/doctest.h>

#include "files.hpp"

namespace blocks_test {

using namespace geofact;

TEST_CASE("blocks hold the numbers of a tensor in row-major order, whatever its order, as any type") {
  const int rows = 700, columns = 300;
  matrix<int> m(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) m(i, j) = (i * 7 + j) % 128;
  const auto check = [&](const tensor_view& t, element as, auto number) {
    std::vector<std::byte> bytes;
    int blocks = 0;
    for_each_block(t, as, [&](auto block) { bytes.insert(bytes.end(), block.begin(), block.end()), ++blocks; });
    const tensor_view found("found", as, t.shape(), false, bytes.data());
    REQUIRE(bytes.size() == found.bytes().size());
    int wrong = 0, k = 0;
    for (const double x : files::numbers_of(found)) wrong += x != number(k / t.shape()[1], k % t.shape()[1]), ++k;
    CHECK(wrong == 0);
    return blocks;
  };
  const auto straight = [&](auto i, auto j) { return m(i, j); };
  const auto turned = [&](auto i, auto j) { return m(j, i); };
  for (const element as : elements) {
    if (as == element::boolean) continue;
    CHECK(check(m, as, straight) > 1);
    CHECK(check(m.transpose(), as, turned) >= 1);
  }
  CHECK(check(m.transpose(), element::i32, turned) == 1);  // as it lies, without a copy
}

TEST_CASE("a number that does not fit is refused with its position, also behind the first block") {
  matrix<float> m = matrix<float>::Zero(700, 300);
  m(655, 299) = 1.5F;
  const auto refused = [](const tensor_view& t) {
    return files::refusal([&] { for_each_block(t, element::i8, [](auto) {}); });
  };
  CHECK(refused(m) == "a matrix: holds 1.5 at [655, 299], which I8 cannot hold");
  CHECK(refused(m.transpose()) == "a matrix: holds 1.5 at [299, 655], which I8 cannot hold");
}

TEST_CASE("tensors of many axes and tensors without numbers have their blocks, or none") {
  std::vector<float> numbers(24);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  const tensor_view t("t", element::f32, {2, 3, 4}, true, reinterpret_cast<const std::byte*>(numbers.data()));
  std::vector<std::byte> bytes;
  for_each_block(t, element::f64, [&](auto block) { bytes.insert(bytes.end(), block.begin(), block.end()); });
  CHECK(files::numbers_of({"found", element::f64, {2, 3, 4}, false, bytes.data()}) == files::numbers_of(t));
  for_each_block(tensor_view("t", element::f32, {3, 0}, true, nullptr), element::f64, [](auto) { FAIL("no numbers"); });
}

}  // namespace blocks_test
