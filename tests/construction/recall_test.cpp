#include <doctest/doctest.h>

#include "examine.hpp"
#include "geofact/code/binary.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/construction/summary.hpp"
#include "geofact/fact/graph.hpp"

namespace recall_test {

using namespace geofact;

namespace {

/// All questions recalled or rightly unknown, with the margin of the code.
void check_perfect(const verification& found, const fact_table<>& facts, int hops, double margin = 2) {
  CAPTURE(found);
  CHECK(found.exact());
  CHECK_FALSE(found.sampled());
  geofact::index_t questions = 0, known = 0;
  const path_set<> paths{facts.relations(), hops};
  for (int w = 0; w < paths.size(); ++w)
    for (int s = 0; s < facts.subjects(); ++s) {
      ++questions;
      known += follow(facts, s, paths, w) != unknown;
    }
  CHECK(found.recalled == known);
  CHECK(found.unknown == questions - known);
  CHECK(found.margin == margin);
}

const verify_options by_sign{.how = decoder::sign}, by_argmax{.how = decoder::argmax};

}  // namespace

TEST_CASE("single hop recalls N = 4096, R = 16 with d = 208, h = 192 and margin 2 in int, float and double") {
  const auto facts = random_bijections(4096, {.relations = 16, .seed = 1});
  const tree c(binary_code(4096), 16);
  const summary sizes = summarize(c, facts);
  CHECK(sizes.width == 208);
  CHECK(sizes.hidden == 192);
  CHECK(sizes.layers == 1);
  CHECK(sizes.fact_bits == 4096 * 16 * 12);
  CHECK(sizes.parameters == 208 * (4096 + 16) + 192 * 208 + 192 + 12 * 192 + 12 + 4096 * 12);
  check_perfect(examine(realize<float>(c, facts), facts, by_argmax), facts, 1);
  check_perfect(examine(realize<int>(c, facts), facts, by_sign), facts, 1);
  check_perfect(examine(realize<double>(c, facts), facts, by_sign), facts, 1);
}

TEST_CASE("single hop recalls N = 512, R = 16 by every logit in int and double, dense and sparse") {
  const auto facts = random_bijections(512, {.relations = 16, .seed = 2});
  const tree c(binary_code(512), 16);
  check_perfect(examine(realize<int>(c, facts), facts, by_argmax), facts, 1);
  check_perfect(examine(realize<double>(c, facts), facts, by_argmax), facts, 1);
  check_perfect(examine(realize_sparse<int>(c, facts), facts, by_argmax), facts, 1);
}

TEST_CASE("the tree recalls N = 4096, R = 4, k = 3 with margin 2") {
  const auto facts = random_bijections(4096, {.relations = 4, .seed = 3});
  const tree c(binary_code(4096), 4, 3);
  CHECK(c.width() == 64 * 12 + 12);
  CHECK(c.hidden() == 64 * 12);
  CHECK(c.layers() == 1);
  check_perfect(examine(realize_sparse<float>(c, facts), facts, by_sign), facts, 3);
}

TEST_CASE("the tree recalls N = 256, R = 4, k = 3 by every logit in int and float") {
  const auto facts = random_bijections(256, {.relations = 4, .seed = 4});
  const tree c(binary_code(256), 4, 3);
  check_perfect(examine(realize<int>(c, facts), facts, by_argmax), facts, 3);
  check_perfect(examine(realize<float>(c, facts), facts, by_argmax), facts, 3);
}

TEST_CASE("the lookup recalls N = 512, R = 4, k = 3 with d = 21 and margin 2") {
  const auto facts = random_bijections(512, {.relations = 4, .seed = 5});
  const lookup c(binary_code(512), 512, 4, 3);
  CHECK(c.width() == 9 + 12);
  CHECK(c.hidden() == 512 * 4 + 8);
  CHECK(c.layers() == 3);
  check_perfect(examine(realize<float>(c, facts), facts, by_argmax), facts, 3);
}

TEST_CASE("between tree and lookup: N = 64, R = 4, k = 3, every split, in int") {
  const auto facts = random_bijections(64, {.relations = 4, .seed = 6});
  for (int e = 0; e <= 3; ++e)
    for (int g = 1; g <= 3 - e; ++g) {
      CAPTURE(e);
      CAPTURE(g);
      check_perfect(examine(realize_sparse<int>(multi_hop(binary_code(64), 4, 3, e, g, 64), facts), facts), facts, 3);
    }
}

TEST_CASE("chain of thought recalls a sample of N = 4096, R = 16, k = 32 with d = 213, every subject asked") {
  const auto facts = random_bijections(4096, {.relations = 16, .seed = 7});
  const auto c = chain_of_thought_with_margin(binary_code(4096), 16, binary_code(32));
  CHECK(c.width() == 16 * 12 + 16 + 5);
  CHECK(c.hidden() == 192);
  const auto found = examine(realize_sparse<float>(c, facts), facts, {.how = decoder::sign, .limit = 1});
  CAPTURE(found);
  CHECK(found.recalled == 4096);
  CHECK(found.questions() == 4096);
  CHECK(found.sampled());
  CHECK(found.margin >= c.margin_share() * 2 - 1e-4);
  CHECK(found.margin >= 0.99 * 2 - 1e-4);
}

TEST_CASE("partial tables, functions that are no bijections and A that is no power of two, by every construction") {
  for (const auto& facts : {random_functions(45, 45, {.relations = 3, .seed = 8}),
                            random_functions(45, 77, {.relations = 3, .missing = 0.2, .seed = 9}),
                            random_bijections(45, {.relations = 3, .missing = 0.5, .seed = 10}),
                            random_functions(45, 45, {.relations = 3, .missing = 1, .seed = 11})}) {
    const double margin = facts.known() == 0 ? std::numeric_limits<double>::infinity() : 2;
    const binary_code code(facts.attributes());
    check_perfect(examine(realize<int>(tree(code, 3), facts), facts), facts, 1, margin);
    check_perfect(examine(realize<float>(tree(code, 3, 2), facts), facts), facts, 2, margin);
    check_perfect(examine(realize<int>(lookup(code, 45, 3, 3), facts), facts), facts, 3, margin);
    check_perfect(examine(realize<double>(multi_hop(code, 3, 3, 1, 2, 45), facts), facts), facts, 3, margin);
    check_perfect(examine(realize<int>(chain_of_thought(code, 3, binary_code(3)), facts), facts), facts, 3, margin);
  }
}

}  // namespace recall_test
