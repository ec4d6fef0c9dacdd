// expected: random codes of "
#include "geofact/code/random_sign.hpp"

// Four attributes cannot have different codes of one sign each.
constexpr geofact::random_sign_code<4, 1> code(4, 1);
static_assert(code.length() == 1);
