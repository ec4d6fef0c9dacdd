#pragma once
#include <optional>
#include <string>
#include <vector>

#include "geofact/bound/report.hpp"
#include "geofact/code/binary.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/realize.hpp"

namespace bound = geofact::bound;
using whole = geofact::index_t;

/// One line: a construction beside the bounds, or a bound. What does not apply is negative.
struct row {
  std::string kind, name;
  whole dimension = -1, hidden = -1, layers = -1, parameters = -1;
  double private_bits = -1, shared_bits = -1, total_bits = -1;
  bound::ratios over{-1, -1, -1};
  whole roots = -1;
  std::string note;
};

inline row named(const std::string& kind, const std::string& name) {
  row r;
  r.kind = kind, r.name = name;
  return r;
}

/// What is asked of the program for one N, R and k.
struct wanted {
  bound::problem asked;
  double bits_per_parameter = 1, shared_bits = 0;
  std::optional<whole> dimension{};
};

/// A construction with the binary code; its sizes and the bits that know the facts. `against` is the problem whose
/// bounds apply. Throws geofact::error where its sizes overflow.
template <geofact::construction C>
row construction_row(const std::string& name, const C& c, const bound::problem& against) {
  const bound::stored bits{whole{c.private_codes()} * c.code.length(),
                           geofact::checked_product(c.shared_codes(), c.code.length())};
  row r = named("construction", name);
  r.dimension = c.width(), r.hidden = c.hidden(), r.layers = c.layers();
  r.parameters = geofact::weights_in(geofact::layout(geofact::sizes_of(c, geofact::to_extent(against.entities))));
  r.private_bits = static_cast<double>(bits.private_bits), r.shared_bits = static_cast<double>(bits.shared_bits);
  r.total_bits = static_cast<double>(bits.total(against.entities));
  r.over = bound::compare(against, bits);
  return r;
}

/// A line that says why there is no construction.
inline row missing_row(const std::string& name, const std::string& why) {
  row r = named("construction", name);
  r.note = why;
  return r;
}

/// Every construction for `p`, the tree first, then less and less in the embedding, then chain of thought.
inline std::vector<row> constructions(const bound::problem& p) {
  std::vector<row> rows;
  const auto add = [&](const std::string& name, const auto& make, const bound::problem& against) {
    try {
      rows.push_back(construction_row(name, make(), against));
    } catch (const geofact::error& failure) {
      rows.push_back(missing_row(name, failure.what()));
    }
  };
  const auto code = [&] { return geofact::binary_code(geofact::to_extent(p.answers())); };
  const auto relations = static_cast<int>(p.relations);
  for (int embedded = p.hops; embedded >= 0; --embedded) {
    if (embedded != p.hops && embedded != 0 && embedded != p.hops / 2) continue;
    const std::string name = embedded == p.hops ? "tree"
                             : embedded == 0    ? "lookup"
                                                : "tree of " + std::to_string(embedded) + " then lookup";
    const auto make = [&] {
      return geofact::multi_hop(code(), relations, p.hops, embedded, 1, geofact::to_extent(p.entities));
    };
    add(name, make, p);
  }
  if (p.hops > 1)
    add(
        "chain of thought", [&] { return geofact::chain_of_thought(code(), relations, geofact::one_hot_code(p.hops)); },
        bound::one_hop(p));
  return rows;
}

/// Every bound for what is wanted.
inline std::vector<row> bounds(const wanted& w) {
  std::vector<row> rows;
  const auto add = [&](const std::string& name, const bound::least& l, whole row::*parameters, double row::*bits) {
    row r = named("bound", name);
    r.*parameters = l.parameters, r.*bits = l.bits;
    r.roots = l.roots, r.note = std::string(l.formula) + " | " + l.assumptions;
    rows.push_back(r);
  };
  const double b = w.bits_per_parameter;
  const bound::report all = bound::make_report(w.asked, b);
  add("all parameters", all.total, &row::parameters, &row::total_bits);
  add("one subject with nothing shared", all.own, &row::dimension, &row::private_bits);
  add("one subject with a learned unembedding", all.own_learned, &row::dimension, &row::private_bits);
  add("shared with nothing private", all.shared, &row::parameters, &row::shared_bits);
  if (w.shared_bits > 0)
    add("one subject given the shared bits", bound::least_private(w.asked, b, w.shared_bits), &row::dimension,
        &row::private_bits);
  if (w.dimension) {
    add("shared given the dimension", bound::least_shared(w.asked, b, *w.dimension), &row::parameters,
        &row::shared_bits);
    row fails = named("bound", "hops at which the budget must fail");
    fails.layers = bound::first_failing_hops(w.asked, b, *w.dimension, w.shared_bits);
    fails.note = fails.layers == 0 ? "none up to 64" : std::to_string(fails.layers) + " hops";
    fails.layers = -1;
    rows.push_back(fails);
  }
  if (w.asked.hops > 1) add("one subject by chain of thought", all.thought, &row::dimension, &row::private_bits);
  return rows;
}
