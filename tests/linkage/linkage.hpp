#pragma once
#include <geofact/geofact.hpp>

// Defined in realizes.cpp, called from verifies.cpp: two translation units that both include everything.
geofact::parameters<int> realized(const geofact::fact_table<2>& facts);
const void* address_of_permutation();
