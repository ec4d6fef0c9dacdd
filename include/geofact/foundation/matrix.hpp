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

}  // namespace geofact
