#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "geofact/foundation/extent.hpp"

namespace geofact {

/// Threads to use where the caller asked for `wanted` (0: one per core).
inline int thread_count(int wanted = 0) {
  require(wanted >= 0, "cannot run on ", wanted, " threads");
  return wanted > 0 ? wanted : (std::max)(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Calls work(i) once for every i in 0..count-1, on up to `threads` threads that take the next i from a shared counter.
/// The first exception ends the loop and is rethrown here.
inline void parallel_for(index_t count, int threads, const std::function<void(index_t)>& work) {
  std::atomic<index_t> next = 0;
  std::exception_ptr failure;
  std::mutex failing;
  const auto run = [&] {
    try {
      for (index_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  std::vector<std::jthread> helpers;
  for (index_t t = 1; t < (std::min)(static_cast<index_t>(threads), count); ++t) helpers.emplace_back(run);
  run();
  helpers.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace geofact
