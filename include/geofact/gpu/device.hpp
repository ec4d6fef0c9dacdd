#pragma once
#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "geofact/foundation/error.hpp"
#include "geofact/gpu/bf16.hpp"
#include "geofact/gpu/block.hpp"

/// \file
/// What the orchestration asks of a device, and the matrices that lie on it. Models are column-major and so is cuBLAS:
/// nothing is ever turned.

namespace geofact::gpu {

enum class number { float32, float64, bf16 };

template <class T>
inline constexpr number number_of = std::is_same_v<T, double>  ? number::float64
                                    : std::is_same_v<T, float> ? number::float32
                                                               : number::bf16;
constexpr std::size_t bytes_of(number n) { return n == number::float64 ? 8 : n == number::float32 ? 4 : 2; }

/// A matrix as an argument of a product; `rows` and `columns` are those it has there.
struct operand {
  const void* data;
  number type;
  int rows, columns, stride;  ///< stride: from one column to the next, in memory
  bool transposed = false;
};

/// c = a b (+ c), as cublasGemmEx takes it. Both arguments have one type; the sums are float, or double in double.
struct product {
  operand a, b;
  void* c;
  number type;  ///< of c
  int stride;   ///< of c
  bool accumulate;
  bool tf32;  ///< rounds float arguments to 10 bits after the point
};

namespace archetype {
struct kernel {
  template <block B>
  GEOFACT_HD void operator()(B&) const {}
};
}  // namespace archetype

/// Work is done in the order of the calls, at the latest when `synchronize` or `download` returns. A failure is an
/// exception with one sentence, at the call or, if the device finds out later, at `synchronize`.
template <class D>
concept device = requires(D& d, void* p, const void* from, std::size_t bytes, const product& g, std::string what) {
  { d.allocate(bytes, what) } -> std::same_as<void*>;  // not cleared; `what` is named where there is no room
  d.release(p);
  d.upload(p, from, bytes);    // `from` may go as soon as this returns
  d.download(p, from, bytes);  // waits
  d.zero(p, bytes);
  d.multiply(g);
  d.launch(archetype::kernel{}, 1, warp);  // blocks, threads of each
  d.synchronize();
  d.replay(d.record(archetype::act{}));  // what was launched, multiplied and cleared in there, with the same arguments
};

/// Memory of a device.
template <class T, device Device>
class buffer {
 public:
  buffer() = default;
  buffer(Device& device, index_t count, const std::string& what) : device_(&device), count_(count), data_(nullptr) {
    const index_t bytes = checked_product(count, static_cast<index_t>(sizeof(T)));
    if (count > 0) data_ = static_cast<T*>(device.allocate(static_cast<std::size_t>(bytes), what));
  }
  buffer(Device& device, const std::vector<T>& values, const std::string& what)
      : buffer(device, std::ssize(values), what) {
    upload(values.data(), count_);
  }
  buffer(buffer&& other) noexcept { swap(other); }
  buffer& operator=(buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~buffer() {
    if (data_) device_->release(data_);
  }

  T* data() const { return data_; }
  index_t size() const { return count_; }
  void upload(const T* from, index_t count) {
    require(count <= count_, "a buffer of ", count_, " numbers cannot take ", count);
    if (count > 0) device_->upload(data_, from, static_cast<std::size_t>(count) * sizeof(T));
  }
  void download(T* to, index_t count) const {
    require(count <= count_, "a buffer of ", count_, " numbers cannot give ", count);
    if (count > 0) device_->download(to, data_, static_cast<std::size_t>(count) * sizeof(T));
  }
  std::vector<T> download() const {
    std::vector<T> all(static_cast<std::size_t>(count_));
    download(all.data(), count_);
    return all;
  }
  void zero() {
    if (data_) device_->zero(data_, static_cast<std::size_t>(count_) * sizeof(T));
  }

 private:
  void swap(buffer& other) noexcept {
    std::swap(device_, other.device_), std::swap(count_, other.count_), std::swap(data_, other.data_);
  }

  Device* device_ = nullptr;
  index_t count_ = 0;
  T* data_ = nullptr;
};

/// A column-major matrix on a device.
template <class T>
struct view {
  T* data;
  int rows, columns, stride;
  view(T* at, int m, int n) : view(at, m, n, m) {}
  view(T* at, int m, int n, int ld) : data(at), rows(m), columns(n), stride(ld) {}
  operator operand() const { return {data, number_of<std::remove_const_t<T>>, rows, columns, stride}; }
  view first_rows(int m) const { return {data, m, columns, stride}; }
};

/// The transposed matrix, in a product.
template <class T>
operand transposed(const view<T>& x) {
  return {x.data, number_of<std::remove_const_t<T>>, x.columns, x.rows, x.stride, true};
}

/// c = a b, or c += a b.
template <device Device, class T>
void multiply(Device& device, const operand& a, const operand& b, const view<T>& c, bool tf32,
              bool accumulate = false) {
  require(a.columns == b.rows && a.rows == c.rows && b.columns == c.columns && a.type == b.type, "a product of ",
          a.rows, " x ", a.columns, " and ", b.rows, " x ", b.columns, " is no ", c.rows, " x ", c.columns);
  if (c.rows == 0 || c.columns == 0) return;
  device.multiply({a, b, c.data, number_of<T>, c.stride, accumulate, tf32});
}

}  // namespace geofact::gpu
