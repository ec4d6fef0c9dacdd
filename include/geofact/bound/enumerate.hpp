#pragma once
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "geofact/bound/problem.hpp"

namespace geofact::bound {

/// What counting one by one finds.
struct enumeration {
  index_t graphs = 0;  // of the kind
  index_t tables = 0;  // that differ on the roots
};

namespace detail {
using images = std::vector<unsigned char>;

/// All permutations, matchings or functions of n points.
inline std::vector<images> all_relations(int n, graph kind) {
  std::vector<images> all;
  images f(static_cast<std::size_t>(n), 0);
  if (kind == graph::function) {
    for (;;) {
      all.push_back(f);
      std::size_t i = 0;
      while (i < f.size() && ++f[i] == n) f[i++] = 0;
      if (i == f.size()) return all;
    }
  }
  std::iota(f.begin(), f.end(), static_cast<unsigned char>(0));
  do {
    bool wanted = true;
    for (std::size_t i = 0; kind == graph::matching && i < f.size(); ++i) wanted &= f[i] != i && f[f[i]] == i;
    if (wanted) all.push_back(f);
  } while (std::next_permutation(f.begin(), f.end()));
  return all;
}
}  // namespace detail

/// Draws every graph and asks subjects 0..roots-1 for all k-hop paths: the exact number of different tables, an oracle
/// for the bounds. Throws above 2^24 graphs or 2^31 bytes of tables.
inline enumeration enumerate(const problem& p, index_t roots) {
  p.check();
  require(p.entities <= 9 && p.answers() == p.entities, "only up to 9 entities can be enumerated, not ", p.entities);
  require(roots >= 1 && roots <= p.entities, "the roots must number 1 to ", p.entities, ", not ", roots);
  const auto all = detail::all_relations(static_cast<int>(p.entities), p.kind);
  const auto choices = static_cast<index_t>(all.size());
  const index_t graphs = capped_power(1, choices, static_cast<int>(p.relations), (index_t{1} << 24) + 1),
                paths = capped_power(1, p.relations, p.hops, index_t{1} << 24), entries = checked_product(roots, paths);
  require(graphs <= index_t{1} << 24 && checked_product(graphs, entries) <= index_t{1} << 31,
          "there are too many graphs or paths to enumerate");

  std::vector<std::string> tables;
  tables.reserve(static_cast<std::size_t>(graphs));
  std::vector<const detail::images*> relations(static_cast<std::size_t>(p.relations), nullptr);
  for (index_t g = 0; g < graphs; ++g) {
    index_t digits = g;
    for (auto& f : relations) {
      f = &all[static_cast<std::size_t>(digits % choices)];
      digits /= choices;
    }
    std::string table;  // answers of all shorter paths, one hop longer at every turn
    for (index_t s = 0; s < roots; ++s) table.push_back(static_cast<char>(s));
    for (int hop = 0; hop < p.hops; ++hop) {
      std::string longer;
      longer.reserve(table.size() * relations.size());
      for (const auto* f : relations)
        for (char at : table) longer.push_back(static_cast<char>((*f)[static_cast<std::size_t>(at)]));
      table = std::move(longer);
    }
    tables.push_back(std::move(table));
  }
  std::sort(tables.begin(), tables.end());
  const auto distinct = std::unique(tables.begin(), tables.end()) - tables.begin();
  return {graphs, static_cast<index_t>(distinct)};
}

}  // namespace geofact::bound
