#pragma once
#include <cmath>

#include "geofact/code/binary.hpp"
#include "geofact/code/one_hot.hpp"
#include "geofact/construction/multi_hop.hpp"

namespace geofact {

/// Theorem (theory/chain-of-thought.md): k hops, one token of thought each, through the single-hop MLP.
///
/// The sequence is r_1 .. r_k s x_1 .. x_k. Places t and k + t carry the same code q_t, so that the entity whose next
/// hop is t and the relation of that hop attend to each other: the last token sees itself and its relation with weight
/// 1/2 each and every other token with at most exp(-beta gap), gap = the margin of the position code. The value of a
/// relation token is twice its gates; added to the entity's own embedding they make the single-hop input.
///
/// Width R m + R + p, hidden R m, p = k with one-hot positions and ceil(log2 k) with binary ones.
template <codebook Code, int Relations = dynamic, codebook Positions = binary_code<>>
class chain_of_thought : public coded<Code> {
 public:
  using coded<Code>::code;

  /// `beta` scales the scores; integers attend to the greatest scores alone, the limit of large beta.
  constexpr chain_of_thought(Code c, extent<Relations> relations, Positions places, int beta = 1)
      : coded<Code>{c}, step_(c, relations), places_(places), beta_(beta) {
    require(beta >= 1, "the attention scale must be at least 1, not ", beta);
  }

  constexpr int hops() const { return places_.attributes(); }
  constexpr int relations() const { return step_.relations(); }
  constexpr int beta() const { return beta_; }
  constexpr int width() const { return step_.width() + key(); }
  constexpr int hidden() const { return step_.hidden(); }
  constexpr int layers() const { return 1; }
  constexpr int relation_tokens() const { return relations(); }
  constexpr int positions() const { return 2 * hops(); }
  constexpr int heads() const { return 1; }
  constexpr int key() const { return places_.length(); }
  constexpr int value() const { return relations(); }
  constexpr int private_codes() const { return relations(); }
  constexpr index_t shared_codes() const { return 0; }

  template <fact_function F>
  constexpr code_scalar<Code> entity(const F& f, int s, int i) const {
    return i < step_.width() ? step_.entity(f, s, i) : 0;
  }
  constexpr int relation(int t, int i) const { return i == gate(t); }
  constexpr code_scalar<Positions> position(int t, int i) const {
    return i < step_.width() ? 0 : places_(t % hops(), i - step_.width());
  }

  constexpr int query(int i, int j) const { return beta_ * head_key(i, j); }
  constexpr int head_key(int i, int j) const { return j == step_.width() + i; }
  constexpr int head_value(int i, int j) const { return 2 * (j == gate(i)); }
  constexpr int head_output(int i, int j) const { return i == gate(j); }

  constexpr code_scalar<Code> w1(int l, int unit, int i) const { return i < step_.width() ? step_.w1(l, unit, i) : 0; }
  constexpr code_scalar<Code> b1(int l, int unit) const { return step_.b1(l, unit); }
  template <fact_function F>
  constexpr code_scalar<Code> w2(const F& f, int l, int j, int unit) const {
    return step_.w2(f, l, j, unit);
  }
  constexpr code_scalar<Code> b2(int l, int j) const { return step_.b2(l, j); }

  /// The share of the code's margin that survives attention's leakage. A token outside the pair gets at most
  /// exp(-beta gap) of the weight of one inside; T - 2 such tokens, T <= 2k, hold eps <= (T - 2) exp(-beta gap) / 2 of
  /// the whole; y is off by at most 4 bound eps a coordinate, which costs the share 4 eps sensitivity.
  double margin_share() const {
    return 1 - 4 * (hops() - 1) * std::exp(-beta_ * static_cast<double>(places_.margin())) * code.sensitivity();
  }

 private:
  constexpr int gate(int r) const { return step_.width() - relations() + r; }

  tree<Code, Relations, 1> step_;
  Positions places_;
  int beta_;
};

template <class Code, class Positions>
chain_of_thought(Code, int, Positions) -> chain_of_thought<Code, dynamic, Positions>;
template <class Code, class Positions>
chain_of_thought(Code, int, Positions, int) -> chain_of_thought<Code, dynamic, Positions>;

/// The chain of thought whose beta is the least that keeps the share `share` < 1 of the code's margin.
template <codebook Code, codebook Positions>
auto chain_of_thought_with_margin(Code code, int relations, Positions places, double share = 0.99) {
  require(0 <= share && share < 1, "the share of the margin to keep must be in [0, 1), not ", share);
  const double leak = 4.0 * (places.attributes() - 1) * code.sensitivity() / (1 - share);
  const double beta = leak > 1 ? std::ceil(std::log(leak) / static_cast<double>(places.margin())) : 1;
  require(beta < 1e9, "the position code's margin of ", static_cast<double>(places.margin()),
          " is too small to attend by");
  return chain_of_thought(code, relations, places, static_cast<int>((std::max)(1.0, beta)));
}

}  // namespace geofact
