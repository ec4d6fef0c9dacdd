#pragma once
#include <algorithm>
#include <concepts>
#include <limits>

#include "geofact/construction/construction.hpp"
#include "geofact/fact/path.hpp"

namespace geofact {

/// Theorem (theory/multi-hop.md): k hops without chain of thought, for any split of the hops between embedding and MLP.
///
/// The subject's embedding holds the codes of the R^e ends of its paths of `embedded` = e hops, and one layer selects
/// the one that is asked. Every further layer follows `per_layer` = g hops by looking up the (entity, path) pair among
/// its N R^g units. e = k is the *tree*: width R^k m + k R, one layer, an MLP that knows no fact. e = 0 is the
/// *lookup*: width m + k R, ceil(k / g) layers, an MLP linear in the facts. e = k = 1 is single hop.
///
/// Coordinates: [R^e blocks of m | k R gates], gate (hop, r) = 1 where hop asks for r. Units: [work | gates carried
/// on].
template <codebook Code, int Relations = dynamic, int Hops = dynamic>
class multi_hop : public uniform_attention, public coded<Code> {
 public:
  using coded<Code>::code;

  /// Throws where e is not in 0..k, g < 1, or a size overflows. `subjects` is read only by lookup layers.
  constexpr multi_hop(Code c, extent<Relations> relations, extent<Hops, 1> hops, int embedded, int per_layer,
                      int subjects)
      : coded<Code>{c}, paths_{relations, hops}, subjects_(subjects), embedded_(embedded), per_layer_(per_layer) {
    require(relations >= 1, "a construction needs at least one relation, got ", int{relations});
    require(hops >= 1, "a question has at least one hop, got ", int{hops});
    require(0 <= embedded && embedded <= hops, "the embedding can hold 0 to ", int{hops}, " hops, not ", embedded);
    require(per_layer >= 1, "a lookup layer follows at least one hop, not ", per_layer);
    require(embedded == hops || subjects >= 1, "lookup layers need at least one subject, got ", subjects);
    require(embedded == hops || code.attributes() >= subjects, "lookup layers need a code for each of the ", subjects,
            " subjects, not for ", code.attributes(), " attributes");
    blocks_ = path_set<>{int{relations}, embedded}.size();
    width_ = to_extent(checked_sum(checked_product(blocks_, m()), checked_product(hops, relations)));
    layers_ = (embedded > 0) + (hops - embedded) / per_layer + ((hops - embedded) % per_layer > 0);
    for (int l = 0; l < layers_; ++l) hidden_ = (std::max)(hidden_, to_extent(checked_sum(work(l), carried(l))));
  }

  constexpr int relations() const { return paths_.relations; }
  constexpr int hops() const { return paths_.hops; }
  /// How many subjects it can tell apart.
  constexpr int subjects() const { return embedded_ == hops() ? std::numeric_limits<int>::max() : subjects_; }
  constexpr int embedded() const { return embedded_; }
  constexpr int per_layer() const { return per_layer_; }
  constexpr int width() const { return width_; }
  constexpr int hidden() const { return hidden_; }
  constexpr int layers() const { return layers_; }
  constexpr int relation_tokens() const { return hops() * relations(); }
  constexpr const path_set<Relations, Hops>& paths() const { return paths_; }

  /// The theorem: between two layers the stream holds one code and gates of 0 and 1.
  constexpr double between_layers() const { return (std::max)(1.0, static_cast<double>(code.bound())); }
  /// Codes of facts that one subject's embedding holds.
  constexpr int private_codes() const { return embedded_ > 0 ? blocks_ : 0; }
  /// Codes of facts that the MLP holds.
  constexpr index_t shared_codes() const {
    index_t codes = 0;
    for (int l = first_lookup(); l < layers_; ++l) codes = checked_sum(codes, work(l));
    return codes;
  }

  template <fact_function F>
  constexpr code_scalar<Code> entity(const F& f, int s, int i) const {
    if (i >= blocks_ * m()) return 0;
    const int a = embedded_ > 0 ? follow(f, s, path_set<Relations>{relations(), embedded_}, i / m()) : s;
    return coordinate(a, i % m());
  }

  constexpr int relation(int t, int i) const { return i == gate(t); }

  constexpr code_scalar<Code> w1(int l, int unit, int i) const {
    if (unit >= work(l)) return i == gate(first_carried(l) + unit - work(l));
    const int t = i - gate(0);  // a gate, where t >= 0
    const bool asks = t >= first_hop(l) * relations() && t < first_carried(l) &&
                      paths_.step(path_of(l, unit), t / relations() - first_hop(l)) == t % relations();
    if (t >= 0) return asks ? (selects(l) ? 2 * bound() : 2 * response()) : 0;
    if (selects(l)) return i == unit;
    return i < m() ? code(unit % subjects_, i) : 0;
  }

  constexpr code_scalar<Code> b1(int l, int unit) const {
    if (unit >= work(l)) return 0;
    if (selects(l)) return bound() * (1 - 2 * embedded_);
    return response() * (1 - 2 * hops_of(l)) - norm();
  }

  template <fact_function F>
  constexpr code_scalar<Code> w2(const F& f, int l, int j, int unit) const {
    if (unit >= work(l)) return j == gate(first_carried(l) + unit - work(l)) && unit < work(l) + carried(l);
    if (j >= m()) return 0;
    if (selects(l)) return unit % m() == j;
    const path_set<Relations> paths{relations(), hops_of(l)};
    return coordinate(follow(f, unit % subjects_, paths, unit / subjects_), j) / response();
  }

  constexpr code_scalar<Code> b2(int l, int j) const { return selects(l) && j < m() ? -bound() : 0; }

 private:
  using weight = code_scalar<Code>;

  constexpr int m() const { return code.length(); }
  constexpr weight bound() const { return static_cast<weight>(code.bound()); }
  constexpr weight norm() const { return static_cast<weight>(code.norm()); }
  /// What a lookup unit answers: every other entity scores at least this much below the norm.
  constexpr weight response() const {
    if constexpr (is_integer_code<Code>)
      return 1;
    else
      return (std::min)({weight{1}, code.margin(), norm()});
  }
  constexpr weight coordinate(int a, int j) const { return a == unknown ? weight{0} : code(a, j); }
  constexpr int gate(int t) const { return blocks_ * m() + t; }

  constexpr int first_lookup() const { return embedded_ > 0; }
  constexpr bool selects(int l) const { return l < first_lookup(); }
  constexpr int first_hop(int l) const { return selects(l) ? 0 : embedded_ + (l - first_lookup()) * per_layer_; }
  constexpr int hops_of(int l) const { return selects(l) ? embedded_ : (std::min)(per_layer_, hops() - first_hop(l)); }
  constexpr int first_carried(int l) const { return (first_hop(l) + hops_of(l)) * relations(); }
  constexpr int carried(int l) const { return relation_tokens() - first_carried(l); }
  constexpr int work(int l) const {
    return to_extent(selects(l) ? checked_product(blocks_, m())
                                : checked_product(path_set<>{relations(), hops_of(l)}.size(), subjects_));
  }
  constexpr int path_of(int l, int unit) const { return selects(l) ? unit / m() : unit / subjects_; }

  path_set<Relations, Hops> paths_;
  int subjects_, embedded_, per_layer_;
  int blocks_ = 1, width_ = 0, hidden_ = 0, layers_ = 0;
};

/// All k hops in the embedding: width R^k m + k R, hidden R^k m, one layer.
template <codebook Code, int Relations = dynamic, int Hops = 1>
struct tree : multi_hop<Code, Relations, Hops> {
  constexpr tree() requires std::default_initializable<Code> : tree(Code()) {}
  constexpr explicit tree(Code c, extent<Relations> relations = {}, extent<Hops, 1> hops = {})
      : multi_hop<Code, Relations, Hops>(c, relations, hops, hops, 1, 0) {}
};

/// No hop in the embedding: width m + k R, hidden N R^g plus the gates carried on, ceil(k / g) layers of g hops.
template <codebook Code, int Relations = dynamic, int Hops = 1>
struct lookup : multi_hop<Code, Relations, Hops> {
  constexpr lookup(Code c, int subjects, extent<Relations> relations = {}, extent<Hops, 1> hops = {}, int per_layer = 1)
      : multi_hop<Code, Relations, Hops>(c, relations, hops, 0, per_layer, subjects) {}
};

template <class Code>
tree(Code, int) -> tree<Code, dynamic, 1>;
template <class Code>
tree(Code, int, int) -> tree<Code, dynamic, dynamic>;
template <class Code>
lookup(Code, int, int) -> lookup<Code, dynamic, 1>;
template <class Code>
lookup(Code, int, int, int) -> lookup<Code, dynamic, dynamic>;
template <class Code>
lookup(Code, int, int, int, int) -> lookup<Code, dynamic, dynamic>;
template <class Code>
multi_hop(Code, int, int, int, int, int) -> multi_hop<Code>;

}  // namespace geofact
