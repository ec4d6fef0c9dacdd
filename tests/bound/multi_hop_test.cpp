#include "geofact/bound/multi_hop.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "geofact/bound/single_hop.hpp"

namespace multi_hop_test {

namespace bound = geofact::bound;
using bound::graph;
using bound::problem;
using whole = geofact::index_t;

namespace {
double graph_bits(const problem& p) { return bound::rounded_down(bound::log2_graphs(p).low); }
}  // namespace

static_assert(bound::least_private({.entities = 16, .relations = 3, .hops = 2}).bits <= 9 * 4, "the tree is possible");
static_assert(bound::compare({.entities = 4096, .relations = 8, .hops = 3}, {512 * 12, 0}).private_bits < 1.001);
static_assert(bound::least_total({.entities = 8, .relations = 1}).parameters == 16, "8! = 2^15.3");

TEST_CASE("the tree at 4096 subjects, R = 2..8, k = 2, 3: within 0.1 percent of the bound") {
  for (int k : {2, 3})
    for (whole r = 2; r <= 8; ++r) {
      const problem p{.entities = 4096, .relations = r, .hops = k};
      const whole leaves = geofact::ipow(r, k);
      const double ratio = bound::compare(p, {12 * leaves, 0}).private_bits;
      CHECK(ratio >= 1);
      CHECK(ratio <= 1.001);
      const double one_root = bound::rounded_down(bound::family::disjoint_trees{p}.low(1));
      CHECK(12 * static_cast<double>(leaves) / one_root <= 1.0012);
    }
}

TEST_CASE("deep trees, which no longer fit, stay within 1.2 until the whole graph is told") {
  for (int k = 4; k <= 5; ++k)
    CHECK(bound::compare({.entities = 4096, .relations = 8, .hops = k}, {12 * geofact::ipow(8, k), 0}).private_bits <
          1.2);
  const problem deep{.entities = 4096, .relations = 2, .hops = 64};
  CHECK(bound::least_private(deep).bits > 0.94 * bound::least_total(bound::one_hop(deep)).bits);
}

TEST_CASE("no construction is excluded") {
  for (whole n : {2, 16, 100, 4096})
    for (whole r : {1, 2, 5})
      for (int k : {1, 2, 3, 6, 9}) {
        const problem p{.entities = n, .relations = r, .hops = k};
        const whole code = geofact::ceil_log2(n), tree = geofact::ipow(r, k) * code, lookup = n * r * code;
        CHECK(bound::least_private(p).parameters <= tree);
        CHECK(bound::least_private(p, 1, static_cast<double>(lookup)).parameters == 0);
        CHECK(bound::least_shared(p, 1, tree).parameters == 0);
        CHECK(bound::least_shared(p, 1, 0).parameters <= lookup);
        CHECK(bound::least_private(bound::one_hop(p)).parameters <= r * code);
        CHECK(bound::first_failing_hops(p, 1, 0, static_cast<double>(lookup)) == 0);
      }
}

TEST_CASE("the best number of roots is as good as a scan over all") {
  for (whole n : {30, 200, 509})
    for (whole r : {1, 2, 3})
      for (int k : {1, 2, 3, 5})
        for (double shared : {0.0, 100.0, 1500.0})
          for (graph kind : {graph::permutation, graph::function}) {
            const problem p{.entities = n, .relations = r, .hops = k, .kind = kind};
            double best = 0;
            for (whole roots = 1; roots <= n; ++roots) {
              bound::detail::for_each_family(p, [&](const auto& f) {
                if (f.first() <= roots && roots <= f.last() && f.low(roots) > 0)
                  best = (std::max)(best, (bound::rounded_down(f.low(roots)) - shared) / static_cast<double>(roots));
              });
            }
            INFO(n, " ", r, " ", k, " shared ", shared);
            CHECK(bound::least_private(p, 1, shared).bits >= best * (1 - 1e-12));
          }
}

TEST_CASE("more shared bits need fewer private ones, and the other way round") {
  const problem p{.entities = 4096, .relations = 4, .hops = 3};
  double before = 1e300;
  for (double shared = 0; shared < 2e5; shared += 5000) {
    const double now = bound::least_private(p, 1, shared).bits;
    CHECK(now <= before);
    before = now;
  }
  before = 1e300;
  for (whole d = 0; d < 1000; d += 50) {
    const double now = bound::least_shared(p, 1, d).bits;
    CHECK(now <= before);
    before = now;
  }
}

TEST_CASE("parameters are bits divided by the bits of one, rounded up to a whole number that suffices") {
  const problem p{.entities = 4096, .relations = 2, .hops = 2, .kind = graph::function};
  CHECK(bound::least_private(p, 1).parameters == 48);
  CHECK(bound::least_private(p, 16).parameters == 3);
  CHECK(bound::least_private(p, 17).parameters == 3);
  CHECK(bound::least_private(p, 15.99).parameters == 4);
  CHECK(bound::least_private(p, 1.5).parameters == 32);
  CHECK(bound::least_total(p, 1e-300).parameters > 0);
}

TEST_CASE("a learned unembedding asks for about R log2 N bits where k >= 2, half of it where k = 1") {
  const problem direct{.entities = 4096, .relations = 8, .hops = 3};
  const auto found = bound::least_private(direct, 1, 0, bound::unembedding::learned);
  CHECK(found.bits > 8 * (12 - 2 * std::log2(std::exp(1.0))));
  CHECK(found.bits < bound::least_private(direct).bits);
  CHECK(bound::least_private(bound::one_hop(direct), 1, 0, bound::unembedding::learned).bits > 42);
}

TEST_CASE("the hops at which a budget fails are the first at which the bound passes it") {
  const problem p{.entities = 4096, .relations = 4};
  CHECK(bound::first_failing_hops(p, 1, 48, 0) == 2);
  CHECK(bound::first_failing_hops(p, 1, 47, 0) == 1);
  CHECK(bound::first_failing_hops(p, 1, 192, 0) == 3);
  CHECK(bound::first_failing_hops(p, 16, 48, 0) == 4);
  CHECK(bound::first_failing_hops(p, 1, 0, 2e5) == 0);
}

TEST_CASE("the hops at which a budget fails are those that a scan over k finds, for graphs of any kind") {
  for (graph kind : {graph::permutation, graph::matching, graph::function})
    for (whole n : {2, 6, 30, 4096})
      for (whole r : {1, 2, 3, 40})
        for (auto u : {bound::unembedding::fixed, bound::unembedding::learned})
          for (double part : {0.0, 0.1, 0.5, 0.85, 0.93, 0.999})
            for (double reach : {0.05, 0.3, 0.8, 0.97}) {
              problem p{.entities = n, .relations = r, .kind = kind};
              const double all = graph_bits(p), shared = part * all;
              const auto d = static_cast<whole>(reach * (all - shared) /
                                                (u == bound::unembedding::learned ? static_cast<double>(n) : 1));
              int scanned = 0;
              for (p.hops = 1; p.hops <= bound::most_hops && scanned == 0; ++p.hops)
                if (bound::least_shared(p, 1, d, u).bits > shared) scanned = p.hops;
              INFO(bound::name(kind), " ", n, " ", r, " d = ", d, " shared ", shared);
              CHECK(bound::first_failing_hops(p = {.entities = n, .relations = r, .kind = kind}, 1, d, shared, u) ==
                    scanned);
            }
  CHECK_THROWS_AS(bound::first_failing_hops({.entities = 5, .kind = graph::function, .attributes = 6}, 1, 1, 0),
                  geofact::error);
}

TEST_CASE("values are finite and in order up to 2^40 entities, 10^4 relations and 64 hops") {
  for (graph kind : {graph::permutation, graph::matching, graph::function})
    for (whole n : {whole{2}, whole{1000}, (whole{1} << 40) - 2, whole{1} << 40})
      for (whole r : {1, 2, 3, 10000})
        for (int k : {1, 2, 3, 17, 64}) {
          const problem p{.entities = n, .relations = r, .hops = k, .kind = kind};
          const double graphs = bound::rounded_down(bound::log2_graphs(p).high), total = bound::least_total(p).bits,
                       own = bound::least_private(p).bits;
          INFO(bound::name(kind), " ", n, " ", r, " ", k);
          CHECK(std::isfinite(total));
          CHECK(total <= graphs);
          CHECK(own <= graphs);
          CHECK(own <= geofact::bound::rounded_down(bound::log2_of(n).high) * std::pow(static_cast<double>(r), k) *
                           (1 + 1e-12));
        }
}

TEST_CASE("bad input is refused with one sentence") {
  const auto refused = [](const problem& p) { CHECK_THROWS_AS(bound::least_total(p), geofact::error); };
  refused({.entities = 0});
  refused({.entities = -5});
  refused({.entities = (whole{1} << 40) + 1});
  refused({.entities = 5, .kind = graph::matching});
  refused({.entities = 5, .relations = 0});
  refused({.entities = 5, .relations = 10001});
  refused({.entities = 5, .hops = 0});
  refused({.entities = 5, .hops = 65});
  refused({.entities = 5, .hops = 2, .kind = graph::function, .attributes = 6});
  refused({.entities = 5, .attributes = 6});
  const problem p{.entities = 5};
  for (double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    CHECK_THROWS_AS(bound::least_total(p, bad), geofact::error);
    CHECK_THROWS_AS(bound::least_private(p, bad), geofact::error);
    CHECK_THROWS_AS(bound::least_shared(p, bad, 1), geofact::error);
    if (!(bad == 0)) CHECK_THROWS_AS(bound::least_private(p, 1, bad), geofact::error);
  }
  CHECK_THROWS_AS(bound::least_shared(p, 1, -1), geofact::error);
  CHECK_THROWS_AS(bound::least_tables(p, 0), geofact::error);
  CHECK_THROWS_AS(bound::least_tables(p, 6), geofact::error);
  CHECK_THROWS_WITH(bound::least_total({.entities = 5, .kind = graph::matching}),
                    "a matching needs an even number of entities, not 5");
}

}  // namespace multi_hop_test
