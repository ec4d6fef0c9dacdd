// Each theorem, checked by the compiler at tiny sizes: a construction answers every question as its facts do, and says
// "unknown" where they do not know. Nothing here runs a model: the formulas are evaluated weight by weight.
#include <doctest/doctest.h>

#include "geofact/bound/report.hpp"
#include "geofact/code/binary.hpp"
#include "geofact/code/one_hot.hpp"
#include "geofact/code/parity.hpp"
#include "geofact/code/random_sign.hpp"
#include "geofact/construction/associative_memory.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/exact.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/construction/summary.hpp"
#include "geofact/fact/graph.hpp"

using namespace geofact;
using exact::recalls_all;

namespace {

/// All split constructions of k hops between tree and lookup.
template <int R>
constexpr bool all_splits_recall(const fact_table<R>& facts, int hops) {
  for (int e = 0; e <= hops; ++e)
    for (int g = 1; g <= hops; ++g)
      if (!recalls_all(multi_hop(binary_code(facts.attributes()), R, hops, e, g, facts.subjects()), facts))
        return false;
  return true;
}

/// Four subjects; relation r has sizes[r] attributes of its own, and does not know one fact.
constexpr fact_table<3> disjoint_facts() {
  auto facts = fact_table<3>::disjoint(4, {1, 3, 6});
  for (int s = 0; s < 4; ++s)
    for (int r = 0; r < 3; ++r)
      if (s != r) facts.set(s, r, facts.codomain(r).first + (2 * s + 1) % facts.codomain(r).size());
  return facts;
}

constexpr graph_options<2> two{.seed = 1}, two_partial{.missing = 0.4, .seed = 2};

}  // namespace

TEST_CASE("theorem: single hop, d = R m + R and h = R m, recalls every bijection") {
  static_assert(recalls_all(tree(binary_code(8), 3), random_bijections<3>(8)), "R = 3 bijections of N = 8");
  static_assert(recalls_all(tree(binary_code(1), 1), random_bijections<1>(1)), "one subject, one relation");
  static_assert(recalls_all(tree(binary_code(6), 2), perfect_matchings<2>(6)), "matchings are bijections");
  static_assert(recalls_all(tree(binary_code(7), 2), cyclic_cayley_graph<2>(7)), "A = 7 is no power of two");
  static_assert(tree(binary_code(8), 3).width() == 3 * 3 + 3 && tree(binary_code(8), 3).hidden() == 3 * 3);
  static_assert(tree(binary_code(32), 3).width() == 18 && tree(binary_code(32), 3).hidden() == 15);
}

TEST_CASE("theorem: single hop at N = 4096, R = 16 takes d = 208, h = 192") {
  constexpr tree<binary_code<4096>, 16> c;
  static_assert(c.width() == 208 && c.hidden() == 192 && c.layers() == 1 && c.output() == 12);
  static_assert(c.code.margin() == 2 && c.private_codes() * c.code.bits() == 16 * 12);
  static_assert(tree(binary_code(4096), 16).width() == 208, "static and dynamic sizes agree");
}

TEST_CASE("theorem: partial tables and functions that are no bijections are recalled, and nothing is guessed") {
  static_assert(recalls_all(tree(binary_code(5), 2), random_functions<2>(7, 5, two)), "answers repeat");
  static_assert(recalls_all(tree(binary_code(9), 2), random_functions<2>(5, 9, two)), "answers that are no subjects");
  static_assert(recalls_all(tree(binary_code(8), 2), random_bijections<2>(8, two_partial)), "facts are missing");
  static_assert(recalls_all(tree(binary_code(8), 2), fact_table<2>(8, {}, 8)), "nothing is known");
}

TEST_CASE("theorem: disjoint attributes, d = sum m_r + R") {
  static_assert(recalls_all(disjoint_single_hop(disjoint_facts()), disjoint_facts()));
  static_assert(disjoint_single_hop(disjoint_facts()).width() == (1 + 2 + 3) + 3);
  static_assert(disjoint_single_hop(disjoint_facts()).hidden() == 6);
}

TEST_CASE("theorem: the tree recalls k hops with d = R^k m + k R, h = R^k m, in one layer") {
  static_assert(recalls_all(tree(binary_code(8), 2, 2), random_bijections<2>(8)), "k = 2");
  static_assert(recalls_all(tree(binary_code(4), 2, 3), random_bijections<2>(4)), "k = 3");
  static_assert(recalls_all(tree(binary_code(6), 2, 2), random_functions<2>(6, 6, two_partial)), "partial functions");
  static_assert(tree(binary_code(16), 3, 2).width() == 42 && tree(binary_code(16), 3, 2).hidden() == 36);
  static_assert(tree(binary_code(16), 2, 3).width() == 38 && tree(binary_code(16), 2, 3).hidden() == 32);
  static_assert(tree<binary_code<4096>, 4, 3>().width() == 64 * 12 + 12 && tree(binary_code(16), 2, 3).layers() == 1);
}

TEST_CASE("theorem: the lookup recalls k hops with d = m + k R, N R units a hop, in k layers") {
  static_assert(recalls_all(lookup(binary_code(8), 8, 2, 2), random_bijections<2>(8)), "k = 2");
  static_assert(recalls_all(lookup(binary_code(4), 4, 2, 3), random_bijections<2>(4)), "k = 3");
  static_assert(recalls_all(lookup(binary_code(9), 6, 2, 2), random_functions<2>(6, 9, two_partial)), "partial");
  static_assert(recalls_all(lookup(binary_code(6), 6, 2, 3, 2), random_bijections<2>(6)), "two hops a layer");
  constexpr lookup c(binary_code(512), 512, 4, 3);
  static_assert(c.width() == 9 + 12 && c.hidden() == 512 * 4 + 8 && c.layers() == 3);
  static_assert(lookup(binary_code(512), 512, 4, 3, 2).layers() == 2 &&
                lookup(binary_code(8), 8, 2, 3, 3).layers() == 1);
}

TEST_CASE("theorem: every split of the hops between embedding and lookup layers recalls") {
  static_assert(all_splits_recall(random_bijections<2>(4), 1));
  static_assert(all_splits_recall(random_bijections<2>(4), 2));
  static_assert(all_splits_recall(random_functions<2>(3, 5, two_partial), 3));
}

TEST_CASE("theorem: the chain of thought recalls k hops with d = R m + R + p, h = R m") {
  static_assert(recalls_all(chain_of_thought(binary_code(4), 2, binary_code(1)), random_bijections<2>(4)), "k = 1");
  static_assert(recalls_all(chain_of_thought(binary_code(4), 2, binary_code(2)), random_bijections<2>(4)), "k = 2");
  static_assert(recalls_all(chain_of_thought(binary_code(5), 2, binary_code(3)), random_bijections<2>(5)), "k = 3");
  static_assert(recalls_all(chain_of_thought(binary_code(4), 2, binary_code(4)), random_bijections<2>(4)), "k = 4");
  static_assert(recalls_all(chain_of_thought(binary_code(4), 2, one_hot_code(4)), random_bijections<2>(4)), "one-hot");
  static_assert(
      recalls_all(chain_of_thought(binary_code(9), 2, one_hot_code(3)), random_functions<2>(4, 9, two_partial)),
      "a missing fact ends the chain");
  static_assert(chain_of_thought(binary_code(4096), 16, binary_code(32)).width() == 16 * 12 + 16 + 5);
  static_assert(chain_of_thought(binary_code(4096), 16, one_hot_code(32)).width() == 16 * 12 + 16 + 32);
  static_assert(chain_of_thought(binary_code(4096), 16, binary_code(32)).hidden() == 192, "whatever k");
}

TEST_CASE("theorem: parity, one-hot and random sign codes serve as binary codes do") {
  static_assert(recalls_all(tree(parity_code(7), 2), random_functions<2>(7, 7, two_partial)));
  static_assert(recalls_all(tree(one_hot_code(7), 2), random_functions<2>(7, 7, two_partial)));
  static_assert(recalls_all(tree(random_sign_code(7, 12), 2), random_functions<2>(7, 7, two_partial)));
  static_assert(recalls_all(lookup(parity_code(4), 4, 2, 2), random_bijections<2>(4)));
  static_assert(recalls_all(lookup(one_hot_code(4), 4, 2, 2), random_bijections<2>(4)));
  static_assert(recalls_all(lookup(random_sign_code(4, 8), 4, 2, 2), random_bijections<2>(4)));
  static_assert(recalls_all(chain_of_thought(parity_code(4), 2, parity_code(2)), random_bijections<2>(4)));
  static_assert(recalls_all(chain_of_thought(one_hot_code(4), 2, random_sign_code(2, 5)), random_bijections<2>(4)));
}

TEST_CASE("theorem: associative memories recall few facts and forget many") {
  static_assert(recalls_all(associative_memory(one_hot_code(4), 4, 1, 16), random_bijections<1>(4)),
                "4 facts, 64 weights");
  static_assert(recalls_all(associative_memory(one_hot_code(4), 4, 1, 12, 16), random_bijections<1>(4)), "with an MLP");
  static_assert(!recalls_all(associative_memory(one_hot_code(16), 16, 1, 3), random_bijections<1>(16)),
                "16 facts, 8 keys");
  static_assert(!recalls_all(associative_memory(one_hot_code(8), 8, 2, 32), random_bijections<2>(8, two_partial)),
                "it cannot say that a fact is missing");
}

TEST_CASE("theorem: the bits that know the facts") {
  static_assert(fact_bits(tree(binary_code(16), 3), random_bijections<3>(16)) == 16 * 3 * 4, "N R m signs");
  static_assert(fact_bits(tree(binary_code(8), 2, 3), random_bijections<2>(8)) == 8 * 8 * 3, "N R^k m signs");
  static_assert(fact_bits(lookup(binary_code(8), 8, 2, 3), random_bijections<2>(8)) == 3 * 8 * 2 * 3, "k N R m signs");
  static_assert(fact_bits(tree(binary_code(8), 2), random_bijections<2>(8, two_partial)) == 8 * 2 * 4, "one more each");
}

TEST_CASE("theorem: no construction stores less than the counting bound, and single hop nearly as little") {
  constexpr auto bits = [](const auto& c) { return static_cast<double>(fact_bits(c, random_bijections<2>(5))); };
  constexpr auto least = [](int hops) {
    return bound::least_total({.entities = 5, .relations = 2, .hops = hops}).bits;
  };
  static_assert(bits(tree(binary_code(5), 2)) >= least(1));
  static_assert(bits(tree(binary_code(5), 2, 2)) >= least(2) && bits(tree(binary_code(5), 2, 3)) >= least(3));
  static_assert(bits(lookup(binary_code(5), 5, 2, 2)) >= least(2));
  static_assert(bits(multi_hop(binary_code(5), 2, 3, 1, 1, 5)) >= least(3));
  static_assert(bits(chain_of_thought(binary_code(5), 2, one_hot_code(3))) >= least(1));
  static_assert(bits(associative_memory(random_sign_code(5, 24), 5, 2, 24)) >= least(1));
  constexpr double stored = 4096.0 * 8 * 12, needed = bound::least_total({.entities = 4096, .relations = 8}).bits;
  static_assert(needed <= stored && stored <= 1.14 * needed, "N = 4096, R = 8");
}
