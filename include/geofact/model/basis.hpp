#pragma once
#include <cstdint>

#include "geofact/foundation/matrix.hpp"
#include "geofact/foundation/random.hpp"

namespace geofact {

/// The same function in another basis of the residual stream: x' = A x with A (width', width) of full column rank.
/// Tables that write the stream become A T and those that read it T A^+ (theory/single-hop.md, "the block form is one
/// member of a family"). A member of the superposition family e_s = sum_r A_r c_{f_r(s)} for every left-invertible [A_1
/// .. A_R]. Throws where A does not fit, is not left-invertible, or the model reads its output off the stream
/// (residual, or no layer).
template <class Model, class Scalar = typename Model::Scalar>
Model change_basis(const Model& model, const matrix<Scalar>& a) {
  static_assert(std::floating_point<Scalar>, "a change of basis needs a model of floating-point scalars");
  require(a.cols() == model.width(), "a change of basis of a stream of width ", model.width(), " has ", a.cols(),
          " columns");
  require(!model.residual() && model.layers() > 0,
          "this model reads its output off the stream: its basis cannot change");
  const Eigen::ColPivHouseholderQR<matrix<Scalar>> qr(a);
  require(qr.rank() == a.cols(), "the change of basis is not left-invertible: rank ", qr.rank(), " of ", a.cols());
  const matrix<Scalar> inverse = qr.solve(matrix<Scalar>::Identity(a.rows(), a.rows()));
  auto extents = model.extents();
  extents.width = to_extent(a.rows());
  Model moved(extents);
  moved.abstain = model.abstain;
  moved.entity() = product(a, model.entity());
  moved.relation() = product(a, model.relation());
  moved.position() = product(a, model.position());
  for (int h = 0; h < model.heads(); ++h) {
    moved.head_query(h) = product(model.head_query(h), inverse);
    moved.head_key(h) = product(model.head_key(h), inverse);
    moved.head_value(h) = product(model.head_value(h), inverse);
    moved.head_output(h) = product(a, model.head_output(h));
  }
  for (int l = 0; l < model.layers(); ++l) {
    const bool last = l + 1 == model.layers();
    moved.w1(l) = product(model.w1(l), inverse);
    moved.b1(l) = model.b1(l);
    moved.w2(l) = last ? matrix<Scalar>(model.w2(l)) : product(a, model.w2(l));
    moved.b2(l) = last ? matrix<Scalar>(model.b2(l)) : product(a, model.b2(l));
  }
  moved.unembedding() = model.unembedding();
  return moved;
}

/// A random isometry of `columns` dimensions into `rows`: the orthogonal factor of a Gaussian matrix.  // (rows,
/// columns)
template <class Scalar>
matrix<Scalar> random_isometry(int rows, int columns, std::uint64_t seed = 1) {
  require(rows >= columns, "there is no isometry of ", columns, " dimensions into ", rows);
  const random_stream random(seed);
  matrix<Scalar> gaussian(rows, columns);
  for (index_t i = 0; i < gaussian.size(); ++i)
    gaussian.data()[i] = static_cast<Scalar>(random.normal(static_cast<std::uint64_t>(i)));
  matrix<Scalar> isometry = matrix<Scalar>::Identity(rows, columns);
  isometry.applyOnTheLeft(Eigen::ColPivHouseholderQR<matrix<Scalar>>(gaussian).householderQ());
  return isometry;
}

}  // namespace geofact
