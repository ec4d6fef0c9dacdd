// expected: the size ", a, " x ", b, " overflows
#include "geofact/code/binary.hpp"
#include "geofact/construction/multi_hop.hpp"

// 16 relations and 17 hops: 16^17 paths do not fit 64 bits.
constexpr int width = geofact::tree(geofact::binary_code<4>{}, 16, 17).width();
