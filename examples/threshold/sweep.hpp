#pragma once
#include <string>
#include <vector>

#include "geofact/training/fit.hpp"
#include "geofact/training/threshold.hpp"
#include "workers.hpp"

/// Searches every problem. `log` keeps the trials (empty: nowhere); each process writes a file of its own, "LOG.rank1",
/// and rank 0 takes them all into `log` at the beginning and at the end. Returns what was found, on rank 0.
std::vector<geofact::threshold> sweep(workers& all, const std::vector<geofact::threshold_problem>& problems,
                                      const geofact::threshold_rule& rule, const std::string& log, int threads,
                                      bool progress);

/// A line for each threshold, as comma-separated values.
std::string as_csv(const std::vector<geofact::threshold>& found, const geofact::threshold_rule& rule);
