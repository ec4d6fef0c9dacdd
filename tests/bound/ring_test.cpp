#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "geofact/bound/enumerate.hpp"
#include "geofact/bound/families.hpp"

namespace ring_test {

namespace bound = geofact::bound;
using bound::graph;
using bound::problem;
using whole = geofact::index_t;

namespace {
using images = bound::detail::images;
using relations = std::vector<const images*>;

/// The entities that the skeleton of theorem 3 reaches, in the order of its levels; empty where the graph is not of the
/// family: the ring is no single cycle or two words lead to one entity.
std::vector<int> skeleton(const relations& f, int roots, int branching, int hops, int limit) {
  std::vector<int> reached;
  std::set<int> seen;
  int at = 0;
  for (int i = 0; i < roots; ++i) {
    if (at >= roots || !seen.insert(at).second) return {};
    at = (*f[0])[static_cast<std::size_t>(at)];
  }
  if (at != 0) return {};
  for (int i = 0; i < roots; ++i) reached.push_back(i);
  std::size_t first = 0;
  for (int hop = 1; hop < hops; ++hop) {
    const std::size_t last = reached.size();
    for (int colour = hop == 1 ? 1 : 0; colour < branching; ++colour)
      for (std::size_t parent = first; parent < last; ++parent) {
        if (static_cast<int>(reached.size()) == limit) return reached;
        const int child = (*f[static_cast<std::size_t>(colour)])[static_cast<std::size_t>(reached[parent])];
        if (!seen.insert(child).second) return {};
        reached.push_back(child);
      }
    first = last;
  }
  return reached;
}

/// All answers of `hops` hops from 0..roots-1.
std::string table(const relations& f, int roots, int hops) {
  std::string now;
  for (int s = 0; s < roots; ++s) now.push_back(static_cast<char>(s));
  for (int hop = 0; hop < hops; ++hop) {
    std::string next;
    for (const images* to : f)
      for (char at : now) next.push_back(static_cast<char>((*to)[static_cast<std::size_t>(at)]));
    now = next;
  }
  return now;
}

/// The family among all graphs: how many differ on the edges that leave the skeleton, and how many of these any two
/// graphs with one table share.
struct family_count {
  std::set<std::string> edges, tables, pairs;
};
family_count collect(const problem& p, int roots, int branching) {
  const auto all = bound::detail::all_relations(static_cast<int>(p.entities), p.kind);
  const auto choices = static_cast<whole>(all.size());
  family_count found;
  for (whole g = 0; g < geofact::ipow(choices, static_cast<int>(p.relations)); ++g) {
    relations f;
    whole digits = g;
    for (whole r = 0; r < p.relations; ++r, digits /= choices)
      f.push_back(&all[static_cast<std::size_t>(digits % choices)]);
    const auto reached = skeleton(f, roots, branching, p.hops, static_cast<int>(p.entities));
    if (reached.empty()) continue;
    std::string edges;
    for (int v : reached)
      for (const images* to : f) edges += {static_cast<char>(v), static_cast<char>((*to)[static_cast<std::size_t>(v)])};
    const std::string answers = table(f, roots, p.hops);
    found.edges.insert(edges);
    found.tables.insert(answers);
    found.pairs.insert(answers + edges);
  }
  return found;
}
}  // namespace

TEST_CASE("theorem 3 needs n prime to k: where not, two rings of one family can give the same table") {
  const images forth{1, 2, 0}, back{2, 0, 1};
  CHECK(table({&forth, &forth}, 3, 3) == table({&back, &back}, 3, 3));
  CHECK(table({&forth, &forth}, 3, 2) != table({&back, &back}, 3, 2));
  for (int n = 2; n <= 5; ++n)  // all roots of N = n; for n = 2 there is only one ring
    for (int k = 2; k <= 5; ++k) {
      INFO(n, " roots, k = ", k);
      const auto found = collect({n, 2, k}, n, 2);
      CHECK((found.tables.size() < found.edges.size()) == (n > 2 && std::gcd(n, k) != 1));
    }
}

TEST_CASE("theorem 3, by exhaustion: the ring families are as large as stated, and the table tells their edges") {
  for (const problem& p : {problem{4, 2, 2}, problem{4, 2, 3}, problem{4, 2, 4}, problem{5, 2, 2}, problem{5, 2, 3},
                           problem{5, 2, 4}, problem{4, 3, 2}, problem{4, 3, 3}, problem{3, 2, 2, graph::function},
                           problem{3, 2, 3, graph::function}, problem{4, 2, 3, graph::function}})
    for (int roots = 1; roots <= p.entities; ++roots)
      for (int branching = 2; branching <= p.relations; ++branching) {
        if (std::gcd(roots, p.hops) != 1) continue;
        INFO(bound::name(p.kind), " ", p.entities, " ", p.relations, " ", p.hops, " n = ", roots, " b = ", branching);
        const auto found = collect(p, roots, branching);
        const double low = bound::rounded_down(bound::family::ring{p, branching}.low(roots));
        CHECK(std::abs(low - std::log2(static_cast<double>(found.edges.size()))) < 1e-9);
        CHECK(found.pairs.size() == found.tables.size());  // one table, one set of edges
      }
}

}  // namespace ring_test
