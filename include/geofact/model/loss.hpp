#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "geofact/foundation/parallel.hpp"
#include "geofact/foundation/subnormals.hpp"
#include "geofact/model/cross_entropy.hpp"
#include "geofact/model/parameters.hpp"
#include "geofact/model/pass.hpp"

namespace geofact {

/// Loss and gradient of a model of floating-point scalars over questions, mean over the questions. The logits exist for
/// a tile of questions alone.
///
/// The questions are cut in tiles and the tiles dealt to a fixed number of lanes, each with a gradient of its own;
/// lanes run in parallel and are added in order. So the numbers do not depend on the number of threads. Subnormal
/// numbers are 0.
template <class Model>
class loss_function {
 public:
  using Scalar = typename Model::Scalar;
  static constexpr int lanes = 8;

  /// Keeps no reference to the model; the sizes of later models must be the same. Throws for questions that do not fit,
  /// and where a gradient for each lane does not fit in memory.
  loss_function(const Model& model, std::vector<questions> asked, int threads = 0)
      : asked_(std::move(asked)), threads_(thread_count(threads)) {
    require(model.layers() >= 1, "training needs a model with at least one layer");
    require_fit(model.extents(), asked_);
    require_memory(checked_product(model.count(), lanes), sizeof(Scalar), "the gradients of this model");
    tile_ = std::clamp<index_t>((index_t{1} << 18) / model.attributes(), 16, 256);
    for (int i = 0; i < lanes; ++i) lanes_.emplace_back(model);
  }
  loss_function(const Model& model, questions asked, int threads = 0)
      : loss_function(model, std::vector{std::move(asked)}, threads) {}

  const std::vector<questions>& asked() const { return asked_; }

  /// Floating-point operations of the matrix products of a loss and its gradient over `count` questions, under uniform
  /// attention.
  template <shape S>
  static double flops(const sizes<S>& n, index_t count) {
    const double q = static_cast<double>(count), tokens = n.entities + n.relations + n.positions;
    const double first = n.residual == 1 ? q : tokens, d = n.width, m = n.hidden, o = n.output;
    return 6 * (n.attributes * o * q + m * o * q + d * m * first + 2 * (n.layers - 1) * d * m * q);
  }

  /// The loss at `model` over all questions.
  loss operator()(const Model& model) {
    const subnormals_are_zero here;
    const token_table<Model> table(model);
    return for_each_tile(asked_, [&](lane& own, const question_range& range, Scalar scale) {
      pass<Model>(model, table, range, own.room);
      multiply(model.unembedding(), own.room.mlp.y, own.room.logits);
      return detail::cross_entropy(own.room.logits, targets(range), scale);
    });
  }

  /// The loss at `model` over all questions; writes its gradient.
  loss operator()(const Model& model, Model& gradient) { return differentiate(model, asked_, gradient); }

  /// The same over the questions of these numbers.
  loss operator()(const Model& model, Model& gradient, std::span<const int> numbers) {
    require(!numbers.empty(), "a batch without questions has no loss");
    return differentiate(model, subset(asked_, numbers), gradient);
  }

 private:
  /// What one thread at a time works in.
  struct lane {
    explicit lane(const Model& model) : gradient(model.extents()), room(model.layers()) {}
    Model gradient;
    matrix<Scalar> dread;  // adjoint of what the questions gather
    workspace<Scalar> room;
  };

  static const int* targets(const question_range& range) { return range.asked->targets.data() + range.first; }

  /// Calls work(lane, tile, 1 / questions) for every tile and adds the losses.
  template <class Work>
  loss for_each_tile(const std::vector<questions>& asked, const Work& work) {
    std::vector<question_range> tiles;
    for (const auto& set : asked)
      for (index_t first = 0; first < set.size(); first += tile_)
        tiles.push_back({&set, first, (std::min)(tile_, set.size() - first)});
    const auto n = static_cast<double>(total(asked));
    detail::loss_sum sums[lanes], all;
    parallel_for(lanes, threads_, [&](index_t number) {
      const auto count = tiles.size(), i = static_cast<std::size_t>(number);
      for (std::size_t t = count * i / lanes; t < count * (i + 1) / lanes; ++t)
        sums[i] += work(lanes_[i], tiles[t], static_cast<Scalar>(1 / n));
    });
    for (const auto& sum : sums) all += sum;
    return {all.cross_entropy / n, static_cast<double>(all.recalled) / n};
  }

  loss differentiate(const Model& model, const std::vector<questions>& asked, Model& gradient) {
    const subnormals_are_zero here;
    const token_table<Model> table(model);
    parallel_for(lanes, threads_, [&](index_t i) {
      lane& own = lanes_[static_cast<std::size_t>(i)];
      own.gradient.block().setZero();
      own.dread.setZero(table.read().rows(), table.read().cols());
    });
    const loss found = for_each_tile(asked, [&](lane& own, const question_range& range, Scalar scale) {
      pass<Model> through(model, table, range, own.room);
      matrix<Scalar>&y = own.room.mlp.y, &logits = own.room.logits;
      multiply(model.unembedding(), y, logits);
      const auto sum = detail::cross_entropy(logits, targets(range), scale);
      own.gradient.unembedding().noalias() += logits * y.transpose();
      own.room.mlp.dy.noalias() = model.unembedding().transpose() * logits;
      through.backward(own.gradient, own.dread);
      return sum;
    });
    matrix<Scalar> dread(table.read().rows(), table.read().cols());
    add_lanes(
        gradient.block(), [](lane & one) -> auto& { return one.gradient.block(); });
    add_lanes(
        dread, [](lane & one) -> auto& { return one.dread; });
    table.backward(model, dread, gradient);
    return found;
  }

  /// sum = the parts of all lanes, added in their order, a slice of the numbers a thread.
  void add_lanes(auto& sum, const auto& part) {
    constexpr index_t slice = 1 << 14;
    parallel_for((sum.size() + slice - 1) / slice, threads_, [&](index_t i) {
      const index_t begin = i * slice, size = (std::min)(slice, sum.size() - begin);
      auto to = sum.reshaped().segment(begin, size);
      to = part(lanes_[0]).reshaped().segment(begin, size);
      for (std::size_t other = 1; other < lanes; ++other) to += part(lanes_[other]).reshaped().segment(begin, size);
    });
  }

  std::vector<questions> asked_;
  int threads_;
  index_t tile_ = 0;
  std::vector<lane> lanes_;
};

}  // namespace geofact
