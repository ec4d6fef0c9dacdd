#include <doctest/doctest.h>

#include <climits>

#include "examine.hpp"
#include "geofact/code/binary.hpp"
#include "geofact/code/one_hot.hpp"
#include "geofact/construction/associative_memory.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/construction/summary.hpp"
#include "geofact/fact/graph.hpp"

namespace refusal_test {

using namespace geofact;

namespace {
const binary_code eight(8);
const fact_table<> facts = random_bijections(8, {.relations = 2, .seed = 1});
}  // namespace

TEST_CASE("k = 0, R = 0, g = 0, e > k and lookups of nobody are refused in a sentence") {
  CHECK_THROWS_WITH_AS(multi_hop(eight, 0, 2, 2, 1, 8), "a construction needs at least one relation, got 0", error);
  CHECK_THROWS_WITH_AS(multi_hop(eight, 2, 0, 0, 1, 8), "a question has at least one hop, got 0", error);
  CHECK_THROWS_WITH_AS(multi_hop(eight, 2, 3, 4, 1, 8), "the embedding can hold 0 to 3 hops, not 4", error);
  CHECK_THROWS_AS(multi_hop(eight, 2, 3, -1, 1, 8), error);
  CHECK_THROWS_WITH_AS(multi_hop(eight, 2, 3, 1, 0, 8), "a lookup layer follows at least one hop, not 0", error);
  CHECK_THROWS_WITH_AS(multi_hop(eight, 2, 3, 1, 1, 0), "lookup layers need at least one subject, got 0", error);
  CHECK_THROWS_WITH_AS(lookup(eight, 9, 2, 2),
                       "lookup layers need a code for each of the 9 subjects, not for 8 attributes", error);
  CHECK_THROWS_AS(tree(eight, 0), error);
  CHECK_THROWS_AS(tree(eight, 2, 0), error);
  CHECK_THROWS_AS(chain_of_thought(eight, 0, binary_code(3)), error);
  CHECK_THROWS_AS(chain_of_thought(eight, 2, binary_code(0)), error);
  CHECK_NOTHROW(multi_hop(eight, 2, 3, 3, 1, 0));
  CHECK(multi_hop(eight, 2, 3, 0, INT_MAX, 8).layers() == 1);
  CHECK(multi_hop(eight, 2, 3, 1, INT_MAX, 8).layers() == 2);
}

TEST_CASE("R^k that overflows is refused, not wrapped") {
  CHECK_THROWS_WITH_AS(tree(eight, 16, 8), "the 16^8 paths of 8 hops are too many for one model", error);
  CHECK_THROWS_AS(tree(eight, 16, 64), error);
  CHECK_THROWS_AS(tree(one_hot_code(1 << 20), 1 << 12), error);
  CHECK_THROWS_AS(multi_hop(binary_code(1 << 20), 16, 4, 0, 4, 1 << 20), error);
  CHECK_THROWS_AS(lookup(binary_code(1 << 20), 1 << 20, 4096, 2), error);
  CHECK_THROWS_AS(multi_hop(eight, 2, INT_MAX, 0, 1, 8), error);
  CHECK_THROWS_AS(chain_of_thought(one_hot_code(1 << 20), 1 << 12, binary_code(3)), error);
}

TEST_CASE("a construction that does not fit the facts is refused in a sentence") {
  const auto realized = [](const auto& c) { return realize<int>(c, facts, 1); };
  CHECK_THROWS_WITH_AS(realized(tree(binary_code(7), 2)), "the code has 7 attributes but the facts have 8", error);
  CHECK_THROWS_AS(realized(chain_of_thought(binary_code(7), 2, binary_code(2))), error);
  CHECK_THROWS_WITH_AS(realized(tree(eight, 3)), "the construction has 3 relation tokens for 2 relations and 1 hops",
                       error);
  CHECK_THROWS_AS(realized(tree(eight, 1, 2)), error);
  CHECK_THROWS_AS(realized(chain_of_thought(eight, 3, binary_code(2))), error);
  CHECK_THROWS_AS(realized(chain_of_thought(eight, 1, binary_code(2))), error);
  CHECK_THROWS_WITH_AS(realized(lookup(eight, 7, 2, 2)), "the construction is for 7 subjects but the facts have 8",
                       error);
  CHECK_THROWS_AS(realized(associative_memory(eight, 7, 2, 20)), error);
}

TEST_CASE("questions of more hops need shared attributes") {
  auto own = fact_table<>::disjoint(4, {4, 4});
  for (int s = 0; s < 4; ++s) own.set(s, 0, s), own.set(s, 1, 4 + s);
  const char* why = "2 hops need answers that are subjects: the attributes must be shared";
  CHECK_NOTHROW(realize<int>(tree(eight, 2), own, 1));
  CHECK_THROWS_WITH_AS(realize<int>(tree(eight, 2, 2), own, 1), why, error);
  CHECK_THROWS_WITH_AS(realize<int>(lookup(eight, 4, 2, 2), own, 1), why, error);
  CHECK_THROWS_WITH_AS(realize<int>(chain_of_thought(eight, 2, binary_code(2)), own, 1), why, error);
  CHECK_THROWS_WITH_AS(examine(realize<int>(tree(eight, 2, 2), facts), own), why, error);
}

TEST_CASE("a model and facts that do not belong together are not verified") {
  const auto model = realize<int>(tree(eight, 2, 2), facts, 1);
  const auto chain = realize<int>(chain_of_thought(eight, 2, binary_code(2)), facts, 1);
  CHECK_THROWS_WITH_AS(examine(model, random_bijections(8, {.relations = 3})),
                       "a model of 4 relation tokens does not fit facts with 3 relations", error);
  CHECK_THROWS_AS(examine(model, random_bijections(8, {.relations = 5})), error);
  CHECK_THROWS_WITH_AS(examine(model, random_bijections(9, {.relations = 2})),
                       "a model of 8 entities and 8 attributes does not fit facts with 9 subjects and 9 attributes",
                       error);
  CHECK_THROWS_AS(examine(model, random_functions(8, 9, {.relations = 2})), error);
  CHECK_THROWS_AS(examine(chain, random_bijections(8, {.relations = 4})), error);
  CHECK_THROWS_AS(examine(chain, random_functions(7, 9, {.relations = 2})), error);
  const auto one_hot = realize<int>(tree(one_hot_code(8), 2), facts, 1);
  CHECK_THROWS_WITH_AS(examine(one_hot, facts, {.how = decoder::sign}),
                       "sign decoding needs an unembedding of distinct rows of at most 64 signs +-1", error);
}

TEST_CASE("integers that may overflow are refused with the greatest number") {
  const auto refuses = [](const auto& c) {
    CHECK_THROWS_WITH_AS(realize<int>(c, facts, 1), doctest::Contains("integers of 32 bits may overflow"), error);
  };
  refuses(chain_of_thought(eight, 2, binary_code(4), INT_MAX / 2 + 1));  // two position coordinates
  refuses(associative_memory(eight, 8, 2, 1 << 12, 1 << 10));
  CHECK_NOTHROW(realize<int>(chain_of_thought(eight, 2, binary_code(4), INT_MAX / 4), facts, 1));
  CHECK_NOTHROW(realize<double>(associative_memory(eight, 8, 2, 1 << 6, 1 << 6), facts, 1));
}

TEST_CASE("models beyond the memory are refused before they are built, summaries of them are not") {
  const auto two = random_bijections(1 << 20, {.relations = 2, .seed = 2});
  const tree c(one_hot_code(1 << 20), 2);
  CHECK_THROWS_WITH_AS(realize<float>(c, two), doctest::Contains("the parameters of this model would take "), error);
  CHECK(summarize(c, two).parameters > geofact::index_t{1} << 40);
}

}  // namespace refusal_test
