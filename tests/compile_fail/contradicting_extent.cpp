// expected: "this extent is ", 4, " at compile time but ", size, " was given"
#include "geofact/foundation/extent.hpp"

constexpr geofact::extent<4> relations = 5;
