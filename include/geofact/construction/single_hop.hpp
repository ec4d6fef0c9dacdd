#pragma once
#include <vector>

#include "geofact/construction/multi_hop.hpp"

namespace geofact {

/// Theorem (theory/single-hop.md), shared attributes: the tree with one hop, width R m + R, hidden R m.
template <codebook Code, int Relations = dynamic>
using single_hop = tree<Code, Relations, 1>;

/// Theorem (theory/single-hop.md), disjoint attributes: block r holds the binary digits of f_r(s) among the A_r
/// attributes of relation r, m_r = ceil(log2 A_r). Width sum m_r + R, hidden sum m_r, output max m_r; the rows of the
/// unembedding belong to relations, so that argmax runs over the attributes of the relation that is asked.
class disjoint_single_hop : public uniform_attention {
 public:
  /// Reads the sizes of the attribute sets, not the facts.
  template <int R>
  constexpr explicit disjoint_single_hop(const fact_table<R>& facts) : attributes_(facts.attributes()) {
    int unit = 0;
    for (int r = 0; r < facts.relations(); ++r) {
      const attribute_range range = facts.codomain(r);
      blocks_.push_back({range, unit, detail::digits(range.size())});
      unit = to_extent(index_t{unit} + blocks_.back().length);
      output_ = (std::max)(output_, blocks_.back().length);
    }
    hidden_ = unit;
  }

  constexpr int hidden() const { return hidden_; }
  constexpr int width() const { return hidden_ + relation_tokens(); }
  constexpr int layers() const { return 1; }
  constexpr int hops() const { return 1; }
  constexpr int output() const { return output_; }
  constexpr int attributes() const { return attributes_; }
  constexpr int relation_tokens() const { return static_cast<int>(blocks_.size()); }
  constexpr double abstain() const { return 0.5; }

  template <fact_function F>
  constexpr int entity(const F& f, int s, int i) const {
    if (i >= hidden_) return 0;
    const int r = relation_of(i);
    return coordinate(r, f(s, r), i - block_of(r).first_unit);
  }
  constexpr int relation(int t, int i) const { return i == hidden_ + t; }
  constexpr int w1(int, int unit, int i) const {
    return i < hidden_ ? i == unit : 2 * (i - hidden_ == relation_of(unit));
  }
  constexpr int b1(int, int) const { return -1; }
  template <fact_function F>
  constexpr int w2(const F&, int, int j, int unit) const {
    return unit - block_of(relation_of(unit)).first_unit == j;
  }
  /// Coordinates that the asked relation does not have must read 0 too: they stay at -1, where its rows are 0.
  constexpr int b2(int, int) const { return -1; }
  constexpr int unembedding(int a, int j) const {
    int r = 0;
    while (!block_of(r).range.contains(a)) ++r;
    return coordinate(r, a, j);
  }

  /// One bit a coordinate; one more a fact where facts may be missing.
  template <int R>
  constexpr index_t fact_bits(const fact_table<R>& facts) const {
    return checked_product(facts.subjects(), hidden_ + (facts.total() ? 0 : relation_tokens()));
  }

 private:
  struct block {
    attribute_range range;
    int first_unit, length;
  };
  constexpr const block& block_of(int r) const { return blocks_[static_cast<std::size_t>(r)]; }
  constexpr int relation_of(int unit) const {
    int r = 0;
    while (unit >= block_of(r).first_unit + block_of(r).length) ++r;
    return r;
  }
  constexpr int coordinate(int r, int a, int j) const {
    if (a == unknown || j >= block_of(r).length) return 0;
    return ((a - block_of(r).range.first) >> j & 1) != 0 ? 1 : -1;
  }

  int attributes_, hidden_ = 0, output_ = 0;
  std::vector<block> blocks_;
};

}  // namespace geofact
