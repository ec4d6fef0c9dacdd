#include "geofact/bound/matchings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace matchings_test {

namespace bound = geofact::bound;
using whole = geofact::index_t;

namespace {
/// In how many ways the first `asked` of `points` points can be matched: the first of them takes another of them or one
/// of the rest.
double ways(whole points, whole asked) {
  if (asked <= 0) return 1;
  double sum = 0;
  if (asked >= 2) sum += static_cast<double>(asked - 1) * ways(points - 2, asked - 2);
  if (points > asked) sum += static_cast<double>(points - asked) * ways(points - 2, asked - 1);
  return sum;
}
}  // namespace

TEST_CASE("partners of some points: never above the exact count, equal for one point and for all") {
  for (whole pairs = 1; pairs <= 11; ++pairs)
    for (whole asked = 1; asked <= 2 * pairs; ++asked) {
      const double low = bound::rounded_down(bound::family::log2_partners(pairs, asked)),
                   exact = std::log2(ways(2 * pairs, asked));
      INFO(asked, " of ", 2 * pairs);
      CHECK(low <= exact + 1e-12);
      if (asked == 1 || asked >= 2 * pairs - 1) CHECK(low >= exact - 1e-12);
    }
}

TEST_CASE("matched trees: exactly as many as the step-by-step choice of partners outside") {
  for (whole n : {40, 100, 300})
    for (whole r : {2, 3, 4})
      for (int depth = 1; depth <= 4; ++depth) {
        const bound::family::matched_trees trees{
            {.entities = n, .relations = r, .hops = depth, .kind = bound::graph::matching}, depth};
        for (whole roots = 1; roots <= trees.last() && roots <= 4; ++roots) {
          // e edges a colour and p open ends, level by level.
          whole inner = 0, open = roots;
          for (int level = 1; level < depth; ++level) inner += open, open *= r - 1;
          const whole left = n - 2 * inner;
          double outside = 0, chain = 0;
          for (whole i = 0; i < open && 2 * open <= left; ++i)
            outside += std::log2(static_cast<double>(left - open - i));
          for (whole i = 0; i < (open + 1) / 2; ++i) chain += std::log2(static_cast<double>(left - 1 - 2 * i));
          const double low = bound::rounded_down(trees.low(roots)),
                       exact = static_cast<double>(r) * std::max(outside, chain);
          CHECK(low <= exact + 1e-9);
          CHECK(low >= exact - 1e-9);
        }
      }
}

}  // namespace matchings_test
