#pragma once
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "geofact/foundation/matrix.hpp"
#include "geofact/foundation/memory.hpp"
#include "geofact/model/shape.hpp"

namespace geofact {

/// One table of a model: where it lies in the block of parameters (column-major).
struct table {
  std::string name;
  int rows, columns;
  index_t offset;
  index_t size() const { return index_t{rows} * columns; }
};

/// The tables of a model of these sizes, one after the other; the unembedding comes last. Throws where the sizes
/// contradict each other or overflow.
template <shape S>
std::vector<table> layout(const sizes<S>& n) {
  require(n.width >= 1 && n.output >= 1, "a model needs a width and an output of at least 1, got ", int{n.width},
          " and ", int{n.output});
  require(n.residual == 0 || n.residual == 1, "a model is residual (1) or not (0), not ", int{n.residual});
  require((n.residual == 0 && n.layers > 0) || n.output <= n.width, "this model reads its output of ", int{n.output},
          " off a stream that is only ", int{n.width}, " wide");
  require_memory(4 * (index_t{n.heads} + n.layers), sizeof(table), "the list of this model's tables");
  std::vector<table> tables;
  const auto add = [&](std::string name, int rows, int columns) {
    const index_t offset = tables.empty() ? 0 : checked_sum(tables.back().offset, tables.back().size());
    tables.push_back({std::move(name), rows, columns, offset});
  };
  add("entity", n.width, n.entities);
  add("relation", n.width, n.relations);
  add("position", n.width, n.positions);
  for (int h = 0; h < n.heads; ++h) {
    const std::string head = "head." + std::to_string(h) + '.';
    add(head + "query", n.key, n.width);
    add(head + "key", n.key, n.width);
    add(head + "value", n.value, n.width);
    add(head + "output", n.width, n.value);
  }
  for (int l = 0; l < n.layers; ++l) {
    const std::string layer = "layer." + std::to_string(l) + '.';
    const int rows = l + 1 < n.layers ? n.width : n.output;
    add(layer + "w1", n.hidden, n.width);
    add(layer + "b1", n.hidden, 1);
    add(layer + "w2", rows, n.hidden);
    add(layer + "b2", rows, 1);
  }
  add("unembedding", n.attributes, n.output);
  return tables;
}

/// How many weights the tables hold.
inline index_t weights_in(const std::vector<table>& tables) {
  return checked_sum(tables.back().offset, tables.back().size());
}

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
