#pragma once
#include "geofact/probe/freeze_and_swap.hpp"
#include "geofact/probe/interchange.hpp"
#include "geofact/probe/layers.hpp"
#include "geofact/probe/readout.hpp"
#include "geofact/training/find_threshold.hpp"

/// @file
/// What takes long to compile, for the usual types: models in float and tables with dynamic extents. The CMake target
/// geofact::instances compiles it once, in two sources side by side; those that link the target and include geofact.hpp
/// do not compile it again. Other types compile where they are used, as ever.

#ifndef GEOFACT_TRAINING_INSTANCE
  #define GEOFACT_TRAINING_INSTANCE extern template
#endif
#ifndef GEOFACT_PROBE_INSTANCE
  #define GEOFACT_PROBE_INSTANCE extern template
#endif

namespace geofact {

GEOFACT_TRAINING_INSTANCE training_run<parameters<float>> train<float>(const fact_table<>&, const recipe&,
                                                                       const training_options&);
GEOFACT_TRAINING_INSTANCE trial run_trial<float>(const threshold_problem&, const threshold_rule&, int, int, int);

namespace probe {

GEOFACT_PROBE_INSTANCE readout_report readout(const matrix<float>&, const matrix<float>&, const fact_table<>&,
                                              const readout_options&);
GEOFACT_PROBE_INSTANCE superposition_report superposition(const matrix<float>&, const matrix<float>&,
                                                          const fact_table<>&, const superposition_options&);
GEOFACT_PROBE_INSTANCE layers_report probe_layers<float>(const hidden_states&, const knowledge&, const layers_options&);
GEOFACT_PROBE_INSTANCE swap_report swap_answers(const parameters<float>&, const fact_table<>&, const swap_options&);
GEOFACT_PROBE_INSTANCE interchange_report interchange(const parameters<float>&, const fact_table<>&, site,
                                                      const interchange_options&);
GEOFACT_PROBE_INSTANCE std::vector<unit_interchange> interchange_units(const parameters<float>&, const fact_table<>&,
                                                                       const ablation_options&);
GEOFACT_PROBE_INSTANCE ablation_report ablate_units(const parameters<float>&, const fact_table<>&,
                                                    const ablation_options&);
GEOFACT_PROBE_INSTANCE freeze_and_swap_report freeze_and_swap(const parameters<float>&, const fact_table<>&,
                                                              const fact_table<>&, const freeze_and_swap_options&);

}  // namespace probe

}  // namespace geofact
