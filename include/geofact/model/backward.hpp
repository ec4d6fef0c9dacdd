#pragma once
#include <vector>

#include "geofact/model/forward.hpp"
#include "geofact/model/questions.hpp"

/// \file
/// The adjoints of the forward pass. Each takes the adjoint of its function's result to that of the argument, and adds
/// to the adjoints of the weights (`gradient`, a model of the same sizes).

namespace geofact {

/// What the MLPs leave for their adjoint. Used again for as many queries it allocates nothing.
template <class Scalar>
struct mlp_tape {
  explicit mlp_tape(int layers) : streams(static_cast<std::size_t>(layers)), units(static_cast<std::size_t>(layers)) {}

  std::vector<matrix<Scalar>> streams;  ///< what entered each layer (width, queries); the first only if residual
  std::vector<matrix<Scalar>> units;    ///< relu(W1 x + b1) of each layer (hidden, queries)
  matrix<Scalar> y, dy;                 ///< the output and its adjoint (output, queries)
  matrix<Scalar> dh, dx;                ///< adjoints of the first preactivation and stream
};

/// mlp_from_preactivation that remembers: takes tape.units[0], the first preactivation, and tape.streams[0], read only
/// by residual models, to tape.y.
template <class Model, class Scalar = typename Model::Scalar>
void taped_mlp(const Model& model, mlp_tape<Scalar>& tape) {
  for (int l = 0;; ++l) {
    const auto i = static_cast<std::size_t>(l);
    tape.units[i] = tape.units[i].cwiseMax(Scalar{0});
    multiply(model.w2(l), tape.units[i], tape.y);
    tape.y.colwise() += model.b2(l);
    if (model.residual()) tape.y += tape.streams[i].topRows(tape.y.rows());
    if (l + 1 == model.layers()) return;
    tape.streams[i + 1].swap(tape.y);
    multiply(model.w1(l + 1), tape.streams[i + 1], tape.units[i + 1]);
    tape.units[i + 1].colwise() += model.b1(l + 1);
  }
}

/// All that the MLPs compute of a stream.                            // (width, queries)
template <class Model, class Scalar = typename Model::Scalar>
mlp_tape<Scalar> activations(const Model& model, const matrix<Scalar>& x) {
  mlp_tape<Scalar> tape(model.layers());
  tape.streams[0] = x;
  tape.units[0] = preactivation(model, 0, x);
  taped_mlp(model, tape);
  return tape;
}

/// The adjoint of taped_mlp: takes tape.dy, which it uses up, to tape.dh and, where the model is residual, tape.dx.
template <class Model, class Gradient, class Scalar = typename Model::Scalar>
void mlp_backward(const Model& model, mlp_tape<Scalar>& tape, Gradient& gradient) {
  for (int l = model.layers() - 1;; --l) {
    const auto i = static_cast<std::size_t>(l);
    gradient.w2(l).noalias() += tape.dy * tape.units[i].transpose();
    gradient.b2(l) += tape.dy.rowwise().sum();
    tape.dh.noalias() = model.w2(l).transpose() * tape.dy;
    tape.dh = (tape.units[i].array() > Scalar{0}).select(tape.dh, Scalar{0});
    tape.dx.setZero(model.width(), model.residual() || l > 0 ? tape.dy.cols() : 0);
    if (model.residual()) tape.dx.topRows(tape.dy.rows()) = tape.dy;
    if (l == 0) return;
    gradient.w1(l).noalias() += tape.dh * tape.streams[i].transpose();
    gradient.b1(l) += tape.dh.rowwise().sum();
    tape.dx.noalias() += model.w1(l).transpose() * tape.dh;
    tape.dy.swap(tape.dx);
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
  tape.query = product(model.head_query(h), tokens.back());
  for (const auto& token : tokens) {
    tape.keys.emplace_back(product(model.head_key(h), token));
    tape.values.emplace_back(product(model.head_value(h), token));
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
  tapes.clear();
  for (int h = 0; h < model.heads(); ++h) {
    tapes.push_back(attend(model, h, tokens));
    x += product(model.head_output(h), tapes.back().mixed);
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
