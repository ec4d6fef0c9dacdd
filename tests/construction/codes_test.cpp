#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "examine.hpp"
#include "geofact/code/binary.hpp"
#include "geofact/code/circle.hpp"
#include "geofact/code/one_hot.hpp"
#include "geofact/code/parity.hpp"
#include "geofact/code/random_sign.hpp"
#include "geofact/code/tabulated.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/exact.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/fact/graph.hpp"

namespace codes_test {

using namespace geofact;
using table_code = tabulated_code<double>;

namespace {

struct named_code {
  std::string name;
  table_code code;
};

std::vector<named_code> all_codes(int attributes) {
  return {{"binary", table_code(binary_code(attributes))},
          {"parity", table_code(parity_code(attributes))},
          {"one-hot", table_code(one_hot_code(attributes))},
          {"random sign", table_code(random_sign_code(attributes, random_sign_code<>::usual_length(attributes)))},
          {"circle", table_code(circle_code(attributes))}};
}

/// Recalls what is known, guesses nothing, with at least this margin, up to rounding.
template <construction C>
void check_recall(const C& c, const fact_table<>& facts, double least_margin, double rounding = 1e-9) {
  const auto found = examine(realize<double>(c, facts), facts);
  CAPTURE(found);
  CHECK(found.exact());
  CHECK(found.recalled > 0);
  CHECK(found.margin >= least_margin * (1 - rounding));
}

}  // namespace

TEST_CASE("every code works in every construction in double, with its own margin") {
  for (const auto& facts : {random_bijections(12, {.relations = 2, .seed = 1}),
                            random_functions(12, 19, {.relations = 2, .missing = 0.25, .seed = 2})})
    for (const named_code& one : all_codes(facts.attributes())) {
      const table_code& code = one.code;
      CAPTURE(one.name);
      for (int k = 1; k <= 3; ++k) {
        CAPTURE(k);
        for (int e = 0; e <= k; ++e)
          for (int g = 1; g <= std::max(1, k - e); ++g)
            check_recall(multi_hop(code, 2, k, e, g, 12), facts, code.margin());
        for (const named_code& places : all_codes(k)) {
          CAPTURE(places.name);
          const auto chain = chain_of_thought_with_margin(code, 2, places.code, 0.9);
          check_recall(chain, facts, chain.margin_share() * code.margin());
          CHECK(chain.margin_share() >= 0.9);
        }
      }
    }
}

TEST_CASE("a code of more attributes than the facts have changes nothing") {
  const auto facts = random_functions(10, 11, {.relations = 3, .missing = 0.2, .seed = 3});
  for (const named_code& one : all_codes(40)) {
    const table_code& code = one.code;
    CAPTURE(one.name);
    check_recall(multi_hop(code, 3, 2, 2, 1, 10), facts, code.margin());
    check_recall(multi_hop(code, 3, 2, 0, 1, 10), facts, code.margin());
    check_recall(chain_of_thought_with_margin(code, 3, binary_code(2)), facts, 0.99 * code.margin());
  }
}

TEST_CASE("one subject, one relation, one attribute: every code answers it") {
  fact_table<> facts(1, 1, 1);
  facts.set(0, 0, 0);
  for (const named_code& one : all_codes(1)) {
    const table_code& code = one.code;
    CAPTURE(one.name);
    for (int k = 1; k <= 3; ++k) {
      check_recall(multi_hop(code, 1, k, k, 1, 1), facts, code.margin());
      check_recall(multi_hop(code, 1, k, 0, 1, 1), facts, code.margin());
      check_recall(chain_of_thought(code, 1, binary_code(k), 4), facts, 0.9 * code.margin());
    }
  }
}

TEST_CASE("the circle code needs no table and serves 200 attributes in two coordinates") {
  const auto facts = random_bijections(200, {.relations = 2, .seed = 4});
  const circle_code code(200);
  CHECK(tree(code, 2).width() == 2 * 2 + 2);
  check_recall(tree(code, 2), facts, code.margin());
  // each lookup layer divides by the margin, and so multiplies what rounding errors came in
  check_recall(lookup(code, 200, 2, 1), facts, code.margin());
  check_recall(lookup(code, 200, 2, 2), facts, code.margin(), 1e-6);
  CHECK(exact::recalls_all(tree(code, 2), facts));
  CHECK(exact::recalls_all(lookup(circle_code(9), 9, 2, 2), random_bijections(9, {.relations = 2})));
}

TEST_CASE("disjoint attributes: widths sum m_r + R, every relation asks its own attributes, in every scalar") {
  auto facts = fact_table<>::disjoint(20, {1, 2, 7, 64, 100});
  const random_stream random(5);
  for (int r = 0; r < 5; ++r)
    for (int s = 0; s < 20; ++s)
      if (const auto i = static_cast<std::uint64_t>(20 * r + s); random.uniform(i) > 0.2)
        facts.set(s, r, facts.codomain(r).first + random.below(facts.codomain(r).size(), i + 500));
  const disjoint_single_hop c(facts);
  CHECK(c.width() == 1 + 1 + 3 + 6 + 7 + 5);
  CHECK(c.hidden() == 1 + 1 + 3 + 6 + 7);
  CHECK(c.output() == 7);
  for (const auto& found : {examine(realize<int>(c, facts), facts), examine(realize<float>(c, facts), facts),
                            examine(realize<double>(c, facts), facts), examine(realize_sparse<int>(c, facts), facts)}) {
    CHECK(found.exact());
    CHECK(found.recalled == facts.known());
    CHECK(found.unknown == 100 - facts.known());
    CHECK(found.margin == 1);  // of the attribute that stands alone; the others have 2
  }
}

}  // namespace codes_test
