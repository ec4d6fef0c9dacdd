#include "run.hpp"

template report run<float>(const settings&, const geofact::knowledge&);
