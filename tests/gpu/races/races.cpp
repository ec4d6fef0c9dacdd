#include <cstdio>
#include <cstring>
#include <string>

#include "../kernel_cases.hpp"
#include "../thread_lane.hpp"
#include "geofact/gpu/host_device.hpp"

/// \file
/// Built with -fsanitize=thread. races clean: every kernel in its SIMT form, at least two blocks in flight. races NAME:
/// the same with a planted bug, which must be found.

using namespace geofact::gpu;

namespace {

/// Leaves out the barriers of one kind, by all threads alike: the numbers hardly ever show it.
struct no_barrier : simt::thread_lane {
  using thread_lane::thread_lane;
  void barrier(int) {}
};

/// Thread 5 leaves out its second barrier.
struct divergent : simt::thread_lane {
  using thread_lane::thread_lane;
  int barriers = 0;
  void barrier(int line) {
    if (thread() != 5 || ++barriers != 2) thread_lane::barrier(line);
  }
};

/// += where an atomic addition belongs.
struct plain_add : simt::thread_lane {
  using thread_lane::thread_lane;
  template <class T>
  void add(T* sum, T x) {
    *sum += x;
  }
};

/// Leaves out only the barrier behind a reduction, which keeps the next one from overwriting what is still being read.
struct short_reduce : simt::thread_lane {
  using thread_lane::thread_lane;
  int last = 0;
  void barrier(int line) {
    const bool behind = last != 0 && line == last + 3;
    last = line;
    if (!behind) thread_lane::barrier(line);
  }
};

/// A kernel that also writes the first row of the next column.
struct off_by_one {
  int rows, queries;
  float* x;
  template <block B>
  void operator()(B& b) const {
    for (int q = b.index(); q < queries; q += b.count())
      b.for_each(rows + (q + 1 < queries), [&](int i) { x[q * rows + i] = 1; });
  }
};

/// A kernel that reads what another thread is writing (softmax_loss reads the target's logit early for that reason).
struct late_read {
  int attributes, queries;
  float* logits;
  template <block B>
  void operator()(B& b) const {
    for (int q = b.index(); q < queries; q += b.count()) {
      float* const column = logits + q * attributes;
      b.for_each(attributes, [&](int a) { column[a] += column[0]; });
    }
  }
};

constexpr kernel_cases::size small{40, 4, 2, 64};

template <class Lane>
double softmax() {
  host_device<simt::thread_executor<Lane>> device;
  return kernel_cases::softmax_loss<float, float>(device, small);
}

template <class Kernel>
double alone() {
  host_device<simt::thread_executor<>> device;
  auto x = kernel_cases::put(device, std::vector<float>(std::size_t{small.rows} * small.columns));
  device.launch(Kernel{small.rows, small.columns, x.data()}, small.blocks, small.threads);
  device.synchronize();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  double worst = -1;
  if (what == "clean") {
    host_device<simt::thread_executor<>> device;
    worst = kernel_cases::all_kernels<float, float>(device, small);
  }
  if (what == "no_barrier") worst = softmax<no_barrier>();
  if (what == "divergent") worst = softmax<divergent>();
  if (what == "plain_add") {
    host_device<simt::thread_executor<plain_add>> device;
    worst = kernel_cases::scatter_add<float, float>(device, small);
  }
  if (what == "short_reduce") worst = softmax<short_reduce>();
  if (what == "off_by_one") worst = alone<off_by_one>();
  if (what == "late_read") worst = alone<late_read>();
  if (worst < 0)
    return std::fputs("usage: races clean|no_barrier|divergent|plain_add|short_reduce|off_by_one|late_read\n", stderr),
           2;
  std::printf("%s: worst error %g\n", what.c_str(), worst);
  return worst < 1e-4 ? 0 : 1;
}
