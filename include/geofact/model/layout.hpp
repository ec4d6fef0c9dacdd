#pragma once
#include <string>
#include <utility>
#include <vector>

#include "geofact/foundation/memory.hpp"
#include "geofact/model/shape.hpp"

namespace geofact {

/// One table of a model: where it lies in the block of parameters (column-major).
struct table {
  std::string name;
  int rows, columns;
  index_t offset;
  index_t size() const { return index_t{rows} * columns; }
};

/// The tables of a model of these sizes, one after the other; the unembedding comes last. Throws where the sizes
/// contradict each other or overflow.
template <shape S>
std::vector<table> layout(const sizes<S>& n) {
  require(n.width >= 1 && n.output >= 1, "a model needs a width and an output of at least 1, got ", int{n.width},
          " and ", int{n.output});
  require(n.residual == 0 || n.residual == 1, "a model is residual (1) or not (0), not ", int{n.residual});
  require((n.residual == 0 && n.layers > 0) || n.output <= n.width, "this model reads its output of ", int{n.output},
          " off a stream that is only ", int{n.width}, " wide");
  require_memory(4 * (index_t{n.heads} + n.layers), sizeof(table), "the list of this model's tables");
  std::vector<table> tables;
  const auto add = [&](std::string name, int rows, int columns) {
    const index_t offset = tables.empty() ? 0 : checked_sum(tables.back().offset, tables.back().size());
    tables.push_back({std::move(name), rows, columns, offset});
  };
  add("entity", n.width, n.entities);
  add("relation", n.width, n.relations);
  add("position", n.width, n.positions);
  for (int h = 0; h < n.heads; ++h) {
    const std::string head = "head." + std::to_string(h) + '.';
    add(head + "query", n.key, n.width);
    add(head + "key", n.key, n.width);
    add(head + "value", n.value, n.width);
    add(head + "output", n.width, n.value);
  }
  for (int l = 0; l < n.layers; ++l) {
    const std::string layer = "layer." + std::to_string(l) + '.';
    const int rows = l + 1 < n.layers ? n.width : n.output;
    add(layer + "w1", n.hidden, n.width);
    add(layer + "b1", n.hidden, 1);
    add(layer + "w2", rows, n.hidden);
    add(layer + "b2", rows, 1);
  }
  add("unembedding", n.attributes, n.output);
  return tables;
}

/// How many weights the tables hold.
inline index_t weights_in(const std::vector<table>& tables) {
  return checked_sum(tables.back().offset, tables.back().size());
}

}  // namespace geofact
