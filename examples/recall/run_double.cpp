#include "run.hpp"

template report run<double>(const settings&, const geofact::knowledge&);
