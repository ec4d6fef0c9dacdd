#include "geofact/foundation/parallel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace parallel_test {

using geofact::parallel_for;

TEST_CASE("parallel_for calls each index once, on 1 to 8 threads") {
  for (int threads = 1; threads <= 8; ++threads)
    for (int count : {0, 1, 2, 7, 8, 1000}) {
      CAPTURE(threads);
      CAPTURE(count);
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
      parallel_for(count, threads, [&](geofact::index_t i) { ++calls[static_cast<std::size_t>(i)]; });
      CHECK(std::all_of(calls.begin(), calls.end(), [](const auto& n) { return n == 1; }));
    }
}

TEST_CASE("parallel_for rethrows the first exception and stops early") {
  for (int threads = 1; threads <= 8; ++threads) {
    CAPTURE(threads);
    std::atomic<int> calls = 0;
    const auto work = [&](geofact::index_t i) {
      ++calls;
      if (i == 3) throw geofact::error("index 3 failed");
    };
    CHECK_THROWS_WITH_AS(parallel_for(100'000'000, threads, work), "index 3 failed", geofact::error);
    CHECK(calls < 100'000'000);
  }
  CHECK_THROWS_AS(parallel_for(100, 8, [](geofact::index_t) { throw std::string("all fail"); }), std::string);
}

TEST_CASE("0 threads means one for each core, fewer than 0 is refused") {
  CHECK(geofact::thread_count(0) == std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  CHECK(geofact::thread_count(5) == 5);
  CHECK_THROWS_WITH_AS(geofact::thread_count(-1), "cannot run on -1 threads", geofact::error);
}

}  // namespace parallel_test
