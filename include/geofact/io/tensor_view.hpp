#pragma once
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "geofact/foundation/matrix.hpp"
#include "geofact/foundation/memory.hpp"
#include "geofact/io/kernels.hpp"

namespace geofact {

/// [3, 4]
inline std::string shape_text(std::span<const index_t> shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) (text += i == 0 ? "" : ", ") += std::to_string(shape[i]);
  return text + ']';
}

/// The product of the extents.
inline index_t count_of(std::span<const index_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), index_t{1}, std::multiplies<>());
}

/// The bytes of the numbers of such a tensor in the file `source`. Throws where they overflow, even where an extent of
/// 0 leaves none.
inline index_t bytes_of(element type, std::span<const index_t> shape, const std::string& source) {
  index_t most = size_of(type);
  for (const index_t extent : shape)
    if (__builtin_mul_overflow(most, (std::max)(extent, index_t{1}), &most))
      detail::fail({source, ": shape ", shape_text(shape), " of ", name_of(type), " overflows"});
  return count_of(shape) * size_of(type);
}

/// Numbers that lie in somebody else's memory, mostly that of a mapped file, as a tensor of any order of axes.
class tensor_view {
 public:
  /// `source` is what errors call it; `strides` count elements; `data` need not be aligned.
  tensor_view(std::string source, element type, std::vector<index_t> shape, std::vector<index_t> strides,
              const std::byte* data)
      : source_(std::move(source)), type_(type), shape_(std::move(shape)), strides_(std::move(strides)), data_(data) {
    require(shape_.size() == strides_.size(), source_, ": ", shape_.size(), " axes but ", strides_.size(), " strides");
  }

  /// Row-major, or column-major (the first axis runs fastest).
  tensor_view(std::string source, element type, std::vector<index_t> shape, bool is_column_major, const std::byte* data)
      : source_(std::move(source)), type_(type), shape_(std::move(shape)), strides_(shape_.size()), data_(data) {
    index_t stride = 1;
    for (std::size_t i = 0, n = shape_.size(); i < n; ++i) {
      const std::size_t axis = is_column_major ? i : n - 1 - i;
      strides_[axis] = stride;
      stride = checked_product(stride, (std::max)(shape_[axis], index_t{1}));
    }
  }

  /// A matrix [rows, columns], or a column vector [rows], in its own memory: it must outlive this view.
  template <class Derived>
  tensor_view(const Eigen::DenseBase<Derived>& m) : source_("a matrix"), type_(element_of<typename Derived::Scalar>) {
    static_assert((Derived::Flags & Eigen::DirectAccessBit) != 0,
                  "only a matrix that lies in memory can be seen as a tensor: evaluate the expression first");
    const auto& lying = m.derived();
    constexpr bool is_row_major = Derived::IsRowMajor;
    data_ = reinterpret_cast<const std::byte*>(lying.data());
    shape_ = {m.rows(), m.cols()};
    strides_ = {is_row_major ? lying.outerStride() : lying.innerStride(),
                is_row_major ? lying.innerStride() : lying.outerStride()};
    if constexpr (Derived::ColsAtCompileTime == 1) shape_.pop_back(), strides_.pop_back();
  }

  /// The same numbers under another name for errors.
  tensor_view named(std::string source) const { return {std::move(source), type_, shape_, strides_, data_}; }

  const std::string& source() const { return source_; }
  element type() const { return type_; }
  const std::vector<index_t>& shape() const { return shape_; }
  const std::vector<index_t>& strides() const { return strides_; }
  int axes() const { return static_cast<int>(shape_.size()); }
  index_t count() const { return count_of(shape_); }
  const std::byte* data() const { return data_; }

  /// Whether the numbers lie one after the other, the last axis fastest.
  bool is_row_major() const {
    index_t stride = 1;
    for (std::size_t axis = shape_.size(); axis-- > 0; stride *= shape_[axis])
      if (shape_[axis] != 1 && strides_[axis] != stride) return count() == 0;
    return true;
  }

  /// The bytes of a tensor whose numbers lie one after the other; throws for others.
  std::span<const std::byte> bytes() const {
    require(is_row_major(), source_, ": its numbers do not lie in row-major order");
    return {data_, static_cast<std::size_t>(count() * size_of(type_))};
  }

  /// Number `i` along the first axis: of [layers, subjects, width] the [subjects, width] of one layer. Nothing is read.
  /// Throws where there is no such slice.
  tensor_view slice(index_t i) const {
    require(!shape_.empty(), source_, ": a single number has no slices");
    require(i >= 0 && i < shape_[0], source_, ": there is no slice ", i, " of shape ", shape_text(shape_));
    return {source_ + '[' + std::to_string(i) + ']',
            type_,
            {shape_.begin() + 1, shape_.end()},
            {strides_.begin() + 1, strides_.end()},
            data_ + i * strides_[0] * size_of(type_)};
  }

  /// The same numbers with the axes in the opposite order. Nothing is read.
  tensor_view transposed() const {
    return {source_, type_, {shape_.rbegin(), shape_.rend()}, {strides_.rbegin(), strides_.rend()}, data_};
  }

  /// A matrix of the same shape: [rows, columns], one column for [rows], and one number for []. Real numbers are
  /// rounded to nearest. Throws for more than two axes, beyond this machine's memory, and where an integer Scalar
  /// cannot hold a number exactly.
  template <element_type Scalar>
  matrix<Scalar> to_matrix() const {
    require(axes() <= 2, source_, ": shape ", shape_text(shape_), " is no matrix; take a slice");
    require_memory(checked_product(extent_of(0), extent_of(1)), sizeof(Scalar), source_.c_str());
    matrix<Scalar> result(extent_of(0), extent_of(1));
    copy_to(matrix_view<Scalar>(result.data(), result.rows(), result.cols()));
    return result;
  }

  /// to_matrix() into memory that is there; throws unless it has that shape.
  template <element_type Scalar>
  void copy_to(matrix_view<Scalar> to) const {
    const index_t rows = extent_of(0), columns = extent_of(1), size = size_of(type_);
    require(axes() <= 2 && to.rows() == rows && to.cols() == columns, source_, ": shape ", shape_text(shape_),
            " does not go into a matrix of ", to.rows(), " x ", to.cols());
    if (to.size() == 0) return;
    const detail::plane lines{data_, columns, rows, axes() < 2 ? 1 : strides_[1], axes() < 1 ? 1 : strides_[0]};
    auto* const bytes = reinterpret_cast<std::byte*>(to.data());
    if (type_ == element_of<Scalar> && type_ != element::boolean) return detail::gather(lines, size, 0, columns, bytes);
    const index_t block = detail::lines_of_block(columns, rows);
    std::vector<std::byte> gathered(static_cast<std::size_t>(block * rows * size));
    for (index_t first = 0; first < columns; first += block) {
      const index_t count = (std::min)(block, columns - first) * rows;
      detail::gather(lines, size, first, count / rows, gathered.data());
      auto* const part = bytes + first * rows * static_cast<index_t>(sizeof(Scalar));
      const index_t good = detail::convert_from<Scalar>(type_, gathered.data(), part, count);
      const index_t row = good % rows, column = first + good / rows;
      if (good < count)
        refuse_number(gathered.data() + good * size, axes() == 2 ? row * columns + column : row, element_of<Scalar>);
    }
  }

  /// The transposed tensor as it lies, without a copy: of [subjects, width] the (width, subjects) matrix. Throws unless
  /// the numbers are Scalars, row-major and aligned, and the axes at most two; the memory must outlive the view.
  template <element_type Scalar>
  const_matrix_view<Scalar> map_transposed() const {
    require(axes() <= 2, source_, ": shape ", shape_text(shape_), " is no matrix; take a slice");
    require(element_of<Scalar> == type_, source_, ": holds ", name_of(type_), ", not ", name_of(element_of<Scalar>));
    const auto* const start = bytes().data();
    require(reinterpret_cast<std::uintptr_t>(start) % alignof(Scalar) == 0, source_,
            ": its numbers do not lie aligned in the file; convert them with to_matrix()");
    return {reinterpret_cast<const Scalar*>(start), extent_of(1), extent_of(0)};
  }

  /// Throws the sentence about a number (its position in row-major order is `flat`) that `wanted` cannot hold.
  [[noreturn]] void refuse_number(const std::byte* number, index_t flat, element wanted) const {
    std::vector<index_t> position(shape_);
    for (std::size_t axis = shape_.size(); axis-- > 0; flat /= shape_[axis]) position[axis] = flat % shape_[axis];
    visit_element(type_, [&](auto x) {
      std::memcpy(&x, number, sizeof(x));
      detail::fail({source_, ": holds ", value_of(x), " at ", shape_text(position), ", which ", name_of(wanted),
                    " cannot hold"});
    });
    std::abort();
  }

 private:
  index_t extent_of(std::size_t axis) const { return axis < shape_.size() ? shape_[axis] : 1; }

  std::string source_;
  element type_;
  std::vector<index_t> shape_, strides_;
  const std::byte* data_;
};

}  // namespace geofact
