#pragma once
#include <concepts>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "geofact/foundation/matrix.hpp"

namespace geofact {

// Tokens are numbered in one sequence: entity s is token s, relation token t is token entities + t.

namespace detail {

/// Adds the embedding of tokens[q] to column q of `stream`.
template <class Model, class Scalar>
void gather_sum(const Model& model, std::span<const int> tokens, matrix<Scalar>& stream) {
  const int entities = model.entities(), relations = model.relations();
  for (index_t q = 0; q < stream.cols(); ++q) {
    const int token = tokens[static_cast<std::size_t>(q)];
    require(0 <= token && token < entities + relations, "token ", token, " is not among the ", entities,
            " entities and ", relations, " relation tokens of the model");
    if (token < entities)
      stream.col(q) += model.entity().col(token);
    else
      stream.col(q) += model.relation().col(token - entities);
  }
}

/// Turns the scores of each query into attention weights, in place: scores[t] (1, queries). Softmax; for integers its
/// limit of large scores: 1 for every greatest score, and `sum` counts them.
template <class Scalar>
row_vector<Scalar> exponentiate(std::vector<row_vector<Scalar>>& scores) {
  row_vector<Scalar> top = scores[0], sum = row_vector<Scalar>::Zero(top.size());
  for (const auto& score : scores) top = top.cwiseMax(score);
  for (auto& score : scores) {
    if constexpr (std::integral<Scalar>)
      score = (score.array() == top.array()).template cast<Scalar>();
    else
      score = (score - top).array().exp();
    sum += score;
  }
  return sum;
}

}  // namespace detail

/// A batch of growing token sequences and what the model remembers of them: with uniform attention the sum of their
/// embeddings, with learned attention the keys and values of every token.
template <class Model>
class context {
 public:
  using Scalar = typename Model::Scalar;

  context(const Model& model, index_t queries)
      : model_(model),
        stream_(matrix<Scalar>::Zero(model.width(), queries)),
        heads_(static_cast<std::size_t>(model.heads())) {}

  /// Appends one token to each sequence. Throws for a token or a position that the model does not have.
  void append(std::span<const int> tokens) {
    require(static_cast<index_t>(tokens.size()) == stream_.cols(), "a batch of ", stream_.cols(), " sequences got ",
            tokens.size(), " tokens");
    if (model_.heads() > 0) stream_.setZero();
    detail::gather_sum(model_, tokens, stream_);
    if (model_.positions() > 0) {
      require(length_ < model_.positions(), "the model has ", model_.positions(), " positions and no place for token ",
              length_ + 1);
      stream_.colwise() += vector<Scalar>(model_.position().col(length_));
    }
    for (int h = 0; h < model_.heads(); ++h) {
      head& memory = heads_[static_cast<std::size_t>(h)];
      memory.keys.emplace_back(product(model_.head_key(h), stream_));      // (key, queries)
      memory.values.emplace_back(product(model_.head_value(h), stream_));  // (value, queries)
    }
    ++length_;
  }

  /// What enters the MLP at the last token.                          // (width, queries)
  matrix<Scalar> stream() const {
    matrix<Scalar> x = stream_;
    for (int h = 0; h < model_.heads(); ++h) x += product(model_.head_output(h), attend(h));
    return x;
  }

 private:
  struct head {
    std::vector<matrix<Scalar>> keys, values;
  };

  /// sum_t weight_t value_t of head h for the last token's query.    // (value, queries)
  matrix<Scalar> attend(int h) const {
    const head& memory = heads_[static_cast<std::size_t>(h)];
    const matrix<Scalar> query = product(model_.head_query(h), stream_);
    std::vector<row_vector<Scalar>> weights;
    for (const auto& key : memory.keys) weights.emplace_back(query.cwiseProduct(key).colwise().sum());
    const row_vector<Scalar> sum = detail::exponentiate(weights);
    matrix<Scalar> mixed = matrix<Scalar>::Zero(model_.value(), query.cols());
    for (std::size_t t = 0; t < weights.size(); ++t)
      mixed.array() += memory.values[t].array().rowwise() * weights[t].array();
    matrix<Scalar> mean = mixed.array().rowwise() / sum.array();
    if constexpr (std::integral<Scalar>)
      require((mean.array().rowwise() * sum.array() == mixed.array()).all(),
              "equal scores share attention, and the shared values do not divide without a rest in integers");
    return mean;
  }

  const Model& model_;
  matrix<Scalar> stream_;
  std::vector<head> heads_;
  int length_ = 0;
};

/// W1 x + b1 of layer l.                                             // (width, queries) -> (hidden, queries)
template <class Model, class Stream>
matrix<typename Model::Scalar> preactivation(const Model& model, int l, const Stream& x) {
  auto h = product(model.w1(l), x);
  h.colwise() += model.b1(l);
  return h;
}

/// The MLPs from the first one's preactivation on; `x` is the stream, read only by residual models.
/// (hidden, queries), (width, queries) -> (output, queries)
template <class Model, class Scalar = typename Model::Scalar>
matrix<Scalar> mlp_from_preactivation(const Model& model, matrix<Scalar> h, matrix<Scalar> x) {
  for (int l = 0;; ++l) {
    h = h.cwiseMax(Scalar{0});
    matrix<Scalar> y = product(model.w2(l), h);
    y.colwise() += model.b2(l);
    if (model.residual()) y += x.topRows(y.rows());
    if (l + 1 == model.layers()) return y;
    x = std::move(y);
    h = preactivation(model, l + 1, x);
  }
}

/// y of a stream: all MLPs, or its first coordinates where there is none.  // (width, queries) -> (output, queries)
template <class Model, class Scalar = typename Model::Scalar>
matrix<Scalar> mlp(const Model& model, const matrix<Scalar>& x) {
  if (model.layers() == 0) return x.topRows(model.output());
  return mlp_from_preactivation(model, preactivation(model, 0, x), x);
}

/// The model's output for a batch of sequences of equal length: tokens[t][q] is token t of sequence q.
/// Throws for a token that the model does not have.                  // -> (output, queries)
template <class Model>
matrix<typename Model::Scalar> forward(const Model& model, std::span<const std::vector<int>> tokens) {
  require(!tokens.empty(), "a model needs at least one token");
  context<Model> sequence(model, static_cast<index_t>(tokens[0].size()));
  for (const auto& column : tokens) sequence.append(column);
  return mlp(model, sequence.stream());
}

}  // namespace geofact
