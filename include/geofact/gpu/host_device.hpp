#pragma once
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "geofact/gpu/device.hpp"

namespace geofact::gpu {

/// Runs a kernel block by block, in plain loops.
struct serial_executor {
  template <class Kernel>
  static void run(const Kernel& kernel, int blocks, int) {
    for (int i = 0; i < blocks; ++i) {
      serial_block b(i, blocks);
      kernel(b);
    }
  }
};

/// A device that is this CPU: the backend's reference and its test bench, not a fast way to train. It is as strict as a
/// GPU: work waits in a queue until it has to be done, fresh memory holds NaN, products must lie in what was allocated,
/// and a launch must have blocks and whole warps.
template <class Executor = serial_executor>
class host_device {
 public:
  using work = std::function<void()>;
  using recording = std::shared_ptr<const std::vector<work>>;

  host_device() = default;
  host_device(const host_device&) = delete;

  /// Faults to come, for tests: allocations that succeed before one does not, launches before one fails for good.
  int allocations_left = -1, launches_left = -1;

  void* allocate(std::size_t bytes, const std::string& what) {
    check();
    require(bytes > 0, "nothing is allocated for ", what);
    require(allocations_left != 0, "no room for ", bytes, " bytes of ", what, " on the device: it holds ", held(),
            " bytes for this program");
    if (allocations_left > 0) --allocations_left;
    auto memory = std::make_unique<unsigned char[]>(bytes);
    std::memset(memory.get(), 0xff, bytes);  // NaN in every floating-point type
    void* const at = memory.get();
    memory_[at] = {std::move(memory), bytes};
    return at;
  }
  void release(void* p) noexcept {
    run();
    memory_.erase(p);
  }
  void upload(void* to, const void* from, std::size_t bytes) {
    require(!recorded_, "a recording cannot upload");
    inside(to, bytes);
    const auto* first = static_cast<const unsigned char*>(from);
    enqueue([to, staged = std::vector<unsigned char>(first, first + bytes)] {
      std::memcpy(to, staged.data(), staged.size());
    });
  }
  void download(void* to, const void* from, std::size_t bytes) {
    require(!recorded_, "a recording cannot download");
    inside(from, bytes);
    synchronize();
    std::memcpy(to, from, bytes);
  }
  void zero(void* p, std::size_t bytes) {
    inside(p, bytes);
    enqueue([=] { std::memset(p, 0, bytes); });
  }
  void multiply(const product& g) {
    for (const operand& x : {g.a, g.b}) {
      const int rows = x.transposed ? x.columns : x.rows, columns = x.transposed ? x.rows : x.columns;
      require(x.stride >= (std::max)(1, rows), "a matrix of ", rows, " rows has a stride of ", x.stride);
      if (rows > 0 && columns > 0) inside(x.data, span_of(rows, columns, x.stride) * bytes_of(x.type));
    }
    require(g.stride >= g.a.rows && g.a.rows > 0 && g.b.columns > 0, "a product has the wrong size");
    inside(g.c, span_of(g.a.rows, g.b.columns, g.stride) * bytes_of(g.type));
    if (g.a.type == number::float64)
      enqueue([=] { compute<double, double>(g); });
    else if (g.a.type == number::float32)
      enqueue([=] { compute<float, float>(g); });
    else if (g.type == number::float32)
      enqueue([=] { compute<bf16, float>(g); });
    else
      enqueue([=] { compute<bf16, bf16>(g); });
  }
  template <class Kernel>
  void launch(const Kernel& kernel, int blocks, int threads) {
    static_assert(std::is_trivially_copyable_v<Kernel>, "a kernel travels as bytes");
    require(blocks >= 1, "a launch has ", blocks, " blocks");
    require(threads >= warp && threads % warp == 0 && threads <= most_threads, "a launch has blocks of ", threads,
            " threads");
    enqueue([=, this] {
      require(launches_left != 0, "an illegal memory access was found on the device: it cannot be used any more");
      if (launches_left > 0) --launches_left;
      Executor::run(kernel, blocks, threads);
    });
  }
  void synchronize() {
    run();
    check();
  }
  template <class F>
  recording record(const F& f) {
    begin_recording();
    try {
      f();
    } catch (...) {
      end_recording();
      throw;
    }
    return end_recording();
  }
  void begin_recording() {
    check();
    recorded_ = std::make_unique<std::vector<work>>();
  }
  recording end_recording() { return recording(std::exchange(recorded_, nullptr)); }
  void replay(const recording& all) {
    for (const work& one : *all) enqueue(one);
  }

  /// Bytes that are allocated.
  std::size_t held() const {
    std::size_t bytes = 0;
    for (const auto& [at, block] : memory_) bytes += block.bytes;
    return bytes;
  }

 private:
  struct block_of_memory {
    std::unique_ptr<unsigned char[]> data;
    std::size_t bytes = 0;
  };

  static std::size_t span_of(int rows, int columns, int stride) {
    return static_cast<std::size_t>(index_t{columns - 1} * stride + rows);
  }

  void inside(const void* p, std::size_t bytes) const {
    const auto* at = static_cast<const unsigned char*>(p);
    auto next = memory_.upper_bound(const_cast<void*>(p));
    require(next != memory_.begin(), "a pointer is not of this device");
    const auto& [first, block] = *--next;
    require(at + bytes <= static_cast<const unsigned char*>(first) + block.bytes, bytes,
            " bytes reach past the end of a buffer of ", block.bytes);
  }

  void enqueue(work one) {
    check();
    if (recorded_)
      recorded_->push_back(std::move(one));
    else
      queue_.push_back(std::move(one));
  }

  void run() noexcept {
    for (const auto& one : std::exchange(queue_, {})) try {
        if (failure_.empty()) one();
      } catch (const std::exception& e) {
        failure_ = e.what();
      }
  }

  void check() const { require(failure_.empty(), failure_); }

  template <class Sum, class T>
  static Sum rounded(T x, bool tf32) {
    auto y = static_cast<Sum>(x);
    if constexpr (std::is_same_v<T, float>)
      if (tf32) {
        std::uint32_t bits;
        std::memcpy(&bits, &y, sizeof bits);
        bits = (bits + 0xfffU + (bits >> 13 & 1U)) & ~0x1fffU;
        std::memcpy(&y, &bits, sizeof y);
      }
    return y;
  }

  /// Column by column; where c is not to be added to, it is not read.
  template <class In, class Out>
  static void compute(const product& g) {
    using Sum = std::conditional_t<std::is_same_v<In, double>, double, float>;
    const auto *a = static_cast<const In*>(g.a.data), *b = static_cast<const In*>(g.b.data);
    const index_t a_row = g.a.transposed ? g.a.stride : 1, a_column = g.a.transposed ? 1 : g.a.stride;
    const index_t b_row = g.b.transposed ? g.b.stride : 1, b_column = g.b.transposed ? 1 : g.b.stride;
    std::vector<Sum> sums(static_cast<std::size_t>(g.a.rows));
    for (index_t j = 0; j < g.b.columns; ++j) {
      Out* const c = static_cast<Out*>(g.c) + j * g.stride;
      std::fill(sums.begin(), sums.end(), Sum{0});
      for (index_t k = 0; k < g.a.columns; ++k) {
        const Sum factor = rounded<Sum>(b[k * b_row + j * b_column], g.tf32);
        const In* const from = a + k * a_column;
        for (std::size_t i = 0; i < sums.size(); ++i)
          sums[i] += rounded<Sum>(from[static_cast<index_t>(i) * a_row], g.tf32) * factor;
      }
      for (std::size_t i = 0; i < sums.size(); ++i)
        c[i] = static_cast<Out>(g.accumulate ? static_cast<Sum>(c[i]) + sums[i] : sums[i]);
    }
  }

  std::map<void*, block_of_memory> memory_;
  std::vector<work> queue_;
  std::unique_ptr<std::vector<work>> recorded_;
  std::string failure_;
};

}  // namespace geofact::gpu
