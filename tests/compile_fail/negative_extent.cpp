// expected: an extent is dynamic or not negative
#include "geofact/foundation/extent.hpp"

geofact::extent<-5> size;
