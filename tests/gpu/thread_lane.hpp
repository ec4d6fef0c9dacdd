#pragma once
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "geofact/gpu/block.hpp"

/// A lane that is one std::thread for each CUDA thread, so that the very code of the collectives runs under
/// ThreadSanitizer.
namespace simt {

using geofact::gpu::most_threads;
using geofact::gpu::warp;

/// Where a number of threads wait for each other. A mutex of its own: std::barrier of libstdc++ 12 waits in a pool that
/// unrelated blocks share, and that orders them.
class meeting {
 public:
  explicit meeting(int size) : size_(size) {}

  /// All have to come from the same line of the source; 0 is the end of the kernel.
  void arrive(int line) {
    std::unique_lock lock(guard_);
    if (waiting_ > 0 && line != line_) {
      std::fprintf(stderr, "divergent barrier: threads of one block wait in lines %d and %d (0: the end)\n", line_,
                   line);
      std::_Exit(3);
    }
    line_ = line;
    if (++waiting_ == size_) {
      waiting_ = 0;
      ++generation_;
      all_here_.notify_all();
    } else {
      const long mine = generation_;
      all_here_.wait(lock, [&] { return generation_ != mine; });
    }
  }

 private:
  std::mutex guard_;
  std::condition_variable all_here_;
  int size_, waiting_ = 0, line_ = 0;
  long generation_ = 0;
};

/// What the threads of a block share.
struct shared {
  explicit shared(int threads) : all(threads) {
    for (int w = 0; w < threads / warp; ++w) warps.push_back(std::make_unique<meeting>(warp));
  }
  meeting all;
  std::vector<std::unique_ptr<meeting>> warps;
  alignas(16) unsigned char scratch[most_threads / warp * geofact::gpu::reducible] = {};
  alignas(16) unsigned char slots[most_threads][geofact::gpu::reducible] = {};
};

class thread_lane {
 public:
  thread_lane(shared& common, int thread, int threads, int block, int blocks)
      : common_(common), thread_(thread), threads_(threads), block_(block), blocks_(blocks) {}

  int thread() const { return thread_; }
  int threads() const { return threads_; }
  int block() const { return block_; }
  int blocks() const { return blocks_; }
  unsigned char* scratch() { return common_.scratch; }
  /// The warp meets first: its threads cannot be at different barriers.
  void barrier(int line) {
    common_.warps[static_cast<std::size_t>(thread_ / warp)]->arrive(line);
    common_.all.arrive(line);
  }
  void finish() { thread_lane::barrier(0); }
  template <class T>
  T exchange(T mine, int mask, int line) {
    std::memcpy(common_.slots[thread_], &mine, sizeof(T));
    common_.warps[static_cast<std::size_t>(thread_ / warp)]->arrive(line);
    std::memcpy(&mine, common_.slots[thread_ ^ mask], sizeof(T));
    common_.warps[static_cast<std::size_t>(thread_ / warp)]->arrive(line);
    return mine;
  }
  template <class T>
  void add(T* sum, T x) {
    T before, after;
    __atomic_load(sum, &before, __ATOMIC_RELAXED);
    do after = before + x;
    while (!__atomic_compare_exchange(sum, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  }

 private:
  shared& common_;
  int thread_, threads_, block_, blocks_;
};

/// Runs a kernel with all its blocks in flight.
template <class Lane = thread_lane>
struct thread_executor {
  template <class Kernel>
  static void run(const Kernel& kernel, int blocks, int threads) {
    std::vector<std::unique_ptr<shared>> common;
    for (int i = 0; i < blocks; ++i) common.push_back(std::make_unique<shared>(threads));
    std::vector<std::thread> running;
    for (int i = 0; i < blocks; ++i)
      for (int t = 0; t < threads; ++t)
        running.emplace_back([&, i, t] {
          Lane lane(*common[static_cast<std::size_t>(i)], t, threads, i, blocks);
          geofact::gpu::simt_block<Lane> b(lane);
          kernel(b);
          lane.finish();
        });
    for (auto& one : running) one.join();
  }
};

}  // namespace simt
