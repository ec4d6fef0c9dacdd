#pragma once
#include <Eigen/Dense>
#include <Eigen/SparseCore>

#include "geofact/foundation/extent.hpp"

namespace geofact {

/// Column-major matrix; columns are tokens, queries or units, rows are coordinates.
template <class Scalar, int Rows = dynamic, int Columns = dynamic>
using matrix = Eigen::Matrix<Scalar, Rows, Columns>;

template <class Scalar, int Rows = dynamic>
using vector = Eigen::Matrix<Scalar, Rows, 1>;

template <class Scalar, int Columns = dynamic>
using row_vector = Eigen::Matrix<Scalar, 1, Columns>;

/// A matrix that lives in somebody else's memory, at any alignment.
template <class Scalar, int Rows = dynamic, int Columns = dynamic>
using matrix_view = Eigen::Map<matrix<Scalar, Rows, Columns>>;

template <class Scalar, int Rows = dynamic, int Columns = dynamic>
using const_matrix_view = Eigen::Map<const matrix<Scalar, Rows, Columns>>;

namespace detail {

template <class Scalar>
using columns_view = Eigen::Map<const matrix<Scalar>, 0, Eigen::OuterStride<>>;

template <class Table>
columns_view<typename Table::Scalar> view_columns(const Table& table) {
  static_assert(!Table::IsRowMajor, "a table is stored column by column");
  return {table.data(), table.rows(), table.cols(), Eigen::OuterStride<>(table.outerStride())};
}

template <class Scalar>
void multiply_columns(const columns_view<Scalar>& a, const columns_view<Scalar>& b, matrix<Scalar>& to) {
  to.noalias() = a * b;
}

}  // namespace detail

/// to = a b; `to` is neither. Whatever a and b are (matrices, maps, blocks of columns), it is one product to the
/// compiler, which is slow at each new one.
template <class A, class B, class Scalar>
void multiply(const A& a, const B& b, matrix<Scalar>& to) {
  static_assert(int{A::ColsAtCompileTime} == dynamic || int{B::RowsAtCompileTime} == dynamic ||
                    int{A::ColsAtCompileTime} == int{B::RowsAtCompileTime},
                "a product needs as many columns on its left as rows on its right");
  detail::multiply_columns<Scalar>(detail::view_columns(a), detail::view_columns(b), to);
}

template <class B, class Scalar>
void multiply(const Eigen::SparseMatrix<Scalar>& a, const B& b, matrix<Scalar>& to) {
  to.noalias() = a * b;
}

/// a b, by multiply().
template <class A, class B>
matrix<typename A::Scalar> product(const A& a, const B& b) {
  matrix<typename A::Scalar> to;
  multiply(a, b, to);
  return to;
}

}  // namespace geofact
