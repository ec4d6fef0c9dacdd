#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
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

/// A reference to work that is called with an index: unlike std::function it copies nothing and is quick to compile.
class indexed_work {
 public:
  template <class Work>
  indexed_work(const Work& work)
      : work_(&work), call_([](const void* own, index_t i) { (*static_cast<const Work*>(own))(i); }) {}
  void operator()(index_t i) const { call_(work_, i); }

 private:
  const void* work_;
  void (*call_)(const void*, index_t);
};

/// Calls work(i) once for every i in 0..count-1, on up to `threads` threads that take the next i from a shared counter.
/// The first exception ends the loop and is rethrown here.
inline void parallel_for(index_t count, int threads, indexed_work work) {
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
