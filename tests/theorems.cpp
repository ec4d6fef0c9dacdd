// Every theorem at a tiny size, checked by the compiler: each question is asked of the formula in exact arithmetic.
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

constexpr auto bijections() { return random_bijections<2>(5, {.seed = 7}); }                   // A is no power of two
constexpr auto partial() { return random_bijections<2>(5, {.missing = 0.3, .seed = 7}); }      // some facts unknown
constexpr auto functions() { return random_functions<3>(4, 7, {.missing = 0.2, .seed = 7}); }  // A > N, not injective

constexpr auto disjoint() {
  auto facts = fact_table<>::disjoint(3, {2, 5, 1});
  for (int s = 0; s < 3; ++s)
    for (int r = 0; r < 3; ++r)
      if (s + r != 2) facts.set(s, r, facts.codomain(r).first + (2 * s + r) % facts.codomain(r).size());
  return facts;
}

// Single hop: width R (m + 1), hidden R m.
static_assert(recalls_all(tree<binary_code<5>, 2>(), bijections()), "single hop recalls every fact");
static_assert(recalls_all(tree(binary_code(5), 2), partial()), "and does not guess the missing ones");
static_assert(recalls_all(tree(binary_code(7), 3), functions()), "relations need not be bijections");
static_assert(recalls_all(disjoint_single_hop(disjoint()), disjoint()), "attributes may be disjoint");
static_assert(tree<binary_code<4096>, 16>().width() == 208 && tree<binary_code<4096>, 16>().hidden() == 192);

// Any code with a positive margin serves.
static_assert(recalls_all(tree(parity_code(5), 2), partial()), "binary digits and parity");
static_assert(recalls_all(tree(one_hot_code(5), 2), partial()), "the orthogonal code");
static_assert(recalls_all(tree(random_sign_code(5, 9), 2), partial()), "random signs");
static_assert(parity_code(4096).margin() == 2 * binary_code(4096).margin(), "one coordinate more doubles the margin");

// k hops at once: the tree, the lookup and everything between.
static_assert(recalls_all(tree(binary_code(5), 2, 2), partial()), "two hops in the embedding");
static_assert(recalls_all(tree(binary_code(5), 2, 3), bijections()), "three hops in the embedding");
static_assert(recalls_all(lookup(binary_code(5), 5, 2, 3), partial()), "three hops by lookup, one a layer");
static_assert(recalls_all(lookup(binary_code(5), 5, 2, 3, 2), partial()), "three hops by lookup, two a layer");
static_assert(recalls_all(multi_hop(binary_code(5), 2, 3, 1, 1, 5), partial()),
              "one in the embedding, then one a layer");
static_assert(recalls_all(multi_hop(binary_code(5), 2, 3, 1, 2, 5), partial()),
              "one in the embedding, then two at once");
static_assert(recalls_all(multi_hop(one_hot_code(5), 2, 3, 2, 1, 5), partial()),
              "two in the embedding, then one, one-hot");
static_assert(recalls_all(lookup(binary_code(7), 4, 3, 2), functions()), "answers that are no subjects end the path");
static_assert(tree(binary_code(4096), 4, 3).width() == 64 * 12 + 3 * 4 && tree(binary_code(4096), 4, 3).layers() == 1);
static_assert(lookup(binary_code(512), 512, 4, 3).width() == 9 + 3 * 4 &&
              lookup(binary_code(512), 512, 4, 3).layers() == 3);
static_assert(lookup(binary_code(512), 512, 4, 3).hidden() == 512 * 4 + 2 * 4, "N R units and the gates carried on");

// Chain of thought: any k at width R (m + 1) + k, or + log2 k.
static_assert(recalls_all(chain_of_thought(binary_code(5), 2, one_hot_code(1)), partial()), "a chain of one hop");
static_assert(recalls_all(chain_of_thought(binary_code(5), 2, one_hot_code(3)), partial()),
              "three hops, one-hot positions");
static_assert(recalls_all(chain_of_thought(binary_code(5), 2, binary_code(4)), bijections()),
              "four hops, binary positions");
static_assert(recalls_all(chain_of_thought(binary_code(7), 3, binary_code(2)), functions()), "two hops of functions");
static_assert(chain_of_thought(binary_code(4096), 16, one_hot_code(32)).width() == 208 + 32);
static_assert(chain_of_thought(binary_code(4096), 16, binary_code(32)).width() == 208 + 5);

// Associative memories recall below their capacity and forget above it.
static_assert(recalls_all(associative_memory(random_sign_code(4, 24), 4, 2, 24), random_bijections<2>(4)),
              "few facts, much room");
static_assert(!recalls_all(associative_memory(binary_code(8), 8, 2, 2), random_bijections<2>(8)),
              "many facts, little room");

// No construction stores less than the counting bound, and the geometric ones come near it.
constexpr bound::problem big{.entities = 4096, .relations = 8, .hops = 1};
constexpr auto bits(const auto& c, const auto& facts) { return static_cast<double>(fact_bits(c, facts)); }
static_assert(bits(tree(binary_code(5), 2), bijections()) >= bound::least_total({.entities = 5, .relations = 2}).bits);
static_assert(bits(tree(binary_code(5), 2, 2), bijections()) >=
              bound::least_total({.entities = 5, .relations = 2, .hops = 2}).bits);
static_assert(bits(lookup(binary_code(5), 5, 2, 2), bijections()) >=
              bound::least_total({.entities = 5, .relations = 2, .hops = 2}).bits);
static_assert(bits(multi_hop(binary_code(5), 2, 3, 1, 1, 5), bijections()) >=
              bound::least_total({.entities = 5, .relations = 2, .hops = 3}).bits);
static_assert(bits(chain_of_thought(binary_code(5), 2, one_hot_code(3)), bijections()) >=
              bound::least_total({.entities = 5, .relations = 2}).bits);
static_assert(4096.0 * 8 * 12 >= bound::least_total(big).bits && 4096.0 * 8 * 12 <= 1.14 * bound::least_total(big).bits,
              "single hop stores at most 1.14 of what any model must");

}  // namespace

TEST_CASE("the theorems hold at tiny sizes: the compiler has checked them") { CHECK(bijections().known() == 10); }
