#pragma once
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
    if (factorises) multiply(model.w1(0), embeddings, units);
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

/// Where questions on their way are computed. Used again for as many questions it allocates nothing, as long as the
/// attention is uniform.
template <class Scalar>
struct workspace {
  explicit workspace(int layers) : mlp(layers) {}

  std::vector<matrix<Scalar>> places;  ///< what stands at each place (width or hidden, questions)
  std::vector<attention_tape<Scalar>> attention;
  matrix<Scalar> x;  ///< the stream
  mlp_tape<Scalar> mlp;
  matrix<Scalar> logits;  ///< of the head, (attributes, questions)
};

/// Some questions on their way through a model, and back.
template <class Model>
class pass {
 public:
  using Scalar = typename Model::Scalar;

  /// Leaves the output of each question in room.mlp.y.                // (output, questions)
  pass(const Model& model, const token_table<Model>& table, const question_range& range, workspace<Scalar>& room)
      : model_(model), table_(table), range_(range), room_(room) {
    auto& h = room.mlp.units[0];
    if (table.factorises) {
      h.resize(model.hidden(), range.count);
      h.colwise() = model.b1(0);
      for_each_token([&](std::size_t, index_t q, index_t column) { h.col(q) += table.units.col(column); });
    } else {
      room.places.resize(model.heads() > 0 ? static_cast<std::size_t>(range.asked->length) : 1);
      for (auto& place : room.places) place.setZero(model.width(), range.count);
      for_each_token([&](std::size_t place, index_t q, index_t column) {
        room.places[place].col(q) += table.embeddings.col(column);
      });
      room.x = taped_attention(model, room.places, room.attention);
      multiply(model.w1(0), room.x, h);
      h.colwise() += model.b1(0);
      if (model.residual()) room.mlp.streams[0] = room.x;
    }
    taped_mlp(model, room.mlp);
  }

  /// Takes the adjoint of the output, room.mlp.dy, which it uses up, to `gradient` and to the adjoint of the table.
  void backward(Model& gradient, matrix<Scalar>& dread) {
    mlp_backward(model_, room_.mlp, gradient);
    auto &dh = room_.mlp.dh, &dx = room_.mlp.dx;
    gradient.b1(0) += dh.rowwise().sum();
    if (table_.factorises) {
      for_each_token([&](std::size_t, index_t q, index_t column) { dread.col(column) += dh.col(q); });
      return;
    }
    gradient.w1(0).noalias() += dh * room_.x.transpose();
    if (!model_.residual()) dx.setZero(model_.width(), range_.count);
    dx.noalias() += model_.w1(0).transpose() * dh;
    const auto dplaces = attention_backward(model_, room_.places, room_.attention, dx, gradient);
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
  workspace<Scalar>& room_;
};

}  // namespace geofact
