#pragma once
#include <vector>

#include "geofact/model/backward.hpp"
#include "geofact/probe/answers.hpp"

namespace geofact::probe {

/// What enters the MLPs where relation r is asked about each subject.              // (width, subjects)
template <class Model>
matrix<typename Model::Scalar> streams_under(const Model& model, const std::vector<int>& subjects, int r) {
  geofact::detail::require_among(subjects, model.entities());
  context<Model> sequence(model, std::ssize(subjects));
  sequence.append(subjects);
  sequence.append(std::vector<int>(subjects.size(), model.entities() + r));
  return sequence.stream();
}

/// The hidden units of each layer where relation r is asked about each subject.    // (hidden, subjects) of each layer
template <class Model>
std::vector<matrix<typename Model::Scalar>> units_under(const Model& model, const std::vector<int>& subjects, int r) {
  require(model.layers() >= 1, "a model without layers has no hidden units");
  return activations(model, streams_under(model, subjects, r)).units;
}

/// The Jacobian of the output by the subject's embedding under relation r, with each unit on as often as it is among
/// `subjects`: J_r = W2 diag(P(on | r)) W1, multiplied over the layers.            // (output, width)
template <class Model, class Scalar = typename Model::Scalar>
matrix<Scalar> mean_jacobian(const Model& model, const std::vector<int>& subjects, int r) {
  require(model.heads() == 0, "the mean Jacobian is that of uniform attention, and this model has ", model.heads(),
          " heads");
  const auto units = units_under(model, subjects, r);
  matrix<Scalar> jacobian = matrix<Scalar>::Identity(model.width(), model.width());
  for (int l = 0; l < model.layers(); ++l) {
    const vector<Scalar> on =
        (units[static_cast<std::size_t>(l)].array() > Scalar{0}).template cast<Scalar>().rowwise().mean();
    matrix<Scalar> next = model.w2(l) * (on.asDiagonal() * (model.w1(l) * jacobian));
    if (model.residual()) next += jacobian.topRows(next.rows());
    jacobian = std::move(next);
  }
  return jacobian;
}

/// The Jacobians of all relations, one below the other.                    // (relations x output, width)
template <class Model>
matrix<typename Model::Scalar> stacked_jacobians(const Model& model, const std::vector<int>& subjects) {
  matrix<typename Model::Scalar> all(index_t{model.relations()} * model.output(), model.width());
  for (int r = 0; r < model.relations(); ++r)
    all.middleRows(index_t{r} * model.output(), model.output()) = mean_jacobian(model, subjects, r);
  return all;
}

/// (J'J + lambda s)^-1 J', where s is the mean eigenvalue of J'J.           // (n, width) -> (width, n)
template <class Scalar>
matrix<Scalar> regularised_inverse(const matrix<Scalar>& jacobian, double lambda) {
  matrix<Scalar> gram = jacobian.transpose() * jacobian;
  gram.diagonal().array() += static_cast<Scalar>(lambda) * gram.trace() / static_cast<Scalar>(gram.rows());
  return gram.llt().solve(jacobian.transpose());
}

}  // namespace geofact::probe
