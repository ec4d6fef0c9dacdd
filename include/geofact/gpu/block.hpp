#pragma once
#include <concepts>
#include <type_traits>

#include "geofact/config.hpp"
#include "geofact/foundation/extent.hpp"

/// \file
/// What a kernel may ask of the threads that run it, and two of the three executors that answer (the third is
/// cuda_device.cuh). A kernel is a trivially copyable function object `template <block B> void operator()(B&) const`.
/// It sees no thread, no shared memory and no barrier, so no barrier of it can diverge.

namespace geofact::gpu {

/// Threads of a warp; the threads of a block are a multiple.
inline constexpr int warp = 32;
/// The most threads that a kernel is launched with.
inline constexpr int most_threads = 256;
/// Bytes of a value that `reduce` takes.
inline constexpr int reducible = 32;

namespace archetype {
struct visit {
  GEOFACT_HD void operator()(int) const {}
};
struct act {
  GEOFACT_HD void operator()() const {}
};
struct plus {
  GEOFACT_HD float operator()(float a, float b) const { return a + b; }
};
}  // namespace archetype

/// A group of threads that works together; `count()` such blocks run in any order.
template <class B>
concept block = requires(B& b, float* sum, float x) {
  { b.index() } -> std::convertible_to<int>;
  { b.count() } -> std::convertible_to<int>;
  b.for_each(1, archetype::visit{});                          // f(0) .. f(n - 1), dealt to the threads; then a barrier
  b.once(archetype::act{});                                   // f() by one thread; then a barrier
  { b.reduce(x, archetype::plus{}) } -> std::same_as<float>;  // of the threads' values, the same for every thread
  b.add(sum, x);                                              // *sum += x, while others do the same
};

/// Executor 1: a block of one thread, in plain loops. The reference.
class serial_block {
 public:
  GEOFACT_HD serial_block(int index, int count) : index_(index), count_(count) {}
  GEOFACT_HD int index() const { return index_; }
  GEOFACT_HD int count() const { return count_; }
  template <class F>
  GEOFACT_HD void for_each(int n, const F& f) {
    for (int i = 0; i < n; ++i) f(i);
  }
  template <class F>
  GEOFACT_HD void once(const F& f) {
    f();
  }
  template <class T, class Op>
  GEOFACT_HD T reduce(const T& mine, const Op&) {
    return mine;
  }
  template <class T>
  GEOFACT_HD void add(T* sum, T x) {
    *sum += x;
  }

 private:
  int index_, count_;
};

/// One thread of a block as the hardware has it. `line` tells one barrier of the source from another: an executor that
/// can, checks that all threads of a block meet at the same one.
template <class L>
concept lane = requires(L& lane, float* sum, float x) {
  { lane.thread() } -> std::convertible_to<int>;
  { lane.threads() } -> std::convertible_to<int>;
  { lane.block() } -> std::convertible_to<int>;
  { lane.blocks() } -> std::convertible_to<int>;
  lane.barrier(__LINE__);
  { lane.exchange(x, 1, __LINE__) } -> std::same_as<float>;  // what thread ^ mask of the same warp brought
  { lane.scratch() } -> std::same_as<unsigned char*>;        // (most_threads / warp) * reducible bytes of the block
  lane.add(sum, x);
};

/// Executors 2 and 3: strided loops, warp shuffles and barriers over a lane that is a CUDA thread or a std::thread.
template <class Lane>
class simt_block {
 public:
  GEOFACT_HD explicit simt_block(Lane& lane) : lane_(lane) {}
  GEOFACT_HD int index() const { return lane_.block(); }
  GEOFACT_HD int count() const { return lane_.blocks(); }

  template <class F>
  GEOFACT_HD void for_each(int n, const F& f) {
    for (int i = lane_.thread(); i < n; i += lane_.threads()) f(i);
    lane_.barrier(__LINE__);
  }

  template <class F>
  GEOFACT_HD void once(const F& f) {
    if (lane_.thread() == 0) f();
    lane_.barrier(__LINE__);
  }

  /// Op is commutative, so the butterfly gives every thread of a warp the same value; the warps follow in their order.
  template <class T, class Op>
  GEOFACT_HD T reduce(T mine, const Op& op) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= reducible, "a reduction takes small plain values");
    for (int mask = warp / 2; mask > 0; mask /= 2) mine = op(mine, lane_.exchange(mine, mask, __LINE__));
    T* const warps = reinterpret_cast<T*>(lane_.scratch());
    if (lane_.thread() % warp == 0) warps[lane_.thread() / warp] = mine;
    lane_.barrier(__LINE__);
    T all = warps[0];
    for (int w = 1; w < lane_.threads() / warp; ++w) all = op(all, warps[w]);
    lane_.barrier(__LINE__);  // before the next reduction writes
    return all;
  }

  template <class T>
  GEOFACT_HD void add(T* sum, T x) {
    lane_.add(sum, x);
  }

 private:
  Lane& lane_;
};

/// Threads for kernels that deal `n` numbers to each block: whole warps, no more than there is work for.
GEOFACT_HD constexpr int threads_for(int n) {
  const int whole = (n + warp - 1) / warp * warp;
  return whole < warp ? warp : whole < most_threads ? whole : most_threads;
}

}  // namespace geofact::gpu
