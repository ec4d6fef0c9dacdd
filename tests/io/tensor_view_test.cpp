#include "geofact/io/tensor_view.hpp"

#include <doctest/doctest.h>

#include "files.hpp"

namespace tensor_view_test {

using namespace geofact;

namespace {

/// [2, 3, 4] with number k at place k, or in column-major order.
std::vector<float> counted() {
  std::vector<float> numbers(24);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  return numbers;
}

tensor_view seen(const std::vector<float>& numbers, std::vector<geofact::index_t> shape, bool is_column_major = false) {
  return {"t", element::f32, std::move(shape), is_column_major, reinterpret_cast<const std::byte*>(numbers.data())};
}

}  // namespace

TEST_CASE("a row-major tensor becomes the matrix of its rows") {
  const auto numbers = counted();
  const auto m = seen(numbers, {4, 6}).to_matrix<double>();
  REQUIRE(m.rows() == 4);
  REQUIRE(m.cols() == 6);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) CHECK(m(i, j) == 6 * i + j);
  CHECK(seen(numbers, {4, 6}).to_matrix<float>() == m.cast<float>());
  CHECK(seen(numbers, {4, 6}).transposed().to_matrix<int>() == m.transpose().cast<int>());
  CHECK(seen(numbers, {6, 4}, true).to_matrix<float>().transpose() == m.cast<float>());
  CHECK(seen(numbers, {4, 6}).map_transposed<float>() == m.transpose().cast<float>());
}

TEST_CASE("tensors of no, one and two axes become matrices, and others are refused with their shape") {
  const auto numbers = counted();
  CHECK(seen(numbers, {}).to_matrix<float>() == matrix<float>::Constant(1, 1, 0));
  const auto column = seen(numbers, {24}).to_matrix<float>();
  CHECK((column.rows() == 24 && column.cols() == 1 && column(23, 0) == 23));
  const auto none = seen(numbers, {0, 5}).to_matrix<float>();
  CHECK((none.rows() == 0 && none.cols() == 5));
  CHECK(files::refusal([&] {
          seen(numbers, {2, 3, 4}).to_matrix<float>();
        }) == "t: shape [2, 3, 4] is no matrix; take a slice");
  CHECK(files::refusal([&] {
          seen(numbers, {2, 3, 4}).map_transposed<float>();
        }) == "t: shape [2, 3, 4] is no matrix; take a slice");
}

TEST_CASE("numbers are copied into memory that is there, if the shape is the same") {
  const auto numbers = counted();
  vector<double> block = vector<double>::Constant(30, -1);
  seen(numbers, {4, 6}).copy_to(matrix_view<double>(block.data() + 3, 4, 6));
  CHECK(const_matrix_view<double>(block.data() + 3, 4, 6) == seen(numbers, {4, 6}).to_matrix<double>());
  CHECK((block.head(3).array() == -1).all());
  CHECK((block.tail(3).array() == -1).all());
  CHECK(files::refusal([&] {
          seen(numbers, {4, 6}).copy_to(matrix_view<double>(block.data(), 6, 4));
        }) == "t: shape [4, 6] does not go into a matrix of 6 x 4");
}

TEST_CASE("a slice is one layer, in either order, and slices that are not there are refused") {
  const auto numbers = counted();
  const auto t = seen(numbers, {2, 3, 4});
  CHECK(t.slice(1).shape() == std::vector<geofact::index_t>{3, 4});
  CHECK(t.slice(1).to_matrix<float>()(2, 1) == 12 + 2 * 4 + 1);
  CHECK(t.slice(1).slice(2).slice(3).to_matrix<int>()(0, 0) == 23);
  CHECK(t.slice(1).data() == t.data() + 48);
  CHECK(t.slice(1).is_row_major());
  const auto fortran = seen(numbers, {4, 3, 2}, true);
  CHECK(fortran.slice(1).to_matrix<float>()(2, 1) == 1 + 4 * 2 + 12);
  CHECK_FALSE(fortran.slice(1).is_row_major());
  CHECK(files::numbers_of(fortran.transposed()) == files::numbers_of(t));
  CHECK(files::refusal([&] { t.slice(2); }) == "t: there is no slice 2 of shape [2, 3, 4]");
  CHECK(files::refusal([&] { t.slice(-1); }) == "t: there is no slice -1 of shape [2, 3, 4]");
  CHECK(files::refusal([&] { seen(numbers, {}).slice(0); }) == "t: a single number has no slices");
  CHECK(files::refusal([&] { t.slice(1).slice(3); }) == "t[1]: there is no slice 3 of shape [3, 4]");
}

TEST_CASE("a matrix, a block of one, a row-major one and a vector are seen with their numbers") {
  matrix<int> m(5, 7);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 7; ++j) m(i, j) = 10 * i + j;
  CHECK(tensor_view(m).to_matrix<int>() == m);
  CHECK(tensor_view(m.block(1, 2, 3, 4)).to_matrix<int>() == m.block(1, 2, 3, 4));
  CHECK(tensor_view(m.transpose()).to_matrix<int>() == m.transpose());
  const Eigen::Matrix<int, dynamic, dynamic, Eigen::RowMajor> by_rows = m;
  CHECK(tensor_view(by_rows).to_matrix<int>() == m);
  CHECK(tensor_view(by_rows).is_row_major());
  CHECK(tensor_view(m.row(2)).shape() == std::vector<geofact::index_t>{1, 7});
  CHECK(tensor_view(m.row(2)).to_matrix<int>() == m.row(2));
  const vector<int> v = m.col(3);
  CHECK(tensor_view(v).shape() == std::vector<geofact::index_t>{5});
  CHECK(tensor_view(v).to_matrix<int>() == v);
  const matrix<bool> truths = m.array() > 20;
  CHECK(tensor_view(truths).type() == element::boolean);
  CHECK(tensor_view(truths).to_matrix<bool>() == truths);
}

TEST_CASE("a large tensor is converted like a small one, at any alignment") {
  const int rows = 300, columns = 1100;
  std::vector<std::byte> bytes(static_cast<std::size_t>(rows * columns * 2 + 1));
  const auto number = [](int i, int j) { return static_cast<float>((i * 31 + j * 17) % 2000 - 1000); };
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const auto x = to_float16(number(i, j));
      std::memcpy(bytes.data() + 1 + 2 * (i * columns + j), &x, 2);
    }
  const tensor_view t("t", element::f16, {rows, columns}, false, bytes.data() + 1);
  const auto m = t.to_matrix<float>();
  const auto turned = t.transposed().to_matrix<int>();
  int wrong = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      wrong += m(i, j) != number(i, j), wrong += turned(j, i) != static_cast<int>(number(i, j));
  CHECK(wrong == 0);
}

TEST_CASE("a number that an integer type cannot hold is refused with its position") {
  std::vector<float> numbers = counted();
  numbers[17] = 2.5F;
  CHECK(files::refusal([&] {
          seen(numbers, {4, 6}).to_matrix<int>();
        }) == "t: holds 2.5 at [2, 5], which I32 cannot hold");
  CHECK(files::refusal([&] { seen(numbers, {24}).to_matrix<std::int64_t>(); }) ==
        "t: holds 2.5 at [17], which I64 cannot hold");
  CHECK(files::refusal([&] {
          seen(numbers, {6, 4}, true).to_matrix<int>();
        }) == "t: holds 2.5 at [5, 2], which I32 cannot hold");
  numbers[17] = 300;
  CHECK(files::refusal([&] {
          seen(numbers, {4, 6}).to_matrix<std::uint8_t>();
        }) == "t: holds 300 at [2, 5], which U8 cannot hold");
  CHECK(seen(numbers, {4, 6}).to_matrix<int>()(2, 5) == 300);
}

TEST_CASE("only aligned numbers of the very type are mapped without a copy") {
  const auto numbers = counted();
  const auto t = seen(numbers, {4, 6});
  CHECK(files::refusal([&] { t.map_transposed<double>(); }) == "t: holds F32, not F64");
  CHECK(files::refusal([&] { t.transposed().map_transposed<float>(); }) ==
        "t: its numbers do not lie in row-major order");
  const tensor_view shifted("t", element::f32, {2}, false, t.data() + 1);
  CHECK(files::refusal([&] { shifted.map_transposed<float>(); }) ==
        "t: its numbers do not lie aligned in the file; convert them with to_matrix()");
}

TEST_CASE("shapes whose bytes overflow are refused, even where they hold nothing") {
  const geofact::index_t big = geofact::index_t{1} << 40;
  const std::vector<geofact::index_t> full = {big, big}, none = {0, big, big};
  CHECK(files::refusal([&] { bytes_of(element::f32, full, "t"); }) ==
        "t: shape [1099511627776, 1099511627776] of F32 overflows");
  CHECK(files::refusal([&] { bytes_of(element::u8, none, "t"); }).ends_with(" of U8 overflows"));
  CHECK(bytes_of(element::f64, std::vector<geofact::index_t>{3, 0, big}, "t") == 0);
  const tensor_view wide("t", element::u8, {big, 0}, false, nullptr);
  CHECK(wide.to_matrix<float>().rows() == big);
  CHECK(wide.transposed().to_matrix<float>().cols() == big);
}

}  // namespace tensor_view_test
