#include "geofact/fact/graph.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <vector>

namespace graph_test {

using geofact::fact_table;
using geofact::unknown;

namespace {

bool equal(const fact_table<>& a, const fact_table<>& b) {
  for (int r = 0; r < a.relations(); ++r)
    for (int s = 0; s < a.subjects(); ++s)
      if (a(s, r) != b(s, r)) return false;
  return a.relations() == b.relations() && a.subjects() == b.subjects();
}

std::set<int> images(const fact_table<>& facts, int r) {
  std::set<int> all;
  for (int s = 0; s < facts.subjects(); ++s) all.insert(facts(s, r));
  return all;
}

constexpr std::uint64_t seeds[] = {0, 1, 2, 99};

}  // namespace

TEST_CASE("random bijections are bijections") {
  for (auto seed : seeds)
    for (int n : {1, 2, 7, 100, 4096}) {
      CAPTURE(seed);
      CAPTURE(n);
      const auto facts = geofact::random_bijections(n, {.relations = 3, .seed = seed});
      for (int r = 0; r < 3; ++r) {
        const auto all = images(facts, r);
        CHECK(std::ssize(all) == n);
        CHECK((*all.begin() == 0 && *all.rbegin() == n - 1));
      }
    }
}

TEST_CASE("perfect matchings are their own inverses and move every subject") {
  for (auto seed : seeds)
    for (int n : {2, 4, 10, 1000}) {
      CAPTURE(seed);
      const auto facts = geofact::perfect_matchings(n, {.relations = 3, .seed = seed});
      for (int r = 0; r < 3; ++r)
        for (int s = 0; s < n; ++s) REQUIRE((facts(s, r) != s && facts(facts(s, r), r) == s));
    }
  for (int odd : {1, 3, 1001})
    CHECK_THROWS_WITH_AS(geofact::perfect_matchings(odd, {.relations = 1}),
                         ("a perfect matching needs an even number of subjects, got " + std::to_string(odd)).c_str(),
                         geofact::error);
}

TEST_CASE("random functions reach attributes with the frequency of independent draws") {
  for (auto seed : seeds) {
    CAPTURE(seed);
    const int n = 2000, a = 50;
    const auto facts = geofact::random_functions(n, a, {.relations = 2, .seed = seed});
    CHECK(facts.attributes() == a);
    for (int r = 0; r < 2; ++r) {
      std::vector<int> counts(a, 0);
      for (int s = 0; s < n; ++s) ++counts.at(static_cast<std::size_t>(facts(s, r)));
      double chi_square = 0;
      for (int count : counts) chi_square += (count - n / a) * (count - n / a) / (1.0 * n / a);
      CHECK(chi_square < 105);  // 49 degrees of freedom: exceeded once in 200 000
    }
  }
  CHECK_THROWS_AS(geofact::random_functions(5, 0, {.relations = 1}), geofact::error);
}

TEST_CASE("relations of a Cayley graph of Z_N are shifts, so they commute") {
  for (int n : {1, 2, 12, 97}) {
    const auto facts = geofact::cyclic_cayley_graph(n, {.relations = 4, .seed = 3});
    for (int r = 0; r < 4; ++r)
      for (int q = 0; q < 4; ++q)
        for (int s = 0; s < n; ++s) {
          CHECK(facts(s, r) == (s + facts(0, r)) % n);
          CHECK(facts(facts(s, q), r) == facts(facts(s, r), q));
        }
  }
}

TEST_CASE("the missing share of facts is missing, the rest stays as it was") {
  for (double missing : {0.0, 0.1, 0.5, 1.0}) {
    CAPTURE(missing);
    const auto whole = geofact::random_bijections(1000, {.relations = 10, .seed = 5});
    const auto partial = geofact::random_bijections(1000, {.relations = 10, .missing = missing, .seed = 5});
    const double expected = 10000 * (1 - missing), deviation = std::sqrt(10000 * missing * (1 - missing));
    CHECK(std::abs(static_cast<double>(partial.known()) - expected) <= 4 * deviation);
    for (int r = 0; r < 10; ++r)
      for (int s = 0; s < 1000; ++s) REQUIRE((partial(s, r) == unknown || partial(s, r) == whole(s, r)));
  }
  for (double share : {-0.1, 1.1, std::nan("")})
    CHECK_THROWS_AS(geofact::random_bijections(4, {.relations = 1, .missing = share}), geofact::error);
}

TEST_CASE("a graph follows from its seed, and relations and seeds differ") {
  const auto one = geofact::random_bijections(100, {.relations = 2, .seed = 1});
  CHECK(equal(one, geofact::random_bijections(100, {.relations = 2, .seed = 1})));
  CHECK_FALSE(equal(one, geofact::random_bijections(100, {.relations = 2, .seed = 2})));
  int same = 0;
  for (int s = 0; s < 100; ++s) same += one(s, 0) == one(s, 1);
  CHECK(same < 8);
  const auto more = geofact::random_bijections(100, {.relations = 3, .seed = 1});
  for (int s = 0; s < 100; ++s) CHECK(more(s, 1) == one(s, 1));
}

TEST_CASE("static and dynamic relations draw the same graph, at compile time too") {
  constexpr int compiled = geofact::random_bijections<2>(8, {.seed = 4})(3, 1);
  CHECK(compiled == geofact::random_bijections(8, {.relations = 2, .seed = 4})(3, 1));
  constexpr int partner = geofact::perfect_matchings<1>(6, {.seed = 4})(5, 0);
  CHECK(partner == geofact::perfect_matchings(6, {.relations = 1, .seed = 4})(5, 0));
  CHECK_THROWS_AS(geofact::random_bijections(8), geofact::error);  // no relations
  CHECK_THROWS_AS(geofact::random_bijections<2>(0), geofact::error);
}

}  // namespace graph_test
