#pragma once
#include <utility>
#include <vector>

#include "geofact/model/forward.hpp"
#include "geofact/model/questions.hpp"

/// \file
/// The adjoints of the forward pass. Each takes the adjoint of its function's result, adds to the adjoints of the
/// weights (`gradient`, a model of the same sizes) and returns the adjoint of the argument.

namespace geofact {

/// What the MLPs leave for their adjoint.
template <class Scalar>
struct mlp_tape {
  std::vector<matrix<Scalar>> streams;  ///< what entered each layer   (width, queries); the first only if residual
  std::vector<matrix<Scalar>> units;    ///< relu(W1 x + b1)           (hidden, queries)
};

/// mlp_from_preactivation that remembers.  // (hidden, queries), (width, queries) -> (output, queries)
template <class Model, class Scalar = typename Model::Scalar>
matrix<Scalar> taped_mlp(const Model& model, matrix<Scalar> h, matrix<Scalar> x, mlp_tape<Scalar>& tape) {
  tape = {};
  for (int l = 0;; ++l) {
    tape.streams.push_back(std::move(x));
    tape.units.push_back(h.cwiseMax(Scalar{0}));
    x.noalias() = model.w2(l) * tape.units.back();
    x.colwise() += model.b2(l);
    if (model.residual()) x += tape.streams.back().topRows(x.rows());
    if (l + 1 == model.layers()) return x;
    h = preactivation(model, l + 1, x);
  }
}

/// The adjoint of taped_mlp: returns the adjoints of the preactivation and, where the model is residual, of the stream.
template <class Model, class Gradient, class Scalar = typename Model::Scalar>
std::pair<matrix<Scalar>, matrix<Scalar>> mlp_backward(const Model& model, const mlp_tape<Scalar>& tape,
                                                       matrix<Scalar> dy, Gradient& gradient) {
  for (int l = model.layers() - 1;; --l) {
    const auto i = static_cast<std::size_t>(l);
    gradient.w2(l).noalias() += dy * tape.units[i].transpose();
    gradient.b2(l) += dy.rowwise().sum();
    matrix<Scalar> dh = model.w2(l).transpose() * dy;
    dh = (tape.units[i].array() > Scalar{0}).select(dh, Scalar{0});
    matrix<Scalar> dx;
    if (model.residual()) {
      dx.setZero(model.width(), dy.cols());
      dx.topRows(dy.rows()) = dy;
    }
    if (l == 0) return {std::move(dh), std::move(dx)};
    gradient.w1(l).noalias() += dh * tape.streams[i].transpose();
    gradient.b1(l) += dh.rowwise().sum();
    if (model.residual())
      dx.noalias() += model.w1(l).transpose() * dh;
    else
      dx.noalias() = model.w1(l).transpose() * dh;
    dy = std::move(dx);
  }
}

/// Attention of head h for the last of some embedded tokens, each (width, queries), with what its adjoint needs.
template <class Scalar>
struct attention_tape {
  matrix<Scalar> query, mixed;               // (key, queries), (value, queries)
  std::vector<matrix<Scalar>> keys, values;  // of each token
  std::vector<row_vector<Scalar>> weights;   // of each token; they add up to 1
};

template <class Model, class Scalar = typename Model::Scalar>
attention_tape<Scalar> attend(const Model& model, int h, const std::vector<matrix<Scalar>>& tokens) {
  attention_tape<Scalar> tape;
  tape.query = model.head_query(h) * tokens.back();
  for (const auto& token : tokens) {
    tape.keys.emplace_back(model.head_key(h) * token);
    tape.values.emplace_back(model.head_value(h) * token);
    tape.weights.emplace_back(tape.query.cwiseProduct(tape.keys.back()).colwise().sum());
  }
  const row_vector<Scalar> sum = detail::exponentiate(tape.weights);
  tape.mixed.setZero(model.value(), tape.query.cols());
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    tape.weights[t].array() /= sum.array();
    tape.mixed.array() += tape.values[t].array().rowwise() * tape.weights[t].array();
  }
  return tape;
}

/// x_T + sum of all heads, for the last of some embedded tokens.   // (width, queries)
template <class Model, class Scalar = typename Model::Scalar>
matrix<Scalar> taped_attention(const Model& model, const std::vector<matrix<Scalar>>& tokens,
                               std::vector<attention_tape<Scalar>>& tapes) {
  matrix<Scalar> x = tokens.back();
  for (int h = 0; h < model.heads(); ++h) {
    tapes.push_back(attend(model, h, tokens));
    x.noalias() += model.head_output(h) * tapes.back().mixed;
  }
  return x;
}

/// The adjoint of taped_attention: returns the adjoints of the embedded tokens.
template <class Model, class Gradient, class Scalar = typename Model::Scalar>
std::vector<matrix<Scalar>> attention_backward(const Model& model, const std::vector<matrix<Scalar>>& tokens,
                                               const std::vector<attention_tape<Scalar>>& tapes,
                                               const matrix<Scalar>& dx, Gradient& gradient) {
  std::vector<matrix<Scalar>> dtokens(tokens.size(), matrix<Scalar>::Zero(dx.rows(), dx.cols()));
  dtokens.back() = dx;
  for (int h = 0; h < model.heads(); ++h) {
    const auto& tape = tapes[static_cast<std::size_t>(h)];
    gradient.head_output(h).noalias() += dx * tape.mixed.transpose();
    const matrix<Scalar> dmixed = model.head_output(h).transpose() * dx;
    const row_vector<Scalar> mean = dmixed.cwiseProduct(tape.mixed).colwise().sum();
    matrix<Scalar> dquery = matrix<Scalar>::Zero(model.key(), dx.cols());
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      const row_vector<Scalar> dweight = dmixed.cwiseProduct(tape.values[t]).colwise().sum();
      const row_vector<Scalar> dscore = tape.weights[t].cwiseProduct(dweight - mean);
      const matrix<Scalar> dvalue = dmixed.array().rowwise() * tape.weights[t].array();
      const matrix<Scalar> dkey = tape.query.array().rowwise() * dscore.array();
      dquery.array() += tape.keys[t].array().rowwise() * dscore.array();
      gradient.head_value(h).noalias() += dvalue * tokens[t].transpose();
      gradient.head_key(h).noalias() += dkey * tokens[t].transpose();
      dtokens[t].noalias() += model.head_value(h).transpose() * dvalue;
      dtokens[t].noalias() += model.head_key(h).transpose() * dkey;
    }
    gradient.head_query(h).noalias() += dquery * tokens.back().transpose();
    dtokens.back().noalias() += model.head_query(h).transpose() * dquery;
  }
  return dtokens;
}

}  // namespace geofact
