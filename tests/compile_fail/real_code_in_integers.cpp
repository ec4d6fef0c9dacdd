// expected: a code with real coordinates needs a model of floating-point scalars
#include "geofact/code/circle.hpp"
#include "geofact/construction/multi_hop.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/fact/graph.hpp"

auto realize() {
  const auto facts = geofact::random_bijections<2>(8);
  return geofact::realize<int>(geofact::tree(geofact::circle_code(8), 2), facts);
}
