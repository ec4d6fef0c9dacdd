#include "geofact/foundation/matrix.hpp"

#include <doctest/doctest.h>

namespace matrix_test {

using namespace geofact;

namespace {

template <class A, class B>
matrix<typename A::Scalar> by_definition(const A& a, const B& b) {
  matrix<typename A::Scalar> to = matrix<typename A::Scalar>::Zero(a.rows(), b.cols());
  for (index_t i = 0; i < a.rows(); ++i)
    for (index_t j = 0; j < b.cols(); ++j)
      for (index_t k = 0; k < a.cols(); ++k) to(i, j) += a(i, k) * b(k, j);
  return to;
}

matrix<int> counted(index_t rows, index_t columns, int first) {
  matrix<int> m(rows, columns);
  for (index_t i = 0; i < m.size(); ++i) m.data()[i] = (first + 7 * static_cast<int>(i)) % 11 - 5;
  return m;
}

}  // namespace

TEST_CASE("a product is the same of matrices, maps, blocks of rows and columns, vectors and static sizes") {
  const matrix<int> a = counted(40, 30, 1), b = counted(30, 25, 2);
  CHECK(product(a, b) == by_definition(a, b));
  CHECK(product(const_matrix_view<int>(a.data(), 40, 30), b) == by_definition(a, b));
  const auto upper = a.block(3, 2, 5, 30 - 2), thin = a.middleRows(7, 1), nothing = a.topRows(0);
  const auto right = b.block(2, 4, 28, 6);
  CHECK(product(upper, right) == by_definition(upper, right));
  CHECK(product(thin, b.col(3)) == by_definition(thin, b.col(3)));
  CHECK(product(a, b.col(3)) == by_definition(a, b.col(3)));
  CHECK(product(nothing, b) == by_definition(nothing, b));
  CHECK(product(a.leftCols(0), b.topRows(0)) == matrix<int>::Zero(40, 25));
  const matrix<int, 2, 3> two = a.topLeftCorner<2, 3>();
  const matrix<int, 3, 4> three = b.topLeftCorner<3, 4>();
  CHECK(product(two, three) == by_definition(two, three));
}

TEST_CASE("a product with a sparse matrix on its left is that with the dense one") {
  const matrix<int> a = counted(40, 30, 1), b = counted(30, 25, 2);
  const Eigen::SparseMatrix<int> sparse = a.sparseView();
  CHECK(product(sparse, b) == by_definition(a, b));
  CHECK(product(sparse, b.middleCols(2, 3)) == by_definition(a, b.middleCols(2, 3)));
}

}  // namespace matrix_test
