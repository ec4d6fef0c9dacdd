// expected: an associative memory counts in integers: use a code with integer coordinates
#include "geofact/code/circle.hpp"
#include "geofact/construction/associative_memory.hpp"

const geofact::associative_memory memory(geofact::circle_code(8), 8, 2, 16);
