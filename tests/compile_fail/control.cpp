// The same pieces, used as they are meant: this must compile.
#include "geofact/code/binary.hpp"
#include "geofact/code/circle.hpp"
#include "geofact/construction/associative_memory.hpp"
#include "geofact/construction/multi_hop.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/fact/graph.hpp"

constexpr geofact::extent<4> relations = 4;
static_assert(geofact::tree(geofact::binary_code<4>{}, 16, 7).layers() == 1);
const geofact::associative_memory memory(geofact::binary_code(8), 8, 2, 16);

auto realize() {
  const auto facts = geofact::random_bijections<2>(8);
  return geofact::realize<double>(geofact::tree(geofact::circle_code(8), 2), facts);
}
