#include <doctest/doctest.h>

#include "examine.hpp"
#include "geofact/code/binary.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/fact/graph.hpp"
#include "geofact/model/basis.hpp"

namespace family_test {

using namespace geofact;

TEST_CASE("any left-invertible superposition recalls: the rotated single hop keeps margin 2, square and taller") {
  const auto facts = random_bijections(200, {.relations = 5, .missing = 0.1, .seed = 1});
  const tree c(binary_code(200), 5);
  const auto model = realize<double>(c, facts);
  for (int rows : {c.width(), c.width() + 1, 2 * c.width()})
    for (std::uint64_t seed : {1U, 2U, 3U}) {
      CAPTURE(rows);
      CAPTURE(seed);
      const auto moved = change_basis(model, random_isometry<double>(rows, c.width(), seed));
      for (decoder how : {decoder::argmax, decoder::sign}) {
        const auto found = examine(moved, facts, {.how = how});
        CHECK(found.exact());
        CHECK(found.recalled == facts.known());
        CHECK(found.margin == doctest::Approx(2).epsilon(1e-9));
      }
    }
}

TEST_CASE("rotated tree, lookup, chain of thought and disjoint single hop recall and abstain as before") {
  const auto check = [](const auto& c, const fact_table<>& facts) {
    const auto model = realize<double>(c, facts);
    const auto found =
        examine(change_basis(model, random_isometry<double>(model.width() + 3, model.width(), 4)), facts);
    const auto before = examine(model, facts);
    CAPTURE(found);
    CHECK(found.exact());
    CHECK(found.recalled == before.recalled);
    CHECK(found.unknown == before.unknown);
    CHECK(found.margin == doctest::Approx(before.margin));
  };
  const auto facts = random_functions(20, 20, {.relations = 2, .missing = 0.2, .seed = 2});
  check(tree(binary_code(20), 2, 2), facts);
  check(lookup(binary_code(20), 20, 2, 2), facts);
  check(chain_of_thought(binary_code(20), 2, binary_code(2), 5), facts);
  auto own = fact_table<>::disjoint(20, {3, 20, 1});
  for (int s = 0; s < 20; ++s)
    for (int r = 0; r < 3; ++r)
      if ((s + r) % 4 != 0) own.set(s, r, own.codomain(r).first + s % own.codomain(r).size());
  check(disjoint_single_hop(own), own);
}

}  // namespace family_test
