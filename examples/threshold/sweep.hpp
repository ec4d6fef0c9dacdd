#pragma once
#include <functional>
#include <string>
#include <vector>

#include "geofact/training/threshold.hpp"

/// The processes that share a sweep.
struct crew {
  int rank = 0, size = 1;
  std::function<long()> next;     ///< 0, 1, 2, ...: each number once among all processes
  std::function<void()> barrier;  ///< waits for all
};

/// Searches every problem. `log` keeps the trials (empty: nowhere); each process writes a file of its own, "LOG.rank1",
/// and rank 0 takes them all into `log` at the beginning and at the end. Returns what was found, on rank 0.
std::vector<geofact::threshold> sweep(const crew& all, const std::vector<geofact::threshold_problem>& problems,
                                      const geofact::threshold_rule& rule, const std::string& log, int threads,
                                      bool progress);

/// A line for each threshold, as comma-separated values.
std::string as_csv(const std::vector<geofact::threshold>& found, const geofact::threshold_rule& rule);

/// A line for each variant with enough thresholds: both laws that may hold, and how well they do.
std::string fits(const std::vector<geofact::threshold>& found);
