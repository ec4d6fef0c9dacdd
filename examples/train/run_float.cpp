#include "run.hpp"

template result run<float>(const settings& wanted, const geofact::fact_table<>& facts);
