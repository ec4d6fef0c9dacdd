#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "geofact/construction/construction.hpp"
#include "geofact/fact/path.hpp"

/// \file
/// A construction evaluated weight by weight from its formula, without a model and without Eigen: `constexpr`, so that
/// the compiler can check a theorem at tiny sizes, and an oracle for the forward pass. Learned attention takes its
/// limit of large scores, as a model of integers does.

namespace geofact::exact {

template <class Number>
using numbers = std::vector<Number>;

template <construction C>
using number = decltype(std::declval<const C&>().unembedding(0, 0) + std::declval<const C&>().position(0, 0));

/// The embedding of token `t` (entity, or relations counted from `entities` on) at place `place`.
template <construction C, fact_function F>
constexpr numbers<number<C>> embed(const C& c, const F& f, int entities, int t, int place) {
  numbers<number<C>> x(static_cast<std::size_t>(c.width()), number<C>{0});
  for (int i = 0; i < c.width(); ++i)
    x[static_cast<std::size_t>(i)] =
        static_cast<number<C>>(t < entities ? c.entity(f, t, i) : c.relation(t - entities, i)) +
        static_cast<number<C>>(c.positions() > 0 ? c.position(place, i) : 0);
  return x;
}

/// What enters the MLP after a sequence of tokens.
template <construction C, fact_function F>
constexpr numbers<number<C>> stream(const C& c, const F& f, int entities, std::span<const int> tokens) {
  using Number = number<C>;
  numbers<numbers<Number>> embedded;
  for (std::size_t t = 0; t < tokens.size(); ++t)
    embedded.push_back(embed(c, f, entities, tokens[t], static_cast<int>(t)));
  numbers<Number> x = embedded.back();
  const auto project = [&](auto weight, int rows, const numbers<Number>& from) {
    numbers<Number> to(static_cast<std::size_t>(rows), Number{0});
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < c.width(); ++j)
        to[static_cast<std::size_t>(i)] += static_cast<Number>(weight(i, j)) * from[static_cast<std::size_t>(j)];
    return to;
  };
  if (c.heads() == 0) {
    for (std::size_t t = 0; t + 1 < embedded.size(); ++t)
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += embedded[t][i];
    return x;
  }
  const auto query = project([&](int i, int j) { return c.query(i, j); }, c.key(), x);
  numbers<Number> scores;
  for (const auto& token : embedded) {
    const auto key = project([&](int i, int j) { return c.head_key(i, j); }, c.key(), token);
    Number score{0};
    for (std::size_t i = 0; i < key.size(); ++i) score += query[i] * key[i];
    scores.push_back(score);
  }
  const Number top = *std::max_element(scores.begin(), scores.end());
  const auto shared = static_cast<Number>(std::count(scores.begin(), scores.end(), top));
  numbers<Number> mixed(static_cast<std::size_t>(c.value()), Number{0});
  for (std::size_t t = 0; t < scores.size(); ++t) {
    if (scores[t] != top) continue;
    const auto value = project([&](int i, int j) { return c.head_value(i, j); }, c.value(), embedded[t]);
    for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i] += value[i];
  }
  for (int i = 0; i < c.width(); ++i)
    for (int j = 0; j < c.value(); ++j)
      x[static_cast<std::size_t>(i)] +=
          static_cast<Number>(c.head_output(i, j)) * (mixed[static_cast<std::size_t>(j)] / shared);
  return x;
}

/// y = the MLPs of a stream.
template <construction C, fact_function F>
constexpr numbers<number<C>> mlp(const C& c, const F& f, numbers<number<C>> x) {
  for (int l = 0; l < c.layers(); ++l) {
    numbers<number<C>> h, y;
    for (int unit = 0; unit < c.hidden(); ++unit) {
      number<C> sum = static_cast<number<C>>(c.b1(l, unit));
      for (int i = 0; i < c.width(); ++i)
        sum += static_cast<number<C>>(c.w1(l, unit, i)) * x[static_cast<std::size_t>(i)];
      h.push_back((std::max)(sum, number<C>{0}));
    }
    for (int j = 0; j < (l + 1 < c.layers() ? c.width() : c.output()); ++j) {
      number<C> sum = static_cast<number<C>>(c.b2(l, j));
      for (int unit = 0; unit < c.hidden(); ++unit)
        if (h[static_cast<std::size_t>(unit)] != number<C>{0})
          sum += static_cast<number<C>>(c.w2(f, l, j, unit)) * h[static_cast<std::size_t>(unit)];
      y.push_back(sum);
    }
    x = y;
  }
  return x;
}

/// The attribute of `first`..`last`-1 with the one greatest logit; `unknown` where none stands above c.abstain() or two
/// share it.
template <construction C>
constexpr int answer(const C& c, const numbers<number<C>>& y, attribute_range range) {
  number<C> top = static_cast<number<C>>(c.abstain());
  int best = unknown;
  for (int a = range.first; a < range.last; ++a) {
    number<C> logit{0};
    for (int j = 0; j < c.output(); ++j)
      logit += static_cast<number<C>>(c.unembedding(a, j)) * y[static_cast<std::size_t>(j)];
    if (logit == top) best = unknown;
    if (logit > top) top = logit, best = a;
  }
  return best;
}

/// What the construction answers to the path `relations` about `subject`: at once, or by a chain of thought where it
/// has learned attention.
template <construction C, fact_function F>
constexpr int ask(const C& c, const F& f, int entities, int subject, std::span<const int> relations,
                  attribute_range range) {
  std::vector<int> tokens;
  if (c.heads() == 0) {
    const int per_hop = c.relation_tokens() / static_cast<int>(relations.size());
    tokens.push_back(subject);
    for (int r : relations) tokens.push_back(entities + static_cast<int>(tokens.size() - 1) * per_hop + r);
    return answer(c, mlp(c, f, stream(c, f, entities, tokens)), range);
  }
  for (int r : relations) tokens.push_back(entities + r);
  for (std::size_t hop = 0; hop < relations.size() && subject != unknown; ++hop) {
    tokens.push_back(subject);
    subject = answer(c, mlp(c, f, stream(c, f, entities, tokens)), range);
  }
  return subject;
}

/// Whether the construction answers all N R^k questions as the facts do, `unknown` included.
template <construction C, int R>
constexpr bool recalls_all(const C& c, const fact_table<R>& facts) {
  const path_set<> paths{facts.relations(), c.hops()};
  std::vector<int> path(static_cast<std::size_t>(c.hops()), 0);
  for (int w = 0; w < paths.size(); ++w) {
    for (int hop = 0; hop < c.hops(); ++hop) path[static_cast<std::size_t>(hop)] = paths.step(w, hop);
    for (int s = 0; s < facts.subjects(); ++s)
      if (ask(c, facts, facts.entities(), s, path, facts.codomain(path.back())) != follow(facts, s, path)) return false;
  }
  return true;
}

}  // namespace geofact::exact
