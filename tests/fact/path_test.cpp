#include "geofact/fact/path.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "geofact/fact/graph.hpp"

namespace path_test {

using geofact::fact_table;
using geofact::path_set;
using geofact::unknown;

namespace {

/// f_{r_k}(... f_{r_1}(s)), by the definition: the last relation is asked of the answer to all before it.
int nested(const fact_table<>& facts, int s, std::vector<int> path) {
  if (path.empty()) return s;
  const int last = path.back();
  path.pop_back();
  const int inner = nested(facts, s, path);
  return inner == unknown ? unknown : facts(inner, last);
}

std::vector<int> steps(const path_set<>& paths, int w) {
  std::vector<int> path;
  for (int hop = 0; hop < paths.hops; ++hop) path.push_back(paths.step(w, hop));
  return path;
}

}  // namespace

TEST_CASE("the paths of R relations and k hops are all R^k sequences, once each") {
  for (int r = 1; r <= 5; ++r)
    for (int k = 1; k <= 4; ++k) {
      CAPTURE(r);
      CAPTURE(k);
      const path_set<> paths{r, k};
      std::set<std::vector<int>> all;
      int count = 1;
      for (int i = 0; i < k; ++i) count *= r;
      REQUIRE(paths.size() == count);
      for (int w = 0; w < count; ++w) {
        const auto path = steps(paths, w);
        CHECK(std::all_of(path.begin(), path.end(), [&](int step) { return 0 <= step && step < r; }));
        all.insert(path);
      }
      CHECK(std::ssize(all) == count);
    }
  static_assert(path_set<3, 4>{}.size() == 81 && path_set<3, 4>{}.step(5, 0) == 2 && path_set<3, 4>{}.step(5, 1) == 1);
}

TEST_CASE("following a path is the composition of its relations, first hop first") {
  for (double missing : {0.0, 0.3})
    for (int k = 1; k <= 4; ++k) {
      CAPTURE(missing);
      CAPTURE(k);
      const auto facts = geofact::random_functions(20, 25, {.relations = 3, .missing = missing, .seed = 11});
      const path_set<> paths{3, k};
      for (int w = 0; w < paths.size(); ++w) {
        const auto path = steps(paths, w);
        for (int s = 0; s < 20; ++s) {
          const int expected = nested(facts, s, path);
          CHECK(geofact::follow(facts, s, path) == expected);
          CHECK(geofact::follow(facts, s, paths, w) == expected);
        }
      }
    }
}

TEST_CASE("an unknown step, or an attribute that is no subject, ends a path in unknown") {
  fact_table<> facts(2, 1, 3);
  facts.set(0, 0, 2);
  facts.set(1, 0, 0);
  const std::vector<int> once{0}, twice{0, 0};
  CHECK(geofact::follow(facts, 0, once) == 2);
  CHECK(geofact::follow(facts, 0, twice) == unknown);
  CHECK(geofact::follow(facts, 1, twice) == 2);
  CHECK(geofact::follow(facts, unknown, once) == unknown);
}

TEST_CASE("R^k that does not fit an int is refused") {
  CHECK(path_set<>{2, 30}.size() == 1 << 30);
  CHECK_THROWS_AS((path_set<>{2, 31}.size()), geofact::error);
  CHECK_THROWS_AS((path_set<>{16, 32}.size()), geofact::error);
  CHECK(path_set<>{1, 1000}.size() == 1);
}

}  // namespace path_test
