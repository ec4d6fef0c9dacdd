// expected: a product needs as many columns on its left as rows on its right
#include "geofact/foundation/matrix.hpp"

const auto wrong = geofact::product(geofact::matrix<int, 2, 3>(), geofact::matrix<int, 2, 4>());
