#pragma once
#include <concepts>
#include <limits>

#include "geofact/construction/construction.hpp"
#include "geofact/foundation/parallel.hpp"
#include "geofact/model/magnitude.hpp"
#include "geofact/model/parameters.hpp"
#include "geofact/model/sparse_parameters.hpp"

namespace geofact {

/// The sizes that are known at compile time: all but the number of entities where the whole construction is static.
template <construction C>
constexpr shape shape_of() {
  if constexpr (requires { typename std::integral_constant<int, C{}.width()>; })
    return {.relations = C{}.relation_tokens(),
            .positions = C{}.positions(),
            .width = C{}.width(),
            .hidden = C{}.hidden(),
            .layers = C{}.layers(),
            .output = C{}.output(),
            .attributes = C{}.attributes(),
            .heads = C{}.heads(),
            .key = C{}.key(),
            .value = C{}.value(),
            .residual = 0};
  else
    return {};
}

/// The sizes of the model that a construction fills for this many entities.
template <shape S = shape{}, construction C>
sizes<S> sizes_of(const C& c, int entities) {
  sizes<S> n;
  n.entities = entities;
  n.relations = c.relation_tokens();
  n.positions = c.positions();
  n.width = c.width();
  n.hidden = c.hidden();
  n.layers = c.layers();
  n.output = c.output();
  n.attributes = c.attributes();
  n.heads = c.heads();
  n.key = c.key();
  n.value = c.value();
  n.residual = 0;
  return n;
}

/// The sizes of the model that a construction fills for these facts: a chain of thought goes on from answers, anything
/// else starts from subjects alone.
template <shape S = shape{}, construction C, int R>
sizes<S> sizes_of(const C& c, const fact_table<R>& facts) {
  return sizes_of<S>(c, c.positions() > 0 ? facts.entities() : facts.subjects());
}

namespace detail {

/// table(i, j) = formula(i, j), columns in parallel.
template <class Table, class Formula>
void fill(Table&& to, int threads, const Formula& formula) {
  using Scalar = typename std::decay_t<Table>::Scalar;
  constexpr index_t chunk = 64;
  parallel_for((to.cols() + chunk - 1) / chunk, threads, [&](index_t c) {
    for (index_t j = c * chunk; j < (std::min)((c + 1) * chunk, to.cols()); ++j)
      for (index_t i = 0; i < to.rows(); ++i)
        to(i, j) = static_cast<Scalar>(formula(static_cast<int>(i), static_cast<int>(j)));
  });
}

template <class Scalar, class Formula>
void fill(Eigen::SparseMatrix<Scalar>& to, int, const Formula& formula) {
  for (index_t j = 0; j < to.cols(); ++j) {
    to.startVec(j);
    for (index_t i = 0; i < to.rows(); ++i)
      if (const auto weight = static_cast<Scalar>(formula(static_cast<int>(i), static_cast<int>(j)));
          weight != Scalar{0})
        to.insertBack(i, j) = weight;
  }
  to.finalize();
}

}  // namespace detail

/// Writes a construction's weights into a model of its sizes.
template <construction C, int R, class Model>
void write_construction(const C& c, const fact_table<R>& facts, Model& model, int threads = 0) {
  using Scalar = typename Model::Scalar;
  static_assert(std::floating_point<Scalar> ||
                    (std::integral<decltype(c.unembedding(0, 0))> && std::integral<decltype(c.position(0, 0))>),
                "a code with real coordinates needs a model of floating-point scalars");
  require(c.attributes() >= facts.attributes(), "the code has ", c.attributes(), " attributes but the facts have ",
          facts.attributes());
  require(c.relation_tokens() == (c.positions() > 0 ? 1 : c.hops()) * facts.relations(), "the construction has ",
          c.relation_tokens(), " relation tokens for ", facts.relations(), " relations and ", c.hops(), " hops");
  if constexpr (requires { c.subjects(); })
    require(c.subjects() >= facts.subjects(), "the construction is for ", c.subjects(), " subjects but the facts have ",
            facts.subjects());
  require(c.hops() == 1 || facts.shared(), c.hops(),
          " hops need answers that are subjects: the attributes must be shared");
  threads = thread_count(threads);
  detail::fill(model.entity(), threads, [&](int i, int s) { return c.entity(facts, s, i); });
  detail::fill(model.relation(), threads, [&](int i, int t) { return c.relation(t, i); });
  detail::fill(model.position(), threads, [&](int i, int t) { return c.position(t, i); });
  for (int h = 0; h < c.heads(); ++h) {
    detail::fill(model.head_query(h), threads, [&](int i, int j) { return c.query(i, j); });
    detail::fill(model.head_key(h), threads, [&](int i, int j) { return c.head_key(i, j); });
    detail::fill(model.head_value(h), threads, [&](int i, int j) { return c.head_value(i, j); });
    detail::fill(model.head_output(h), threads, [&](int i, int j) { return c.head_output(i, j); });
  }
  for (int l = 0; l < c.layers(); ++l) {
    detail::fill(model.w1(l), threads, [&](int unit, int i) { return c.w1(l, unit, i); });
    detail::fill(model.b1(l), threads, [&](int unit, int) { return c.b1(l, unit); });
    if constexpr (requires { c.template all_w2<Scalar>(facts); }) {
      const matrix<Scalar> all = c.template all_w2<Scalar>(facts);
      detail::fill(model.w2(l), threads, [&](int j, int unit) { return all(j, unit); });
    } else {
      detail::fill(model.w2(l), threads, [&](int j, int unit) { return c.w2(facts, l, j, unit); });
    }
    detail::fill(model.b2(l), threads, [&](int j, int) { return c.b2(l, j); });
  }
  detail::fill(model.unembedding(), threads, [&](int a, int j) { return c.unembedding(a, j); });
  model.abstain = static_cast<Scalar>(c.abstain());
  if constexpr (std::integral<Scalar>) {
    double between_layers = std::numeric_limits<double>::infinity();
    if constexpr (requires { c.between_layers(); }) between_layers = c.between_layers();
    const double worst = magnitude(model, c.positions() > 0 ? c.positions() : c.hops() + 1, between_layers);
    require(worst <= static_cast<double>(std::numeric_limits<Scalar>::max()), "integers of ", 8 * sizeof(Scalar),
            " bits may overflow: the forward pass can reach ", worst);
  }
}

/// The model that a construction describes, for these facts. Throws where the construction does not fit the facts or
/// the model does not fit the machine.
template <class Scalar, construction C, int R, shape S = shape_of<C>()>
parameters<Scalar, S> realize(const C& c, const fact_table<R>& facts, int threads = 0) {
  parameters<Scalar, S> model(sizes_of<S>(c, facts));
  write_construction(c, facts, model, threads);
  return model;
}

/// The same with sparse W1 and W2.
template <class Scalar, construction C, int R>
sparse_parameters<Scalar> realize_sparse(const C& c, const fact_table<R>& facts, int threads = 0) {
  sparse_parameters<Scalar> model(sizes_of(c, facts));
  write_construction(c, facts, model, threads);
  return model;
}

}  // namespace geofact
