#include "run.hpp"

template report run<int>(const settings&, const geofact::knowledge&);
