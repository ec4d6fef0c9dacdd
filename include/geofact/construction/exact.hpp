#pragma once
#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "geofact/construction/construction.hpp"
#include "geofact/fact/path.hpp"

/// \file
/// A construction evaluated from its formulas without a model and without Eigen: `constexpr`, so that the compiler can
/// check a theorem at tiny sizes, and an oracle for the forward pass. Learned attention takes its limit of large
/// scores, as a model of integers does.

namespace geofact::exact {

template <class Number>
using numbers = std::vector<Number>;

template <construction C>
using number = decltype(std::declval<const C&>().unembedding(0, 0) + std::declval<const C&>().position(0, 0));

/// The values of a formula for each row and column.
template <class Number>
class table {
 public:
  template <class Formula>
  constexpr table(int rows, int columns, const Formula& formula) : rows_(rows), columns_(columns) {
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) values_.push_back(static_cast<Number>(formula(i, j)));
  }

  constexpr int rows() const { return rows_; }
  constexpr int columns() const { return columns_; }

  /// sum += column j times `factor`.                                  // (rows)
  constexpr void add_column(int j, numbers<Number>& sum, Number factor = 1) const {
    if (factor == Number{0}) return;
    const Number* const column = values_.data() + index_t{j} * rows_;  // pointers: calls take the compiler long
    Number* const to = sum.data();
    for (int i = 0; i < rows_; ++i) to[i] += factor * column[i];
  }

  /// sum + table x.                                                   // (rows), (columns) -> (rows)
  constexpr numbers<Number> product(const numbers<Number>& x, numbers<Number> sum) const {
    for (int j = 0; j < columns_; ++j) add_column(j, sum, x[static_cast<std::size_t>(j)]);
    return sum;
  }
  constexpr numbers<Number> product(const numbers<Number>& x) const {
    return product(x, numbers<Number>(static_cast<std::size_t>(rows_), Number{0}));
  }

  constexpr const numbers<Number>& values() const { return values_; }

 private:
  int rows_ = 0, columns_ = 0;
  numbers<Number> values_;
};

/// All weights of a construction, each by its formula.
template <class Number>
struct weights {
  struct layer {
    table<Number> w1, b1, w2, b2;
  };

  table<Number> entity, relation, position, query, key, value, head_output, unembedding;
  std::vector<layer> layers;
  Number abstain;
  bool chain;  ///< whether it answers step by step
};

template <construction C, int R>
constexpr weights<number<C>> tabulate(const C& c, const fact_table<R>& f) {
  using numbers = table<number<C>>;
  const int width = c.width(), hidden = c.hidden();
  const bool chain = c.heads() > 0;
  weights<number<C>> w{
      numbers(width, chain ? f.entities() : f.subjects(), [&](int i, int s) { return c.entity(f, s, i); }),
      numbers(width, c.relation_tokens(), [&](int i, int t) { return c.relation(t, i); }),
      numbers(width, c.positions(), [&](int i, int t) { return c.position(t, i); }),
      numbers(c.key(), width, [&](int i, int j) { return c.query(i, j); }),
      numbers(c.key(), width, [&](int i, int j) { return c.head_key(i, j); }),
      numbers(c.value(), width, [&](int i, int j) { return c.head_value(i, j); }),
      numbers(width, c.value(), [&](int i, int j) { return c.head_output(i, j); }),
      numbers(c.attributes(), c.output(), [&](int a, int j) { return c.unembedding(a, j); }),
      {},
      static_cast<number<C>>(c.abstain()),
      chain};
  for (int l = 0; l < c.layers(); ++l) {
    const int written = l + 1 < c.layers() ? width : c.output();
    w.layers.push_back({numbers(hidden, width, [&](int unit, int i) { return c.w1(l, unit, i); }),
                        numbers(hidden, 1, [&](int unit, int) { return c.b1(l, unit); }),
                        numbers(written, hidden, [&](int j, int unit) { return c.w2(f, l, j, unit); }),
                        numbers(written, 1, [&](int j, int) { return c.b2(l, j); })});
  }
  return w;
}

/// A growing sequence of tokens: entities, and relations counted from the number of entities on.
template <class Number>
class context {
 public:
  constexpr explicit context(const weights<Number>& w) : w_(w) {}

  constexpr void append(int token) {
    numbers<Number> x(static_cast<std::size_t>(w_.entity.rows()), Number{0});
    if (token < w_.entity.columns())
      w_.entity.add_column(token, x);
    else
      w_.relation.add_column(token - w_.entity.columns(), x);
    if (w_.position.columns() > 0) w_.position.add_column(static_cast<int>(embedded_.size()), x);
    if (w_.chain) keys_.push_back(w_.key.product(x));
    embedded_.push_back(std::move(x));
  }

  /// What enters the MLP at the last token.
  constexpr numbers<Number> stream() const {
    numbers<Number> x = embedded_.back();
    if (!w_.chain) {
      for (std::size_t t = 0; t + 1 < embedded_.size(); ++t)
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += embedded_[t][i];
      return x;
    }
    const auto query = w_.query.product(x);
    numbers<Number> scores;
    for (const auto& key : keys_)
      scores.push_back(std::inner_product(key.begin(), key.end(), query.begin(), Number{0}));
    const Number top = *std::max_element(scores.begin(), scores.end());
    numbers<Number> mixed(static_cast<std::size_t>(w_.value.rows()), Number{0});
    for (std::size_t t = 0; t < scores.size(); ++t)
      if (scores[t] == top) mixed = w_.value.product(embedded_[t], mixed);
    const auto shared = static_cast<Number>(std::count(scores.begin(), scores.end(), top));
    for (Number& sum : mixed) sum /= shared;
    return w_.head_output.product(mixed, x);
  }

 private:
  const weights<Number>& w_;
  std::vector<numbers<Number>> embedded_, keys_;
};

/// y = the MLPs of a stream.
template <class Number>
constexpr numbers<Number> mlp(const weights<Number>& w, numbers<Number> x) {
  for (const auto& layer : w.layers) {
    auto units = layer.w1.product(x, layer.b1.values());
    for (Number& h : units) h = (std::max)(h, Number{0});
    x = layer.w2.product(units, layer.b2.values());
  }
  return x;
}

/// The attribute of `range` with the one greatest logit; `unknown` where none stands above w.abstain or two share it.
template <class Number>
constexpr int answer(const weights<Number>& w, const numbers<Number>& y, attribute_range range) {
  const auto logits = w.unembedding.product(y);
  Number top = w.abstain;
  int best = unknown;
  for (int a = range.first; a < range.last; ++a) {
    const Number logit = logits[static_cast<std::size_t>(a)];
    if (logit == top) best = unknown;
    if (logit > top) top = logit, best = a;
  }
  return best;
}

/// What the construction answers to the path `relations` about `subject`: at once, or by a chain of thought where it
/// has learned attention.
template <class Number>
constexpr int ask(const weights<Number>& w, int subject, std::span<const int> relations, attribute_range range) {
  const int hops = static_cast<int>(relations.size()), per_hop = w.chain ? 0 : w.relation.columns() / hops;
  context<Number> sequence(w);
  if (!w.chain) sequence.append(subject);
  for (int hop = 0; hop < hops; ++hop)
    sequence.append(w.entity.columns() + hop * per_hop + relations[static_cast<std::size_t>(hop)]);
  if (!w.chain) return answer(w, mlp(w, sequence.stream()), range);
  for (int hop = 0; hop < hops && subject != unknown; ++hop) {
    sequence.append(subject);
    subject = answer(w, mlp(w, sequence.stream()), range);
  }
  return subject;
}

/// Whether the construction answers all N R^k questions as the facts do, `unknown` included.
template <construction C, int R>
constexpr bool recalls_all(const C& c, const fact_table<R>& facts) {
  const auto w = tabulate(c, facts);
  const path_set<> paths{facts.relations(), c.hops()};
  std::vector<int> path(static_cast<std::size_t>(c.hops()), 0);
  for (int i = 0; i < paths.size(); ++i) {
    for (int hop = 0; hop < c.hops(); ++hop) path[static_cast<std::size_t>(hop)] = paths.step(i, hop);
    for (int s = 0; s < facts.subjects(); ++s)
      if (ask(w, s, path, facts.codomain(path.back())) != follow(facts, s, path)) return false;
  }
  return true;
}

}  // namespace geofact::exact
