#pragma once
#include <limits>
#include <type_traits>
#include <vector>

#include "geofact/foundation/matrix.hpp"
#include "geofact/foundation/memory.hpp"
#include "geofact/model/layout.hpp"

namespace geofact {

/// All weights of a model in one contiguous block, with a named view on each table. Constructions write it, training
/// updates it, probes read it; gradients and optimiser state are the same type.
template <class Scalar_, shape S = shape{}>
class parameters {
 public:
  using Scalar = Scalar_;
  static constexpr shape static_shape = S;

  /// All weights zero. Throws as `layout` does, and where they do not fit this machine's memory.
  explicit parameters(const sizes<S>& n) : sizes_(n), tables_(layout(n)) {
    require_memory(weights_in(tables_), sizeof(Scalar), "the parameters of this model");
    block_.setZero(weights_in(tables_));
  }

  const sizes<S>& extents() const { return sizes_; }
  int entities() const { return sizes_.entities; }
  int relations() const { return sizes_.relations; }
  int positions() const { return sizes_.positions; }
  int width() const { return sizes_.width; }
  int hidden() const { return sizes_.hidden; }
  int layers() const { return sizes_.layers; }
  int output() const { return sizes_.output; }
  int attributes() const { return sizes_.attributes; }
  int heads() const { return sizes_.heads; }
  int key() const { return sizes_.key; }
  int value() const { return sizes_.value; }
  bool residual() const { return sizes_.residual != 0; }

  /// The number of weights.
  index_t count() const { return block_.size(); }
  /// All weights as one vector; tables() says what lies where.
  vector<Scalar>& block() { return block_; }
  const vector<Scalar>& block() const { return block_; }
  const std::vector<table>& tables() const { return tables_; }

  /// Scores at or below this one mean "no answer"; by default every score is an answer.
  Scalar abstain = std::numeric_limits<Scalar>::lowest();

  auto entity() { return view<S.width, S.entities>(*this, 0); }
  auto entity() const { return view<S.width, S.entities>(*this, 0); }
  auto relation() { return view<S.width, S.relations>(*this, 1); }
  auto relation() const { return view<S.width, S.relations>(*this, 1); }
  auto position() { return view<S.width, S.positions>(*this, 2); }
  auto position() const { return view<S.width, S.positions>(*this, 2); }
  auto head_query(int h) { return view<S.key, S.width>(*this, head(h)); }
  auto head_query(int h) const { return view<S.key, S.width>(*this, head(h)); }
  auto head_key(int h) { return view<S.key, S.width>(*this, head(h) + 1); }
  auto head_key(int h) const { return view<S.key, S.width>(*this, head(h) + 1); }
  auto head_value(int h) { return view<S.value, S.width>(*this, head(h) + 2); }
  auto head_value(int h) const { return view<S.value, S.width>(*this, head(h) + 2); }
  auto head_output(int h) { return view<S.width, S.value>(*this, head(h) + 3); }
  auto head_output(int h) const { return view<S.width, S.value>(*this, head(h) + 3); }
  auto w1(int l) { return view<S.hidden, S.width>(*this, layer(l)); }
  auto w1(int l) const { return view<S.hidden, S.width>(*this, layer(l)); }
  auto b1(int l) { return view<S.hidden, 1>(*this, layer(l) + 1); }
  auto b1(int l) const { return view<S.hidden, 1>(*this, layer(l) + 1); }
  auto w2(int l) { return view<written, S.hidden>(*this, layer(l) + 2); }
  auto w2(int l) const { return view<written, S.hidden>(*this, layer(l) + 2); }
  auto b2(int l) { return view<written, 1>(*this, layer(l) + 3); }
  auto b2(int l) const { return view<written, 1>(*this, layer(l) + 3); }
  auto unembedding() { return view<S.attributes, S.output>(*this, static_cast<int>(tables_.size()) - 1); }
  auto unembedding() const { return view<S.attributes, S.output>(*this, static_cast<int>(tables_.size()) - 1); }

 private:
  static constexpr int written = S.layers == 1 || S.output == S.width ? S.output : dynamic;

  int head(int h) const { return 3 + 4 * h; }
  int layer(int l) const { return 3 + 4 * (heads() + l); }

  template <int Rows, int Columns, class Self>
  static auto view(Self& self, int i) {
    using plain =
        matrix<Scalar, Rows == 0 ? dynamic : Rows, Columns == 0 ? dynamic : Columns>;  // Eigen: no empty statics
    const table& t = self.tables_[static_cast<std::size_t>(i)];
    return Eigen::Map<std::conditional_t<std::is_const_v<Self>, const plain, plain>>(self.block_.data() + t.offset,
                                                                                     t.rows, t.columns);
  }

  sizes<S> sizes_;
  std::vector<table> tables_;
  vector<Scalar> block_;
};

}  // namespace geofact
