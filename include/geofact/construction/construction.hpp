#pragma once
#include <concepts>

#include "geofact/code/codebook.hpp"
#include "geofact/fact/fact_table.hpp"
#include "geofact/foundation/extent.hpp"
#include "geofact/model/shape.hpp"

namespace geofact {

/// A construction is a formula for every weight of a model, given the facts. `f` below is any fact_function; layers,
/// units, coordinates, tokens and hops count from 0.
///
///     width() hidden() layers() output() hops()   sizes
///     relation_tokens() positions() heads() key() value()
///     entity(f, s, i)                             embedding of entity s at coordinate i
///     relation(t, i)   position(t, i)             embedding of relation token t; of the place t in the sequence
///     w1(l, unit, i)   b1(l, unit)                what a unit reads
///     w2(f, l, j, unit)   b2(l, j)                what a unit writes
///     unembedding(a, j)
///     abstain()                                   scores at or below it are no answer
///     query(i, j) head_key(i, j) head_value(i, j) head_output(i, j)      where heads() == 1
template <class C>
concept construction = requires(const C& c, int i) {
  { c.width() } -> std::convertible_to<int>;
  { c.hidden() } -> std::convertible_to<int>;
  { c.layers() } -> std::convertible_to<int>;
  { c.output() } -> std::convertible_to<int>;
  { c.relation_tokens() } -> std::convertible_to<int>;
  { c.positions() } -> std::convertible_to<int>;
  { c.heads() } -> std::convertible_to<int>;
  { c.key() } -> std::convertible_to<int>;
  { c.value() } -> std::convertible_to<int>;
  { c.hops() } -> std::convertible_to<int>;
  { c.relation(i, i) } -> std::convertible_to<double>;
  { c.w1(i, i, i) } -> std::convertible_to<double>;
  { c.b1(i, i) } -> std::convertible_to<double>;
  { c.b2(i, i) } -> std::convertible_to<double>;
  { c.unembedding(i, i) } -> std::convertible_to<double>;
  { c.abstain() } -> std::convertible_to<double>;
};

/// The parts that a construction without learned attention leaves out.
struct uniform_attention {
  constexpr int positions() const { return 0; }
  constexpr int heads() const { return 0; }
  constexpr int key() const { return 0; }
  constexpr int value() const { return 0; }
  constexpr int position(int, int) const { return 0; }
  constexpr int query(int, int) const { return 0; }
  constexpr int head_key(int, int) const { return 0; }
  constexpr int head_value(int, int) const { return 0; }
  constexpr int head_output(int, int) const { return 0; }
};

/// The parts of a construction that follow from its code.
template <codebook Code>
struct coded {
  Code code;

  constexpr int output() const { return code.length(); }
  constexpr int attributes() const { return code.attributes(); }
  constexpr code_scalar<Code> unembedding(int a, int j) const { return code(a, j); }
  /// Half the norm: a code scores the norm against itself, the empty code scores 0.
  constexpr double abstain() const { return static_cast<double>(code.norm()) / 2; }
};

}  // namespace geofact
