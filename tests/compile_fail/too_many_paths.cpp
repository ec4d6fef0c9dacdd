// expected: hops are too many for one model"
#include "geofact/code/binary.hpp"
#include "geofact/construction/multi_hop.hpp"

// 16 relations and 17 hops: the codes of 16^17 paths fit no width.
constexpr int width = geofact::tree(geofact::binary_code<4>{}, 16, 17).width();
