#pragma once
#include <utility>
#include <vector>

#include "geofact/model/backward.hpp"
#include "geofact/model/questions.hpp"

namespace geofact {

/// All embeddings of a model side by side: entities, relations, positions. Under uniform attention without a residual
/// the first layer factorises (theory/model.md): W1 acts once on every token, not once on every question.
template <class Model>
struct token_table {
  using Scalar = typename Model::Scalar;

  explicit token_table(const Model& model)
      : factorises(model.heads() == 0 && !model.residual()),
        embeddings(model.width(), model.entities() + model.relations() + model.positions()) {
    embeddings << model.entity(), model.relation(), model.position();
    if (factorises) units.noalias() = model.w1(0) * embeddings;
  }

  /// What a question gathers: units where the first layer factorises, embeddings elsewhere.
  const matrix<Scalar>& read() const { return factorises ? units : embeddings; }

  /// The adjoint of the constructor, given that of read().
  void backward(const Model& model, const matrix<Scalar>& dread, Model& gradient) const {
    if (factorises) gradient.w1(0).noalias() += dread * embeddings.transpose();
    const matrix<Scalar> dembeddings = factorises ? matrix<Scalar>(model.w1(0).transpose() * dread) : dread;
    gradient.entity() += dembeddings.leftCols(model.entities());
    gradient.relation() += dembeddings.middleCols(model.entities(), model.relations());
    gradient.position() += dembeddings.rightCols(model.positions());
  }

  bool factorises;
  matrix<Scalar> embeddings;  // (width, tokens and positions)
  matrix<Scalar> units;       // (hidden, tokens and positions)
};

/// Some questions that stand one after the other.
struct question_range {
  const questions* asked;
  index_t first, count;
};

/// Some questions on their way through a model, and back.
template <class Model>
class pass {
 public:
  using Scalar = typename Model::Scalar;

  pass(const Model& model, const token_table<Model>& table, const question_range& range)
      : model_(model),
        table_(table),
        range_(range),
        places_(model.heads() > 0 ? static_cast<std::size_t>(range.asked->length) : 1,
                matrix<Scalar>::Zero(table.read().rows(), range.count)) {
    for_each_token(
        [&](std::size_t place, index_t q, index_t column) { places_[place].col(q) += table.read().col(column); });
  }

  /// y of each question.                                             // (output, questions)
  matrix<Scalar> forward() {
    x_ = taped_attention(model_, places_, attention_);
    if (table_.factorises) return taped_mlp(model_, matrix<Scalar>(x_.colwise() + model_.b1(0)), {}, tape_);
    return taped_mlp(model_, preactivation(model_, 0, x_), x_, tape_);
  }

  /// The adjoint of forward(): adds to `gradient` and to the adjoint of the table.
  void backward(matrix<Scalar> dy, Model& gradient, matrix<Scalar>& dread) const {
    auto [dh, dx] = mlp_backward(model_, tape_, std::move(dy), gradient);
    gradient.b1(0) += dh.rowwise().sum();
    std::vector<matrix<Scalar>> dplaces;
    if (table_.factorises) {
      dplaces.push_back(std::move(dh));
    } else {
      gradient.w1(0).noalias() += dh * x_.transpose();
      if (!model_.residual()) dx.setZero(model_.width(), range_.count);
      dx.noalias() += model_.w1(0).transpose() * dh;
      dplaces = attention_backward(model_, places_, attention_, dx, gradient);
    }
    for_each_token([&](std::size_t place, index_t q, index_t column) { dread.col(column) += dplaces[place].col(q); });
  }

 private:
  /// Calls visit(place, question, column of the table) for each token and its position. Under uniform attention all
  /// tokens of a question share one place: their sum.
  template <class Visit>
  void for_each_token(const Visit& visit) const {
    for (int t = 0; t < range_.asked->length; ++t) {
      const std::size_t place = model_.heads() > 0 ? static_cast<std::size_t>(t) : 0;
      for (index_t q = 0; q < range_.count; ++q) {
        visit(place, q, range_.asked->token(range_.first + q, t));
        if (model_.positions() > 0) visit(place, q, model_.entities() + model_.relations() + t);
      }
    }
  }

  const Model& model_;
  const token_table<Model>& table_;
  question_range range_;
  std::vector<matrix<Scalar>> places_;  // of each place (width or hidden, questions)
  std::vector<attention_tape<Scalar>> attention_;
  matrix<Scalar> x_;
  mlp_tape<Scalar> tape_;
};

}  // namespace geofact
