#include "linkage.hpp"

geofact::parameters<int> realized(const geofact::fact_table<2>& facts) {
  return geofact::realize<int>(geofact::tree{geofact::binary_code{facts.attributes()}, facts.relations()}, facts);
}

const void* address_of_permutation() { return reinterpret_cast<const void*>(&geofact::random_permutation); }
