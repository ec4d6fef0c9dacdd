#pragma once
#include "geofact/construction/realize.hpp"
#include "geofact/construction/verify.hpp"

// verify of the models in these tests, compiled once.

geofact::verification examine(const geofact::parameters<int>& model, const geofact::fact_table<>& facts,
                              const geofact::verify_options& options = {});
geofact::verification examine(const geofact::parameters<float>& model, const geofact::fact_table<>& facts,
                              const geofact::verify_options& options = {});
geofact::verification examine(const geofact::parameters<double>& model, const geofact::fact_table<>& facts,
                              const geofact::verify_options& options = {});
geofact::verification examine(const geofact::sparse_parameters<int>& model, const geofact::fact_table<>& facts,
                              const geofact::verify_options& options = {});
geofact::verification examine(const geofact::sparse_parameters<float>& model, const geofact::fact_table<>& facts,
                              const geofact::verify_options& options = {});
