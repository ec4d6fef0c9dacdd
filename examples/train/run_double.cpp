#include "run.hpp"

template result run<double>(const settings& wanted, const geofact::fact_table<>& facts);
