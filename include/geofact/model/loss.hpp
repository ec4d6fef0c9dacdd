#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "geofact/foundation/parallel.hpp"
#include "geofact/model/backward.hpp"
#include "geofact/model/parameters.hpp"

namespace geofact {

/// The loss over questions.
struct loss {
  double cross_entropy = 0;  ///< nats a question
  double recall = 0;         ///< share of questions whose target alone has the greatest logit
};

namespace detail {

struct loss_sum {
  double cross_entropy = 0;
  index_t recalled = 0;
};

/// logits = U y, softmax and cross-entropy of a tile of questions with their adjoints times `scale`, in one pass; the
/// logits exist for the tile alone. Adds (softmax - onehot) y' to dU and replaces y by U' (softmax - onehot).
template <class Scalar, class Unembedding, class Gradient>
void head_loss(const Unembedding& u, matrix<Scalar>& y, const int* targets, Scalar scale, Gradient&& du,
               loss_sum& sum) {
  matrix<Scalar> logits = u * y;  // (attributes, queries)
  for (index_t q = 0; q < y.cols(); ++q) {
    auto column = logits.col(q);
    const Scalar top = column.maxCoeff(), own = column[targets[q]];
    sum.recalled += own == top && (column.array() == top).count() == 1;  // a tie is no recall
    column = (column.array() - top).exp();
    const Scalar total = column.sum();
    sum.cross_entropy += std::log(static_cast<double>(total)) + static_cast<double>(top) - static_cast<double>(own);
    column *= scale / total;
    column[targets[q]] -= scale;
  }
  du.noalias() += logits * y.transpose();
  y.noalias() = u.transpose() * logits;
}

}  // namespace detail

/// Loss and gradient of a model of floating-point scalars over all questions, mean over the questions.
///
/// The questions are cut in tiles and the tiles dealt to a fixed number of lanes, each with a gradient of its own;
/// lanes run in parallel and are added in order. So the numbers do not depend on the number of threads. Under uniform
/// attention the first layer factorises (theory/model.md): W1 acts once on every token, and so does its adjoint.
template <class Model>
class loss_function {
 public:
  using Scalar = typename Model::Scalar;
  static constexpr int lanes = 8;

  /// Keeps references to neither; the sizes of later models must be the same. Throws for questions that do not fit.
  loss_function(const Model& model, questions asked, int threads = 0)
      : asked_(std::move(asked)), threads_(thread_count(threads)) {
    require(model.layers() >= 1, "training needs a model with at least one layer");
    require(asked_.size() >= 1, "there are no questions to train on");
    const int known = model.entities() + model.relations();
    for (int token : asked_.tokens)
      require(0 <= token && token < known, "token ", token, " is not among the ", known, " tokens of the model");
    for (int a : asked_.targets)
      require(0 <= a && a < model.attributes(), "target ", a, " is not among the ", model.attributes(),
              " attributes of the model");
    require(model.positions() == 0 || asked_.length <= model.positions(), "questions of ", asked_.length,
            " tokens do not fit ", model.positions(), " positions");
    tile_ = std::clamp<index_t>((index_t{1} << 18) / model.attributes(), 16, 256);
    for (int lane = 0; lane < lanes; ++lane) gradients_.emplace_back(model.extents());
  }

  const questions& asked() const { return asked_; }

  /// Floating-point operations of the matrix products of one call, under uniform attention.
  double flops(const Model& model) const {
    const double n = static_cast<double>(asked_.size()),
                 tokens = model.entities() + model.relations() + model.positions();
    const double first = model.residual() ? n : tokens, d = model.width(), m = model.hidden(), o = model.output();
    return 6 * (model.attributes() * o * n + m * o * n + d * m * first + 2 * (model.layers() - 1) * d * m * n);
  }

  /// The loss at `model`; writes its gradient.
  loss operator()(const Model& model, Model& gradient) {
    const bool factorises = model.heads() == 0 && !model.residual();
    matrix<Scalar> table = tokens_of(model), dtable;  // (width, tokens and positions)
    matrix<Scalar> units;
    if (factorises) units.noalias() = model.w1(0) * table;
    const matrix<Scalar>& embedded = factorises ? units : table;
    detail::loss_sum sums[lanes];
    parallel_for(lanes, threads_, [&](index_t lane) {
      auto& own = gradients_[static_cast<std::size_t>(lane)];
      own.block().setZero();
      dtables_[lane].setZero(embedded.rows(), embedded.cols());
      const index_t tiles = (asked_.size() + tile_ - 1) / tile_;
      for (index_t t = tiles * lane / lanes; t < tiles * (lane + 1) / lanes; ++t)
        tile(model, embedded, factorises, t * tile_, (std::min)(tile_, asked_.size() - t * tile_), own, dtables_[lane],
             sums[lane]);
    });
    add_lanes(gradient, dtable);
    if (factorises) {
      gradient.w1(0).noalias() += dtable * table.transpose();
      dtable = matrix<Scalar>(model.w1(0).transpose() * dtable);
    }
    gradient.entity() += dtable.leftCols(model.entities());
    gradient.relation() += dtable.middleCols(model.entities(), model.relations());
    gradient.position() += dtable.rightCols(model.positions());
    detail::loss_sum total;
    for (const auto& sum : sums) total.cross_entropy += sum.cross_entropy, total.recalled += sum.recalled;
    const auto n = static_cast<double>(asked_.size());
    return {total.cross_entropy / n, static_cast<double>(total.recalled) / n};
  }

 private:
  /// All embeddings side by side: entities, relations, positions.   // (width, tokens and positions)
  static matrix<Scalar> tokens_of(const Model& model) {
    matrix<Scalar> table(model.width(), model.entities() + model.relations() + model.positions());
    table.leftCols(model.entities()) = model.entity();
    table.middleCols(model.entities(), model.relations()) = model.relation();
    table.rightCols(model.positions()) = model.position();
    return table;
  }

  /// Calls visit(query, column of the table) for what stands at a place of each question of a tile.
  template <class Visit>
  void for_each_token(const Model& model, index_t first, index_t count, int place, const Visit& visit) const {
    for (index_t q = 0; q < count; ++q) {
      visit(q, asked_.token(first + q, place));
      if (model.positions() > 0) visit(q, model.entities() + model.relations() + place);
    }
  }

  void tile(const Model& model, const matrix<Scalar>& embedded, bool factorises, index_t first, index_t count,
            Model& gradient, matrix<Scalar>& dembedded, detail::loss_sum& sum) const {
    const bool attends = model.heads() > 0;
    // Under uniform attention the tokens of a question are one sum; under learned attention each place is a matrix.
    std::vector<matrix<Scalar>> places(attends ? static_cast<std::size_t>(asked_.length) : 1,
                                       matrix<Scalar>::Zero(embedded.rows(), count));
    const auto place_of = [&](auto& all, int place) -> auto& {
      return all[attends ? static_cast<std::size_t>(place) : 0];
    };
    for (int place = 0; place < asked_.length; ++place)
      for_each_token(model, first, count, place,
                     [&](index_t q, index_t column) { place_of(places, place).col(q) += embedded.col(column); });

    std::vector<attention_tape<Scalar>> attention;
    const matrix<Scalar> x = taped_attention(model, places, attention);
    mlp_tape<Scalar> tape;
    matrix<Scalar> y;
    if (factorises)
      y = taped_mlp(model, matrix<Scalar>(x.colwise() + model.b1(0)), {}, tape);
    else
      y = taped_mlp(model, preactivation(model, 0, x), x, tape);

    detail::head_loss(model.unembedding(), y, asked_.targets.data() + first,
                      Scalar{1} / static_cast<Scalar>(asked_.size()), gradient.unembedding(), sum);
    auto [dh, dx] = mlp_backward(model, tape, std::move(y), gradient);
    gradient.b1(0) += dh.rowwise().sum();

    std::vector<matrix<Scalar>> dplaces;
    if (factorises) {
      dplaces.push_back(std::move(dh));
    } else {
      gradient.w1(0).noalias() += dh * x.transpose();
      if (!model.residual()) dx.setZero(model.width(), count);
      dx.noalias() += model.w1(0).transpose() * dh;
      dplaces = attention_backward(model, places, attention, dx, gradient);
    }
    for (int place = 0; place < asked_.length; ++place)
      for_each_token(model, first, count, place,
                     [&](index_t q, index_t column) { dembedded.col(column) += place_of(dplaces, place).col(q); });
  }

  /// Adds the lanes in their order, a slice of the weights a thread.
  void add_lanes(Model& gradient, matrix<Scalar>& dtable) {
    dtable = dtables_[0];
    const auto add = [&](auto& sum, const auto& part) {
      constexpr index_t slice = 1 << 14;
      parallel_for((sum.size() + slice - 1) / slice, threads_, [&](index_t i) {
        const index_t begin = i * slice, size = (std::min)(slice, sum.size() - begin);
        auto to = sum.reshaped().segment(begin, size);
        to = part(0).reshaped().segment(begin, size);
        for (int lane = 1; lane < lanes; ++lane) to += part(lane).reshaped().segment(begin, size);
      });
    };
    add(
        gradient.block(), [&](int lane) -> auto& { return gradients_[static_cast<std::size_t>(lane)].block(); });
    add(
        dtable, [&](int lane) -> auto& { return dtables_[lane]; });
  }

  questions asked_;
  int threads_;
  index_t tile_ = 0;
  std::vector<Model> gradients_;   // of each lane
  matrix<Scalar> dtables_[lanes];  // adjoints of the embedded tokens, of each lane
};

}  // namespace geofact
